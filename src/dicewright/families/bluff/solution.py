"""A solved round of Bluff: plans or rows on the public tree, or tables of its own tree where the face is fixed."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ...core.errors import IllegalAction
from ...core.form import confirm
from ...core.game import FIRST, SECOND
from ...core.results import Advice
from ...core.solution import Arrays, Certificate, Header, Solution
from ..tree.arrays import Tree, build_tree
from ..tree.response import TreeStrategy, advise_tree
from .plans import ENDS, PlanStrategy, seat_of
from .rules import Bluff, BluffState, BluffView

if TYPE_CHECKING:
    from .public_kernels import Row
    from .public_tree import RowsStrategy
    from .worth import Board

STORE_LEAST = 1e-6  # the store keeps what is reached with such a chance


@dataclass(frozen=True)
class BluffSolution(Solution):
    """What several questions need is made once, and goes with the solution; compiled code is loaded when needed."""

    game: Bluff

    @property
    def exact(self) -> bool:
        """Whether the strategies are plans or tables, in fractions; else rows of the public tree."""
        return all(isinstance(strategy, (PlanStrategy, TreeStrategy)) for strategy in self.strategies)

    def arrays(self) -> tuple[Header, Arrays]:
        """In fractions, or rounded to 255ths."""
        if self.exact:
            from .exact_form import written

            return written(self)
        from .rows_form import written as written_rows

        return written_rows(self)

    def to_keep(self) -> "BluffSolution":
        """Rows are kept rounded, so that a second answer is the first one's equal."""
        return self if self.exact else self.rounded()

    def rounded(self, least: float = STORE_LEAST) -> "BluffSolution":
        """Rows as they are written, without what is reached below `least`."""
        from .rows_form import rounded

        return rounded(self, least)

    def check(self) -> None:
        """Plans are split at every node; rows are strategies whatever their weights are, but for the opening."""
        if self.exact:
            from .exact_form import check

            check(self)

    def prove(self, threads: int = 1) -> Certificate:
        """By best responses."""
        if not self.exact:
            from .rows_form import prove

            return prove(self, threads)
        from .exact_form import bounds

        self.check()
        return confirm(self, bounds(self))

    def seat_of(self, view: BluffView) -> int:
        """The players bid in turn."""
        return seat_of(view)

    def worth(self, state: BluffState) -> float:
        """The expected payoff to FIRST with both hands known, both playing as solved."""
        from .worth import state_worth

        return state_worth(self, state)

    def _advise(self, view: BluffView) -> Advice:
        """Where the solved opponent never comes, see `advise_rows`; with a fixed face they act at random there."""
        game = self.game
        check_turn(game, view)
        if game.order == "fixed":
            return advise_tree(self.tree, self.strategies, view)
        from .worth import advise_rows

        return advise_rows(self, view)

    @cached_property
    def tree(self) -> Tree:
        """The round as a tree of its own, where the face is fixed."""
        return build_tree(self.game)

    @cached_property
    def rows(self) -> "tuple[RowsStrategy, RowsStrategy]":
        """Both strategies as rows of the public tree."""
        from .rows import rows_of

        first, second = (rows_of(self.game, player, self.strategies[player]) for player in (FIRST, SECOND))
        return first, second

    @cached_property
    def deals(self) -> "Row":
        """[FIRST's hand, SECOND's hand]: the payoff to FIRST before a bid is made."""
        from .worth import deals_of

        return deals_of(self)

    @cached_property
    def board(self) -> "Board":
        """What walks over this solution share."""
        from .worth import board_of

        return board_of(self)


def check_turn(game: Bluff, view: BluffView) -> None:
    """IllegalAction unless the player who sees this has something to decide."""
    if not view.my_turn or (view.said and view.said[-1] in ENDS):
        raise IllegalAction(
            f"nothing to decide at {game.show_view(view)}; the turn is not mine or all is over"
        )
    if view.mine not in game.hands(seat_of(view)):
        raise IllegalAction(f"nothing to decide at {game.show_view(view)} before the own dice are rolled")
