"""Nothing is solved or proved twice: answers from the store, or solved now and kept."""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.errors import StorageError
from ..core.game import WrittenGame
from ..core.solution import Certificate, Solution
from ..families import admit, asked, family
from ..families import solve as solve_anew
from . import kept, solution_file

Progress = Callable[[str], None] | None
GAP = 1e-3  # where CFR stops unless asked otherwise


def header_of(
    game: WrittenGame,
    prove: bool = False,
    gap: float | None = None,
    progress: Progress = None,
    fresh: bool = False,
) -> dict[str, Any]:
    """What is known of a game's value, as the command line shows it; `gap` is how wide its bounds may be.

    Nothing but the header is read of a solution that is kept; with `fresh` it is solved anew.
    """
    admit(game)
    if not fresh and (found := _kept(game, prove, gap)) is not None:
        return _header(game, found.certificate, found.claim.seconds, found.source)
    solution, seconds = _solve(game, prove, gap, progress, fresh)
    return _header(game, solution.certificate, seconds)


def _kept(game: WrittenGame, prove: bool = False, gap: float | None = None) -> kept.Kept | None:
    """What is kept of a game, if it is good enough: proved if that is asked, its bounds no wider than asked."""
    found = kept.find(game)
    if found is None or (prove and not found.certificate.proved):
        return None
    return found if gap is None or found.certificate.gap <= gap else None


def solve(game: WrittenGame, method: str = "auto", fresh: bool = False, **options: Any) -> Solution:
    """The solution of a game: shipped with the package or kept from before, else solved now and kept.

    `solution.source` says which. With no `gap` asked whatever is kept is good enough, with one asked it must be
    met. `fresh` solves anew, as does every method but "auto" (and "prove", which a kept proof satisfies).
    """
    admit(game)
    given = asked(game, method, options)
    gap = given.get("gap")
    if not fresh and method in ("auto", "prove"):
        found = _kept(game, method == "prove", None if gap is None else float(gap))
        if found is not None and (solution := kept.load(game)) is not None:
            return solution
    if method != "auto" or gap is not None or "progress" in given:
        started = time.perf_counter()
        solution = solve_anew(game, method, **given)
        kept.keep(game, solution, time.perf_counter() - started)
        return solution
    return solution_of(game, fresh=fresh)


def solution_of(game: WrittenGame, progress: Progress = None, fresh: bool = False) -> Solution:
    """The solution of a game, as `solve` gives it; `progress` hears of a long solution of Bluff in words."""
    admit(game)
    if not fresh and (found := kept.load(game)) is not None:
        return found
    solution, _ = _solve(game, progress=progress, fresh=fresh)
    if fresh or solution.certificate.exact is not None:
        return solution
    rounded = kept.load(game)  # as it was kept, so that a second answer is the first one's equal
    return solution if rounded is None else replace(rounded, source="solved")


def is_kept(game: WrittenGame) -> bool:
    """Whether `solve` finds the solution of this game, and need not solve it."""
    return _kept(game) is not None


def save_solution(
    game: WrittenGame,
    path: Path,
    prove: bool = False,
    gap: float = GAP,
    checkpoint: Path | None = None,
    progress: Progress = None,
    fresh: bool = False,
) -> dict[str, Any]:
    """Solve a game (or, unless `fresh`, take it from the store) and save the solution to a file of the user's."""
    for place in filter(None, (path, checkpoint)):
        if not os.access(place.absolute().parent, os.W_OK):
            raise StorageError(f"cannot write {place}: its folder is missing or not writable")
    way, started = family(game).way(game), time.perf_counter()
    if way.to_file is not None:
        from .checkpoints import Checkpoint

        keeper = Checkpoint(checkpoint) if checkpoint is not None else None
        made = way.to_file(game, gap=gap, progress=_in_words(game, progress), checkpoint=keeper)
        solution_file.save(path, made)
        return _header(game, solution_file.read_claim(path).certificate, time.perf_counter() - started)
    found = None if fresh else _kept(game, prove)
    solution = kept.load(game) if found is not None else None
    if found is None or solution is None or (way.exact and solution.certificate.exact is None):
        solution, seconds = _solve(game, prove, progress=progress, fresh=fresh)
        shown = _header(game, solution.certificate, seconds)
    else:
        shown = header_of(game, prove)
    solution_file.save(path, solution, shown["seconds"])
    return shown


def verify_solution(path: Path) -> Certificate:
    """Prove a saved solution again: `solution_file.verify` under an older name."""
    return solution_file.verify(path)


def _solve(
    game: WrittenGame,
    prove: bool = False,
    gap: float | None = None,
    progress: Progress = None,
    fresh: bool = False,
) -> tuple[Solution, float]:
    way = family(game).way(game)
    options: dict[str, Any] = {"gap": gap} if "gap" in way.options else {}
    if "progress" in way.options:
        options["progress"] = _in_words(game, progress)
    started = time.perf_counter()
    if way.chained and gap is None and not fresh:
        solution = way.solve(game, "auto", solver=solution_of)
    else:
        solution = solve_anew(game, "prove" if prove and "prove" in way.methods else "auto", **options)
    seconds = time.perf_counter() - started
    kept.keep(game, solution, seconds)
    return solution, seconds


def _in_words(game: WrittenGame, progress: Progress) -> Callable[[Any], None] | None:
    """Who hears of the steps of a solver, told in words."""
    if progress is None:
        return None
    heard = family(game).way(game).heard
    return lambda step: progress(f"{game.name}: {heard(step)}")


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


def is_quick(game: WrittenGame) -> bool:
    """Whether `solve` answers within seconds: the solution is kept, or small. Nothing is tried.

    >>> from dicewright.families.catalog import parse
    >>> [is_quick(parse(text)) for text in ("pig", "mia", "bluff:dice=2v2", "bluff:dice=2v2,wild=ones")]
    [True, True, True, False]
    """
    kin = family(game)
    return is_kept(game) or (kin.effort(game).quick and all(map(is_quick, kin.needs(game))))
