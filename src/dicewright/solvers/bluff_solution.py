"""A solved round of Bluff: plans or rows on the public tree, or tables of its own tree where the face is fixed."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..core.errors import IllegalAction
from ..core.game import FIRST, SECOND
from ..core.results import Advice
from ..core.solution import Solution
from ..games.bluff import Bluff, BluffState, BluffView
from .best_response import advise_tree
from .bluff_strategy import ENDS, seat_of
from .tree import Tree, build_tree

if TYPE_CHECKING:
    from .bluff_worth import Board
    from .public_kernels import Row
    from .public_tree import RowsStrategy


@dataclass(frozen=True)
class BluffSolution(Solution):
    """What several questions need is made once, and goes with the solution; compiled code is loaded when needed."""

    game: Bluff

    def seat_of(self, view: BluffView) -> int:
        """The players bid in turn."""
        return seat_of(view)

    def worth(self, state: BluffState) -> float:
        """The expected payoff to FIRST with both hands known, both playing as solved."""
        from .bluff_worth import state_worth

        return state_worth(self, state)

    def _advise(self, view: BluffView) -> Advice:
        """Where the solved opponent never comes, see `advise_rows`; with a fixed face they act at random there."""
        game = self.game
        check_turn(game, view)
        if game.order == "fixed":
            return advise_tree(self.tree, self.strategies, view)
        from .bluff_worth import advise_rows

        return advise_rows(self, view)

    @cached_property
    def tree(self) -> Tree:
        """The round as a tree of its own, where the face is fixed."""
        return build_tree(self.game)

    @cached_property
    def rows(self) -> "tuple[RowsStrategy, RowsStrategy]":
        """Both strategies as rows of the public tree."""
        from .bluff_rows import rows_of

        first, second = (rows_of(self.game, player, self.strategies[player]) for player in (FIRST, SECOND))
        return first, second

    @cached_property
    def deals(self) -> "Row":
        """[FIRST's hand, SECOND's hand]: the payoff to FIRST before a bid is made."""
        from .bluff_worth import deals_of

        return deals_of(self)

    @cached_property
    def board(self) -> "Board":
        """What walks over this solution share."""
        from .bluff_worth import board_of

        return board_of(self)


def check_turn(game: Bluff, view: BluffView) -> None:
    """IllegalAction unless the player who sees this has something to decide."""
    if not view.my_turn or (view.said and view.said[-1] in ENDS):
        raise IllegalAction(
            f"nothing to decide at {game.show_view(view)}; the turn is not mine or all is over"
        )
    if view.mine not in game.hands(seat_of(view)):
        raise IllegalAction(f"nothing to decide at {game.show_view(view)} before the own dice are rolled")
