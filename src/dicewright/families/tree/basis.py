"""The basis of a linear program in sequence form, and what it says in fractions.

Its square matrix M is of whole numbers. A large one is factorised in floats; the fixed-point solution of M z = r is
refined, each pass adding about 30 correct bits from an exact whole-number residual, until the fractions can be read off
by continued fractions and checked in whole numbers. One of up to SMALL rows is solved whole, for its numbers may have
more digits than floats.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpz_mat
from scipy.sparse import csc_matrix, csr_matrix
from scipy.sparse.linalg import splu

PASS_BITS = 30
MOST_BITS = 3000
SMALL = 200

Exact = npt.NDArray[Any]  # object array of Fraction, or of whole numbers of any size
Flags = npt.NDArray[np.bool_]
Solved = tuple[int, Exact]  # a common denominator and whole numerators


@dataclass(frozen=True, eq=False)
class Basis:
    """Which columns of a linear program are basic, the player's and then v, and which rows are tight."""

    basic: Flags
    tight: Flags

    def mirrored(self) -> "Basis":
        """That of the rival's program with the same optimum: its matrix is transposed."""
        return Basis(self.tight, self.basic)

    def widened(self, constraints: csr_matrix, kept: Flags) -> "Basis":
        """That of the program in which the rival has all sequences, where this one had those kept.

        It stays optimal if the others are no better: at each new information set one row holds, with multiplier 0.
        """
        sets = offers(constraints, kept)
        fresh, own, old = ~sets, len(self.basic) - int(sets.sum()), int(kept.sum())
        free, rows = fresh.copy(), np.zeros(len(kept), bool)
        free[sets], rows[kept] = self.basic[own:], self.tight[:old]
        actions = csr_matrix(constraints[fresh] > 0)
        rows[actions.indices[actions.indptr[:-1]]] = True
        return Basis(np.concatenate([self.basic[:own], free]), np.concatenate([rows, self.tight[old:]]))


def offers(constraints: csr_matrix, kept: Flags) -> Flags:
    """The information sets that have an action among the sequences kept."""
    found: Flags = (csr_matrix(constraints > 0) @ kept.astype(np.int64)) > 0
    return found


class Square:
    """The matrix of a basis; ValueError if it is none, which singular ones may be."""

    def __init__(self, matrix: csc_matrix) -> None:
        rows, columns = matrix.shape
        if rows != columns:
            raise ValueError(f"{rows} rows and {columns} columns are no basis")
        self.down, self.across = csr_matrix(matrix), csr_matrix(matrix.T)
        try:
            self.factors: Any = None if rows <= SMALL else splu(matrix.astype(np.float64))
        except RuntimeError as error:
            raise ValueError(f"the basis is {error}") from None

    def solve(self, right: Exact) -> Solved | None:
        """The solution z of M z = right, or None if it needs too many digits."""
        if self.factors is None:
            return _solve_whole(self.down, right)
        return _refine(self.down, right, lambda error: self.factors.solve(error))

    def solve_across(self, right: Exact) -> Solved | None:
        """The same with the transposed matrix."""
        if self.factors is None:
            return _solve_whole(self.across, right)
        return _refine(self.across, right, lambda error: self.factors.solve(error, trans="T"))


def times(matrix: csr_matrix, vector: Exact) -> Exact:
    """The product in whole numbers of any size."""
    product = np.zeros(matrix.shape[0], object)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    np.add.at(product, rows, matrix.data.astype(np.int64).astype(object) * vector[matrix.indices])
    return product


def _solve_whole(matrix: csr_matrix, right: Exact) -> Solved | None:
    table = fmpz_mat([[int(number) for number in row] for row in matrix.toarray()])
    try:
        found = table.solve(fmpz_mat([[int(number)] for number in right]))
    except ZeroDivisionError:  # singular
        return None
    column = [found[row, 0] for row in range(len(right))]
    common = lcm(*(int(number.q) for number in column))
    return common, np.array([int(number.p) * (common // int(number.q)) for number in column], object)


def _refine(matrix: csr_matrix, right: Exact, guess: Callable[[Any], Any]) -> Solved | None:
    coefficients = matrix.data.astype(np.int64).astype(object)
    starts, places = matrix.indptr[:-1], matrix.indices
    target = right.astype(object)
    if np.any(np.diff(matrix.indptr) == 0):
        return None

    def product(vector: Exact) -> Exact:
        found: Exact = np.add.reduceat(coefficients * vector[places], starts)
        return found

    fixed, bits = np.zeros(len(right), object), 0
    for bits in range(0, MOST_BITS, PASS_BITS):
        fixed = fixed * 2**PASS_BITS if bits else fixed
        error = target * 2**bits - product(fixed)
        if max(abs(error)) > 2**62:  # the factors are too poor to refine with
            return None
        step = np.rint(guess(error.astype(np.float64)))
        fixed = fixed + np.array([int(value) for value in step], object)
        if bits and bits % (4 * PASS_BITS) == 0 and (whole := _whole(fixed, bits)) is not None:
            common, numerators = whole
            if not np.any(product(numerators) - target * common):
                return common, numerators
    return None


def _whole(fixed: Exact, bits: int) -> Solved | None:
    """A common denominator D and numerators n with n / D equal to fixed / 2**bits but for the last bits."""
    common, unit, most, half = 1, 2**bits, 2 ** (bits // 2 - 8), 2 ** (bits - 1)
    for value in fixed.tolist():
        scaled = value * common
        if abs((scaled + half) % unit - half) > common * 2**8:
            common *= Fraction(scaled, unit).limit_denominator(most).denominator
            if common > most:
                return None
    return common, (fixed * common + half) // unit
