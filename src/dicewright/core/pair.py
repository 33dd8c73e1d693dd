"""One player's strategies for the two seats: the one shape in which a pair of strategies is given and taken."""

from collections.abc import Callable

from .errors import StrategyError
from .game import View
from .strategy import Mix, Strategy

SeatOf = Callable[[View], int]


class Pair(tuple[Strategy, Strategy]):
    """FIRST's and SECOND's strategy under one name; as a strategy itself it plays whichever seat a view is seen from.

    >>> rock, paper = (lambda view: {"rock": 1.0}), (lambda view: {"paper": 1.0})
    >>> both = Pair(rock, paper, seat_of=lambda view: len(view))
    >>> both(("?",)), both[0] is rock
    ({'paper': 1.0}, True)
    """

    seat_of: SeatOf | None
    label: str

    def __new__(
        cls, first: Strategy, second: Strategy, seat_of: SeatOf | None = None, label: str = "both seats"
    ) -> "Pair":
        pair = super().__new__(cls, (first, second))
        pair.seat_of, pair.label = seat_of, label
        return pair

    def __str__(self) -> str:
        return self.label

    def __call__(self, view: View) -> Mix:
        """The mix of the seat that sees this."""
        first, second = self
        if first is second:
            return first(view)
        if self.seat_of is None:
            raise StrategyError(f"{self} does not know whose view {view} is; a pair with `seat_of` does")
        return self[self.seat_of(view)](view)

    def named(self, label: str) -> "Pair":
        """The same pair under this name."""
        return Pair(*self, self.seat_of, label)
