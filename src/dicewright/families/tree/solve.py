"""The sequence form of any finite Game as one linear program (Koller, Megiddo & von Stengel 1994).

A strategy is a weight for each sequence; the weights of an information set's sequences add up to the weight
of the sequence that leads to it. Both players' strategies come from one solve, and the certificate from the
exact best responses of response.py.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csr_matrix

from ...core.game import Game
from ...core.solution import Certificate
from .arrays import Floats, Ints, Side, Tree, build_tree
from .program import Program, solve_program, whole_numbers
from .response import bracket, strategy_from
from .solution import TreeSolution

ROUNDING = 10**12


def solve_sequence_form(game: Game) -> TreeSolution:
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


def rounded(side: Side, weights: Floats) -> npt.NDArray[Any]:
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
