"""Exact evaluation, best responses and advice, for any game."""

from typing import Any

from ..core.check import name_of
from ..core.errors import IllegalAction, NotationError, RulesError
from ..core.game import View
from ..core.results import Advice, Evaluation, Response
from ..core.shown import quoted
from ..core.solution import Solution
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.calling_keep import KeepGame
from ..games.race import RaceGame
from ..solvers.front import FAMILIES, admit, solve


def check_size(game: Any) -> None:
    """TooLarge if `evaluate` and `best_response` would refuse the game whatever the strategies are.

    Asked before strategies are made: to make `optimal` the game is solved, which may take long.
    """
    if isinstance(game, Bluff) and game.order != "fixed":
        from ..solvers import bluff_strategy

        bluff_strategy.check_size(game, len(game.bids))


def evaluate(game: Any, a: Any, b: Any) -> Evaluation:
    """Strategies a and b against each other, exactly, with either of them starting."""
    admit(game)
    match game:
        case RaceGame():
            from ..solvers.duel import evaluate_race

            return evaluate_race(game, a, b)
        case Bluff():
            from ..solvers.bluff import evaluate_bluff

            return evaluate_bluff(game, a, b)
        case CallingGame():
            from ..solvers.calling_response import evaluate_calling

            return evaluate_calling(game, a, b)
        case _:
            from ..solvers.best_response import evaluate_tree

            return evaluate_tree(game, a, b)


def best_response(game: Any, b: Any) -> Response:
    """The best strategy against b, and what it gets."""
    admit(game)
    match game:
        case RaceGame():
            from ..solvers.duel import best_response_race

            return best_response_race(game, b)
        case Bluff():
            from ..solvers.bluff import best_response_bluff

            return best_response_bluff(game, b)
        case CallingGame():
            from ..solvers.calling_response import best_response_calling

            return best_response_calling(game, b)
        case _:
            from ..solvers.best_response import best_response_tree

            return best_response_tree(game, b)


def advise(game: Any, view: View, solution: Solution | None = None) -> Advice:
    """What each action in this view is worth against perfect play, and which is best.

    A solution at hand saves solving the game again.
    """
    admit(game)
    _check_view(game, view)
    if solution is not None and not isinstance(solution, Solution):
        raise RulesError(f"{quoted(solution)} is no solution; one of {name_of(game)} is allowed")
    if solution is not None and solution.game is not game and solution.game != game:
        names = name_of(solution.game), name_of(game)
        raise RulesError("the solution at hand is of {}; one of {} is allowed".format(*names))
    match game:
        case RaceGame():
            from ..solvers.race import solve_values

            if not view.my_turn:
                raise IllegalAction(f"nothing to decide at {game.show_view(view)}: the turn is not mine")
            return _advise_race(view, solution.strategies[0] if solution else solve_values(game))
        case Bluff():
            from ..solvers.bluff import advise_bluff

            return advise_bluff(game, view, solution)
        case CallingGame():
            from ..solvers.calling import advise_calling

            return advise_calling(game, view)
        case BluffMatch():
            from ..solvers.match_worth import advise_match

            return advise_match(game, view, solution)
        case KeepGame():
            from ..solvers.calling_keep import solve_keep
            from ..solvers.calling_worth import KeepWorth

            table: Any = (solution or solve_keep(game)).strategies[0]
            return KeepWorth(game, table).advise(view)
        case _:
            from ..solvers.best_response import advise_tree

            return advise_tree(solution or solve(game), view)


def state_worth(game: Any, state: Any, solution: Solution) -> float:
    """The expected payoff to FIRST from this full state on if both play as solved; rounds and matches of Bluff.

    At the end it is the payoff; where dice are to be rolled, the mean over them.
    """
    match game:
        case Bluff():
            from ..solvers import bluff_worth

            return bluff_worth.state_worth(game, state, solution)
        case BluffMatch():
            from ..solvers.match_worth import match_worth

            return match_worth(game, state, solution)
        case _:
            raise RulesError(f"the worth of full states is known for bluff and bluff-match, not {game.name}")


def _check_view(game: Any, view: View) -> None:
    """IllegalAction unless the game can write this view and read it back; NotationError says why it cannot occur."""
    if not isinstance(game, FAMILIES):
        return  # the walk over the game finds its views
    try:
        fits = game.read_view(game.show_view(view)) == view
    except NotationError:
        raise
    except Exception:  # a view of another game, or none at all
        fits = False
    if not fits:
        raise IllegalAction(
            f"{quoted(view)} is no view of {game.name}; one that its read_view reads is allowed"
        )


def _advise_race(view: Any, values: Any) -> Advice:
    worth = values.action_worths(view)
    best = max(worth, key=lambda action: worth[action])
    return Advice(view, worth, best, values(view))
