"""Matches of Bluff: rounds until a player has no dice left."""

from collections.abc import Callable, Mapping
from typing import Any

from ..core.errors import RulesError
from ..core.form import Form
from ..core.game import FIRST, other
from ..core.results import Evaluation, Response
from ..core.solution import Header, Solution
from ..core.strategy import Strategy
from ..games.bluff_match import BluffMatch, MatchState, MatchView
from ..games.words_bidding import match_rules
from ..solvers import door
from .bluff import BiddingFamily
from .family import Way
from .seating import met


class MatchFamily(BiddingFamily):
    """Rounds chained by who won them, or paid by what follows."""

    key, kind, form_name = "match", BluffMatch, "match-1"

    def admit(self, game: BluffMatch) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        door.admit(game, BluffMatch)

    def rules(self, game: BluffMatch) -> tuple[str, ...]:
        """A round, and how rounds make a match."""
        return match_rules(game)

    def roller(self, game: BluffMatch, state: MatchState) -> int:
        """The opener's dice are rolled first."""
        seat = len(state.now.hands)
        return seat if state.standing.opener == FIRST else other(seat)

    def form(self, game: BluffMatch, header: Header) -> Form:
        """Round by round."""
        from ..solvers.match_form import FORM

        return FORM

    def way(self, game: BluffMatch) -> Way:
        """Each round solved once."""
        from ..solvers.match import solve_match

        return Way(("auto",), ("gap",), lambda game, method, **options: solve_match(game, **options))

    def check_advice(self, game: BluffMatch, view: MatchView) -> None:
        """The largest round must fit in memory."""
        from ..solvers.bluff_strategy import check_size

        largest = game.round_of(game.first)
        check_size(largest, len(largest.bids))

    def evaluate(self, game: BluffMatch, a: Any, b: Any) -> Evaluation:
        """Round by round, and one linear system over the standings."""
        from ..solvers.match_duel import duel_match

        return met(duel_match, game, a, b)

    def best_response(self, game: BluffMatch, b: Any) -> Response:
        """Likewise."""
        from ..core.solution import seats
        from ..solvers.match_duel import best_response_match

        return best_response_match(game, *seats(b))

    def answer(self, game: BluffMatch, strategy: Strategy, seat: int) -> type[Solution]:
        """Not yet."""
        raise RulesError(f"there is no best response in {game.name}; race, bluff and calling games have one")

    def strategies(self, game: BluffMatch) -> Mapping[str, Callable[..., Any]]:
        """Those of rounds, round by round."""
        from ..strategies.bluff import MATCH

        return MATCH


FAMILY = MatchFamily()
