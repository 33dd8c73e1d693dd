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

Floats only guess: the signs that make the final basis optimal in every order are checked in whole numbers (basis.py),
and what is returned is proved again by best responses, which share no code with this file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm

import highspy
import numpy as np
from scipy.sparse import bmat, csc_matrix, csr_matrix

from ...core.errors import PrecisionError
from .arrays import Floats, Ints
from .basis import Basis, Exact, Flags, Square, offers, times

FLOAT_BITS = 50
ROUNDING = 10**12
HELD = 1e-7  # multipliers from which a row or column is held
SHARES = 10**7  # a slip's weights in whole numbers: of each roll so many


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """Payoffs A to the player, in whole numbers on any scale; constraints and right-hand sides of player and rival."""

    payoffs: csr_matrix
    constraints: tuple[csr_matrix, csr_matrix]
    totals: tuple[Ints, Ints]

    def mirrored(self) -> "LinearProgram":
        """The same for the rival."""
        return LinearProgram(csr_matrix(-self.payoffs.T), self.constraints[::-1], self.totals[::-1])

    def restricted(self, own: Flags, rival: Flags) -> "LinearProgram":
        """Only these sequences of both; of the constraints those of information sets that still have some."""
        payoffs = csr_matrix(self.payoffs[own][:, rival])
        kept = [offers(table, flags) for table, flags in zip(self.constraints, (own, rival), strict=True)]
        one, two = (
            csr_matrix(table[rows][:, flags])
            for table, rows, flags in zip(self.constraints, kept, (own, rival), strict=True)
        )
        return LinearProgram(payoffs, (one, two), (self.totals[0][kept[0]], self.totals[1][kept[1]]))


@dataclass(frozen=True, eq=False)
class Optimum:
    """The player's weights, and the rival's in each order of slips: beliefs[0] is without one.

    `exact` if every order is optimal in fractions; else they are floats, rounded.
    """

    weights: Exact
    beliefs: tuple[Exact, ...]
    exact: bool


class Search:
    """One player's program, solved; each call of `punish` solves one more order from where the last one ended."""

    def __init__(self, program: LinearProgram, start: Basis | None = None) -> None:
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
        if start is not None:
            self.highs.setBasis(self._written(start))
        self._run()

    @property
    def basis(self) -> Basis:
        """Where the last order ended."""
        found, basic = self.highs.getBasis(), highspy.HighsBasisStatus.kBasic
        return Basis(
            np.array([status == basic for status in found.col_status]),
            np.array([status != basic for status in found.row_status]),
        )

    def _written(self, basis: Basis) -> highspy.HighsBasis:
        status, written = highspy.HighsBasisStatus, highspy.HighsBasis()
        zero = [status.kLower] * self.columns + [status.kZero] * (len(basis.basic) - self.columns)
        written.col_status = [
            status.kBasic if basic else other for basic, other in zip(basis.basic, zero, strict=True)
        ]
        written.row_status = [status.kUpper if tight else status.kBasic for tight in basis.tight]
        written.valid = True
        return written

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

    def choice(self, exact: bool = True, rounding: int = ROUNDING) -> Optimum:
        """The answer: fractions from the basis if every order can be checked in them, else rounded to such parts."""
        return (self._exact() if exact else None) or Optimum(
            near(self.weights, rounding),
            tuple(near(dual, rounding) + slip for dual, slip in zip(self.duals, self.slips, strict=True)),
            False,
        )

    def _exact(self) -> Optimum | None:
        """The basic solution and its multipliers in fractions, or None if they need too many digits."""
        basis = self.basis
        chosen, tight = np.flatnonzero(basis.basic), np.flatnonzero(basis.tight)
        try:
            square = Square(csc_matrix(self.matrix[tight][:, chosen]))
        except ValueError:
            return None
        down, beliefs = csr_matrix(self.matrix.T), list[Exact]()
        open_rows, open_columns, zero = np.ones(self.rows, bool), np.ones(self.columns, bool), Fraction(0)
        if (found := square.solve(self.right[tight])) is None:
            return None
        loose = np.flatnonzero(~basis.tight)
        most = self.right[loose].astype(object) * found[0]  # whole numbers of any size
        if np.any(times(csr_matrix(self.matrix[loose][:, chosen]), found[1]) > most):
            return None
        for cost, slip in zip(self.costs, self.slips, strict=True):
            if (solved := square.solve_across(cost[chosen])) is None:
                return None
            common, multipliers = solved[0], np.zeros(len(self.right), object)
            multipliers[tight] = solved[1]
            rows, left = multipliers[: self.rows], cost * common - times(down, multipliers)
            if np.any(rows[open_rows] < 0) or np.any(left[: self.columns][open_columns] > 0):
                return None
            open_rows &= (rows == 0).astype(bool)
            open_columns &= (left[: self.columns] == 0).astype(bool)
            shifted = rows + slip.astype(object) * common
            parts = [Fraction(number, common) if number else zero for number in shifted]
            beliefs.append(np.array(parts, object))
        weights = np.full(self.columns, zero, object)
        own = chosen < self.columns
        weights[chosen[own]] = [Fraction(value, found[0]) for value in found[1][own]]
        return Optimum(weights, tuple(beliefs), True) if min(weights) >= 0 else None


def punish_people(search: Search, weights: Floats) -> None:
    """Punish a rival who plays with these weights, and then, if some sequences have none, any other slip alike."""
    slip = whole_slip(search.program.constraints[1], search.program.totals[1], weights)
    search.punish(slip)
    if not slip.all():
        search.punish(np.ones_like(slip))


def near(weights: Floats, rounding: int = ROUNDING) -> Exact:
    """Fractions near these weights, in such parts; what is negative or next to nothing becomes 0."""
    parts = np.rint(np.where(weights > HELD, weights, 0.0) * rounding)
    return np.array([Fraction(int(part), rounding) for part in parts], object)


def whole_slip(constraints: csr_matrix, totals: Ints, weights: Floats) -> Ints:
    """Weights like these in whole numbers that are split just so at every information set: SHARES for each roll.

    Every constraint comes after those that carry weight to it; where there are no weights all actions are alike.
    """
    slip, wanted = [0] * constraints.shape[1], weights.tolist()
    ends, columns, signs = (
        part.tolist() for part in (constraints.indptr, constraints.indices, constraints.data)
    )
    for total, start, stop in zip(totals.tolist(), ends, ends[1:], strict=False):
        part = sorted(zip(columns[start:stop], signs[start:stop], strict=True))
        fresh = [column for column, sign in part if sign > 0]
        brought = sum(slip[column] for column, sign in part if sign < 0) + SHARES * total
        sums = list(accumulate(wanted[column] for column in fresh))
        if not sums[-1] > 0:
            sums = list(range(1, len(fresh) + 1))
        given = 0
        for column, part_sum in zip(fresh, sums, strict=True):
            upto = round(part_sum / sums[-1] * brought)
            slip[column], given = upto - given, upto
    return np.array(slip)


def linear_program(
    matrix: csc_matrix, rows: tuple[Exact, Exact], cost: Exact, columns: tuple[Exact, Exact]
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


def whole_numbers(numbers: Sequence[Fraction]) -> list[int]:
    """Fractions on the scale of their least common denominator, or rounded if that is too fine for floats.

    Rounded payoffs cost only the exactness of the solution, not its proof, which uses the fractions.
    """
    common, most = lcm(*(number.denominator for number in numbers)), max(map(abs, numbers))
    if most * common < 2**FLOAT_BITS:
        return [int(number * common) for number in numbers]
    return [round(number / most * 2**FLOAT_BITS) for number in numbers]
