"""Exact evaluation, best responses and advice, for any game of the catalog."""

from typing import Any

from ..core.errors import DicewrightError
from ..core.game import Game, View
from ..core.results import Advice, Evaluation, Response
from ..core.solution import Solution
from ..games.race import RaceGame, RaceView


def evaluate(game: Game, a: Any, b: Any) -> Evaluation:
    """Strategies a and b against each other, exactly, with either of them starting."""
    if isinstance(game, RaceGame):
        from ..solvers.duel import evaluate_race

        return evaluate_race(game, a, b)
    raise DicewrightError(f"no evaluation knows the game {game}")


def best_response(game: Game, b: Any) -> Response:
    """The best strategy against b, and what it gets."""
    if isinstance(game, RaceGame):
        from ..solvers.duel import best_response_race

        return best_response_race(game, b)
    raise DicewrightError(f"no best response knows the game {game}")


def advise(game: Game, view: View, solution: Solution) -> Advice:
    """What each action in this view is worth against perfect play, and which is best."""
    if isinstance(game, RaceGame):
        return _advise_race(view, solution.strategies[0])
    raise DicewrightError(f"no advice knows the game {game}")


def _advise_race(view: RaceView, values: Any) -> Advice:
    worth = values.action_worths(view)
    best = max(worth, key=lambda action: worth[action])
    return Advice(view, worth, best, values(view))
