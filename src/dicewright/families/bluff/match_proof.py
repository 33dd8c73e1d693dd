"""What the strategies of a match of Bluff prove, found out again from the rules, by best responses alone.

Where rounds have two outcomes each is proved by itself, and the values must solve the linear system of match.py. It
has one solution: standings do not return, or every round may be won and lost.

Other rounds pay the values of what follows. Let L be payoffs to FIRST by standing, and let FIRST's strategy of each
round secure L there, if what follows pays L. Then L never falls on average from round to round, whatever SECOND does,
so FIRST gets L in a match that ends. Where SECOND may keep it from ending (`endless`) it pays 0, so L must not be above
0 there: a match that goes on for ever stays among such standings at last. Likewise for SECOND, from above.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.errors import VerificationError
from ...core.game import FIRST, SECOND, other
from ...core.solution import Certificate, confirm
from ..tree.arrays import Tree, build_tree
from ..tree.response import best_value, exact_weights
from .exact import Round, best_reply
from .exact_form import bounds
from .match import BluffMatch, Standing
from .match_solution import BOTTOM_UP, MatchSolution, MatchStrategy
from .rules import Ending
from .solution import BluffSolution
from .standings import (
    Values,
    final_payoff,
    paid_round,
    paid_tree,
    paying,
    returns,
    standings,
    two_outcomes,
    won_and_lost,
)

Rounds = Mapping[Standing, BluffSolution]


def prove(solution: MatchSolution) -> Certificate:
    """The certificate of the match; VerificationError names the first standing that does not hold."""
    match = solution.game
    order = standings(match)
    solution.check()
    if solution.chained:
        _prove_chain(solution, order)
    else:
        first, second = (_plan(solution, player) for player in (FIRST, SECOND))
        _prove_paid(solution, order, first.rounds, first.lower, FIRST)
        _prove_paid(solution, order, second.rounds, second.upper, SECOND)
    plan = solution.plan
    bracket = plan.lower[match.first], plan.upper[match.first]
    return confirm(solution, Certificate(*bracket, True, solution.certificate.method))


def _plan(solution: MatchSolution, player: int) -> MatchStrategy:
    plan: Any = solution.strategies[player]
    return plan  # type: ignore[no-any-return]


def to_first(standing: Standing, certificate: Certificate) -> tuple[Fraction, Fraction]:
    """A round's bounds as payoffs to FIRST."""
    lower, upper = certificate.lower, certificate.upper
    return (lower, upper) if standing.opener == FIRST else (-upper, -lower)


def _prove_chain(solution: MatchSolution, order: list[Standing]) -> None:
    match, plan = solution.game, solution.plan
    if not two_outcomes(match):
        raise VerificationError(f"{solution} chains rounds whose outcomes are more than two")
    for solved in solution.distinct:
        solved.prove()
    again = returns(match, order)
    for side, values in enumerate((plan.lower, plan.upper)):
        for standing in order:
            chance = (1 + to_first(standing, plan.rounds[standing].certificate)[side]) / 2
            won, lost = (_value(match, values, after) for after in won_and_lost(match, standing))
            if again and not 0 < chance < 1:
                raise VerificationError(f"{solution} chains rounds that are won for sure, and may never end")
            if won < lost or values[standing] != chance * won + (1 - chance) * lost:
                raise _wrong(solution, standing)


def _value(match: BluffMatch, values: Values, standing: Standing) -> Fraction:
    return values[standing] if standing in values else final_payoff(match, standing)


def _wrong(solution: MatchSolution, standing: Standing) -> VerificationError:
    dice = " v ".join(map(str, standing.dice))
    return VerificationError(f"{solution} says a value of {dice} dice that its rounds do not prove")


def _prove_paid(
    solution: MatchSolution, order: list[Standing], rounds: Rounds, values: Values, player: int
) -> None:
    """One player's strategies secure these values, and the rounds are worth what they say."""
    match, bottom_up, again = solution.game, solution.method == BOTTOM_UP, returns(solution.game, order)
    if bottom_up and again:
        raise VerificationError(f"{solution} takes the last standings first, but they return")
    for standing in order:
        said, found = rounds[standing].certificate, round_bounds(match, standing, values, rounds[standing])
        if not found.proved or (said.lower, said.upper) != (found.lower, found.upper):
            raise _wrong(solution, standing)
        secured = to_first(standing, found)[player]
        holds = secured >= values[standing] if player == FIRST else secured <= values[standing]
        if not holds or (bottom_up and secured != values[standing]):
            raise _wrong(solution, standing)
    sign = 1 if player == FIRST else -1
    if again and any(sign * values[standing] > 0 for standing in endless(match, order, rounds, player)):
        raise VerificationError(f"{solution} may never end, and says more than such a match pays")


def round_bounds(match: BluffMatch, standing: Standing, values: Values, solved: BluffSolution) -> Certificate:
    """What the strategies of a round prove of it, paying these values of what follows."""
    return bounds(solved, _paid(match, standing, paying(match, standing, values)))


def _paid(match: BluffMatch, standing: Standing, worth: Any) -> Round | Tree:
    rules = match.round_of(standing)
    return build_tree(paid_tree(rules, worth)) if rules.order == "fixed" else paid_round(rules, worth)


def endless(match: BluffMatch, order: list[Standing], rounds: Rounds, player: int) -> set[Standing]:
    """The standings among which the other player can keep the match for ever, whatever is rolled.

    The largest set in which some answer to the player's strategy stays with a chance of 1.
    """
    staying = set(order)
    while True:
        leaving = {standing for standing in staying if not _stays(match, standing, staying, rounds, player)}
        if not leaving:
            return staying
        staying -= leaving


def _stays(match: BluffMatch, standing: Standing, among: set[Standing], rounds: Rounds, player: int) -> bool:
    seat = match.seat(standing, other(player))
    sign = 1 if seat == 0 else -1  # rounds pay their opener

    def worth(end: Ending) -> Fraction:
        return Fraction(sign * (match.after(standing, end) in among))

    paid, strategy = _paid(match, standing, worth), rounds[standing].strategies[1 - seat]
    known: Any = strategy
    if isinstance(paid, Tree):
        return bool(best_value(paid, seat, exact_weights(known))[0] == 1)
    return bool(best_reply(paid, seat, known.plan).value == 1)
