"""Any game with views that remember: each player's earlier views and actions stay part of what they know.

Sequence-form solvers need perfect recall, while the views of calling games forget what cannot matter any
more. Solving the remembering game checks that nothing was lost.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Remembering:
    game: Any

    def start(self):
        return self.game.start(), ((), ())

    def mover(self, state):
        return self.game.mover(state[0])

    def view(self, state, player):
        return self.game.view(state[0], player), state[1][player]

    def actions(self, view):
        return self.game.actions(view[0])

    def outcomes(self, state):
        return self.game.outcomes(state[0])

    def play(self, state, choice):
        inner, logs = state
        mover = self.game.mover(inner)
        if mover in (0, 1):
            entry = (self.game.view(inner, mover), choice)
            logs = tuple((*log, entry) if player == mover else log for player, log in enumerate(logs))
        return self.game.play(inner, choice), logs

    def payoff(self, state):
        return self.game.payoff(state[0])
