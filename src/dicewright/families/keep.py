"""Calling games where dice may be kept in the open."""

from typing import Any

from ..core.errors import RulesError
from ..core.eyes import eye_of
from ..core.form import Form
from ..core.game import Action, Outcome, other
from ..core.results import Evaluation, Response
from ..core.solution import Header, Solution, seats
from ..core.strategy import Strategy
from ..games.calling import ACCEPT, CallingGame
from ..games.calling_keep import KEEP, KeepGame, KeepState
from ..solvers import door
from .calling import FAMILY as CALLING
from .calling import CupFamily, show
from .family import Way
from .seating import met


class KeepFamily(CupFamily):
    """Whoever accepts has lifted the cup, and keeps some of the dice."""

    key, kind, form_name = "keep", KeepGame, "keep-1"

    def ranks(self, game: KeepGame) -> CallingGame:
        """The game of the calls alone."""
        return game.pair

    def admit(self, game: KeepGame) -> None:
        """RulesError for an heir, or ranks of one, that plays by other rules than its fields say."""
        door.admit(game, KeepGame)
        CALLING.admit(game.pair)

    def say(self, game: KeepGame, choice: Action | Outcome) -> str:
        """Also what is kept."""
        if not isinstance(choice, str) or not choice.startswith(KEEP):
            return super().say(game, choice)
        kept = choice.removeprefix(KEEP)
        return f"keep {' and '.join(kept)}" if kept else "keep nothing, roll both dice"

    def uncover(self, game: KeepGame, eyes: list[int], before: KeepState, choice: Action) -> bool:
        """The accepter sees the dice too."""
        if choice == ACCEPT:
            return show(eyes, eye_of(other(before.cup)))
        return super().uncover(game, eyes, before, choice)

    def form(self, game: KeepGame, header: Header) -> Form:
        """The table."""
        from ..solvers.keep_solution import FORM

        return FORM

    def way(self, game: KeepGame) -> Way:
        """A chain of linear programs."""
        from ..solvers.calling_keep import solve_keep

        return Way(("auto",), (), lambda game, method: solve_keep(game))

    def evaluate(self, game: KeepGame, a: Any, b: Any) -> Evaluation:
        """Backward over the call that stands and the dice kept."""
        from ..solvers.keep_duel import duel_keep

        return met(duel_keep, game, a, b)

    def best_response(self, game: KeepGame, b: Any) -> Response:
        """Likewise."""
        from ..solvers.keep_duel import best_response_keep

        return best_response_keep(game, *seats(b))

    def answer(self, game: KeepGame, strategy: Strategy, seat: int) -> type[Solution]:
        """Not yet."""
        raise RulesError(f"there is no best response in {game.name}; race, bluff and calling games have one")


FAMILY = KeepFamily()
