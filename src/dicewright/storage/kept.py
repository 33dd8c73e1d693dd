"""The store: what was solved and proved before, of every family, in files of a folder; and what the package ships.

Files of our own making are read on trust of their digest. One that cannot be read is ignored with a note and written
again.
"""

import hashlib
import logging
import os
from collections import OrderedDict
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..core.check import name_of
from ..core.errors import DicewrightError
from ..core.game import WrittenGame
from ..core.solution import Certificate, Solution
from ..families import catalog, family
from ..families.family import Family
from . import container, solution_file
from .solution_file import Claim, is_named

VERSION = 1
SHIPPED = Path(__file__).parent.parent / "shipped"
MOST_READ = 8  # solutions that are remembered

log = logging.getLogger("dicewright")


class Kept(NamedTuple):
    """A file that solves a game, and what its header says."""

    path: Path
    claim: Claim
    source: Literal["kept", "shipped"]

    @property
    def certificate(self) -> Certificate:
        """What is proved."""
        return self.claim.certificate


def store_folder() -> Path:
    """Where solutions are kept: $DICEWRIGHT_STORE, else the user's cache folder."""
    if folder := os.environ.get("DICEWRIGHT_STORE"):
        return Path(folder)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "dicewright"


def kept_path(game: WrittenGame) -> Path:
    """The file that keeps this game, whether it exists or not."""
    return store_folder() / f"{_digest(game)}.npz"


def shipped(game: WrittenGame) -> Path | None:
    """The file of the package that solves a game with these rules, or None."""
    return _shipped(family(game)).get(_digest(game))


@cache
def _shipped(kin: Family[Any]) -> dict[str, Path]:
    """By digest. Files have the names of their games, but for signs that some systems do not allow."""
    files = {name: SHIPPED / f"{name.replace(':', '-').replace('=', '-')}.npz" for name in kin.shipped}
    return {_digest(catalog.parse(name)): path for name, path in files.items()}


def _digest(game: WrittenGame) -> str:
    """Of the rules."""
    rules = family(game).all_rules(game)
    key = container.canonical([VERSION, game.name if rules is None else rules])
    return hashlib.sha256(key.encode()).hexdigest()


def find(game: WrittenGame) -> Kept | None:
    """The best file that solves this game, or None; one that cannot be read is ignored with a note."""
    if not is_named(game) and family(game).all_rules(game) is None:
        return None  # nothing says its rules
    found = [_claimed(game, shipped(game), "shipped"), _claimed(game, kept_path(game), "kept")]
    return max((kept for kept in found if kept), key=lambda kept: _merit(kept.certificate), default=None)


def _claimed(game: WrittenGame, path: Path | None, source: Literal["kept", "shipped"]) -> Kept | None:
    try:
        if path is None or not path.exists():
            return None
        return Kept(path, solution_file.read_claim(path, game), source)
    except (DicewrightError, OSError) as error:
        _ignored(game, error)
        return None


def _merit(certificate: Certificate) -> tuple[bool, float]:
    """What is proved is better than what is not, and narrow bounds than wide ones."""
    return certificate.proved, -certificate.gap


def load(game: WrittenGame) -> Solution | None:
    """The solution of this game that is kept, or None."""
    if (kept := find(game)) is None:
        return None
    try:
        return _load(kept, kept.path.stat().st_mtime_ns)
    except (DicewrightError, OSError) as error:
        _ignored(game, error)
        return None


_read: OrderedDict[tuple[Path, int], Solution] = OrderedDict()


def _load(kept: Kept, written: int) -> Solution:
    """A file as it was written then: two dice each take 0.2 GB, so the latest are remembered."""
    found = _read.get((kept.path, written))
    if found is None or found.game != kept.claim.game:
        solution = solution_file.restored(kept.path, kept.claim)
        found = _read[kept.path, written] = replace(solution, source=kept.source)
        while len(_read) > MOST_READ:
            _read.popitem(last=False)
    return found


def keep(game: WrittenGame, solution: Solution, seconds: float) -> Path | None:
    """Keep a solution in the store, unless a better one is there or it need not be; where it is, or None."""
    old = find(game)
    if not is_named(game) or (old is not None and _is_better(old, solution)):
        return None
    path = kept_path(game)
    try:
        if (rounded := solution.to_keep()) is None:
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        solution_file.save(path, rounded, seconds)
    except (DicewrightError, OSError) as error:
        log.info("nothing was kept for %s: %s", name_of(game), error)
        return None
    return path


def _is_better(old: Kept, solution: Solution) -> bool:
    """Whether what is there says more, or as much and comes with the package."""
    there, new = _merit(old.certificate), _merit(solution.certificate)
    return there > new or (there == new and old.source == "shipped")


def _ignored(game: WrittenGame, error: Exception) -> None:
    log.warning("the store is ignored for %s and will be written again: %s", name_of(game), error)
