"""How a solution is written: a header that says what it is about and what it proves, and arrays that hold the rest.

A file and another process get the two. What they say is checked by whoever reads them: nothing here trusts a header.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from .check import name_of
from .errors import VerificationError
from .solution import Arrays, Certificate, Header, Solution

MOST_DIGITS = 4000  # letters of a number in a file


class Form(NamedTuple):
    """How solutions of one kind are read."""

    types: Callable[[Header], Mapping[str, str]]  # of the arrays, by name
    most_bytes: Callable[[Any], int]  # that the arrays of a game may take
    restore: Callable[
        [Any, Header, Arrays], Solution
    ]  # VerificationError if they are no solution of the game
    level: int = 9  # how much they are packed


def header_of(solution: Solution, form: str) -> Header:
    """The header of a solution: its form, its game by name, and what is proved of it."""
    certificate = solution.certificate
    return {
        "format": form,
        "game": name_of(solution.game),
        "method": solution.method,
        "proof": certificate.method,
        "proved": certificate.proved,
        "lower": str(certificate.lower),
        "upper": str(certificate.upper),
    }


def certificate_of(header: Header) -> Certificate:
    """What a header says is proved; KeyError or ValueError if it says nothing of the kind."""
    lower, upper = (read_fraction(header[bound]) for bound in ("lower", "upper"))
    return Certificate(lower, upper, header["proved"] is True, str(header["proof"]))


def read_fraction(text: Any) -> Fraction:
    """A number of a file, of bounded length; ValueError or ZeroDivisionError if it is no fraction."""
    if not isinstance(text, str) or len(text) > MOST_DIGITS or set(text) - set("-/0123456789"):
        raise ValueError("a bound is no fraction")
    return Fraction(text)


def check_shapes(arrays: Arrays, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """VerificationError unless each of these arrays is there and has its shape."""
    for name, shape in shapes.items():
        found = arrays[name].shape if name in arrays else "none"
        if found != shape:
            raise VerificationError(f"{name} has the shape {found}; {shape} is allowed")


def confirm(solution: Solution, found: Certificate, slack: Fraction = Fraction(0)) -> Certificate:
    """What the checkers found; VerificationError unless the solution says the same, but for this much."""
    said = solution.certificate
    if not found.proved:
        raise broken(solution)
    off = max(abs(said.lower - found.lower), abs(said.upper - found.upper))
    if not said.proved or off > slack:
        raise refuted(solution, found)
    return found


def broken(solution: Solution) -> VerificationError:
    """The error of strategies that are none."""
    return VerificationError(f"{solution} has strategies that break the rules")


def refuted(solution: Solution, found: Certificate) -> VerificationError:
    """The error of bounds that are not those found."""
    says, finds = (" to ".join(bounds.decimals()) for bounds in (solution.certificate, found))
    verb = "prove" if found.proved else "give"
    return VerificationError(f"{solution} says that the value is {says}; its strategies {verb} {finds}")
