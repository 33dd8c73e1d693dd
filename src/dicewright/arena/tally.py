"""What many games between A and B came to."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from math import sqrt


@dataclass(frozen=True)
class Series:
    """Games with one and the same starter, counted for A."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    stalemates: int = 0  # play that never ends, or a draw
    cut_offs: int = 0  # stopped for their length
    payoff: float = 0.0  # sum of A's payoffs
    squares: float = 0.0  # and of their squares

    def __add__(self, other: "Series") -> "Series":
        return Series(*(x + y for x, y in zip(astuple(self), astuple(other), strict=True)))

    @classmethod
    def counted(cls, games: int, count: Sequence[float], starts: bool) -> "Series":
        """From the totals of a kernel, which counts for the player who starts."""
        won, lost, stalemates, cut_offs = (int(number) for number in count[:4])
        ours = (won, lost) if starts else (lost, won)
        payoff = float(count[4]) if starts else 0.0 - float(count[4])
        return cls(games, *ours, stalemates, cut_offs, payoff, float(count[5]))


@dataclass(frozen=True)
class Tally:
    """Games between A and B, by starter; `interrupted` says that more were asked for."""

    a_first: Series = Series()
    b_first: Series = Series()
    interrupted: bool = False

    @property
    def both(self) -> Series:
        """All games, whoever started."""
        return self.a_first + self.b_first

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.both.games

    @property
    def a_rate(self) -> float:
        """The share of the games that A won; stalemates and cut-offs are won by nobody."""
        return self.both.wins / self.games

    @property
    def b_rate(self) -> float:
        """The share of the games that B won."""
        return self.both.losses / self.games

    @property
    def payoff(self) -> float:
        """A's mean payoff."""
        return self.both.payoff / self.games

    @property
    def payoff_error(self) -> float:
        """The standard error of A's mean payoff."""
        both = self.both
        variance = max(0.0, both.squares / both.games - self.payoff**2)
        return sqrt(variance / max(1, both.games - 1))

    def stopped(self) -> "Tally":
        """The same games, marked as interrupted."""
        return Tally(self.a_first, self.b_first, interrupted=True)

    def __add__(self, other: "Tally") -> "Tally":
        stopped = self.interrupted or other.interrupted
        return Tally(self.a_first + other.a_first, self.b_first + other.b_first, stopped)
