"""A known strategy answered in a calling game."""

from dataclasses import dataclass
from typing import Any

from ...core.game import FIRST, other
from ...core.results import Advice
from ...core.strategy import decide
from ..tree.answer import Answer
from .rules import ACCEPT, CHALLENGE, CallingGame, CallingState, CallingView


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
