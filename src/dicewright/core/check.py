"""Checks of what is handed in from outside."""

from fractions import Fraction
from numbers import Rational
from typing import Any

from .errors import RulesError

MOST_LETTERS = 200  # of a value in a message


def exact_chance(value: Any, what: str) -> Fraction:
    """The value as a Fraction if it is one, or a whole number; RulesError for a float, which is neither."""
    if isinstance(value, bool) or not isinstance(value, Rational):
        raise RulesError(f"{what} is {shown(value)}; a Fraction, such as Fraction(1, 6), is allowed")
    return Fraction(int(value.numerator), int(value.denominator))


def shown(value: Any) -> str:
    """A value of somebody else's in a message: cut if it is long, by its type if it cannot show itself."""
    try:
        text = repr(value)
    except Exception:
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."
