"""Who judges a record: the solution of its game."""

from typing import Any

from ..core.check import name_of
from ..core.errors import RulesError
from ..core.shown import quoted
from ..core.solution import Solution
from ..solvers.front import admit


def judge_of(game: Any, solution: Solution) -> Solution:
    """The solution, if it is one of this game: it knows what its states and actions are worth."""
    admit(game)
    if not isinstance(solution, Solution) or solution.game != game:
        found = name_of(solution.game) if isinstance(solution, Solution) else quoted(solution)
        raise RulesError(f"{found} cannot judge; a solution of {name_of(game)} is allowed")
    return solution
