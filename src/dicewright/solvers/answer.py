"""Judging a player who knows the opponent: losses against the best response to that opponent's strategy.

V(s) is then the expected payoff when the judged player answers best and the opponent plays S; whatever the
opponent does is chance to the player, so it is booked as luck (hidden luck), and the opponent loses nothing.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..core.game import FIRST, SECOND, State, other
from ..core.results import Advice
from ..core.solution import Solution
from ..core.strategy import Strategy, decide
from ..games.bluff import BluffView
from ..games.calling import ACCEPT, CHALLENGE, CallingGame, CallingState, CallingView
from ..games.race import HOLD, Effect, Face, RaceGame, RaceState, RaceView
from .bluff_solution import BluffSolution
from .bluff_strategy import PlanStrategy, plan_of
from .duel import answer_values
from .expected import Expected
from .race import RaceValues, rules_of
from .race_kernels import Floats
from .race_solution import RaceSolution
from .race_table import tabulate
from .tree_solution import TreeSolution


@dataclass(frozen=True)
class Answer(Solution):
    """The best response and the strategy it answers, as if they were a solution."""

    seat: int = field(kw_only=True)  # of the player who answers

    @property
    def judged(self) -> tuple[bool, bool]:
        """Only the player who answers."""
        return self.seat == FIRST, self.seat == SECOND

    @property
    def known(self) -> Strategy:
        """The strategy that is answered."""
        return self.strategies[other(self.seat)]

    def worth(self, state: State) -> float:
        """The expected payoff to FIRST, by playing both strategies out."""
        return self._played(state)

    @cached_property
    def _played(self) -> Expected:
        return Expected(self.game, self.strategies)


@dataclass(frozen=True)
class TreeAnswer(Answer, TreeSolution):
    """Any finite game."""


@dataclass(frozen=True)
class BluffAnswer(Answer, BluffSolution):
    """A round of Bluff: advice against the known strategy as a plan on the tree of all bids."""

    def _advise(self, view: BluffView) -> Advice:
        if self.game.order == "fixed":
            return super()._advise(view)
        return self._planned.advise(view)

    @cached_property
    def _planned(self) -> BluffSolution:
        """The same with the known strategy as a plan; it calls where it never comes."""
        plan = plan_of(self.game, other(self.seat), self.known)
        pair = list(self.strategies)
        calls = np.full(plan.reach.shape, -1, np.int8)
        pair[other(self.seat)] = PlanStrategy(self.game, other(self.seat), plan, calls)
        return BluffSolution(self.game, self.method, (pair[FIRST], pair[SECOND]), self.certificate)


@dataclass(frozen=True)
class CallingAnswer(Answer):
    """A calling game: whoever calls knows the dice; whoever answers weighs the rolls that S calls so."""

    def _advise(self, view: CallingView) -> Advice:
        game: CallingGame = self.game
        sign, reached = (1 if self.seat == FIRST else -1), True

        def chance(state: CallingState, action: Any) -> float:
            return (1 + sign * self.worth(game.play(state, action))) / 2

        if view.roll is not None:
            state = CallingState(self.seat, view.accepted, view.roll)
            worth = {call: chance(state, call) for call in game.actions(view)}
        else:
            call = view.call or 0
            weights = {
                roll: float(share) * decide(game, CallingView(view.accepted, roll), self.known).get(call, 0.0)
                for roll, share in enumerate(game.chances)
                if call >= game.lowest_call(view.accepted, roll)
            }
            reached = any(weights.values())
            if not reached:  # a call that S never makes is taken for true
                weights = {roll: float(game.chances[roll]) * game.true(roll, call) for roll in weights}
            total = sum(weights.values())
            worth = {
                action: sum(
                    weight * chance(CallingState(other(self.seat), view.accepted, roll, call), action)
                    for roll, weight in weights.items()
                    if weight
                )
                / total
                for action in (ACCEPT, CHALLENGE)
            }
        mix = self.strategies[self.seat](view)
        best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
        return Advice(view, worth, best, mix, reached)


@dataclass(frozen=True)
class RaceAnswer(Answer, RaceSolution):
    """A race game: the response's own values, and the opponent's turns played out by S."""

    @property
    def hidden(self) -> bool:
        """What the opponent chooses is chance."""
        return True

    def worth(self, state: RaceState) -> float:
        """The expected payoff to FIRST, from the judged player's worth."""
        if state.yours >= self.game.goal:
            return float(self.game.payoff(state))
        if state.mover == self.seat:
            worths = self.advise(self.game.view(state, state.mover)).worth
            worth = worths[state.rolling] if state.rolling is not None else max(worths.values())
            payoff = worth if self.points else 2 * worth - 1
        elif state.rolling is not None:
            payoff = self._rolled(state.mine, state.yours, state.turn, state.rolling)
        else:
            payoff = self._turn(state.mine, state.yours)[state.turn]
        return payoff if self.seat == FIRST else -payoff

    @cached_property
    def _answered(self) -> tuple[Floats, Floats]:
        """What the response gets with S to move and with the move, in the solver's unit."""
        return answer_values(self.game, tabulate(self.game, self.known), self.known)

    @cached_property
    def values(self) -> RaceValues:
        """The response's own values."""
        return RaceValues(self.game, self._answered[0])

    @cached_property
    def _turns(self) -> dict[tuple[int, int], list[float]]:
        return {}

    def _advise(self, view: RaceView) -> Advice:
        worth = self.values.action_worths(view)
        best = max(worth, key=lambda action: worth[action])
        return Advice(view, worth, best, {best: 1.0})

    def _passed(self, score: int, mine: int) -> float:
        """The judged player's payoff with the move at `mine` against this score of the opponent's."""
        if score >= self.game.goal:
            return -float(self.game.winnings(score, mine))
        worth = float(self._answered[1][mine, score])
        return 2 * worth - 1 if rules_of(self.game).decisive else worth

    def _rolled(self, score: int, mine: int, turn: int, roll: str, later: list[float] | None = None) -> float:
        """The payoff with the opponent's dice in the air; `later` are the worths of higher turn totals."""
        game: RaceGame = self.game
        later = self._turn(score, mine) if later is None else later
        total = 0.0
        for face, chance in game.outcomes(RaceState(0, score, mine, turn, roll)).items():
            total += float(chance) * self._shown(face, score, mine, turn, later)
        return total

    def _shown(self, face: Face, score: int, mine: int, turn: int, later: list[float]) -> float:
        if face.effect is Effect.ADD and not self.game.overshoots(score + turn + face.points):
            return later[turn + face.points]
        if face.effect is Effect.BANK and not self.game.overshoots(score + face.points):
            return self._passed(score + face.points, mine)
        return self._passed(0 if face.effect is Effect.RUIN else score, mine)

    def _turn(self, score: int, mine: int) -> list[float]:
        """The payoff at each turn total of the opponent's turn."""
        if (score, mine) not in self._turns:
            game: RaceGame = self.game
            reach = max(points for _, roll in game.rolls for _, _, points in roll)
            top = game.goal - score
            later = [self._passed(score + turn, mine) for turn in range(top + reach)]
            for turn in range(top - 1, -1, -1):
                mix = decide(game, RaceView(score, mine, turn), self.known)
                later[turn] = sum(
                    share
                    * (
                        self._passed(score + turn, mine)
                        if action == HOLD
                        else self._rolled(score, mine, turn, str(action), later)
                    )
                    for action, share in mix.items()
                    if share
                )
            self._turns[score, mine] = later
        return self._turns[score, mine]
