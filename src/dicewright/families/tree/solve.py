"""The sequence form of any finite Game as one linear program, solved by HiGHS and then in exact fractions.

A strategy is a weight for each sequence; the weights of an information set's sequences add up to the weight of the
sequence that leads to it. So the players choose weights x >= 0 with E x = e and y >= 0 with F y = f, and FIRST gets
x' A y. By duality FIRST's best weights solve (Koller, Megiddo & von Stengel 1994, eq. 8)

    maximise f' v   subject to   F' v <= A' x,   E x = e,   x >= 0,   v free,

and the multipliers of the rows F' v <= A' x are SECOND's best weights y: one solve gives both.

Exact weights come from the final basis. Its square matrix M is factorised once in floats; the fixed-point
solution of M z = r is then refined, each pass adding about 30 correct bits from an exact whole-number
residual, until the fractions can be read off by continued fractions and checked in whole numbers. Floats
only guess here: what is returned is proved again by best responses, which share no code with this file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt
from scipy.sparse import bmat, coo_matrix, csc_matrix, csr_matrix
from scipy.sparse.linalg import splu

from ...core.errors import PrecisionError
from ...core.game import WrittenGame
from ...core.solution import Certificate
from .arrays import Floats, Ints, Side, Tree, build_tree
from .response import bracket, strategy_from
from .solution import TreeSolution

PASS_BITS = 30
MOST_BITS = 3000
FLOAT_BITS = 50

Exact = npt.NDArray[Any]  # object array of Fraction
ROUNDING = 10**12


@dataclass(frozen=True, eq=False)
class Program:
    """Payoffs A, in whole numbers on any scale, and the two players' constraints and right-hand sides."""

    payoffs: csr_matrix
    constraints: tuple[csr_matrix, csr_matrix]
    totals: tuple[Ints, Ints]


@dataclass(frozen=True, eq=False)
class Weights:
    """Both players' weights: floats, and fractions if they could be recovered from the basis."""

    floats: tuple[Floats, Floats]
    exact: tuple[Exact, Exact] | None


def solve_sequence_form(game: WrittenGame) -> TreeSolution:
    """Solve any finite game exactly: as many rows and columns as there are sequences and information sets.

    >>> from dicewright.families.tree.classics import kuhn_poker
    >>> print(solve_sequence_form(kuhn_poker()).certificate.exact)
    -1/18
    """
    tree = build_tree(game)
    weights = solve_program(tree_program(tree))
    certificate: Certificate | None = None
    if weights.exact is not None:
        pair = weights.exact
        certificate = bracket(tree, *pair, "fractions from the basis, proved by exact best responses")
    if certificate is None or not certificate.proved or certificate.exact is None:
        pair = tuple(rounded(side, w) for side, w in zip(tree.sides, weights.floats, strict=True))  # type: ignore
        certificate = bracket(
            tree, *pair, "no fractions from the basis; exact best responses to rounded weights"
        )
    strategies = (strategy_from(tree.sides[0], pair[0]), strategy_from(tree.sides[1], pair[1]))
    return TreeSolution(game, "sequence-form", strategies, certificate)


def tree_program(tree: Tree) -> Program:
    """The program of a tree: payoffs summed over the leaves that share both sequences."""
    worth = whole_numbers(tree.leaf_worth)
    shape = (tree.sides[0].sequences, tree.sides[1].sequences)
    payoffs = csr_matrix(coo_matrix((np.array(worth, np.int64), tree.leaf_sequences), shape))
    one, two = (_constraints(side) for side in tree.sides)
    return Program(payoffs, (one[0], two[0]), (one[1], two[1]))


def _constraints(side: Side) -> tuple[csr_matrix, Ints]:
    """Rows: the empty sequence weighs 1; an information set's sequences share their parent's weight."""
    sets, sequences = len(side.views), side.sequences
    owner = np.repeat(np.arange(1, sets + 1), np.diff(side.first))
    rows = np.concatenate([[0], owner, np.arange(1, sets + 1)])
    columns = np.concatenate([[0], np.arange(1, sequences), side.parent])
    values = np.concatenate([np.ones(sequences, np.int64), -np.ones(sets, np.int64)])
    totals = np.zeros(sets + 1, np.int64)
    totals[0] = 1
    return csr_matrix(coo_matrix((values, (rows, columns)), (sets + 1, sequences))), totals


def rounded(side: Side, weights: Floats) -> Exact:
    """Legal exact weights near these floats: each mix is rounded to whole shares and scaled to sum to 1."""
    exact = np.full(side.sequences, Fraction(0), object)
    exact[0] = Fraction(1)
    for number, (start, stop) in enumerate(zip(side.first[:-1], side.first[1:], strict=True)):
        shares = [max(0, round(float(weight) * ROUNDING)) for weight in weights[start:stop]]
        total = sum(shares)
        for place, share in enumerate(shares):
            mix = Fraction(share, total) if total else Fraction(1, len(shares))
            exact[start + place] = exact[side.parent[number]] * mix
    return exact


def solve_program(program: Program) -> Weights:
    """Both players' best weights, exact where the basis allows it; PrecisionError if there is no optimum."""
    first, second = program.constraints
    columns = first.shape[1]
    matrix = csc_matrix(bmat([[-program.payoffs.T, second.T], [first, None]]))
    rows = second.shape[1]
    right = np.concatenate([np.zeros(rows), program.totals[0]]).astype(np.int64)
    cost = np.concatenate([np.zeros(columns), program.totals[1]]).astype(np.int64)
    unit = max(1, abs(program.payoffs).max())  # keeps the coefficients near 1; v is scaled alike
    scaled = csc_matrix(bmat([[-program.payoffs.T / unit, second.T], [first, None]]))
    highs = _run_highs(scaled, right, cost, columns, rows)
    solution, basis = highs.getSolution(), highs.getBasis()
    x, y = np.array(solution.col_value)[:columns], np.abs(np.array(solution.row_dual))[:rows]
    basic = highspy.HighsBasisStatus.kBasic
    chosen = np.flatnonzero(np.array([status == basic for status in basis.col_status]))
    tight = np.flatnonzero(np.array([status != basic for status in basis.row_status]))
    exact = None
    if len(chosen) == len(tight):
        core = csc_matrix(matrix[tight][:, chosen])
        exact = _exact_weights(core, right[tight], cost[chosen], chosen, tight, columns, rows)
    return Weights((x, y), exact)


def _run_highs(matrix: csc_matrix, right: Ints, cost: Ints, columns: int, rows: int) -> highspy.Highs:
    """Solve with tight tolerances; rows from `rows` on are equations, columns from `columns` on are free."""
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = cost.astype(np.float64)
    model.col_lower_ = np.where(np.arange(matrix.shape[1]) < columns, 0.0, -highspy.kHighsInf)
    model.col_upper_ = np.full(matrix.shape[1], highspy.kHighsInf)
    model.row_lower_ = np.where(np.arange(matrix.shape[0]) < rows, -highspy.kHighsInf, right)
    model.row_upper_ = right.astype(np.float64)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = matrix.indptr, matrix.indices
    model.a_matrix_.value_ = matrix.data.astype(np.float64)
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("primal_feasibility_tolerance", 1e-9)
    highs.setOptionValue("dual_feasibility_tolerance", 1e-9)
    highs.passModel(model)
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        status = highs.modelStatusToString(highs.getModelStatus())
        raise PrecisionError(f"the linear program ended with {status!r}; only 'Optimal' proves a value")
    return highs


def _exact_weights(
    core: csc_matrix, right: Ints, cost: Ints, chosen: Ints, tight: Ints, columns: int, rows: int
) -> tuple[Exact, Exact] | None:
    """The basic solution and its multipliers as fractions, or None if they need too many digits."""
    try:
        factors = splu(core)
    except RuntimeError:  # a basis that is singular in floats
        return None
    primal = _refine(csr_matrix(core), right, factors, "N")
    dual = _refine(csr_matrix(core.T), cost, factors, "T") if primal is not None else None
    if primal is None or dual is None:
        return None
    x, y = np.full(columns, Fraction(0), object), np.full(rows, Fraction(0), object)
    x[chosen[chosen < columns]] = primal[chosen < columns]
    y[tight[tight < rows]] = dual[tight < rows]
    return x, y


def _refine(matrix: csr_matrix, right: Ints, factors: Any, side: str) -> Exact | None:
    """The exact solution z of matrix z = right, as fractions."""
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
                return np.array([Fraction(value, common) for value in numerators], object)
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
