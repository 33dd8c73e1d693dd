"""Nothing is solved or proved twice: answers from the store, or solved now and kept."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..core.errors import StorageError, VerificationError
from ..core.solution import Certificate, Solution
from ..families import family
from ..families.solving import admit, asked
from ..families.solving import solve as solve_anew
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.race import RaceGame
from . import bluff_store, container, solutions
from .tables import shipped

Progress = Callable[[str], None] | None
GAP = 1e-3  # where CFR stops unless asked otherwise


def header_of(
    game: Any,
    prove: bool = False,
    gap: float | None = None,
    progress: Progress = None,
    fresh: bool = False,
) -> dict[str, Any]:
    """What is known of a game's value, as the command line shows it; `gap` is how wide its bounds may be.

    Nothing but the header is read of a solution that is kept; with `fresh` it is solved anew.
    """
    admit(game)
    if not fresh and (kept := _kept(game, prove, gap)) is not None:
        shown = {"kept": True, "shipped": kept.source == "shipped"}
        return {**_header(game, kept.certificate, kept.seconds), **shown}
    solution, seconds = _solve(game, prove, gap, progress)
    return _header(game, solution.certificate, seconds)


class Kept(NamedTuple):
    """What a file says of a game that is kept."""

    certificate: Certificate
    seconds: float
    source: Literal["kept", "shipped"]


def _kept(game: Any, prove: bool = False, gap: float | None = None) -> Kept | None:
    """What is kept of a game, if it is good enough: proved if that is asked, its bounds no wider than asked."""
    kept = None
    if isinstance(game, RaceGame) and (saved := solutions.find(game)) is not None:
        kept = Kept(saved.certificate, saved.seconds, "kept")
    if isinstance(game, Bluff) and (found := bluff_store.find(game)) is not None:
        source: Literal["kept", "shipped"] = "shipped" if found.path == shipped(game) else "kept"
        kept = Kept(found.certificate, found.seconds, source)
    if kept is None or (prove and not kept.certificate.proved):
        return None
    return kept if gap is None or kept.certificate.gap <= gap else None


def solve(game: Any, method: str = "auto", fresh: bool = False, **options: Any) -> Solution:
    """The solution of a game: shipped with the package or kept from before, else solved now and kept.

    `solution.source` says which. With no `gap` asked whatever is kept is good enough, with one asked it must be
    met. `fresh` solves anew, as does every method but "auto" (and "prove", which a kept proof satisfies).
    """
    admit(game)
    given = asked(game, method, options)
    gap = given.get("gap")
    if not fresh and method in ("auto", "prove"):
        kept = _kept(game, method == "prove", None if gap is None else float(gap))
        if kept is not None and (solution := _load(game)) is not None:
            return solution
    if method != "auto" or gap is not None or "progress" in given:
        started = time.perf_counter()
        solution = solve_anew(game, method, **given)
        _keep(game, solution, time.perf_counter() - started)
        return solution
    return solution_of(game, fresh=fresh)


def solution_of(game: Any, progress: Progress = None, fresh: bool = False) -> Solution:
    """The solution of a game, as `solve` gives it; `progress` hears of a long solution of Bluff in words."""
    admit(game)
    if not fresh and is_kept(game) and (found := _load(game)) is not None:
        return found
    solution, _ = _solve(game, progress=progress)
    rounded = bluff_store.load(game) if isinstance(game, Bluff) and not fresh else None
    return rounded or solution  # rounded as it was kept, so that a second answer is the first one's equal


def _load(game: Any) -> Solution | None:
    """The solution that is kept; None if it cannot be read, which is noted."""
    if isinstance(game, Bluff):
        return bluff_store.load(game)
    import numpy as np

    from ..solvers.race import RaceValues
    from ..solvers.race_solution import RaceSolution

    try:
        saved = solutions.load(solutions.kept_path(game))
    except (StorageError, VerificationError) as error:
        solutions.log.warning("the store is ignored for %s and will be written again: %s", game.name, error)
        return None
    values = RaceValues(game, np.stack([saved.win, saved.loss]))
    return RaceSolution(game, "race-pairs", (values, values), saved.header.certificate, source="kept")


def is_kept(game: Any) -> bool:
    """Whether `solve` finds the solution of this game, and need not solve it."""
    return _kept(game) is not None


def save_solution(
    game: Any,
    path: Path,
    prove: bool = False,
    gap: float = GAP,
    checkpoint: Path | None = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """Solve a game (or take it from the store) and save the solution to a file of the user's.

    A game whose file `verify` would refuse is a StorageError before anything is solved.
    """
    for place in filter(None, (path, checkpoint)):
        if not os.access(place.absolute().parent, os.W_OK):
            raise StorageError(f"cannot write {place}: its folder is missing or not writable")
    if isinstance(game, RaceGame):
        solutions.check_name(game)
        header = header_of(game, prove)
        solution = solution_of(game)
        solutions.save(path, game, solution.certificate, *_tables(solution), header["seconds"])
        return header
    if not isinstance(game, Bluff):
        raise StorageError(
            f"solutions of {game.name} are not saved in files; race games and bluff are allowed"
        )
    from ..solvers.bluff import choose_method

    started = time.perf_counter()
    if choose_method(game)[0] == "sequence-form":
        from .bluff_plans import is_exact, save_plans

        kept = bluff_store.load(game)
        solution = kept if kept is not None and is_exact(kept) else _solve(game, progress=progress)[0]
        save_plans(path, solution, time.perf_counter() - started)
        return _header(game, solution.certificate, time.perf_counter() - started)
    from ..solvers.cfr import solve_cfr
    from .bluff_files import check_size, load_bluff, save_bluff
    from .checkpoints import Checkpoint

    check_size(game)
    keeper = Checkpoint(checkpoint) if checkpoint is not None else None
    save_bluff(path, solve_cfr(game, gap, progress=_brackets(game, progress), checkpoint=keeper))
    return _header(game, load_bluff(path).certificate, time.perf_counter() - started)


def verify_solution(path: Path) -> Certificate:
    """Prove a saved solution again: the certificate proved here and now, or VerificationError."""
    if "bluff" in str(container.read_header(path).get("format")):
        return bluff_store.read_round(path).certificate
    return solutions.verify_file(path)


def _solve(
    game: Any, prove: bool = False, gap: float | None = None, progress: Progress = None
) -> tuple[Solution, float]:
    started = time.perf_counter()
    if isinstance(game, BluffMatch) and gap is None:
        from ..solvers.match import solve_match

        return solve_match(game, solver=solution_of), time.perf_counter() - started
    options: dict[str, Any] = {}
    if isinstance(game, (Bluff, BluffMatch)) and gap is not None:
        options["gap"] = gap
    if isinstance(game, Bluff):
        options["progress"] = _brackets(game, progress)
    solution = solve_anew(game, "prove" if prove and isinstance(game, RaceGame) else "auto", **options)
    seconds = time.perf_counter() - started
    _keep(game, solution, seconds)
    return solution, seconds


def _keep(game: Any, solution: Solution, seconds: float) -> None:
    if isinstance(game, RaceGame):
        solutions.keep(game, solution.certificate, *_tables(solution), seconds)
    if isinstance(game, Bluff):
        bluff_store.keep(game, solution, seconds)


def _brackets(game: Bluff, progress: Progress) -> Callable[[Any], None] | None:
    """Progress of CFR as text: the bracket that is proved so far."""
    if progress is None:
        return None
    return lambda step: progress(
        f"{game.name}: iteration {step.iteration}, {step.lower:.6f} to {step.upper:.6f}"
    )


def _tables(solution: Solution) -> tuple[Any, Any, Any]:
    """The two tables of worth and the choices of a solved race game."""
    from ..solvers.race_certificate import runs_of

    values: Any = solution.strategies[0]
    mine, yours = values.worth
    return mine, yours, runs_of(values.table(values.game), values.game.goal)


def _header(game: Any, certificate: Certificate, seconds: float) -> dict[str, Any]:
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
        "kept": False,
        "shipped": False,
    }
