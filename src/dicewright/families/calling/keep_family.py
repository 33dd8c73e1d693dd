"""Calling games where dice may be kept in the open."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core.errors import RulesError
from ...core.eyes import eye_of
from ...core.form import Form
from ...core.game import Action, Outcome, other
from ...core.results import Evaluation, Response
from ...core.solution import Header, Solution, seats
from ...core.strategy import Strategy
from .. import door
from ..family import Way
from ..seating import met
from ..told import Listener, Thing
from .family import FAMILY as CALLING
from .family import CupFamily, show
from .keep import KEEP, KeepGame, KeepState, KeepView
from .rules import ACCEPT, CallingGame


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

    def doing(self, game: KeepGame, action: Action) -> str:
        """Also `keeping 61`."""
        text = super().doing(game, action)
        return f"keeping {text.removeprefix(KEEP) or 'nothing'}" if text.startswith(KEEP) else text

    def tell(
        self, game: KeepGame, to: Listener, before: KeepState, choice: Action | Outcome, after: KeepState
    ) -> list[str]:
        """Also what is kept, and to the accepter what lay under the cup."""
        who = game.mover(before)
        if isinstance(choice, str) and choice.startswith(KEEP):
            return [f"{to.does(who, 'keep')} {self.say(game, choice).removeprefix('keep ')}."]
        lines = super().tell(game, to, before, choice, after)
        if choice == ACCEPT and who == to.me and before.roll is not None:
            lines.append(f"You lift the cup: {self.say(game, before.roll)}.")
        return lines

    def ask(self, game: KeepGame, to: Listener, view: KeepView) -> list[str]:
        """Also the dice of which some may be kept."""
        if view.seen is None:
            return super().ask(game, to, view)
        seen, accepted = self.say(game, view.seen), self.say(game, view.accepted)
        return [f"The dice are {seen}; {accepted} must be beaten. Which do you keep?"]

    def lay(
        self, game: KeepGame, to: Listener, state: KeepState, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """Also the dice that the accepter has seen, and those kept."""
        view = game.view(state, to.me)
        rank = state.roll if over else view.roll
        kept = f" Kept: {view.kept}." if view.kept else ""
        return self.cup(game, to, state, view.seen if rank is None else rank, kept)

    def offer(self, game: KeepGame, action: Action, view: KeepView) -> str:
        """What is kept in words."""
        keeps = isinstance(action, str) and action.startswith(KEEP)
        return self.say(game, action) if keeps else super().offer(game, action, view)

    def uncover(self, game: KeepGame, eyes: list[int], before: KeepState, choice: Action) -> bool:
        """The accepter sees the dice too."""
        if choice == ACCEPT:
            return show(eyes, eye_of(other(before.cup)))
        return super().uncover(game, eyes, before, choice)

    def position(self, game: KeepGame, state: KeepState, seat: int | None, over: bool) -> dict[str, Any]:
        """Also the dice seen by who has lifted the cup, and those kept."""
        view = game.view(state, state.cup if over else other(state.cup) if seat is None else seat)
        shown = view.seen is not None and (seat is not None or over)
        seen = game.pair.labels[view.seen or 0] if shown else None
        dice = self.faces(game, view.seen) if shown and view.seen is not None else ()
        position = super().position(game, state, seat, over)
        return {**position, "seen": seen, "seen_dice": dice, "kept": view.kept}

    def form(self, game: KeepGame, header: Header) -> Form:
        """The table."""
        from .keep_solution import FORM

        return FORM

    def way(self, game: KeepGame) -> Way:
        """A chain of linear programs."""
        from .keep_solve import solve_keep

        return Way(("auto",), (), lambda game, method: solve_keep(game))

    def evaluate(self, game: KeepGame, a: Any, b: Any) -> Evaluation:
        """Backward over the call that stands and the dice kept."""
        from .keep_duel import duel_keep

        return met(duel_keep, game, a, b)

    def best_response(self, game: KeepGame, b: Any) -> Response:
        """Likewise."""
        from .keep_duel import best_response_keep

        return best_response_keep(game, *seats(b))

    def meets(self, game: KeepGame) -> bool:
        """Two strategies take seconds."""
        return False

    def answer(self, game: KeepGame, strategy: Strategy, seat: int) -> type[Solution]:
        """Not yet."""
        raise RulesError(f"there is no best response in {game.name}; race, bluff and calling games have one")

    def strategies(self, game: KeepGame) -> Mapping[str, Callable[..., Any]]:
        """The solved one."""
        return {"optimal": self.solved}


FAMILY = KeepFamily()
