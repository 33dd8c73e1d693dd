"""A solved match of Bluff: a strategy for each round, and what follows a round as its stakes.

Where rounds have two outcomes the solved strategies of a round do not depend on what follows it (the theorem of
match.py). So with p the chance to win the round, and W and L the worth of the match after winning and after losing
it, everything within the round is worth L + p (W - L). Other rounds pay the standings they lead to, and both solved
strategies are played out, hand by hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.errors import IllegalAction
from ...core.game import FIRST, SEATS, other
from ...core.results import Advice
from ...core.solution import Arrays, Certificate, Header, Solution
from ...core.strategy import Mix, decide
from ..tree.solution import Expected
from .match import BluffMatch, MatchState, MatchView, Standing
from .plans import path_chance, seat_of
from .rules import BluffState, BluffView
from .solution import BluffSolution, check_turn
from .standings import final_payoff, won_and_lost

CHAIN, BOTTOM_UP, SWEEPS = METHODS = ("match-chain", "match-bottom-up", "match-sweeps")


@dataclass(frozen=True, eq=False)
class MatchStrategy:
    """A strategy for a match: the round's strategy of the seat the player has at this standing."""

    match: BluffMatch
    player: int
    rounds: Mapping[Standing, BluffSolution]
    lower: Mapping[Standing, Fraction]  # the values of the standings to FIRST lie between these
    upper: Mapping[Standing, Fraction]

    def __str__(self) -> str:
        return f"the {SEATS[self.player]} player's strategy for {self.match.name}"

    def __call__(self, view: MatchView) -> Mix:
        """The mix of the round's strategy."""
        seat = self.match.seat(view.standing, self.player)
        return self.rounds[view.standing].strategies[seat](view.now)


@dataclass(frozen=True)
class MatchSolution(Solution):
    """Advice and worths in a round, on the scale of what follows it."""

    game: BluffMatch

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
        from .match_proof import prove

        return prove(self)

    @property
    def distinct(self) -> "list[BluffSolution]":
        """The solutions of rounds, each once: first FIRST's, by standing, then those that SECOND has beside."""
        plans: Any = self.strategies
        return list({id(solved): solved for plan in plans for solved in plan.rounds.values()}.values())

    def to_keep(self) -> "MatchSolution | None":
        """Nothing where rounds are tables, which are kept: one linear system makes the match of them."""
        return self if all(solved.exact for solved in self.distinct) else None

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
        plan: Any = self.strategies[FIRST]
        return plan  # type: ignore[no-any-return]

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
        match, order = self.game, list(self.plan.rounds)
        place = {standing: number for number, standing in enumerate(order)}
        system, right = np.eye(len(order)), np.zeros(len(order))
        for row, standing in enumerate(order):
            chance = _chance(self.plan.rounds[standing], standing, BluffState())
            for after, weight in zip(won_and_lost(match, standing), (chance, 1.0 - chance), strict=True):
                if after in place:
                    system[row, place[after]] -= weight
                else:
                    right[row] += weight * float(final_payoff(match, after))
        return dict(zip(order, np.linalg.solve(system, right).tolist(), strict=True))

    def _round(self, standing: Standing) -> "ChainedStanding | PaidStanding":
        found = self._rounds.get(standing)
        if found is None:
            found = self._rounds[standing] = (ChainedStanding if self.chained else PaidStanding)(
                self, standing
            )
        return found

    @cached_property
    def _rounds(self) -> "dict[Standing, ChainedStanding | PaidStanding]":
        return {}


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

    What an action is worth in a view is the mean over the other's hands, each as likely as the solved opponent
    would have come here with it; where that is never, as likely as it is rolled.
    """

    def __init__(self, solution: MatchSolution, standing: Standing) -> None:
        match: BluffMatch = solution.game
        self.rules = match.round_of(standing)
        self.seat = match.seat(standing, FIRST)
        solved: Any = solution.strategies
        one, two = (
            solved[seat if self.seat == FIRST else other(seat)].rounds[standing].strategies[seat]
            for seat in (0, 1)
        )
        self.strategies = (one, two)
        self.worth = Expected(
            self.rules,
            self.strategies,
            lambda now: solution.standing(match.after(standing, self.rules.ending(now))),
        )

    def advise(self, now: BluffView) -> Advice:
        """The chance that each action wins the match."""
        check_turn(self.rules, now)
        rules, seat = self.rules, seat_of(now)
        rolled = rules.hands(other(seat))
        weights = {
            hand: ways * path_chance(rules, other(seat), self.strategies[other(seat)], hand, now.said)
            for hand, ways in rolled.items()
        }
        if not (reached := any(weights.values())):
            weights = dict(rolled)
        total, sign = sum(weights.values()), 1 if seat == self.seat else -1
        worth = {}
        for action in rules.actions(now):
            pays = 0.0
            for hand, weight in weights.items():
                hands = (now.mine, hand) if seat == FIRST else (hand, now.mine)
                if weight:
                    pays += weight * self.worth(rules.play(BluffState(hands, now.said), action))
            worth[action] = (1 + sign * pays / total) / 2
        mix = decide(rules, now, self.strategies[seat])
        best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
        return Advice(now, worth, best, mix, reached)
