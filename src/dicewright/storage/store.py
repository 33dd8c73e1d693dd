"""Nothing is solved or proved twice: answers from the package or the store, else solved now and kept.

The store is a folder with a file for each game, of every family, found by its rules. Files of our own making are read
on trust of their digest. One that cannot be read is ignored with a note and written again.
"""

import hashlib
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..core.errors import DicewrightError, StorageError, name_of
from ..core.game import Game, WrittenGame
from ..core.solution import Certificate, Solution
from ..families import admit, asked, catalog, family
from ..families.family import Family
from . import solution_file
from .files import whole_file
from .solution_file import Unproved, game_of, is_named

if TYPE_CHECKING:
    from concurrent.futures import Executor

Progress = Callable[[str], None] | None
VERSION = 1
GAP = 1e-3  # where CFR stops unless asked otherwise
SHIPPED = Path(__file__).parent.parent / "shipped"
MOST_READ = 8  # solutions that are remembered

log = logging.getLogger("dicewright")


class Kept(NamedTuple):
    """A file that solves a game, and what its header says."""

    path: Path
    claim: Unproved
    source: Literal["kept", "shipped"]

    @property
    def certificate(self) -> Certificate:
        """What is proved."""
        return self.claim.certificate

    def merit(self) -> tuple[bool, float]:
        """What is proved is better than what is not, and narrow bounds than wide ones."""
        return _merit(self.certificate)


def _merit(certificate: Certificate) -> tuple[bool, float]:
    return certificate.proved, -certificate.gap


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
    key = solution_file.canonical([VERSION, game.name if rules is None else rules])
    return hashlib.sha256(key.encode()).hexdigest()


def find(game: WrittenGame, prove: bool = False, gap: float | None = None) -> Kept | None:
    """The best file that solves this game, proved and with bounds no wider than asked; None if there is none."""
    if not is_named(game) and family(game).all_rules(game) is None:
        return None  # nothing says its rules
    found = [_claimed(game, shipped(game), "shipped"), _claimed(game, kept_path(game), "kept")]
    best = max(filter(None, found), key=Kept.merit, default=None)
    if best is None or (prove and not best.certificate.proved):
        return None
    return best if gap is None or best.certificate.gap <= gap else None


def _claimed(game: WrittenGame, path: Path | None, source: Literal["kept", "shipped"]) -> Kept | None:
    try:
        if path is None or not path.exists():
            return None
        claim = solution_file.read_claim(path, game)
        return None if family(game).outdated(claim.header) else Kept(path, claim, source)
    except (DicewrightError, OSError) as error:
        _ignored(game, error)
        return None


def load(game: WrittenGame, prove: bool = False, gap: float | None = None) -> Solution | None:
    """The solution of this game that is kept and good enough, or None."""
    if (kept := find(game, prove, gap)) is None:
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


def _ignored(game: WrittenGame, error: Exception) -> None:
    log.warning("the store is ignored for %s and will be written again: %s", name_of(game), error)


def keep(game: WrittenGame, solution: Solution, seconds: float) -> Path | None:
    """Keep a solution in the store, unless a better one is there or it need not be; where it is, or None."""
    old, new = find(game), _merit(solution.certificate)
    if not is_named(game) or (old is not None and (old.merit(), old.source == "shipped") > (new, False)):
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


def is_kept(game: WrittenGame) -> bool:
    """Whether `solve` finds the solution of this game, and need not solve it."""
    return find(game) is not None


def is_quick(game: WrittenGame) -> bool:
    """Whether `solve` answers within seconds: the solution is kept, or small. Nothing is tried.

    >>> from dicewright.families.catalog import parse
    >>> [is_quick(parse(text)) for text in ("pig", "mia", "bluff:dice=2v2", "bluff:dice=2v2,wild=ones")]
    [True, True, True, False]
    """
    kin = family(game)
    return is_kept(game) or (kin.effort(game).quick and all(map(is_quick, kin.needs(game))))


def solve(
    game: Game | str,
    method: str = "auto",
    *,
    fresh: bool = False,
    executor: "Executor | None" = None,
    **options: Any,
) -> Solution:
    """The solution of a game: strategies for both players and a certificate of the value.

    It is taken from the package or from what was solved before, and `source` says so; else the game is solved now,
    and kept. With no `gap` asked (rounds and matches of Bluff) whatever is kept is good enough, with one asked it
    must be met. `fresh` solves anew, as does every method but "auto" (and "prove", which a kept proof satisfies).
    The rounds of a match that are not kept are solved on the `executor`, if there is one.
    RulesError names a method or an option that the game's solver has not.

    >>> solve("piglet:goal=3").certificate.exact
    Fraction(1, 11)
    """
    rules = game_of(game)
    admit(rules)
    given = asked(rules, method, options)
    if not fresh and method in ("auto", "prove"):
        gap = given.get("gap")
        found = load(rules, method == "prove", None if gap is None else float(gap))
        if found is not None:
            return found
    return _answer(rules, method, given, fresh, executor)


def solution_of(game: Game | str, progress: Progress = None, fresh: bool = False) -> Solution:
    """The solution of a game: `solve` under an older name; `progress` hears of a long solution of Bluff in words."""
    rules = game_of(game)
    admit(rules)
    if not fresh and (found := load(rules)) is not None:
        return found
    return _answer(rules, "auto", _options(rules, None, progress), fresh)


def _answer(
    game: WrittenGame, method: str, options: dict[str, Any], fresh: bool, executor: "Executor | None" = None
) -> Solution:
    """Solved now; where nothing was asked for, as it was kept, so that a second answer is the first one's equal."""
    solution, _ = _solve(game, method, options, fresh, executor)
    if fresh or method != "auto" or options.get("gap") is not None or solution.certificate.exact is not None:
        return solution
    rounded = load(game)
    return solution if rounded is None else replace(rounded, source="solved")


def _solve(
    game: WrittenGame,
    method: str,
    options: dict[str, Any],
    fresh: bool = False,
    executor: "Executor | None" = None,
) -> tuple[Solution, float]:
    """Solved now, from what is kept of the games that it needs unless `fresh`, and kept; the seconds it took."""
    way, given, started = family(game).way(game), asked(game, method, options), time.perf_counter()
    if way.chained and not fresh:
        if executor is not None and family(game).chains(game):
            _solve_parts(game, given, executor)
        given["solver"] = partial(solve, **given)
    solution = way.solve(game, method, **given)
    seconds = time.perf_counter() - started
    keep(game, solution, seconds)
    return solution, seconds


def _solve_parts(game: WrittenGame, options: dict[str, Any], executor: "Executor") -> None:
    """Keep the games that this one needs, each solved by a worker and sent as the file that keeps it."""
    from ..core.spread import spread

    gap = options.get("gap")
    missing = [part for part in family(game).needs(game) if find(part, gap=gap) is None and is_named(part)]
    tasks = sorted((part.name, gap) for part in missing)
    for place, packed in spread(_packed, tasks, executor):
        path = kept_path(catalog.parse(tasks[place][0]))
        if packed is not None and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as file:
                file.write(packed)


def _packed(task: tuple[str, float | None]) -> bytes | None:
    """A game by its line, solved where this runs and kept there, as the bytes of its file."""
    line, gap = task
    rules = catalog.parse(line)
    wide: dict[str, Any] = {} if gap is None else {"gap": gap}  # not every game is asked for one
    solve(rules, **wide)
    kept = find(rules, gap=gap)
    return None if kept is None else kept.path.read_bytes()


def _options(game: WrittenGame, gap: float | None, progress: Progress) -> dict[str, Any]:
    """What of these the solver of a game takes; it is heard of in words."""
    way = family(game).way(game)
    heard = progress and (lambda step: progress(f"{game.name}: {way.heard(step)}"))
    given = {"gap": gap, "progress": heard}
    return {option: given[option] for option in way.options if option in given}


def header_of(
    game: WrittenGame,
    prove: bool = False,
    gap: float | None = None,
    progress: Progress = None,
    fresh: bool = False,
    executor: "Executor | None" = None,
) -> dict[str, Any]:
    """What is known of a game's value, as the command line shows it; `gap` is how wide its bounds may be.

    Nothing but the header is read of a solution that is kept; with `fresh` it is solved anew.
    """
    admit(game)
    if not fresh and (found := find(game, prove, gap)) is not None:
        return _header(game, found.certificate, found.claim.seconds, found.source)
    options = _options(game, gap, progress)
    solution, seconds = _solve(game, _method(game, prove), options, fresh, executor)
    return _header(game, solution.certificate, seconds)


def _method(game: WrittenGame, prove: bool) -> str:
    return "prove" if prove and "prove" in family(game).way(game).methods else "auto"


def save_solution(
    game: WrittenGame,
    path: Path,
    prove: bool = False,
    gap: float = GAP,
    checkpoint: Path | None = None,
    progress: Progress = None,
    fresh: bool = False,
) -> dict[str, Any]:
    """Solve a game (or, unless `fresh`, take it from the store) and save the solution to a file of the user's.

    `gap` and `checkpoint` are for rounds of Bluff that are solved step by step.
    """
    for place in filter(None, (path, checkpoint)):
        if not os.access(place.absolute().parent, os.W_OK):
            raise StorageError(f"cannot write {place}: its folder is missing or not writable")
    way, started = family(game).way(game), time.perf_counter()
    width = gap if way.to_file is not None else None
    solution = None if fresh else load(game, prove, width)
    if solution is not None and not (way.exact and solution.certificate.exact is None):
        shown = header_of(game, prove, width)
        solution_file.save(path, solution, shown["seconds"])
        return shown
    if way.to_file is None:
        solution, seconds = _solve(game, _method(game, prove), _options(game, None, progress), fresh)
    else:
        from .checkpoints import Checkpoint

        told = {**_options(game, gap, progress), "checkpoint": checkpoint and Checkpoint(checkpoint)}
        solution = way.to_file(game, **told)
        seconds = time.perf_counter() - started
    solution_file.save(path, solution, seconds)
    return _header(game, solution.certificate, seconds)


verify_solution = solution_file.verify  # its older name


def _header(
    game: WrittenGame, certificate: Certificate, seconds: float, source: str = "solved"
) -> dict[str, Any]:
    lower, upper = certificate.decimals()
    points = family(game).points(game)
    return {
        "game": game.name,
        "value": certificate.value,
        "first_wins": None if points else (1 + certificate.value) / 2,
        "lower": lower,
        "upper": upper,
        "exact": None if certificate.exact is None else str(certificate.exact),
        "proved": certificate.proved,
        "method": certificate.method,
        "seconds": seconds,
        "gap": certificate.gap,
        "kept": source != "solved",
        "shipped": source == "shipped",
    }
