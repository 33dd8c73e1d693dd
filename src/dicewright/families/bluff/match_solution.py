"""A solved match of Bluff: its standings, a strategy for each round, and what follows a round as its stakes.

Where rounds have two outcomes the solved strategies of a round do not depend on what follows it (the theorem of
match.py). So with p the chance to win the round, and W and L the worth of the match after winning and after losing
it, everything within the round is worth L + p (W - L). Other rounds pay the standings they lead to, and both solved
strategies are played out, hand by hand.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import inf
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from ...core.errors import IllegalAction
from ...core.game import FIRST, SEATS, SECOND, other
from ...core.results import Advice, Duel
from ...core.solution import Arrays, Certificate, Header, Pair, Solution
from ...core.strategy import Mix
from ..tree.arrays import Tree, build_tree
from ..tree.response import Answers, advise_tree
from ..tree.solution import Expected, answers_of
from .beliefs import Weighed
from .exact import Round, win_or_lose
from .match import BluffMatch, MatchState, MatchView, Standing
from .plans import seat_of
from .rules import CALL, ENDINGS, Bluff, BluffState, BluffView, Ending
from .solution import BluffSolution, check_turn, float_belief

CHAIN, BOTTOM_UP, SWEEPS = METHODS = ("match-chain", "match-bottom-up", "match-sweeps")
Values = Mapping[Standing, Fraction]  # payoffs to FIRST


def final_payoff(match: BluffMatch, standing: Standing) -> Fraction:
    """The payoff to FIRST of a match that is over."""
    return Fraction(1) if match.winner(standing) == FIRST else Fraction(-1)


def won_and_lost(match: BluffMatch, standing: Standing) -> tuple[Standing, Standing]:
    """The standings after FIRST wins and after FIRST loses a round with two outcomes."""
    called = [match.after(standing, Ending(caller, CALL, 1, 0)) for caller in (0, 1)]  # the caller wins
    return called[match.seat(standing, FIRST)], called[match.seat(standing, other(FIRST))]


def two_outcomes(match: BluffMatch) -> bool:
    """Whether what follows a round depends only on who won it: in all rounds, so all endings cost alike."""
    costs = {rule.costs for rule in ENDINGS.values()}
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


class PlayedRound(NamedTuple):
    """A round played out: the chances of what follows, those above 0, and the mean number of actions."""

    after: Mapping[Standing, float]
    turns: float


def settle(match: BluffMatch, steps: Mapping[Standing, PlayedRound]) -> dict[Standing, Duel]:
    """The rest of the match from each standing on: the linear system of those from which it may end."""
    over = {s for step in steps.values() for s in step.after if match.winner(s) is not None}
    ending = _before(steps, over)
    doubtful = _before(steps, set(steps) - ending)
    order = [standing for standing in steps if standing in ending]
    place = {standing: number for number, standing in enumerate(order)}
    system, right = np.eye(len(order)), np.zeros((len(order), 3))
    for row, standing in enumerate(order):
        right[row, 2] = steps[standing].turns
        for after, chance in steps[standing].after.items():
            if after in place:
                system[row, place[after]] -= chance
            elif after in over:
                right[row, FIRST if match.winner(after) == FIRST else SECOND] += chance
    rest = dict.fromkeys(steps, Duel(0.0, 0.0, 1.0, inf, 0.0))
    for standing, (first, second, turns) in zip(order, np.linalg.solve(system, right).tolist(), strict=True):
        never = max(0.0, 1.0 - first - second) if standing in doubtful else 0.0
        rest[standing] = Duel(first, second, never, inf if standing in doubtful else turns, first - second)
    return rest


def _before(steps: Mapping[Standing, PlayedRound], found: Collection[Standing]) -> set[Standing]:
    """These standings and all from which one of them may be reached."""
    before = set(found)
    while more := {s for s, step in steps.items() if s not in before and not before.isdisjoint(step.after)}:
        before |= more
    return before


@dataclass(frozen=True, eq=False)
class MatchStrategy:
    """A strategy for a match: the round's strategy of the seat the player has at this standing."""

    match: BluffMatch
    player: int
    rounds: Mapping[Standing, BluffSolution] = field(repr=False)
    # the values of the standings to FIRST lie between these
    lower: Mapping[Standing, Fraction] = field(repr=False)
    upper: Mapping[Standing, Fraction] = field(repr=False)

    def __str__(self) -> str:
        return f"the {SEATS[self.player]} player's strategy for {self.match.name}"

    def __call__(self, view: MatchView) -> Mix:
        """The mix of the round's strategy."""
        seat = self.match.seat(view.standing, self.player)
        return self.rounds[view.standing].strategies[seat](view.now)


@dataclass(frozen=True, repr=False)
class MatchSolution(Solution):
    """Advice and worths in a round, on the scale of what follows it."""

    game: BluffMatch
    strategies: tuple[MatchStrategy, MatchStrategy]

    @property
    def slack(self) -> float:
        """The gap, or that of a round."""
        return max([float(self.certificate.gap), *(solved.slack for solved in self.distinct)])

    def arrays(self) -> tuple[Header, Arrays]:
        """Each round once, and the bounds of all standings."""
        from .match_form import written

        return written(self)

    def check(self) -> None:
        """Round by round."""
        for solved in self.distinct:
            solved.check()

    def prove(self) -> Certificate:
        """Each round by best responses, and what they make of the match."""
        from .match_form import prove

        return prove(self)

    @property
    def distinct(self) -> "list[BluffSolution]":
        """The solutions of rounds, each once: first FIRST's, by standing, then those that SECOND has beside."""
        return list({id(found): found for plan in self.strategies for found in plan.rounds.values()}.values())

    def leveled(self, precision: float, name: str) -> Pair:
        """In every round the logit player of this precision on the chance to win it."""
        rounds = {
            id(one): replace(one, strategies=one.leveled(precision, name, asked=True))
            for one in self.distinct
        }
        first, second = (
            replace(plan, rounds={standing: rounds[id(found)] for standing, found in plan.rounds.items()})
            for plan in self.strategies
        )
        return Pair(first, second, self.seat_of, name)

    def to_keep(self) -> "MatchSolution | None":
        """Nothing where rounds are tables, of which one linear system makes the match, or are not kept themselves."""
        return self if all(solved.exact and solved.to_keep() for solved in self.distinct) else None

    def seat_of(self, view: MatchView) -> int:
        """The player whose turn it is in the round."""
        return int(self.game.seat(view.standing, seat_of(view.now)))

    def worth(self, state: MatchState) -> float:
        """The expected payoff to FIRST, dice as they are, both playing as solved."""
        if self.game.winner(state.standing) is not None:
            return self.standing(state.standing)
        return self._round(state.standing).worth(state.now)

    def _advise(self, view: MatchView) -> Advice:
        """Within the round the player goes on as well as possible, in later rounds as solved."""
        if self.game.winner(view.standing) is not None:
            raise IllegalAction(f"nothing to decide at {self.game.show_view(view)}; the match is over")
        found = self._round(view.standing).advise(view.now)
        return Advice(view, found.worth, found.best, found.mix, found.reached)

    @property
    def plan(self) -> MatchStrategy:
        """FIRST's strategy, with the bounds of all standings."""
        return self.strategies[FIRST]

    @property
    def chained(self) -> bool:
        """Whether rounds are worth who wins them."""
        return self.method == CHAIN

    def standing(self, standing: Standing) -> float:
        """The payoff to FIRST before the dice of a round are rolled, or at the end."""
        if self.game.winner(standing) is not None:
            return float(final_payoff(self.game, standing))
        if self.chained:
            return self._worths[standing]
        return float((self.plan.lower[standing] + self.plan.upper[standing]) / 2)

    @cached_property
    def _worths(self) -> Mapping[Standing, float]:
        """The payoff at each standing if both play as solved, from one linear system in floats."""
        steps = {}
        for standing, solved in self.plan.rounds.items():
            won, chance = won_and_lost(self.game, standing), _chance(solved, standing, BluffState())
            steps[standing] = PlayedRound(dict(zip(won, (chance, 1.0 - chance), strict=True)), 0.0)
        return {standing: rest.payoff for standing, rest in settle(self.game, steps).items()}

    @cached_property
    def _round(self) -> "Callable[[Standing], ChainedStanding | PaidStanding]":
        kind: type[ChainedStanding | PaidStanding] = ChainedStanding if self.chained else PaidStanding
        return cache(lambda standing: kind(self, standing))


def _chance(solved: BluffSolution, standing: Standing, now: BluffState) -> float:
    """The chance that FIRST wins the round at this standing from here on."""
    to_opener = solved.worth(now)
    return (1.0 + (to_opener if standing.opener == FIRST else -to_opener)) / 2.0


class ChainedStanding:
    """A round that is won or lost: its own solution, between what follows."""

    def __init__(self, solution: MatchSolution, standing: Standing) -> None:
        self.match, self.at = solution.game, standing
        self.solved = solution.plan.rounds[standing]
        self.won, self.lost = map(solution.standing, won_and_lost(self.match, standing))

    def worth(self, now: BluffState) -> float:
        """The expected payoff to FIRST."""
        return self.lost + _chance(self.solved, self.at, now) * (self.won - self.lost)

    def advise(self, now: BluffView) -> Advice:
        """The chance that each action wins the match against the solved opponent."""
        found = self.solved.advise(now)
        if self.match.seat(self.at, seat_of(now)) == FIRST:
            won, lost = (1.0 + self.won) / 2.0, (1.0 + self.lost) / 2.0
        else:
            won, lost = (1.0 - self.lost) / 2.0, (1.0 - self.won) / 2.0
        worth = {action: lost + chance * (won - lost) for action, chance in found.worth.items()}
        return Advice(now, worth, found.best, found.mix, found.reached)


class PaidStanding:
    """A round whose endings pay the standings they lead to: both strategies played out, hand by hand.

    What an action is worth in a view rests on what the player believes, as in a round of its own.
    """

    def __init__(self, solution: MatchSolution, standing: Standing) -> None:
        match: BluffMatch = solution.game
        self.rules = match.round_of(standing)
        self.sign = 1 if standing.opener == FIRST else -1
        self.solved = [
            solution.strategies[match.seat(standing, seat)].rounds[standing] for seat in (FIRST, SECOND)
        ]
        self.after: Callable[[Ending], float] = lambda end: solution.standing(match.after(standing, end))
        first, second = (found.strategies[seat] for seat, found in enumerate(self.solved))
        self.strategies = (first, second)
        self.worth = Expected(self.rules, self.strategies, lambda now: self.after(self.rules.ending(now)))

    @cached_property
    def weighed(self) -> tuple[Weighed, Weighed]:
        """Every view of both seats."""
        plain = win_or_lose(self.rules)
        pays = np.zeros(plain.pays.shape)
        for place, end in endings(self.rules):
            pays[place] = self.sign * self.after(end)
        paid = replace(plain, pays=pays)
        first, second = (Weighed(paid, s, float_belief(found, s)) for s, found in enumerate(self.solved))
        return first, second

    @cached_property
    def answers(self) -> tuple[Tree, Answers]:
        """The same where the face is fixed, with the round as a tree."""
        tree = build_tree(paid_tree(self.rules, lambda end: Fraction(self.sign * self.after(end))))
        first, second = (answers_of(found, tree)[seat] for seat, found in enumerate(self.solved))
        return tree, (first, second)

    def advise(self, now: BluffView) -> Advice:
        """The chance that each action wins the match."""
        check_turn(self.rules, now)
        seat = seat_of(now)
        if self.rules.order != "fixed":
            return self.weighed[seat].advice(self.rules, now, self.strategies[seat])
        tree, answers = self.answers
        found = advise_tree(tree, self.strategies, now, answers)
        if set(tree.leaf_payoffs) <= {-1, 1}:
            return found
        return replace(found, worth={action: (1 + pays) / 2 for action, pays in found.worth.items()})
