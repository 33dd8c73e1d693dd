"""A finite game solved on its tree."""

from dataclasses import dataclass
from functools import cached_property

from ..core.game import State, View
from ..core.results import Advice
from ..core.solution import Solution
from .best_response import advise_tree
from .expected import Expected
from .tree import Tree, build_tree


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
