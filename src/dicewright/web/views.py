"""The view document: what one player, or a spectator, is told. Hidden dice come from games.hidden and views only."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core.eyes import ALL_EYES, Eyes, sees
from ..core.game import CHANCE, FIRST, SEATS, Action, Outcome, State, other
from ..families import family, words
from ..games.bluff import Bluff, BluffState
from ..games.bluff_match import BluffMatch
from ..games.calling import NOTHING
from ..games.calling_keep import KeepGame
from ..games.catalog import for_points
from ..games.race import RaceGame
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

    def event(self, state: State, choice: Action | Outcome) -> Event:
        """The choice that was made in this state."""
        mover = int(self.game.mover(state))
        key = (mover, family(self.game).roller(self.game, state) if mover == CHANCE else mover, choice)
        found = self.events.get(key)
        if found is None:
            if len(self.events) >= MOST_TOLD:
                self.events.clear()
            found = self.events[key] = _event(self.game, *key)
        return found

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
    match game:
        case RaceGame():
            mine, yours, turn, _ = game.view(state, FIRST)
            return f'{{"scores":[{mine},{yours}],"turn":{turn},"goal":{game.goal}}}'
        case Bluff():
            return dumps(_bluff(game, state, FIRST, seat, over))
        case BluffMatch():
            return dumps(_match(game, state, seat, over))
    return dumps(_calling(game, state, seat, over))


def _bluff(game: Bluff, state: BluffState, opener: int, seat: int | None, over: bool) -> dict[str, Any]:
    """A round; its first seat is the opener's."""
    said = game.view(state, FIRST).said
    ended = over or bool(said and isinstance(said[-1], str))
    hands: list[list[int] | None] = []
    for player in (0, 1):
        view = game.view(state, player if opener == FIRST else other(player))
        hands.append(list(view.mine) if ended or player == seat else None)
    dice = game.dice if opener == FIRST else (game.dice[1], game.dice[0])
    return {
        "dice": list(dice),
        "sides": game.sides,
        "wild": game.wild_face,
        "hands": hands,
        "mine": [] if seat is None else hands[seat] or [],
        "theirs": None if seat is None else hands[other(seat)],
        "said": [
            {"who": SEATS[place % 2 if opener == FIRST else other(place % 2)], "bid": game.show_choice(word)}
            for place, word in enumerate(said)
        ],
        "opener": SEATS[opener],
    }


def _match(game: BluffMatch, state: Any, seat: int | None, over: bool) -> dict[str, Any]:
    """The round being played, and the one before it with all its dice."""
    last, opener = None, FIRST
    standing = game.first
    for done in state.past:
        last, opener, rules = done, standing.opener, game.round_of(standing)
        standing = game.after(standing, rules.ending(done))
    before = None if last is None else _bluff(rules, last, opener, seat, True)
    if game.winner(state.standing) is not None:
        now = before or {}
    else:
        now = _bluff(game.round_of(state.standing), state.now, state.standing.opener, seat, over)
    return {**now, "dice": list(state.standing.dice), "round": len(state.past) + 1, "before": before}


def _calling(game: Any, state: Any, seat: int | None, over: bool) -> dict[str, Any]:
    pair = game.pair if isinstance(game, KeepGame) else game
    view = game.view(state, state.cup if over else other(state.cup) if seat is None else seat)

    def label(rank: int | None) -> str | None:
        return None if rank is None or rank == NOTHING else pair.labels[rank]

    shown = {
        "labels": list(pair.labels),
        "cup": SEATS[state.cup],
        "accepted": label(view.accepted),
        "roll": label(view.roll),
        "call": label(view.call),
    }
    if isinstance(game, KeepGame):
        shown |= {"seen": None if seat is None and not over else label(view.seen), "kept": view.kept}
    return shown


def unit(game: Any) -> str:
    """What worths are counted in: `chance` of winning, or `points`."""
    return "points" if for_points(game) else "chance"


def actions(game: Any, allowed: Sequence[Action]) -> list[dict[str, str]]:
    """What the player may do, each with its words."""
    return [{"action": game.show_choice(action), "words": words.say(game, action)} for action in allowed]


def head(game: Any) -> dict[str, Any]:
    """What is the same in every document of this game."""
    return {
        "game": game.name,
        "title": words.title(game),
        "family": page_of(game),
        "unit": unit(game),
        "rules": list(words.rules(game)),
    }
