"""Exact numbers as arrays: every number once, as text, and its place wherever it stands."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq

from ..core.errors import StorageError, VerificationError
from ..core.solution import MOST_DIGITS, Arrays, read_fraction

Numbers = npt.NDArray[Any]
PLACES, NUMBERS = "<i4", {"numbers": "|u1"}  # types of arrays


def as_fmpq(number: Fraction) -> Any:
    """A fraction as the quick kind of number."""
    return fmpq(number.numerator, number.denominator)


def write_numbers(parts: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """Each array as the places of its numbers, and `numbers`, the text of them all."""
    places: dict[str, int] = {}
    arrays = {}
    for name, numbers in parts.items():
        found = [places.setdefault(str(number), len(places)) for number in numbers.ravel()]
        arrays[name] = np.array(found, np.int32).reshape(numbers.shape)
    if max(map(len, places), default=0) > MOST_DIGITS:
        raise StorageError(f"a number has more than {MOST_DIGITS} letters, too many for a file")
    return {**arrays, "numbers": np.frombuffer(",".join(places).encode(), np.uint8)}


def read_numbers(
    arrays: Arrays, names: Iterable[str], kind: Callable[[Fraction], Any] = Fraction
) -> dict[str, Numbers]:
    """The arrays of these names with their numbers; VerificationError if they are none, or a place has none."""
    places = {name: arrays[name] for name in names}
    text = arrays["numbers"].tobytes()
    count = text.count(b",") + 1
    if count > sum(array.size for array in places.values()) or any(
        (array < 0).any() or (array >= count).any() for array in places.values()
    ):
        raise VerificationError(f"it has {count} numbers, and places that are not among them")
    try:
        found = [kind(read_fraction(part)) for part in text.decode("ascii").split(",")]
    except (ValueError, ZeroDivisionError) as error:
        raise VerificationError(f"it has numbers that are none: {error}") from error
    numbers = np.empty(len(found), object)
    numbers[:] = found
    return {name: numbers[array] for name, array in places.items()}
