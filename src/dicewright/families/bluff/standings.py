"""The standings of a match of Bluff: which there are, what follows each, and the round that pays what follows."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq

from ...core.game import FIRST, other
from .exact import Round, win_or_lose
from .match import BluffMatch, Standing
from .rules import CALL, ENDINGS, Bluff, BluffState, Ending

Values = Mapping[Standing, Fraction]  # payoffs to FIRST


def final_payoff(match: BluffMatch, standing: Standing) -> Fraction:
    """The payoff to FIRST of a match that is over."""
    return Fraction(1) if match.winner(standing) == FIRST else Fraction(-1)


def won_and_lost(match: BluffMatch, standing: Standing) -> tuple[Standing, Standing]:
    """The standings after FIRST wins and after FIRST loses a round with two outcomes."""
    called = [match.after(standing, Ending(caller, CALL, 1, 0)) for caller in (0, 1)]  # the caller wins
    return called[match.seat(standing, FIRST)], called[match.seat(standing, other(FIRST))]


def two_outcomes(match: BluffMatch) -> bool:
    """Whether what follows a round depends only on who won it."""
    costs = {ENDINGS[word].costs for word in match.round_of(match.first).endings}
    return match.loss != "difference" and match.reward == "none" and not match.palifico and len(costs) == 1


def endings(rules: Bluff) -> Iterator[tuple[tuple[int, int, int, int], Ending]]:
    """Every way a round can end, with its place (ending, caller, bid, count) in a table of payoffs."""
    counts = range(sum(rules.dice) + 1)
    ways = product(enumerate(rules.endings), (0, 1), enumerate(rules.bids), counts)
    for (end, word), caller, (number, bid), found in ways:
        yield (end, caller, number, found), Ending(caller, word, bid.quantity, found)


def standings(match: BluffMatch) -> list[Standing]:
    """The unfinished standings a match can reach, each after all that follow it unless standings return."""
    order: list[Standing] = []
    seen: set[Standing] = set()

    def visit(standing: Standing) -> None:
        if standing in seen or match.winner(standing) is not None:
            return
        seen.add(standing)
        for _, end in endings(match.round_of(standing)):
            visit(match.after(standing, end))
        order.append(standing)

    visit(match.first)
    return order


def returns(match: BluffMatch, order: list[Standing]) -> bool:
    """Whether a standing can come back: then some standing is followed by one that is later in the order."""
    place = {standing: number for number, standing in enumerate(order)}
    return any(
        place.get(match.after(standing, end), -1) >= place[standing]
        for standing in order
        for _, end in endings(match.round_of(standing))
    )


@dataclass(frozen=True)
class PaidRound(Bluff):
    """A round whose ends pay what follows them; for rounds that only the tree solver takes."""

    worth: Callable[[Ending], Fraction] = lambda end: Fraction(0)

    def payoff(self, state: BluffState) -> Any:
        """What the ending is worth to the opener."""
        return self.worth(self.ending(state))


def paying(match: BluffMatch, standing: Standing, values: Values) -> Callable[[Ending], Fraction]:
    """What each ending of the round at this standing is worth to its opener, if what follows has these values."""
    sign = 1 if standing.opener == FIRST else -1

    def worth(end: Ending) -> Fraction:
        after = match.after(standing, end)
        return sign * (values[after] if after in values else final_payoff(match, after))

    return worth


def paid_tree(rules: Bluff, worth: Callable[[Ending], Fraction]) -> PaidRound:
    """The round as a game that pays so, for those that are a tree of their own."""
    return PaidRound(**{field.name: getattr(rules, field.name) for field in fields(Bluff)}, worth=worth)


def paid_round(rules: Bluff, worth: Callable[[Ending], Fraction]) -> Round:
    """The round on the public tree of all bids, paying so."""
    plain = win_or_lose(rules)
    pays = np.full(plain.pays.shape, fmpq(0), object)
    for place, end in endings(rules):
        value = worth(end)
        pays[place] = fmpq(value.numerator, value.denominator)
    return replace(plain, pays=pays)
