"""Calling games told to a person at the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.game import CHANCE, Action, Outcome, State
from ..told import Hand, Listener, Sentence, Thing
from .menu import MENU
from .rules import ACCEPT, CHALLENGE
from .talk import CupTalk


class CupTable(CupTalk):
    """Who has the cup, and the dice under it."""

    keys: Mapping[str, Action] = {"a": ACCEPT, "c": CHALLENGE, "x": CHALLENGE}
    stand_in = "truthful"
    menu = MENU

    def tell(self, game: Any, to: Listener, before: Any, choice: Any, after: Any) -> list[str]:
        """A challenge shows the dice."""
        who = game.mover(before)
        if who == CHANCE:
            mine = before.cup == to.me
            return [f"You roll {self.say(game, choice)}." if mine else f"{to.other} rolls in secret."]
        if isinstance(choice, int):
            return [f"{to.does(who, 'call')} {self.say(game, choice)}."]
        called = self.say(game, before.call)
        if choice == ACCEPT:
            return [f"{to.does(who, 'accept')} {called}."]
        found = "true" if self.ranks(game).true(before.roll, before.call) else "not true"
        shown = f"The dice show {self.say(game, before.roll)}: {called} was {found}."
        return [f"{to.does(who, 'challenge')}.", shown]

    def ask(self, game: Any, to: Listener, view: Any) -> list[str]:
        """The call to be answered, or the dice to be called."""
        if view.call is not None:
            return [f"{to.other} calls {self.say(game, view.call)}: accept or challenge?"]
        more = (
            f"call more than {self.say(game, view.accepted)}" if view.accepted >= 0 else "call what you like"
        )
        return [f"You have {self.say(game, view.roll)} under the cup; {more}."]

    def lay(
        self, game: Any, to: Listener, state: Any, turn: Sequence[Action | Outcome], over: bool
    ) -> list[Thing]:
        """The holder of the cup, the call to be beaten, and the dice, hidden from the one who answers."""
        view = game.view(state, to.me)
        return self.cup(game, to, state, state.roll if over else view.roll)

    def cup(self, game: Any, to: Listener, state: State, rank: int | None, more: str = "") -> list[Thing]:
        """The table when the listener sees dice of this rank, or None; `more` is said of them."""
        view, mine = game.view(state, to.me), state.cup == to.me
        beat = "" if view.call is not None else " No call stands."
        if view.accepted >= 0:
            is_or_was = "was" if view.call is not None else "is"
            beat = f" {self.say(game, view.accepted)} {is_or_was} to be beaten."
        head = f"{'You have' if mine else f'{to.other} has'} the cup.{beat}{more}"
        hidden = (None,) * max(1, len(self.faces(game, game.top)))
        words = "under the cup" if rank is None else self.say(game, rank)
        words += f", called {self.say(game, view.call)}" if view.call is not None else ""
        return [Sentence(head, mine), Hand(hidden if rank is None else self.faces(game, rank), words)]
