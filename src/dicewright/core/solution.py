"""What a solver answers: strategies, and the proof of how good they are."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import ceil, floor

from .game import Game
from .strategy import Strategy


@dataclass(frozen=True)
class Certificate:
    """Bounds on the value of a game (payoff to FIRST), made by other code than the solver's.

    `proved` says that lower <= value <= upper is a theorem; otherwise the bounds are an estimate.
    """

    lower: Fraction
    upper: Fraction
    proved: bool
    method: str

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"bounds {self.lower} and {self.upper} hold no value; lower <= upper is allowed")

    @classmethod
    def exactly(cls, value: Fraction, method: str) -> "Certificate":
        """A value known as a fraction."""
        return cls(value, value, True, method)

    @property
    def exact(self) -> Fraction | None:
        """The value as a fraction, if it is known as one."""
        return self.lower if self.proved and self.lower == self.upper else None

    @property
    def gap(self) -> float:
        """Width of the bounds."""
        return float(self.upper - self.lower)

    @property
    def value(self) -> float:
        """Midpoint of the bounds."""
        return float((self.lower + self.upper) / 2)

    def decimals(self) -> tuple[str, str]:
        """The bounds as decimal text, rounded outwards, with as many digits as they prove.

        A value known as a fraction is shown twice, rounded to the nearest digit: the fraction is the proof.
        """
        if self.exact is not None:
            return (decimal_text(self.exact, 30, ROUND_HALF_EVEN),) * 2
        gap = self.upper - self.lower
        places = 20 if gap == 0 else min(60, max(1, 2 + len(str(int(1 / gap))))) if gap < 1 else 2
        return decimal_text(self.lower, places, ROUND_FLOOR), decimal_text(self.upper, places, ROUND_CEILING)


@dataclass(frozen=True)
class Solution:
    """Strategies for both players with the certificate of their worth."""

    game: Game
    method: str
    strategies: tuple[Strategy, Strategy]
    certificate: Certificate


def decimal_text(number: Fraction, places: int, rounding: str) -> str:
    """A fraction as decimal text with `places` digits after the point, rounded as asked.

    >>> decimal_text(Fraction(1, 3), 4, ROUND_CEILING)
    '0.3334'
    """
    scaled = number * 10**places
    whole = (
        floor(scaled)
        if rounding == ROUND_FLOOR
        else ceil(scaled)
        if rounding == ROUND_CEILING
        else round(scaled)
    )
    context = Context(prec=max(1, len(str(abs(whole)))))
    return format(context.create_decimal(Decimal(whole)).scaleb(-places, context), "f")
