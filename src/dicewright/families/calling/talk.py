"""What is said in calling games: calls, lies and challenges."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...core.game import Action, View
from ..family import BIDS, Family
from ..told import Ply, Word
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame

MOST_RANKS = 60  # of a game that is answered in a moment


class CupTalk(Family):
    """A call is a bluff if its caller knows that it is false; `ranks` are the rules of the calls."""

    talks = True
    secret = "what is under the cup"
    counts: Mapping[str, str] = {
        "bids": "calls",
        "calls": "challenges",
        "right_calls": "right challenges",
        "over_calls": "over-challenges",
    }

    captions: Mapping[str, str] = {
        **BIDS,
        **counts,
        "over_calls": "challenges of what was true",
        "taken_in": "false calls believed",
    }

    def ranks(self, game: Any) -> CallingGame:
        """The game of the calls alone."""
        raise NotImplementedError

    def doing(self, game: Any, action: Action) -> str:
        """`calling 51`, `accepting`."""
        text = super().doing(game, action)
        if isinstance(action, int):
            return f"calling {text}"
        return {ACCEPT: "accepting", CHALLENGE: "challenging"}.get(text, text)

    def seen(self, game: Any, view: Any) -> str:
        """The dice if they are seen, the call to answer, the call to beat."""
        parts = (
            ("rolled {}", view.roll),
            ("{} called", view.call),
            ("{} under the cup", getattr(view, "seen", None)),
            ("{} accepted", view.accepted if view.accepted != NOTHING else None),
        )
        told = [words.format(self.say(game, rank)) for words, rank in parts if rank is not None]
        if kept := getattr(view, "kept", ""):
            told.insert(-1, f"{kept} kept")
        return "; ".join(told) or "nothing called yet"

    def decision(self, game: Any, view: Any, action: Action) -> str:
        """With the dice, or the call that was answered."""
        done = self.acting(game, action)
        beat = self.say(game, view.accepted) if view.accepted != NOTHING else ""
        if isinstance(action, int):
            return f"{done} with {self.say(game, view.roll)} under the cup{f', after {beat}' if beat else ''}"
        of = f" {self.say(game, view.call)}" if view.call is not None else f" of {self.say(game, view.seen)}"
        return f"{done}{of}{f' after {beat} had been accepted' if beat else ''}"

    def is_bluff(self, game: Any, view: Any, action: Action) -> bool:
        """A call that is not true of the dice under the cup."""
        seen = isinstance(action, int) and view.roll is not None
        return seen and not self.ranks(game).true(view.roll, action)

    def is_call(self, game: Any, view: View, action: Action) -> bool:
        """A challenge."""
        return bool(action == CHALLENGE)

    def said(self, game: Any, plies: Iterable[Ply]) -> Iterator[Word]:
        """Calls and their answers; what is kept says nothing."""
        false = False
        for ply in plies:
            if ply.who >= 0 and isinstance(ply.choice, int):
                false = self.is_bluff(game, ply.view, ply.choice)
                yield Word(ply.who, True, false, false)
            elif ply.choice in (ACCEPT, CHALLENGE):
                yield Word(ply.who, False, False, false, ply.choice == CHALLENGE)
