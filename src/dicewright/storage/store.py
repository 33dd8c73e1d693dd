"""Nothing is solved or proved twice: answers from the store, or solved now and kept."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..core.errors import StorageError
from ..core.solution import Certificate, Solution
from ..games.race import RaceGame
from . import solutions

Progress = Callable[[str], None] | None


def header_of(game: Any, prove: bool = False, progress: Progress = None) -> dict[str, Any]:
    """What is known of a game's value, as the command line shows it."""
    if isinstance(game, RaceGame):
        saved = solutions.find(game)
        if saved is not None and (saved.certificate.proved or not prove):
            return _header(game, saved.certificate, saved.seconds)
    solution, seconds = _solve(game, prove, progress)
    return _header(game, solution.certificate, seconds)


def solution_of(game: Any, progress: Progress = None) -> Solution:
    """The solution of a game, from the store if it is there."""
    if isinstance(game, RaceGame) and solutions.find(game) is not None:
        import numpy as np

        from ..solvers.race import RaceValues

        saved = solutions.load(solutions.kept_path(game))
        values = RaceValues(game, np.stack([saved.win, saved.loss]))
        return Solution(game, saved.header.certificate.method, (values, values), saved.header.certificate)
    return _solve(game, False, progress)[0]


def save_solution(game: Any, path: Path, prove: bool = False, progress: Progress = None) -> dict[str, Any]:
    """Solve a game (or take it from the store) and save the solution to a file of the user's."""
    if not isinstance(game, RaceGame):
        raise StorageError(f"solutions of {game.name} cannot be saved yet; race games can")
    header = header_of(game, prove, progress)
    solution = solution_of(game, progress)
    solutions.save(path, game, solution.certificate, *_tables(solution), header["seconds"])
    return header


def _solve(game: Any, prove: bool, progress: Progress) -> tuple[Solution, float]:
    from ..solvers.front import solve

    if progress is not None:
        progress(f"solving {game.name} and proving its value ...")
    started = time.perf_counter()
    solution = solve(game, "prove" if prove else "auto")
    seconds = time.perf_counter() - started
    if isinstance(game, RaceGame):
        solutions.keep(game, solution.certificate, *_tables(solution), seconds)
    return solution, seconds


def _tables(solution: Solution) -> tuple[Any, Any, Any]:
    """The two tables of worth and the choices of a solved race game."""
    values: Any = solution.strategies[0]
    mine, yours = values.worth
    return mine, yours, values.table(values.game).choices


def _header(game: Any, certificate: Certificate, seconds: float) -> dict[str, Any]:
    lower, upper = certificate.decimals()
    points = getattr(game, "payoff_rule", "win") != "win"
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
    }
