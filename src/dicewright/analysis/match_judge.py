"""The judge of matches of Bluff: a round is worth what follows it."""

from typing import Any

from ..core.game import FIRST, State, other
from ..core.results import Advice
from ..core.solution import Solution
from ..games.bluff import BluffState, BluffView
from ..games.bluff_match import BluffMatch, MatchView, Standing
from .judge import JudgeBase


class ChainJudge(JudgeBase):
    """A match whose rounds are chained by who won them: advice and worths on the scale of what follows."""

    def worth(self, state: State) -> float:
        """V(s)."""
        from ..solvers.match_worth import match_worth

        return match_worth(self.game, state, self.solution)


class PaidJudge(JudgeBase):
    """A match whose rounds pay the standings they lead to."""

    def __init__(self, game: BluffMatch, solution: Solution) -> None:
        super().__init__(game, solution)
        self._rounds: dict[Standing, _Paid] = {}

    def _round(self, standing: Standing) -> "_Paid":
        if standing not in self._rounds:
            self._rounds[standing] = _Paid(self, standing)
        return self._rounds[standing]

    def standing(self, standing: Standing) -> float:
        """The payoff to FIRST before the dice of a round are rolled: the middle of its bounds."""
        winner = self.game.winner(standing)
        if winner is not None:
            return 1.0 if winner == FIRST else -1.0
        plan: Any = self.solution.strategies[FIRST]
        return float((plan.lower[standing] + plan.upper[standing]) / 2)

    def worth(self, state: State) -> float:
        """V(s)."""
        if self.game.winner(state.standing) is not None:
            return self.standing(state.standing)
        return self._round(state.standing).worth(state.now)

    def _advise(self, view: MatchView) -> Advice:
        found = self._round(view.standing).advice(view.now)
        return Advice(view, found.worth, found.best, found.mix, found.reached)


class _Paid:
    """A round whose endings pay the standings they lead to: both strategies played out, hand by hand.

    What an action is worth in a view is the mean over the other's hands, each as likely as the solved opponent
    would have come here with it; where that is never, as likely as it is rolled.
    """

    def __init__(self, judge: PaidJudge, standing: Standing) -> None:
        from ..solvers.expected import Expected

        match: BluffMatch = judge.game
        self.rules = match.round_of(standing)
        self.seat = match.seat(standing, FIRST)
        solved: Any = judge.solution.strategies
        one, two = (
            solved[seat if self.seat == FIRST else other(seat)].rounds[standing].strategies[seat]
            for seat in (0, 1)
        )
        self.strategies = (one, two)
        self.expected = Expected(
            self.rules,
            self.strategies,
            lambda now: judge.standing(match.after(standing, self.rules.ending(now))),
        )

    def worth(self, now: BluffState) -> float:
        return float(self.expected(now))

    def advice(self, now: BluffView) -> Advice:
        from ..core.strategy import decide
        from ..solvers.bluff_strategy import path_chance

        rules, seat = self.rules, len(now.said) % 2
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
