"""Which games and opponents strangers may ask for, and the view document: what one player, or a spectator, is told.

Only games of the catalogs and of bounded size are played. Hidden dice come from families.hidden and views only.
"""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from math import inf
from typing import Any, NamedTuple

from ...core.errors import DicewrightError, NotationError, RulesError, TooLarge
from ...core.game import ALL_EYES, CHANCE, SEATS, Action, Eyes, Outcome, State, WrittenGame, sees
from ...families import catalog, family, kins
from ...families.catalog import known
from ...families.catalog import strategy as parse_strategy
from ...families.levels import LEVEL, LEVELS, level_of
from ...families.minds import LEARNER
from ...storage import trained
from ...storage.growing import growing, how_far, is_begun
from ...storage.levels import level_player, read_ladder
from ...storage.store import find, is_kept, is_quick
from ..settings import GAME_LETTERS, STRATEGY_LETTERS

MOST_SECONDS = 10.0  # of solving a game, half a minute on a busy machine
PERSON, OPTIMAL = "person", "optimal"
MOST_TOLD = 5_000  # events and lists of actions that are remembered for one game
# one encoder for all: many short texts
dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def page_of(game: WrittenGame) -> str:
    """The part of the page that shows this game: `race`, `bluff`, `calling`, or `plain` for any other."""
    kin = family(game)
    if not kin.at_table:
        raise NotationError(f"{game.name} is not played here; {catalog.played()} are")
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

    judged: bool  # whether there are hints and analyses: its solution, or what was trained
    kept: bool  # in the store


def look(game: WrittenGame) -> Look:
    """Found out from the rules and the store; that may take some hundredths of a second: ask in a thread."""
    there = trained.is_trained(game)
    return Look(there or solvable(game), there or is_kept(game))


def at_hand(game: WrittenGame) -> bool:
    """Whether the solution is there without solving anything."""
    kin = family(game)
    if is_kept(game) or kin.at_once(game) or trained.is_trained(game):
        return True
    return kin.chains(game) and all(map(is_kept, kin.needs(game)))


def check_opponent(game: WrittenGame, text: str) -> str:
    """The opponent as it is written; NotationError, StrategyError or TooLarge if it is none for this game.

    Nothing is built to find that out: a rule is tried where the other's score is least and most.
    """
    kin, (name, colon, _) = family(game), text.partition(":")
    if text == PERSON:
        return text
    if text == LEARNER:
        kin.check_learner(game)
        check_opponent(game, OPTIMAL)
        return text
    if (number := level_of(text[:STRATEGY_LETTERS])) is not None:
        kin.check_levels(game)
        check_opponent(game, OPTIMAL)
        return f"{LEVEL}:{number}"
    if len(text) > STRATEGY_LETTERS or not text.isprintable():
        raise NotationError(
            f"an opponent is written in up to {STRATEGY_LETTERS} letters, such as {kin.stand_in}"
        )
    if name in kin.by_solving or text == OPTIMAL:
        if text != OPTIMAL and name not in known(game):
            raise NotationError(
                f"unknown strategy {text!r} for {game.name}; allowed are {', '.join(known(game))}"
            )
        if colon:
            raise NotationError(f"{name} has no fields here, but {text!r} gives some")
        if not solvable(game):
            raise TooLarge(
                f"{game.name} is too large to be solved here; choose another opponent or smaller rules"
            )
        return text

    if text in kin.by_training:
        if not (trained.is_trained(game) or is_begun(game)):
            raise TooLarge(f"nobody was trained for {game.name}; other dice or another opponent is allowed")
        return text

    def base(named: str) -> str:
        if named == PERSON:
            raise NotationError(f"{text} names a person; a strategy is allowed")
        return check_opponent(game, named)

    if (found := kin.built_on(game, text, base)) is not None:
        return found
    strategy = parse_strategy(text, game)
    kin.check_player(game, strategy)
    return str(strategy)


def make(game: WrittenGame, text: str) -> Any:
    """The strategy of the catalog, never one of a file, as it plays many games."""
    if text == LEARNER:
        raise NotationError(f"{text} plays with a person, whom it learns; a strategy of its own it has not")
    if text in family(game).by_training:
        return growing(game)
    found = parse_strategy(text, game) if level_of(text) is None else level_player(text, game)
    return family(game).quick_player(game, found)


def opponents(game: WrittenGame) -> list[dict[str, Any]]:
    """Every opponent the catalog offers for this game, strongest first, with a sentence about it.

    Where it is known, `chance` (or `points`) is what it gets of perfect play, and `loss` what it gives away a decision.
    """
    kin, ladder = family(game), read_ladder(game)
    found, gets = list[dict[str, Any]](), list[float]()
    for text, builder in _offered(game):
        try:
            check_opponent(game, text)
        except DicewrightError:  # also where a field has no default
            continue
        about = (builder.__doc__ if builder is not None else None) or "The solution of the game itself."
        about = " ".join(about.strip().split("\n\n")[0].split())
        if text in kin.by_training and not trained.is_trained(game):
            about = f"It is being trained: {how_far(game).say()}, and {kin.stand_in} plays the rest."
            found.append({"strategy": text, "about": about, "called": kin.menu.called(text), "line": about})
            gets.append(-inf)
            continue
        line = kin.menu.tells(text, *(may_lose(game) if text == OPTIMAL else ())) or about
        rung = ladder.rung(text) if ladder else None
        place = ladder.rung(OPTIMAL) if ladder and text == LEARNER else rung  # it stands behind perfect play
        if ladder and rung and text != OPTIMAL:
            line = ladder.says(text) if level_of(text) else f"{line} {ladder.says(text)}"
        fares: dict[str, Any] = {"learns": True} if text == LEARNER else {}
        if ladder is not None and rung is not None:
            fares = {unit(game): ladder.told(rung), "loss": rung.loss}
        found.append(
            {"strategy": text, "about": about, "called": kin.menu.called(text), "line": line, **fares}
        )
        gets.append(place.gets if place else -inf)
    solved = any(one["strategy"] == OPTIMAL for one in found)
    likely = () if solved else (*kin.by_training, kin.stand_in)  # the strongest, while nothing is measured

    def order(place: int) -> tuple[float, int]:
        text = found[place]["strategy"]
        return -gets[place], likely.index(text) if text in likely else len(likely)

    return [found[place] for place in sorted(range(len(found)), key=order)]


def _offered(game: WrittenGame) -> Iterator[tuple[str, Any]]:
    """The players of the catalog without their fields, and how each is built; of levels each, best first."""
    kin = family(game)
    try:
        names: Any = known(game)
    except DicewrightError:
        names = {OPTIMAL: None}
    for name, builder in names.items():
        if name == LEVEL or (name in kin.by_training and solvable(game)):
            continue
        yield kin.stand_in if kin.stand_in.partition(":")[0] == name else name, builder
        if name == OPTIMAL:
            yield LEARNER, None
            yield from ((f"{LEVEL}:{number}", names.get(LEVEL)) for number in range(LEVELS, 0, -1))


def may_lose(game: WrittenGame) -> tuple[float, str]:
    """The winning chance that the solution may lose by its certificate, and where.

    Of a match that is chained when it is asked for the bounds of its rounds are told. What is neither kept nor made of
    what is kept is solved exactly, for nothing else is quick.
    """
    kin, kept = family(game), find(game)
    if kin.points(game):
        return 0.0, ""
    parts = [kept] if kept else [one for one in map(find, kin.needs(game)) if one]
    lost = max((one.certificate.gap / 2 for one in parts), default=0.0)
    return lost, "" if kept else "each round "


class Event(NamedTuple):
    """One choice of the game as JSON text, open and covered, but for its ply."""

    shown: str
    covered: str


class Speech:
    """How one game is told: made once for all rooms where it is played, for every choice is told many times."""

    def __init__(self, game: WrittenGame) -> None:
        self.game = game
        self.head = dumps(head(game))[1:-1]
        self.told = lru_cache(MOST_TOLD)(partial(_event, game))
        # what the player may do, each with its words, as JSON text
        self.actions = lru_cache(MOST_TOLD)(lambda allowed: dumps(actions(game, allowed)))

    def event(self, state: State, choice: Action | Outcome, after: State, lie: tuple[int, ...] = ()) -> Event:
        """The choice that was made in this state and led to that one, with dice as they lie."""
        kin, mover = family(self.game), int(self.game.mover(state))
        shown, covered = self.told(mover, kin.roller(self.game, state) if mover == CHANCE else mover, choice)
        seen = kin.scene(self.game, state, choice, after)
        if lie:
            seen |= {"dice": list(lie), "lie": kin.lie_words(self.game, lie)}
        scene = f',"scene":{dumps(seen)}}}'
        return Event(shown[:-1] + scene, covered[:-1] + scene)


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
        "says": {**kin.menu.says},
    }
