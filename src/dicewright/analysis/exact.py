"""Exact evaluation, best responses and advice, for any game."""

from collections.abc import Callable
from typing import Any

from ..core.check import name_of
from ..core.errors import RulesError
from ..core.game import FIRST, SECOND, View
from ..core.pair import Pair
from ..core.results import Advice, Duel, Evaluation, Response
from ..core.shown import quoted
from ..core.solution import Solution, check_view, seats
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.calling_keep import KeepGame
from ..games.race import RaceGame
from ..solvers.front import admit, solve


def check_size(game: Any) -> None:
    """TooLarge if `evaluate` and `best_response` would refuse the game whatever the strategies are.

    Asked before strategies are made: to make `optimal` the game is solved, which may take long.
    """
    if isinstance(game, Bluff) and game.order != "fixed":
        from ..solvers import bluff_strategy

        bluff_strategy.check_size(game, len(game.bids))


def evaluate(game: Any, a: Any, b: Any) -> Evaluation:
    """A against B, exactly, with either of them starting; each is a strategy, a pair, a solution or a response."""
    admit(game)
    match game:
        case RaceGame():
            from ..solvers.duel import evaluate_race

            return _seated(evaluate_race, game, a, b)
        case Bluff():
            from ..solvers.bluff import evaluate_bluff

            return evaluate_bluff(game, a, b)
        case CallingGame():
            from ..solvers.calling_response import evaluate_calling

            return _seated(evaluate_calling, game, a, b)
        case BluffMatch():
            from ..solvers.match_duel import duel_match

            return _met(duel_match, game, a, b)
        case KeepGame():
            from ..solvers.keep_duel import duel_keep

            return _met(duel_keep, game, a, b)
        case _:
            from ..solvers.best_response import evaluate_tree

            return evaluate_tree(game, a, b)


def _seated(evaluate: Callable[[Any, Any, Any], Evaluation], game: Any, a: Any, b: Any) -> Evaluation:
    """The evaluation of players who play alike in either seat, or else of each meeting by itself."""
    one, two = seats(a), seats(b)
    if one[FIRST] is one[SECOND] and two[FIRST] is two[SECOND]:
        return evaluate(game, one[FIRST], two[FIRST])
    return _met(lambda game, first, second: evaluate(game, first, second).a_first, game, a, b)


def _met(duel: Callable[[Any, Any, Any], Duel], game: Any, a: Any, b: Any) -> Evaluation:
    """Both meetings, each by itself."""
    one, two = seats(a), seats(b)
    return Evaluation(duel(game, one[FIRST], two[SECOND]), duel(game, two[FIRST], one[SECOND]))


def best_response(game: Any, b: Any) -> Response:
    """The best strategy against b, and what it gets."""
    admit(game)
    match game:
        case RaceGame():
            from ..solvers.duel import best_response_race

            return _answered(best_response_race, game, b)
        case Bluff():
            from ..solvers.bluff import best_response_bluff

            return best_response_bluff(game, b)
        case CallingGame():
            from ..solvers.calling_response import best_response_calling

            return _answered(best_response_calling, game, b)
        case BluffMatch():
            from ..solvers.match_duel import best_response_match

            return best_response_match(game, *seats(b))
        case KeepGame():
            from ..solvers.keep_duel import best_response_keep

            return best_response_keep(game, *seats(b))
        case _:
            from ..solvers.best_response import best_response_tree

            return best_response_tree(game, b)


def _answered(respond: Callable[[Any, Any], Response], game: Any, b: Any) -> Response:
    """The response to a player who plays alike in either seat, or else to each seat's strategy by itself."""
    first, second = seats(b)
    if first is second:
        return respond(game, first)
    as_first, as_second = respond(game, second), respond(game, first)
    answer = Pair(*seats(as_first)[:1], *seats(as_second)[1:], label="best response")
    return Response(
        answer, as_first.first_payoff, as_second.second_payoff, as_first.first_wins, as_second.second_wins
    )


def advise(game: Any, view: View, solution: Solution | None = None) -> Advice:
    """What each action in this view is worth against perfect play, and which is best.

    A solution at hand saves solving the game again.
    """
    admit(game)
    if solution is None:
        check_advice(game, view)
        solution = solve(game)
    if not isinstance(solution, Solution):
        raise RulesError(f"{quoted(solution)} is no solution; one of {name_of(game)} is allowed")
    if solution.game is not game and solution.game != game:
        names = name_of(solution.game), name_of(game)
        raise RulesError("the solution at hand is of {}; one of {} is allowed".format(*names))
    return solution.advise(view)


def check_advice(game: Any, view: View) -> None:
    """TooLarge or IllegalAction before the work of solving, where there would be no advice."""
    check_view(game, view)
    if isinstance(game, Bluff) and game.order != "fixed":
        from ..solvers.bluff_solution import check_turn
        from ..solvers.bluff_strategy import check_size, node_of

        check_turn(game, view)
        check_size(game, len(game.bids) - max(node_of(game, view.said).bit_length() - 1, 0))
    if isinstance(game, BluffMatch):
        from ..solvers.bluff_strategy import check_size

        check_size(game.round_of(game.first), len(game.round_of(game.first).bids))


def state_worth(game: Any, state: Any, solution: Solution) -> float:
    """The expected payoff to FIRST from this full state on if both play as solved.

    At the end it is the payoff; where dice are to be rolled, the mean over them.
    """
    admit(game)
    if not isinstance(solution, Solution):
        raise RulesError(f"{quoted(solution)} is no solution; one of {name_of(game)} is allowed")
    return solution.worth(state)
