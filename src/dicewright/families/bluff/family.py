"""Rounds of Bluff: hidden dice of one's own, bids on all of them."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, get_args

from ...core.effort import Effort
from ...core.engine import Engine
from ...core.eyes import ALL_EYES
from ...core.form import Form
from ...core.game import FIRST, SECOND, Action, Outcome, State
from ...core.results import Evaluation, Response
from ...core.solution import Certificate, Header, Solution
from ...core.strategy import Strategy
from .. import door
from ..family import Way
from ..spoken import hand
from ..told import Listener, Thing
from . import form as bluff_form
from . import open_spiel
from .menu import SIGHTS
from .pictures import PICTURES
from .rules import Bid, Bluff, BluffState, BluffView
from .table import BiddingTable, lay_round, page_round, page_scene, reveal, tell_round
from .talk import MOST_BIDS
from .words import bluff_name, bluff_rules, bluff_title, say_bid

SEQUENCES = 20_000.0  # solved in a second
MOST_SECONDS = 30.0  # that are foretold: what takes longer is not begun while somebody waits
MOST_SEQUENCES = 120_000  # while somebody waits: some seconds
MOST_DICE = 4  # likewise, of a match or where the tree itself is solved
FEW_BIDS = 8  # of a round that is solved in a moment
MOST_MET = 13  # bids of a round whose strategies all meet within seconds


class BiddingFamily(BiddingTable):
    """What a round and a match of Bluff share."""

    page, keeps_optimal = "bluff", True

    def short(self, game: Any) -> str:
        """`Bluff`, or `Bluff match`."""
        return bluff_name(game)

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

    def warm(self, solution: Solution) -> None:
        """The other player is answered."""
        from .public_kernels import best_response

        best_response.prefer()

    def points(self, game: Any) -> bool:
        """Rounds and matches are won or lost."""
        return False

    def returns(self, game: Any) -> bool:
        """Every round begins with dice, and bids rise."""
        return False


class BluffFamily(BiddingFamily):
    """One round."""

    key, kind = "bluff", Bluff
    games = MappingProxyType({"bluff": Bluff})
    shipped = ("bluff", "bluff:dice=2v1", "bluff:dice=1v2", "bluff:dice=2v2")
    tells_kept, compiled_hints = True, False
    pictures, sights = PICTURES, SIGHTS

    def read_foreign(self, text: str) -> Bluff | None:
        """OpenSpiel's `liars_dice(...)`."""
        return open_spiel.read(text) if text.strip().startswith("liars_dice") else None

    def now(self, game: Bluff, held: Any) -> tuple[Bluff, Any]:
        """There is one round."""
        return game, held

    def admit(self, game: Bluff) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        door.admit(game, Bluff)

    def rules(self, game: Bluff) -> tuple[str, ...]:
        """The dice, the bids, the call."""
        return bluff_rules(game)

    def tell(
        self, game: Bluff, to: Listener, before: BluffState, choice: Action | Outcome, after: BluffState
    ) -> list[str]:
        """A call also shows all dice."""
        lines = tell_round(game, to, before, choice, (FIRST, SECOND))
        return lines + reveal(game, to, after, (FIRST, SECOND)) if isinstance(choice, str) else lines

    def lay(
        self, game: Bluff, to: Listener, state: BluffState, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """Both hands."""
        return lay_round(game, to, state, to.me, over)

    def roller(self, game: Bluff, state: BluffState) -> int:
        """FIRST's dice are rolled first."""
        return len(state.hands)

    def soon_answered(self, game: Bluff) -> bool:
        """With few bids."""
        return len(game.bids) <= MOST_BIDS

    def position(self, game: Bluff, state: BluffState, seat: int | None, over: bool) -> dict[str, Any]:
        """The own dice, the bids, and all dice once a call has ended the round."""
        return {**page_round(game, state, FIRST, seat, over), "ask": self.asks(game, state, seat)}

    def scene(
        self, game: Bluff, before: BluffState, choice: Action | Outcome, after: BluffState
    ) -> dict[str, Any]:
        """A call ends it."""
        return page_scene(game, (FIRST, SECOND), after if isinstance(choice, str) else None)

    def charts(self) -> Mapping[str, Callable[..., Any]]:
        """Of a solution."""
        from .solve import strategy_frame

        return {"ranges": strategy_frame}

    def effort(self, game: Bluff) -> Effort:
        """By both players' hands times the ways bids can go."""
        if game.order == "fixed":
            return Effort(quick=sum(game.dice) <= MOST_DICE)
        sequences = (len(game.hands(0)) + len(game.hands(1))) << min(len(game.bids), 40)
        seconds = min(MOST_SECONDS, sequences / SEQUENCES)
        return Effort(seconds, quick=sequences <= MOST_SEQUENCES, brief=len(game.bids) <= FEW_BIDS)

    def way(self, game: Bluff) -> Way:
        """The sequence form where it fits, else CFR."""
        from .solve import Method, choose_method, solve_bluff

        def heard(step: Any) -> str:
            return f"iteration {step.iteration}, {step.lower:.6f} to {step.upper:.6f}"

        way = Way(get_args(Method), ("gap", "progress"), solve_bluff, heard=heard)
        if choose_method(game)[0] != "cfr":
            return way._replace(exact=True)
        return way._replace(to_file=self._to_file)

    def _to_file(self, game: Bluff, **options: Any) -> Solution:
        from .shipped import solve_rounded

        return solve_rounded(game, **options)

    def to_ship(self, game: Bluff) -> Solution:
        """By its recipe."""
        from .shipped import solve_to_ship

        return solve_to_ship(game)

    def claimed(self, game: Bluff, header: Header) -> Certificate:
        """In fractions, or as rows that were measured."""
        return bluff_form.said(game, header)

    def form(self, game: Bluff, header: Header) -> Form:
        """Likewise."""
        if header["format"] == bluff_form.ROWS:
            from .rows_form import FORM

            return FORM
        from .exact_form import PLAN_FORM, WEIGHT_FORM

        return WEIGHT_FORM if game.order == "fixed" else PLAN_FORM

    def check_size(self, game: Bluff) -> None:
        """Plans of both players must fit in memory."""
        if game.order != "fixed":
            from .plans import check_size

            check_size(game, len(game.bids))

    def check_advice(self, game: Bluff, view: BluffView) -> None:
        """The player must have something to decide, and what is left of the round must fit in memory."""
        if game.order != "fixed":
            from .plans import check_size, node_of
            from .solution import check_turn

            check_turn(game, view)
            check_size(game, len(game.bids) - max(node_of(game, view.said).bit_length() - 1, 0))

    def evaluate(self, game: Bluff, a: Any, b: Any) -> Evaluation:
        """By plans on the public tree."""
        from .solve import evaluate_bluff

        return evaluate_bluff(game, a, b)

    def best_response(self, game: Bluff, b: Any) -> Response:
        """Likewise."""
        from .solve import best_response_bluff

        return best_response_bluff(game, b)

    def answer(self, game: Bluff, strategy: Strategy, seat: int) -> type[Solution]:
        """Advice against the strategy as a plan."""
        from .answer import BluffAnswer

        return BluffAnswer

    def engine(self, game: Bluff, a: Any, b: Any) -> Engine | None:
        """Plans, where they are known or made by few enough questions."""
        from .engine import bluff_engine

        return bluff_engine(game, a, b) if self._few_views(game, a, b) else None

    def exactly(self, game: Bluff, a: Any, b: Any) -> Evaluation | None:
        """Likewise."""
        if game.order == "fixed":
            return super().exactly(game, a, b)
        return self.evaluate(game, a, b) if self._few_views(game, a, b) else None

    def meets(self, game: Bluff) -> bool:
        """With few bids."""
        return len(game.bids) <= MOST_MET

    def _few_views(self, game: Bluff, a: Any, b: Any) -> bool:
        from .engine import few_views

        return game.order != "fixed" and few_views(game, a) and few_views(game, b)

    def strategies(self, game: Bluff) -> Mapping[str, Callable[..., Any]]:
        """Rules of thumb and the solved one."""
        from .strategies import BLUFF

        return BLUFF


FAMILY = BluffFamily()
