"""Rooms as they were when they were written down; asked in threads, for a long game takes a while."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...arena.table import Table
from ...core.game import WrittenGame
from ...storage.shelf.saved_game import SavedGame
from ..settings import MOST_PLIES, NO_GAME, Settings, Unknown
from .playable import page_of, playable
from .room import BEGIN, Room
from .views import Speech

PAGE = {
    "hints",
    "seed",
    "tokens",
    "invite",
    "seeds",
    "ids",
    "from",
    "prefix",
    "begun",
}  # of a game played here


def restored(saved: SavedGame, speech: Callable[[Any], Speech], settings: Settings) -> Room:
    """The room of a saved game; Unknown if it goes on elsewhere: its dice and its seed are nobody's here."""
    if not saved.secret.keys() >= PAGE:
        if saved.ended == BEGIN:
            raise Unknown(NO_GAME)
        return _visited(saved, speech, settings)
    game, tags, secret = playable(saved.game), dict(saved.tags), saved.secret
    room = Room(
        saved.id,
        speech(game),
        [tags.get("First", ""), tags.get("Second", "")],
        (tags.get("FirstStrategy"), tags.get("SecondStrategy")),
        secret["hints"],
        secret["seed"],
        saved.date,
        secret["tokens"],
        secret["invite"],
        secret["seeds"],
        secret["ids"],
        secret["from"],
        tuple(map(game.read_choice, secret["prefix"])),
    )
    room.judged = bool(saved.figures)
    if secret["begun"]:
        choices = tuple(map(game.read_choice, saved.choices.split()))
        table = replayed(
            room, settings, [None, None], choices
        )  # the opponent comes later, and is not asked again
        room.take(replace(table, ended=saved.ended))
    return room


def replayed(room: Room, settings: Settings, players: list[Any], choices: tuple[Any, ...]) -> Table:
    """The table after these choices, with these players at it."""
    dice = settings.dice(room.server_seed, room.client_seed or "")
    return Table.begin(room.game, (players[0], players[1]), dice, choices, MOST_PLIES)


def _visited(saved: SavedGame, speech: Callable[[Any], Speech], settings: Settings) -> Room:
    """A finished game of the terminal or of a file: nobody sits there, everybody may look.

    However it ended, it stands where its choices led; no dice fall and nobody is asked.
    """
    record = saved.record()
    game: WrittenGame = record.game
    page_of(game)
    *way, state = record.states()
    seed, names = record.tag("ServerSeed") or "", list(record.players)
    room = Room(saved.id, speech(game), names, record.strategies, False, seed, saved.date, given=record)
    room.judged = bool(saved.figures)
    dice = settings.dice("", "")
    room.take(Table(game, (None, None), dice, state, record.choices, ended=record.ended, way=tuple(way)))
    return room
