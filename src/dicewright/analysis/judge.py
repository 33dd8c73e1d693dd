"""Who judges a record: the solution of its game."""

from ..core.game import WrittenGame
from ..core.solution import Solution
from ..families import admit
from .exact import checked_solution


def judge_of(game: WrittenGame, solution: Solution) -> Solution:
    """The solution, if it is one of this game: it knows what its states and actions are worth."""
    admit(game)
    return checked_solution(game, solution)
