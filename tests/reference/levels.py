"""Small finite games of any shape: at each level somebody moves, and some of the moves are hidden from a player."""

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

FIRST, SECOND, CHANCE, OVER = 0, 1, -1, -2


@dataclass(frozen=True)
class Levels:
    """A state is the tuple of moves made; the mover of a level has as many actions as its width."""

    movers: tuple[int, ...]
    widths: tuple[int, ...]
    hidden: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())  # levels a player does not see
    seed: int = 0
    name: str = field(default="levels")

    def start(self):
        return ()

    def mover(self, state):
        return self.movers[len(state)] if len(state) < len(self.movers) else OVER

    def view(self, state, player):
        blind = [level in self.hidden[player] and self.movers[level] != player for level in range(len(state))]
        return tuple("?" if unseen else move for unseen, move in zip(blind, state, strict=True))

    def actions(self, view):
        return tuple(range(self.widths[len(view)]))

    def outcomes(self, state):
        weights = [Random(repr((self.seed, state, move))).randint(1, 3) for move in range(self._width(state))]
        return {move: Fraction(weight, sum(weights)) for move, weight in enumerate(weights)}

    def _width(self, state):
        return self.widths[len(state)]

    def play(self, state, choice):
        return (*state, choice)

    def payoff(self, state):
        return float(Random(repr((self.seed, state))).randint(-3, 3))


def states(game):
    """Every state of a finite game, the start first."""
    waiting = [game.start()]
    for state in waiting:
        yield state
        mover = game.mover(state)
        if mover != OVER:
            moves = game.outcomes(state) if mover == CHANCE else game.actions(game.view(state, mover))
            waiting += [game.play(state, move) for move in moves]
