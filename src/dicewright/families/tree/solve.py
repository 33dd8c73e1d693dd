"""Any finite Game solved in sequence form, exactly: each player's program, then the rival's slips.

Of all optimal strategies each player takes the one that wins most against the players of people.py; that costs nothing
against a perfect rival.
"""

from fractions import Fraction

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix

from ...core.game import WrittenGame, other
from ...core.solution import Certificate
from .arrays import Floats, InformationSets, Ints, Tree, build_tree
from .basis import Exact
from .people import population
from .program import ROUNDING, LinearProgram, Search, punish_people, whole_numbers
from .response import bracket
from .solution import TreeSolution, tree_solution


def solve_sequence_form(game: WrittenGame) -> TreeSolution:
    """Solve any finite game exactly: as many rows and columns as there are sequences and information sets.

    >>> from dicewright.families.tree.classics import kuhn_poker
    >>> print(solve_sequence_form(kuhn_poker()).certificate.exact)
    -1/18
    """
    tree = build_tree(game)
    program = tree_program(tree)
    first = Search(program)
    searches = (first, Search(program.mirrored(), first.basis.mirrored()))
    for player, search in enumerate(searches):
        rival = other(player)
        people = population(tree, rival, search.weights)
        punish_people(search, people)
    choices = [search.choice() for search in searches]
    certificate: Certificate | None = None
    if all(choice.exact for choice in choices):
        pair = [choice.weights for choice in choices]
        certificate = bracket(
            tree, pair[0], pair[1], "fractions from the basis, proved by exact best responses"
        )
    if certificate is None or not certificate.proved or certificate.exact is None:
        pair = [rounded(side, choice.weights) for side, choice in zip(tree.sides, choices, strict=True)]
        certificate = bracket(
            tree, pair[0], pair[1], "no fractions from the basis; exact best responses to rounded weights"
        )
    beliefs = (choices[0].beliefs, choices[1].beliefs)
    return tree_solution(TreeSolution, tree, "sequence-form", pair, certificate, beliefs)  # type: ignore


def tree_program(tree: Tree) -> LinearProgram:
    """The program of FIRST: payoffs summed over the leaves that share both sequences."""
    worth = whole_numbers(tree.leaf_worth)
    shape = (tree.sides[0].sequences, tree.sides[1].sequences)
    payoffs = csr_matrix(coo_matrix((np.array(worth, np.int64), tree.leaf_sequences), shape))
    one, two = (_constraints(side) for side in tree.sides)
    return LinearProgram(payoffs, (one[0], two[0]), (one[1], two[1]))


def _constraints(side: InformationSets) -> tuple[csr_matrix, Ints]:
    """Rows: the empty sequence weighs 1; an information set's sequences share their parent's weight."""
    sets, sequences = len(side.views), side.sequences
    owner = np.repeat(np.arange(1, sets + 1), np.diff(side.first))
    rows = np.concatenate([[0], owner, np.arange(1, sets + 1)])
    columns = np.concatenate([[0], np.arange(1, sequences), side.parent])
    values = np.concatenate([np.ones(sequences, np.int64), -np.ones(sets, np.int64)])
    totals = np.zeros(sets + 1, np.int64)
    totals[0] = 1
    return csr_matrix(coo_matrix((values, (rows, columns)), (sets + 1, sequences))), totals


def rounded(side: InformationSets, weights: Floats) -> Exact:
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
