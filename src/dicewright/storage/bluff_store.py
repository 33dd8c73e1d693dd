"""Solved rounds of Bluff: from the package, else from the store, else solved now and kept.

Rows (CFR) are kept rounded, with the bounds measured then; exact plans as they are, if they took more than
QUICK seconds to find.
"""

import hashlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..core.errors import DicewrightError, StorageError, VerificationError
from ..core.solution import Certificate, Solution
from ..games.bluff import Bluff
from . import container
from .solutions import log, store_folder
from .tables import shipped

QUICK = 3.0
STORE_LEAST = 1e-6
VERSION = 1


class Kept(NamedTuple):
    """A file that solves a round, and what its header says."""

    path: Path
    certificate: Certificate
    seconds: float


def kept_path(game: Bluff) -> Path:
    """The file that keeps this round, whether it exists or not."""
    name = hashlib.sha256(container.canonical([VERSION, game.name]).encode()).hexdigest()
    return store_folder() / f"{name}.npz"


def find(game: Bluff) -> Kept | None:
    """The file that solves this round, or None; a damaged one in the store is ignored with a note."""
    path = shipped(game) or kept_path(game)
    try:
        if not path.exists():
            return None
        header = container.read_header(path)
        found, certificate = read_round_bounds(path)
        if found != game:
            raise VerificationError(f"{path} is about {found.name}, not {game.name}")
        return Kept(path, certificate, float(header["seconds"]))
    except (DicewrightError, OSError, ValueError, TypeError, KeyError) as error:
        _ignored(game, error)
        return None


def _ignored(game: Bluff, error: Exception) -> None:
    log.warning("the store is ignored for %s and will be written again: %s", game.name, error)


def read_round_bounds(path: Path) -> tuple[Bluff, Certificate]:
    """The game of a file of any form that holds a round, and the bounds that its header says."""
    from .bluff_plans import FORMATS, plan_header

    header = container.read_header(path)
    if header.get("format") in FORMATS:
        return plan_header(path, header)
    from .bluff_files import read_bounds

    return read_bounds(path)


def read_round(path: Path, measure: bool = True) -> Solution:
    """The round in a file of any form; without `measure` it is taken as it was written, if its digest is right."""
    from .bluff_plans import FORMATS, load_plans

    if container.read_header(path).get("format") in FORMATS:
        return load_plans(path, prove=measure)
    from .bluff_files import load_bluff

    return load_bluff(path, measure=measure)


def load(game: Bluff) -> Solution | None:
    """The solution of this round that is kept, or None."""
    if (kept := find(game)) is None:
        return None
    try:
        return _load(kept.path, kept.path.stat().st_mtime_ns)
    except (StorageError, VerificationError, OSError) as error:
        _ignored(game, error)
        return None


@lru_cache(maxsize=8)
def _load(path: Path, written: int) -> Solution:
    """A file as it was written then: two dice each take 0.2 GB, so it is read once."""
    found = read_round(path, measure=False)
    return replace(found, source="shipped" if shipped(found.game) == path else "kept")


def keep(game: Bluff, solution: Solution, seconds: float) -> None:
    """Keep a solution in the store, if it is worth it, does not come with the package and can be written."""
    from ..solvers.bluff_strategy import PlanStrategy
    from .bluff_files import save_bluff
    from .bluff_plans import save_plans

    exact = all(isinstance(strategy, PlanStrategy) for strategy in solution.strategies)
    if game.order == "fixed" or (exact and seconds < QUICK) or shipped(game) is not None:
        return
    if type(game) is not Bluff:  # what an heir says that it is called need not say its rules
        return
    path = kept_path(game)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if exact:
            save_plans(path, solution, seconds)
        else:
            save_bluff(path, solution, STORE_LEAST, seconds)
    except (DicewrightError, OSError) as error:
        log.info("nothing was kept for %s: %s", game.name, error)
