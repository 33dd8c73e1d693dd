"""The view document: what one player, or a spectator, is told. Hidden dice come from families.hidden and views only."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...core.eyes import ALL_EYES, Eyes, sees
from ...core.game import CHANCE, SEATS, Action, Outcome, State
from ...families import family, words
from .playable import page_of

MOST_TOLD = 5_000  # events and lists of actions that are remembered for one game

dumps = json.JSONEncoder(
    separators=(",", ":"), ensure_ascii=False
).encode  # one encoder for all: many short texts


class Event(NamedTuple):
    """One choice of the game as JSON text, open and covered, but for its ply."""

    shown: str
    covered: str


class Speech:
    """How one game is told: made once for all rooms where it is played, for every choice is told many times."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.head = dumps(head(game))[1:-1]
        self.events: dict[tuple[int, int, Any], Event] = {}
        self.action_lists: dict[tuple[Any, ...], str] = {}

    def event(self, state: State, choice: Action | Outcome, after: State) -> Event:
        """The choice that was made in this state and led to that one."""
        mover = int(self.game.mover(state))
        key = (mover, family(self.game).roller(self.game, state) if mover == CHANCE else mover, choice)
        found = self.events.get(key)
        if found is None:
            if len(self.events) >= MOST_TOLD:
                self.events.clear()
            found = self.events[key] = _event(self.game, *key)
        scene = f',"scene":{dumps(family(self.game).scene(self.game, state, choice, after))}}}'
        return Event(found.shown[:-1] + scene, found.covered[:-1] + scene)

    def actions(self, allowed: tuple[Action, ...]) -> str:
        """What the player may do, each with its words, as JSON text."""
        found = self.action_lists.get(allowed)
        if found is None:
            if len(self.action_lists) >= MOST_TOLD:
                self.action_lists.clear()
            found = self.action_lists[allowed] = dumps(actions(self.game, allowed))
        return found


def _event(game: Any, mover: int, player: int, choice: Action | Outcome) -> Event:
    who, of = "dice" if mover == CHANCE else SEATS[mover], SEATS[player]
    shown = {
        "who": who,
        "of": of,
        "choice": game.show_choice(choice),
        "words": words.say(game, choice),
        "dice": list(words.on_table(game, choice)) if mover == CHANCE else [],
    }
    if mover != CHANCE:
        shown |= _said(game, choice)
    covered: dict[str, Any] = {
        "who": who,
        "of": of,
        "choice": None,
        "words": "dice under the cup",
        "dice": [],
    }
    return Event(dumps(shown)[1:], dumps(covered)[1:])


def events_text(events: Sequence[Event], eyes: Eyes, seat: int | None, over: bool, since: int) -> str:
    """The events from this ply on as the seat (None: a spectator) may see them."""
    parts = []
    for ply in range(since, len(events)):
        shown = over or eyes[ply] == ALL_EYES or sees(eyes[ply], seat)
        parts.append(f'{{"ply":{ply},{events[ply].shown if shown else events[ply].covered}')
    return f"[{','.join(parts)}]"


def position(game: Any, state: State, seat: int | None, over: bool) -> str:
    """The table as the seat sees it, as JSON text."""
    return dumps(family(game).position(game, state, seat, over))


def unit(game: Any) -> str:
    """What worths are counted in: `chance` of winning, or `points`."""
    return "points" if family(game).points(game) else "chance"


def actions(game: Any, allowed: Sequence[Action]) -> list[dict[str, Any]]:
    """What the player may do, each with its words, and what it says of dice."""
    return [
        {"action": game.show_choice(action), "words": words.say(game, action), **_said(game, action)}
        for action in allowed
    ]


def _said(game: Any, action: Action) -> dict[str, Any]:
    """The row and column of an action, and the faces that it claims, if it has any."""
    found = {"cell": family(game).cell(action), "claims": words.faces(game, action)}
    return {name: value for name, value in found.items() if value}


def head(game: Any) -> dict[str, Any]:
    """What is the same in every document of this game."""
    kin = family(game)
    return {
        "game": game.name,
        "title": words.title(game),
        "family": page_of(game),
        "unit": unit(game),
        "rules": list(words.rules(game)),
        "hides": kin.covered,
        "keys": {letter: game.show_choice(action) for letter, action in kin.keys.items()},
        "layout": kin.layout(game),
    }
