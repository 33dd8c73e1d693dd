"""Nothing is solved or proved twice: answers from the store, or solved now and kept."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..core.errors import StorageError, VerificationError
from ..core.solution import Certificate, Solution
from ..games import catalog
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.race import RaceGame
from ..solvers.front import admit
from . import bluff_store, container, solutions
from .tables import shipped

Progress = Callable[[str], None] | None
GAP = 1e-3  # where CFR stops unless asked otherwise
PATIENCE = 60.0  # seconds that `value` takes again for narrower bounds than the kept ones


def header_of(
    game: Any, prove: bool = False, gap: float | None = None, progress: Progress = None
) -> dict[str, Any]:
    """What is known of a game's value, as the command line shows it; `gap` is how wide its bounds may be."""
    admit(game)
    if isinstance(game, RaceGame):
        saved = solutions.find(game)
        if saved is not None and (saved.certificate.proved or not prove):
            return {**_header(game, saved.certificate, saved.seconds), "kept": True}
    if isinstance(game, Bluff):
        found = bluff_store.find(game)
        if found is not None and _is_enough(found.certificate, found.seconds, gap):
            known = _header(game, found.certificate, found.seconds)
            return {**known, "kept": True, "shipped": found.path == shipped(game)}
    solution, seconds = _solve(game, prove, gap, progress)
    return _header(game, solution.certificate, seconds)


def _is_enough(certificate: Certificate, seconds: float, gap: float | None) -> bool:
    """Whether a kept round is the answer: its bounds are as narrow as asked, or narrowing them would take long."""
    return certificate.gap <= (GAP if gap is None else gap) or (gap is None and seconds > PATIENCE)


def solution_of(game: Any, progress: Progress = None) -> Solution:
    """The solution of a game, from the package or the store if it is there; else it is solved now and kept.

    `progress` hears of a long solution of Bluff.
    """
    admit(game)
    if isinstance(game, RaceGame) and solutions.find(game) is not None:
        import numpy as np

        from ..solvers.race import RaceValues

        try:
            saved = solutions.load(solutions.kept_path(game))
        except (StorageError, VerificationError) as error:
            solutions.log.warning(
                "the store is ignored for %s and will be written again: %s", game.name, error
            )
            return _solve(game)[0]
        values = RaceValues(game, np.stack([saved.win, saved.loss]))
        return Solution(game, "race-pairs", (values, values), saved.header.certificate)
    if isinstance(game, Bluff) and (kept := bluff_store.load(game)) is not None:
        return kept
    solution, _ = _solve(game, progress=progress)
    kept = bluff_store.load(game) if isinstance(game, Bluff) else None
    return kept or solution  # rounded as it was kept, so that a second answer is the first one's equal


def is_kept(game: Any) -> bool:
    """Whether `solution_of` finds the solution of this game, and need not solve it."""
    if isinstance(game, RaceGame):
        return solutions.find(game) is not None
    return isinstance(game, Bluff) and bluff_store.find(game) is not None


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
    from ..solvers.front import solve

    started = time.perf_counter()
    if isinstance(game, BluffMatch) and gap is None:
        from ..solvers.match import solve_match

        return solve_match(game, solver=solution_of), time.perf_counter() - started
    options: dict[str, Any] = {}
    if isinstance(game, (Bluff, BluffMatch)) and gap is not None:
        options["gap"] = gap
    if isinstance(game, Bluff):
        options["progress"] = _brackets(game, progress)
    solution = solve(game, "prove" if prove and isinstance(game, RaceGame) else "auto", **options)
    seconds = time.perf_counter() - started
    if isinstance(game, RaceGame):
        solutions.keep(game, solution.certificate, *_tables(solution), seconds)
    if isinstance(game, Bluff):
        bluff_store.keep(game, solution, seconds)
    return solution, seconds


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
    points = catalog.for_points(game)
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
