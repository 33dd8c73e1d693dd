"""A strategy of ours that answers lines of JSON, as docs/engine.md tells: the other end of arena/program.py."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import dicewright

from ..arena.program import MOST_ANSWER, PROTOCOL
from ..core.errors import DicewrightError, NotationError, shown
from ..core.game import SEATS, WrittenGame
from ..core.solution import seats
from ..core.strategy import decide
from ..storage import strategies
from ..storage.games import parse_game
from ..storage.trained import judge_for

KINDS = ("hello", "action")


def answers(lines: Iterable[bytes], strategy: str = "optimal") -> Iterator[str]:
    """The answer to each line; what cannot be answered is an error with its reason, and the next line is read."""

    @cache
    def player(game: WrittenGame) -> Any:
        return seats(strategies.parse(strategy, game))

    for line in lines:
        try:
            found = _answer(_question(line), strategy, player)
        except DicewrightError as error:
            found = {"error": shown(str(error))}
        except RecursionError:
            found = {"error": "the line is nested too deeply"}
        yield json.dumps(found, allow_nan=False)


def _question(line: bytes) -> dict[str, Any]:
    try:
        asked = json.loads(line)
    except ValueError:
        asked = None
    if len(line) > MOST_ANSWER or not isinstance(asked, dict) or asked.get("ask") not in KINDS:
        raise NotationError(
            f'{shown(repr(line[:60]))} asks nothing; {{"ask": "hello"}} or "action" is allowed'
        )
    return asked


def _answer(asked: dict[str, Any], strategy: str, player: Callable[[WrittenGame], Any]) -> dict[str, Any]:
    if asked["ask"] == "hello":
        return {"protocol": PROTOCOL, "name": f"dicewright {dicewright.__version__} {strategy}"}
    game = parse_game(_text(asked, "game"))
    view = game.read_view(_text(asked, "view"))
    seat = SEATS.index(asked["seat"]) if asked.get("seat") in SEATS else 0
    mix = decide(game, view, player(game)[seat])
    found: dict[str, Any] = {"mix": {game.show_choice(action): float(share) for action, share in mix.items()}}
    if asked.get("worth") is True:
        advice = judge_for(game).advise(view)
        found["worth"] = {game.show_choice(action): worth for action, worth in advice.worth.items()}
    return found


def _text(asked: dict[str, Any], name: str) -> str:
    if not isinstance(found := asked.get(name), str):
        raise NotationError(f"{name} is {shown(repr(found), 60)}; a text is allowed")
    return found
