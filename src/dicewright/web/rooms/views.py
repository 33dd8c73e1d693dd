"""Which games and opponents strangers may ask for, and the view document: what one player, or a spectator, is told.

Only games of the catalogs and of bounded size are played. Hidden dice come from families.hidden and views only.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...core.errors import DicewrightError, NotationError, RulesError, TooLarge
from ...core.game import ALL_EYES, CHANCE, SEATS, Action, Eyes, Outcome, State, WrittenGame, sees
from ...core.notation import build, fields, notation
from ...families import catalog, family, kins
from ...families.catalog import known
from ...families.catalog import strategy as parse_strategy
from ...storage.store import is_kept, is_quick
from ..settings import GAME_LETTERS

MOST_SECONDS = 10.0  # of solving a game, half a minute on a busy machine
PERSON, OPTIMAL = "person", "optimal"
EXAMPLES = {"hold": "hold:20", "call-below": "call-below:0.3"}  # where a field has no default
SKIPPING = "skip-when-equal"
SOLVED = (OPTIMAL, "fewest-turns", "max-difference")  # making these takes solving
MOST_TOLD = 5_000  # events and lists of actions that are remembered for one game
# one encoder for all: many short texts
dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def page_of(game: WrittenGame) -> str:
    """The part of the page that shows this game: `race`, `bluff`, `calling`, or `plain` for any other."""
    kin = family(game)
    if not kin.at_table:
        raise NotationError(f"{game.name} is not played here; race games, bluff and calling games are")
    return kin.page


@lru_cache(maxsize=128)
def playable(text: str) -> Any:
    """The game that a stranger's text names; NotationError, RulesError or TooLarge says what is wrong.

    Some games take a tenth of a second to be set up: ask in a thread.
    """
    if len(text) > GAME_LETTERS or not text.isprintable():
        raise NotationError(f"a game is written in up to {GAME_LETTERS} letters, such as pig:goal=50")
    try:
        game = catalog.parse(text)
    except RulesError as error:
        told = str(error)
        for kin in kins():
            told = kin.here(told)
        raise RulesError(told) from error
    page_of(game)
    family(game).check_here(game)
    return game


def solvable(game: WrittenGame) -> bool:
    """Whether a stranger may have this game solved here."""
    return is_quick(game) and (family(game).effort(game).seconds <= MOST_SECONDS or is_kept(game))


class Look(NamedTuple):
    """What has to be known of a game before it is solved."""

    solvable: bool
    kept: bool  # in the store


def look(game: WrittenGame) -> Look:
    """Found out from the rules and the store; that may take some hundredths of a second: ask in a thread."""
    return Look(solvable(game), is_kept(game))


def is_brief(game: WrittenGame) -> bool:
    """Whether solving it keeps others waiting for a moment only."""
    return family(game).effort(game).brief


def at_hand(game: WrittenGame) -> bool:
    """Whether the solution is there without solving anything."""
    kin = family(game)
    if is_kept(game) or kin.at_once(game):
        return True
    return kin.chains(game) and all(map(is_kept, kin.needs(game)))


def check_opponent(game: WrittenGame, text: str) -> str:
    """The opponent as it is written; NotationError, StrategyError or TooLarge if it is none for this game.

    Nothing is built to find that out: a rule is tried where the other's score is least and most.
    """
    if text == PERSON:
        return text
    if text == OPTIMAL:
        return _solved_here(game, text)
    if len(text) > GAME_LETTERS or not text.isprintable():
        raise NotationError(f"an opponent is written in up to {GAME_LETTERS} letters, such as hold:20")
    name = text.partition(":")[0]
    if name in SOLVED:
        return _known(game, text)
    if name == SKIPPING and getattr(game, "skip", False):
        return _skipping(game, text)
    strategy = parse_strategy(text, game)
    family(game).check_player(game, strategy)
    return str(strategy)


def _skipping(game: WrittenGame, text: str) -> str:
    """A strategy that skips turns, by what it is built from."""
    base = check_opponent(game, build("strategy", text, {SKIPPING: _base}))
    if base == PERSON:
        raise NotationError(f"{text} names a person; a strategy is allowed")
    return notation(SKIPPING, _base, {"base": base})


def _base(base: str = "hold:20") -> str:
    """The field of `skip-when-equal`."""
    return base


def _known(game: WrittenGame, text: str) -> str:
    name, colon, _ = text.partition(":")
    if name not in known(game):
        raise NotationError(
            f"unknown strategy {text!r} for {game.name}; allowed are {', '.join(known(game))}"
        )
    if colon:
        raise NotationError(f"{name} has no fields here, but {text!r} gives some")
    return _solved_here(game, text)


def _solved_here(game: WrittenGame, text: str) -> str:
    if not solvable(game):
        raise TooLarge(
            f"{game.name} is too large to be solved here; choose another opponent or smaller rules"
        )
    return text


def make(game: WrittenGame, text: str) -> Any:
    """The strategy of the catalog, never one of a file, as it plays many games."""
    return family(game).quick_player(game, parse_strategy(text, game))


def opponents(game: WrittenGame) -> list[dict[str, str]]:
    """Every opponent the catalog offers for this game, with a sentence about it."""
    found = []
    try:
        names: Any = known(game)
    except DicewrightError:
        names = {OPTIMAL: None}
    for name, builder in names.items():
        text = EXAMPLES.get(name, name)
        if name not in EXAMPLES and builder is not None and any(field.required for field in fields(builder)):
            continue
        try:
            check_opponent(game, text)
        except DicewrightError:
            continue
        about = (builder.__doc__ if builder is not None else None) or "The solution of the game itself."
        about, menu = " ".join(about.strip().split("\n\n")[0].split()), family(game).menu
        line = menu.tells(text) or about
        found.append({"strategy": text, "about": about, "called": menu.called(text), "line": line})
    return found


class Event(NamedTuple):
    """One choice of the game as JSON text, open and covered, but for its ply."""

    shown: str
    covered: str


class Speech:
    """How one game is told: made once for all rooms where it is played, for every choice is told many times."""

    def __init__(self, game: WrittenGame) -> None:
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


def _event(game: WrittenGame, mover: int, player: int, choice: Action | Outcome) -> Event:
    who, of = "dice" if mover == CHANCE else SEATS[mover], SEATS[player]
    shown = {
        "who": who,
        "of": of,
        "choice": game.show_choice(choice),
        "words": family(game).say(game, choice),
        "dice": list(family(game).on_table(game, choice)) if mover == CHANCE else [],
    }
    if mover != CHANCE:
        shown |= _said(game, choice)
    nothing: dict[str, Any] = {"choice": None, "words": "dice under the cup", "dice": []}
    return Event(dumps(shown)[1:], dumps({"who": who, "of": of, **nothing})[1:])


def events_text(events: Sequence[Event], eyes: Eyes, seat: int | None, over: bool, since: int) -> str:
    """The events from this ply on as the seat (None: a spectator) may see them."""
    parts = []
    for ply in range(since, len(events)):
        shown = over or eyes[ply] == ALL_EYES or sees(eyes[ply], seat)
        parts.append(f'{{"ply":{ply},{events[ply].shown if shown else events[ply].covered}')
    return f"[{','.join(parts)}]"


def position(game: WrittenGame, state: State, seat: int | None, over: bool) -> str:
    """The table as the seat sees it, as JSON text."""
    return dumps(family(game).position(game, state, seat, over))


def unit(game: WrittenGame) -> str:
    """What worths are counted in: `chance` of winning, or `points`."""
    return "points" if family(game).points(game) else "chance"


def actions(game: WrittenGame, allowed: Sequence[Action]) -> list[dict[str, Any]]:
    """What the player may do, each with its words, and what it says of dice."""
    return [
        {"action": game.show_choice(action), "words": family(game).say(game, action), **_said(game, action)}
        for action in allowed
    ]


def _said(game: WrittenGame, action: Action) -> dict[str, Any]:
    """The row and column of an action, and the faces that it claims, if it has any."""
    found = {"cell": family(game).cell(action), "claims": family(game).faces(game, action)}
    return {name: value for name, value in found.items() if value}


def head(game: WrittenGame) -> dict[str, Any]:
    """What is the same in every document of this game."""
    kin = family(game)
    return {
        "game": game.name,
        "title": family(game).title(game),
        "family": page_of(game),
        "unit": unit(game),
        "rules": list(family(game).rules(game)),
        "hides": kin.covered,
        "keys": {letter: game.show_choice(action) for letter, action in kin.keys.items()},
        "layout": kin.layout(game),
    }
