"""One sub-game of a calling game, from an accept to the next, for the generic sequence form to solve.

It ends where the cup would pass on, and pays there what the later sub-games are worth.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from dicewright.core.game import CHANCE, FIRST, OVER, SECOND
from dicewright.families.calling.rules import NOTHING
from dicewright.families.tree.solve import solve_sequence_form


@dataclass(frozen=True)
class SubGame:
    """States are (roll, call, answer), filled in turn; FIRST has the cup."""

    rolls: Mapping[int, Fraction]
    lowest: Callable[[int], int]  # the lowest call allowed with a roll
    top: int
    true: Callable[[int, int], bool]
    wins: Mapping[tuple[int, int], Fraction] = field(repr=False)  # of the accepter, by call and roll

    def start(self):
        return ()

    def mover(self, state):
        return (CHANCE, FIRST, SECOND, OVER)[len(state)]

    def view(self, state, player):
        return state[:1] if player == FIRST else ("?", *state[1:])

    def actions(self, view):
        return range(self.lowest(view[0]), self.top + 1) if len(view) == 1 else ("accept", "challenge")

    def outcomes(self, state):
        return self.rolls

    def play(self, state, choice):
        return (*state, choice)

    def payoff(self, state):
        roll, call, answer = state
        if answer == "accept":
            return 1 - 2 * self.wins[call, roll]
        return 1 if self.true(roll, call) else -1


def value_by_sub_games(game: Any) -> Fraction:
    """The payoff to FIRST, each sub-game solved exactly by the generic sequence form."""
    choices = game.choices if game.keep else lambda roll: ("",)
    wins = {(game.top, roll): Fraction(0) for roll in range(game.top + 1)}

    def win(accepted, kept):
        lowest = partial(game.lowest_call, accepted)
        sub = SubGame(game.rolls(kept), lowest, game.top, game.true, wins)
        certificate = solve_sequence_form(sub).certificate
        assert certificate.exact is not None
        return (1 + certificate.exact) / 2

    for accepted in range(game.top - 1, NOTHING, -1):
        values = {}
        for roll in range(game.top + 1):
            for kept in choices(roll):
                if kept not in values:
                    values[kept] = win(accepted, kept)
            wins[accepted, roll] = max(map(values.__getitem__, choices(roll)))
    return 2 * win(NOTHING, "") - 1
