"""Judging a player who knows the opponent: losses against the best response to that opponent's strategy.

V(s) is then the expected payoff when the judged player answers best and the opponent plays S; whatever the
opponent does is chance to the player, so it is booked as luck (hidden luck), and the opponent loses nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...core.game import FIRST, SECOND, State, other
from ...core.solution import Solution
from ...core.strategy import Strategy
from .expected import Expected
from .solution import TreeSolution


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

    def weigh_many(self, games: Sequence[Sequence[Any]], thresholds: Sequence[float]) -> None:
        """What the known strategy does is luck: ply by ply."""

    @cached_property
    def _played(self) -> Expected:
        return Expected(self.game, self.strategies)


@dataclass(frozen=True)
class TreeAnswer(Answer, TreeSolution):
    """Any finite game."""
