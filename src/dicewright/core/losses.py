"""What a strategy gives away to a rival, place by place, so that it adds up to all that it loses.

With Q(x, a) what action a is worth at x to a player who goes on with the best answer to the rival, and with n(x, a) how
often on average the strategy takes a at x in a game against that rival,

    best answer - strategy = sum_{x, a} n(x, a) (max_b Q(x, b) - Q(x, a)),

the performance difference identity. Mean numbers, not chances: places come again after a bust.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .arrays import Floats, Ints
from .game import Action, View


class Mistake(NamedTuple):
    """A choice that gives something away: what was done where, what is best there."""

    view: View
    did: Action
    best: Action


class Grouping(NamedTuple):
    """Slips by what they have in common: the names, and the number of the name of each slip."""

    names: tuple[str, ...]
    which: Ints


@dataclass(frozen=True, eq=False)
class Losses:
    """Slips as columns, as often as they happen in a game whose starter a coin decides; chances, or points."""

    best: float  # what the best answer gets
    got: float  # what the strategy gets
    decisions: float  # in a game
    times: Floats  # how often each slip happens in a game
    each: Floats  # what it gives away each time
    slip: Callable[[int], Mistake]
    groups: Mapping[str, Grouping]  # by title; the first are habits
    standstill: float = 0.0  # lost where play never ends: it is left, not given away

    @property
    def gap(self) -> float:
        """What the strategy loses in all."""
        return self.best - self.got

    @property
    def lost(self) -> Floats:
        """What each slip loses in a game."""
        return self.times * self.each
