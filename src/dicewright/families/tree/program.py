"""The sequence form as a linear program: one player's best weights, and of those the ones that punish slips.

A strategy is a weight for each sequence; the weights of an information set's sequences add up to the weight of the
sequence that leads to it. So a player and a rival choose weights x >= 0 with E x = e and y >= 0 with F y = f, and the
player gets x' A y. By duality the player's best weights solve (Koller, Megiddo & von Stengel 1994, eq. 8)

    maximise f' v   subject to   F' v <= A' x,   E x = e,   x >= 0,   v free,

and the multipliers of the rows F' v <= A' x are best weights y of the rival. Most games have many best x. A rival who
slips plays y + t l_1 + t^2 l_2 + ... for a small t, where l_1, l_2, ... are weights too; that adds to the objective

    t ((A l_1)' x - (F l_1)' v) + t^2 ((A l_2)' x - (F l_2)' v) + ...

and for t -> 0 one order is maximised after the other (Miltersen & Sorensen 2010 let every sequence slip like this). All
optima of an order keep tight what its multipliers hold, so the next order starts from the same basis with those rows
and columns fixed: no t is ever chosen, and the program does not grow. The multipliers of order k plus l_k are the
coefficient of t^k of the rival's weights. Where those of lower orders are 0 they say what to believe after a slip, and
by complementary slackness every action with weight is a best one under that belief.

Exact numbers come from the final basis. Its square matrix M is factorised once in floats; the fixed-point solution of
M z = r is then refined, each pass adding about 30 correct bits from an exact whole-number residual, until the
fractions can be read off by continued fractions and checked in whole numbers. Floats only guess: the signs that make
the basis optimal in every order are checked in whole numbers, and what is returned is proved again by best responses,
which share no code with this file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt
from scipy.sparse import bmat, csc_matrix, csr_matrix
from scipy.sparse.linalg import splu

from ...core.errors import PrecisionError
from .arrays import Floats, Ints

PASS_BITS = 30
MOST_BITS = 3000
FLOAT_BITS = 50
ROUNDING = 10**12
HELD = 1e-7  # multipliers from which a row or column is held
SHARES = 10**7  # a slip's weights in whole numbers: of each roll so many

Exact = npt.NDArray[Any]  # object array of Fraction


@dataclass(frozen=True, eq=False)
class Program:
    """Payoffs A to the player, in whole numbers on any scale; constraints and right-hand sides of player and rival."""

    payoffs: csr_matrix
    constraints: tuple[csr_matrix, csr_matrix]
    totals: tuple[Ints, Ints]

    def mirrored(self) -> "Program":
        """The same for the rival."""
        return Program(csr_matrix(-self.payoffs.T), self.constraints[::-1], self.totals[::-1])


@dataclass(frozen=True, eq=False)
class Choice:
    """The player's weights, and the rival's in each order of slips: beliefs[0] is without one.

    `exact` if every order is optimal in fractions; else they are floats, rounded.
    """

    weights: Exact
    beliefs: tuple[Exact, ...]
    exact: bool


class Search:
    """One player's program, solved; each call of `punish` solves one more order from where the last one ended."""

    def __init__(self, program: Program) -> None:
        own, rival = program.constraints
        self.program, self.slips = program, [np.zeros(rival.shape[1], np.int64)]
        self.matrix = csc_matrix(bmat([[-program.payoffs.T, rival.T], [own, None]]))
        self.right = np.concatenate([np.zeros(rival.shape[1], np.int64), program.totals[0]])
        # in whole numbers of any size
        self.costs = [np.concatenate([np.zeros(own.shape[1], np.int64), program.totals[1]]).astype(object)]
        self.unit = max(1, abs(program.payoffs).max())  # keeps the coefficients near 1; v is scaled alike
        scaled = csc_matrix(bmat([[-program.payoffs.T / self.unit, rival.T], [own, None]]))
        self.columns, self.rows = own.shape[1], rival.shape[1]
        lower = np.where(np.arange(len(self.right)) < self.rows, -highspy.kHighsInf, self.right)
        free = np.where(np.arange(scaled.shape[1]) < self.columns, 0.0, -highspy.kHighsInf)
        self.highs = linear_program(
            scaled, (lower, self.right), self.costs[0], (free, np.full(len(free), highspy.kHighsInf))
        )
        self.duals: list[Floats] = []
        self._run()

    @property
    def weights(self) -> Floats:
        """The player's weights so far."""
        return np.array(self.highs.getSolution().col_value)[: self.columns]

    def punish(self, slip: Ints) -> None:
        """Of the best weights keep those that get most from a rival who slips like this."""
        self._hold()
        self.slips.append(slip)
        gained = np.concatenate(
            [times(self.program.payoffs, slip), -times(csr_matrix(self.program.constraints[1]), slip)]
        )
        self.costs.append(gained)
        unit = np.where(np.arange(len(gained)) < self.columns, float(self.unit), 1.0)
        scaled = gained.astype(np.float64) / unit
        self.highs.changeColsCost(len(gained), np.arange(len(gained), dtype=np.int32), scaled)
        for option, value in (("simplex_strategy", 4), ("presolve", "off"), ("solver", "simplex")):
            self.highs.setOptionValue(option, value)  # primal: the basis still is feasible
        self._run()

    def _run(self) -> None:
        optimise(self.highs)
        self.duals.append(np.array(self.highs.getSolution().row_dual)[: self.rows])

    def _hold(self) -> None:
        """Hold what the multipliers of the last order hold: that is the face of its optima."""
        columns = np.abs(np.array(self.highs.getSolution().col_dual)[: self.columns]) > HELD
        held = np.flatnonzero(columns).astype(np.int32)
        zeros = np.zeros(len(held))
        self.highs.changeColsBounds(len(held), held, zeros, zeros)
        for row in np.flatnonzero(abs(self.duals[-1]) > HELD):
            self.highs.changeRowBounds(int(row), 0.0, 0.0)

    def choice(self) -> Choice:
        """The answer: fractions from the basis if every order can be checked in them."""
        return self._exact() or Choice(
            near(self.weights),
            tuple(near(dual) + slip for dual, slip in zip(self.duals, self.slips, strict=True)),
            False,
        )

    def _exact(self) -> Choice | None:
        """The basic solution and its multipliers in fractions, or None if they need too many digits."""
        basis, basic = self.highs.getBasis(), highspy.HighsBasisStatus.kBasic
        chosen = np.flatnonzero(np.array([status == basic for status in basis.col_status]))
        tight = np.flatnonzero(np.array([status != basic for status in basis.row_status]))
        core = csc_matrix(self.matrix[tight][:, chosen])
        try:
            factors = splu(core.astype(np.float64))
        except (RuntimeError, ValueError):  # not square, or singular in floats
            return None
        found = refine(csr_matrix(core), self.right[tight], factors, "N")
        across, down = csr_matrix(core.T), csr_matrix(self.matrix.T)
        beliefs: list[Exact] = []
        open_rows, open_columns = np.ones(self.rows, bool), np.ones(self.columns, bool)
        for cost, slip in zip(self.costs, self.slips, strict=True):
            solved = refine(across, cost[chosen], factors, "T") if found is not None else None
            if solved is None:
                return None
            common, multipliers = solved[0], np.zeros(len(self.right), object)
            multipliers[tight] = solved[1]
            rows, left = multipliers[: self.rows], cost * common - times(down, multipliers)
            if np.any(rows[open_rows] < 0) or np.any(left[: self.columns][open_columns] > 0):
                return None
            open_rows &= (rows == 0).astype(bool)
            open_columns &= (left[: self.columns] == 0).astype(bool)
            beliefs.append(np.array([Fraction(r, common) for r in rows], object) + slip)
        assert found is not None
        weights = np.full(self.columns, Fraction(0), object)
        own = chosen < self.columns
        weights[chosen[own]] = [Fraction(value, found[0]) for value in found[1][own]]
        return Choice(weights, tuple(beliefs), True) if min(weights) >= 0 else None


def punish_people(search: Search, weights: Floats) -> None:
    """Punish a rival who plays with these weights, and then, if some sequences have none, any other slip alike."""
    slip = whole_slip(search.program.constraints[1], search.program.totals[1], weights)
    search.punish(slip)
    if not slip.all():
        search.punish(np.ones_like(slip))


def near(weights: Floats) -> Exact:
    """Fractions near these weights; what is negative or next to nothing becomes 0."""
    parts = np.rint(np.where(weights > HELD, weights, 0.0) * ROUNDING)
    return np.array([Fraction(int(part), ROUNDING) for part in parts], object)


def whole_slip(constraints: csr_matrix, totals: Ints, weights: Floats) -> Ints:
    """Weights like these in whole numbers that are split just so at every information set: SHARES for each roll.

    Every constraint comes after those that carry weight to it; where there are no weights all actions are alike.
    """
    slip = np.zeros(constraints.shape[1], np.int64)
    for row, total in enumerate(totals):
        part = slice(constraints.indptr[row], constraints.indptr[row + 1])
        columns, signs = constraints.indices[part], constraints.data[part]
        fresh = np.sort(columns[signs > 0])
        brought = int(slip[columns[signs < 0]].sum()) + SHARES * int(total)
        shares = weights[fresh] if weights[fresh].sum() > 0 else np.ones(len(fresh))
        ends = np.rint(np.cumsum(shares) / shares.sum() * brought).astype(np.int64)
        slip[fresh] = np.diff(ends, prepend=0)
    return slip


def linear_program(
    matrix: csc_matrix, rows: tuple[Any, Any], cost: Any, columns: tuple[Any, Any]
) -> highspy.Highs:
    """The program that maximises the cost within these bounds of rows and columns, with tight tolerances."""
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = cost.astype(np.float64)
    model.col_lower_, model.col_upper_ = columns
    model.row_lower_, model.row_upper_ = (bound.astype(np.float64) for bound in rows)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = matrix.indptr, matrix.indices
    model.a_matrix_.value_ = matrix.data.astype(np.float64)
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("primal_feasibility_tolerance", 1e-9)
    highs.setOptionValue("dual_feasibility_tolerance", 1e-9)
    highs.passModel(model)
    return highs


def optimise(highs: highspy.Highs) -> None:
    """Solve the program; PrecisionError if it has no proved optimum."""
    highs.run()
    if (status := highs.getModelStatus()) != highspy.HighsModelStatus.kOptimal:
        said = highs.modelStatusToString(status)
        raise PrecisionError(f"the linear program ended with {said!r}; only 'Optimal' proves a value")


def times(matrix: csr_matrix, vector: Exact) -> Exact:
    """The product in whole numbers of any size."""
    product = np.zeros(matrix.shape[0], object)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    np.add.at(product, rows, matrix.data.astype(np.int64).astype(object) * vector[matrix.indices])
    return product


def refine(matrix: csr_matrix, right: Ints, factors: Any, side: str) -> tuple[int, Exact] | None:
    """The exact solution z of matrix z = right: a common denominator and whole numerators."""
    coefficients = matrix.data.astype(np.int64).astype(object)
    starts, places = matrix.indptr[:-1], matrix.indices
    target = right.astype(object)
    if np.any(np.diff(matrix.indptr) == 0):
        return None

    def times(vector: Exact) -> Exact:
        product: Exact = np.add.reduceat(coefficients * vector[places], starts)
        return product

    fixed, bits = np.zeros(len(right), object), 0
    for bits in range(0, MOST_BITS, PASS_BITS):
        fixed = fixed * 2**PASS_BITS if bits else fixed
        error = target * 2**bits - times(fixed)
        if max(abs(error)) > 2**62:  # the factors are too poor to refine with
            return None
        step = np.rint(factors.solve(error.astype(np.float64), trans=side))
        fixed = fixed + np.array([int(value) for value in step], object)
        if bits and bits % (4 * PASS_BITS) == 0 and (whole := _whole(fixed, bits)) is not None:
            common, numerators = whole
            if not np.any(times(numerators) - target * common):
                return common, numerators
    return None


def _whole(fixed: Exact, bits: int) -> tuple[int, Exact] | None:
    """A common denominator D and numerators n with n / D equal to fixed / 2**bits but for the last bits."""
    common, unit, most = 1, 2**bits, 2 ** (bits // 2 - 8)
    for value in fixed:
        scaled = value * common
        if abs(scaled - round(Fraction(scaled, unit)) * unit) > common * 2**8:
            common *= Fraction(scaled, unit).limit_denominator(most).denominator
            if common > most:
                return None
    return common, np.array([(value * common + unit // 2) // unit for value in fixed], object)


def whole_numbers(numbers: Sequence[Fraction]) -> list[int]:
    """Fractions on the scale of their least common denominator, or rounded if that is too fine for floats.

    Rounded payoffs cost only the exactness of the solution, not its proof, which uses the fractions.
    """
    common, most = lcm(*(number.denominator for number in numbers)), max(map(abs, numbers))
    if most * common < 2**FLOAT_BITS:
        return [int(number * common) for number in numbers]
    return [round(number / most * 2**FLOAT_BITS) for number in numbers]
