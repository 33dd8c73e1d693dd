"""A finite game solved on its tree; written as the weight of every sequence of both sides, in fractions."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...core.errors import StorageError, VerificationError
from ...core.form import Form, certificate_of, check_shapes, confirm, header_of
from ...core.game import SEATS, State, View
from ...core.results import Advice
from ...core.solution import Arrays, Certificate, Header, Solution
from ..exact_numbers import NUMBERS, PLACES, read_numbers, write_numbers
from .arrays import Tree, build_tree
from .expected import Expected
from .response import TreeStrategy, advise_tree, are_legal, bracket, exact_weights, strategy_from

FORMAT = "tree-1"
TYPES = {**dict.fromkeys(SEATS, PLACES), **NUMBERS}
MOST_BYTES = 2 * 10**8
METHOD = "exact best responses"


@dataclass(frozen=True)
class TreeSolution(Solution):
    """Strategies written down for every view of a tree, which is walked once for all questions."""

    @cached_property
    def tree(self) -> Tree:
        """The game as arrays."""
        return build_tree(self.game)

    @property
    def points(self) -> bool:
        """Whether the game pays anything but a win or a loss."""
        return not set(self.tree.leaf_payoffs) <= {-1, 1}

    @property
    def stakes(self) -> float:
        """The largest payoff."""
        return float(max(map(abs, self.tree.leaf_payoffs))) or 1.0

    def arrays(self) -> tuple[Header, Arrays]:
        """The weights."""
        return header_of(self, FORMAT), weight_arrays(self)

    def prove(self) -> Certificate:
        """By best responses to the weights."""
        one, two = map(exact_weights, tables(self))
        return confirm(self, bracket(self.tree, one, two, METHOD))

    def seat_of(self, view: View) -> int:
        """The side of the tree that has this view."""
        return self.tree.seat_of(view)

    def worth(self, state: State) -> float:
        """The expected payoff to FIRST."""
        return self._expected(state)

    @cached_property
    def _expected(self) -> Expected:
        return Expected(self.game, self.strategies)

    def _advise(self, view: View) -> Advice:
        return advise_tree(self.tree, self.strategies, view)


def tables(solution: Solution) -> tuple[TreeStrategy, TreeStrategy]:
    """Both strategies, which are tables in fractions; else a StorageError."""
    strategies: Any = solution.strategies
    if not all(isinstance(part, TreeStrategy) and part.shares.dtype == object for part in strategies):
        raise StorageError(f"{solution.method} has no strategies in fractions; sequence-form has")
    return strategies  # type: ignore[no-any-return]


def weight_arrays(solution: Solution) -> Arrays:
    """The weights of both sides as arrays."""
    return write_numbers(dict(zip(SEATS, map(exact_weights, tables(solution)), strict=True)))


def tables_of(tree: Tree, arrays: Arrays) -> tuple[TreeStrategy, TreeStrategy]:
    """The strategies of these weights; VerificationError if they are none of this tree."""
    check_shapes(arrays, {seat: (side.sequences,) for seat, side in zip(SEATS, tree.sides, strict=True)})
    weights = read_numbers(arrays, SEATS)
    if not all(are_legal(side, weights[seat]) for seat, side in zip(SEATS, tree.sides, strict=True)):
        raise VerificationError("it has strategies that break the rules: weights that are not split")
    one, two = (strategy_from(side, weights[seat]) for seat, side in zip(SEATS, tree.sides, strict=True))
    return one, two


def restore(game: Any, header: Header, arrays: Arrays) -> TreeSolution:
    """The solution that was written."""
    tree = build_tree(game)
    solution = TreeSolution(game, str(header["method"]), tables_of(tree, arrays), certificate_of(header))
    vars(solution)["tree"] = tree  # the walk need not be done twice
    return solution


FORM = Form(lambda header: TYPES, lambda game: MOST_BYTES, restore)
