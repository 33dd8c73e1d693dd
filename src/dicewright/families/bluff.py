"""Rounds of Bluff: hidden dice of one's own, bids on all of them."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from ..core.eyes import ALL_EYES
from ..core.form import Form
from ..core.game import Action, Outcome, State
from ..core.results import Evaluation, Response
from ..core.solution import Certificate, Header, Solution
from ..core.strategy import Strategy
from ..games.bluff import Bid, Bluff, BluffState, BluffView
from ..games.spoken import hand
from ..games.words_bidding import bluff_rules, bluff_title, say_bid
from ..solvers import bluff_form, door
from .family import Family, Way


class BiddingFamily(Family):
    """What a round and a match of Bluff share."""

    page = "bluff"

    def title(self, game: Any) -> str:
        """The kind of Bluff, the dice, and what is unusual about them."""
        return bluff_title(game)

    def say(self, game: Any, choice: Action | Outcome) -> str:
        """`two fives`, `spot on`, `a three and a five`."""
        if isinstance(choice, Bid):
            return say_bid(choice)
        return choice.replace("-", " ") if isinstance(choice, str) else hand(choice)

    def faces(self, game: Any, choice: Action | Outcome) -> tuple[int, ...]:
        """Those of rolled dice."""
        return tuple(choice) if isinstance(choice, tuple) and not isinstance(choice, Bid) else ()

    def uncover(self, game: Any, eyes: list[int], before: State, choice: Action) -> bool:
        """A call shows all dice; bids are pairs."""
        if isinstance(choice, str):
            eyes[:] = [ALL_EYES] * len(eyes)
        return isinstance(choice, str)


class BluffFamily(BiddingFamily):
    """One round."""

    key, kind = "bluff", Bluff

    def admit(self, game: Bluff) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        door.admit(game, Bluff)

    def rules(self, game: Bluff) -> tuple[str, ...]:
        """The dice, the bids, the call."""
        return bluff_rules(game)

    def roller(self, game: Bluff, state: BluffState) -> int:
        """FIRST's dice are rolled first."""
        return len(state.hands)

    def way(self, game: Bluff) -> Way:
        """The sequence form where it fits, else CFR."""
        from ..solvers.bluff import Method, solve_bluff

        return Way(get_args(Method), ("gap", "progress"), solve_bluff)

    def said(self, game: Bluff, header: Header) -> Certificate:
        """In fractions, or as rows that were measured."""
        return bluff_form.said(game, header)

    def form(self, game: Bluff, header: Header) -> Form:
        """Likewise."""
        if header["format"] == bluff_form.ROWS:
            from ..solvers.bluff_rows_form import FORM

            return FORM
        from ..solvers.bluff_exact_form import PLAN_FORM, WEIGHT_FORM

        return WEIGHT_FORM if game.order == "fixed" else PLAN_FORM

    def check_size(self, game: Bluff) -> None:
        """Plans of both players must fit in memory."""
        if game.order != "fixed":
            from ..solvers.bluff_strategy import check_size

            check_size(game, len(game.bids))

    def check_advice(self, game: Bluff, view: BluffView) -> None:
        """The player must have something to decide, and what is left of the round must fit in memory."""
        if game.order != "fixed":
            from ..solvers.bluff_solution import check_turn
            from ..solvers.bluff_strategy import check_size, node_of

            check_turn(game, view)
            check_size(game, len(game.bids) - max(node_of(game, view.said).bit_length() - 1, 0))

    def evaluate(self, game: Bluff, a: Any, b: Any) -> Evaluation:
        """By plans on the public tree."""
        from ..solvers.bluff import evaluate_bluff

        return evaluate_bluff(game, a, b)

    def best_response(self, game: Bluff, b: Any) -> Response:
        """Likewise."""
        from ..solvers.bluff import best_response_bluff

        return best_response_bluff(game, b)

    def answer(self, game: Bluff, strategy: Strategy, seat: int) -> type[Solution]:
        """Advice against the strategy as a plan."""
        from ..solvers.answer import BluffAnswer

        return BluffAnswer

    def strategies(self, game: Bluff) -> Mapping[str, Callable[..., Any]]:
        """Rules of thumb and the solved one."""
        from ..strategies.bluff import BLUFF

        return BLUFF


FAMILY = BluffFamily()
