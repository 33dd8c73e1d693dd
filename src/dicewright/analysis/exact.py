"""Exact evaluation, best responses and advice, for any game."""

from fractions import Fraction
from typing import Any

from ..core.errors import RulesError, name_of, quoted
from ..core.game import FIRST, SECOND, View, WrittenGame
from ..core.results import Advice, Evaluation, Response
from ..core.solution import Certificate, Solution, check_view, seats
from ..core.strategy import Strategy, line_of
from ..families import admit, family, solve


def check_size(game: WrittenGame) -> None:
    """TooLarge if `evaluate` and `best_response` would refuse the game whatever the strategies are.

    Asked before strategies are made: to make `optimal` the game is solved, which may take long.
    """
    family(game).check_size(game)


def evaluate(game: WrittenGame, a: Any, b: Any) -> Evaluation:
    """A against B, exactly, with either of them starting; each is a strategy, a pair, a solution or a response."""
    admit(game)
    return family(game).evaluate(game, a, b)


def evaluate_at(game: WrittenGame, a: Any, b: Any, view: View) -> Evaluation:
    """A against B, exactly, from this view on: with A in the place of who sees it, and with B there."""
    admit(game)
    check_view(game, view)
    return family(game).evaluate_at(game, a, b, view)


def best_response(game: WrittenGame, b: Any) -> Response:
    """The best strategy against b, and what it gets."""
    admit(game)
    return family(game).best_response(game, b)


def judge_against(game: WrittenGame, strategy: Strategy, seat: int) -> Solution:
    """The judge of the player in `seat` whose opponent plays this strategy: the best response, as a solution."""
    admit(game)
    kind: Any = family(game).answer(game, strategy, seat)
    found = best_response(game, strategy)
    pair = list(seats(strategy))
    pair[seat] = seats(found)[seat]
    value = Fraction(found.first_payoff if seat == FIRST else -found.second_payoff)
    certificate = Certificate(value, value, False, f"the best response to {line_of(strategy)}")
    answer: Solution = kind(game, "best-response", (pair[FIRST], pair[SECOND]), certificate, seat=seat)
    return answer


def check_advice(game: WrittenGame, view: View) -> None:
    """TooLarge or IllegalAction, before the work of solving, where there would be no advice."""
    admit(game)
    check_view(game, view)
    family(game).check_advice(game, view)


def advise(game: WrittenGame, view: View, solution: Solution | None = None) -> Advice:
    """What each action in this view is worth against perfect play, and which is best.

    A solution at hand saves solving the game again.
    """
    admit(game)
    if solution is None:
        check_advice(game, view)
        solution = solve(game)
    return checked_solution(game, solution).advise(view)


def state_worth(game: WrittenGame, state: Any, solution: Solution) -> float:
    """The expected payoff to FIRST from this full state on if both play as solved.

    At the end it is the payoff; where dice are to be rolled, the mean over them.
    """
    admit(game)
    return checked_solution(game, solution).worth(state)


def checked_solution(game: WrittenGame, solution: Any) -> Solution:
    """The solution, if it is one of this game."""
    if not isinstance(solution, Solution):
        raise RulesError(f"{quoted(solution)} is no solution; one of {name_of(game)} is allowed")
    if solution.game is not game and solution.game != game:
        names = name_of(solution.game), name_of(game)
        raise RulesError("the solution at hand is of {}; one of {} is allowed".format(*names))
    return solution


def judge_of(game: WrittenGame, solution: Solution) -> Solution:
    """The solution, if it is one of this game: it knows what its states and actions are worth."""
    admit(game)
    return checked_solution(game, solution)
