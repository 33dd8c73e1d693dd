"""Rooms as they were when they were written down; asked in threads, for a long game takes a while."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..arena.sitting import Sitting
from ..core.record import players_of
from ..storage.saved_game import SavedGame
from .playable import playable
from .refusals import Unknown
from .room import Room
from .settings import MOST_PLIES, Settings
from .views import Speech


def restored(saved: SavedGame, speech: Callable[[Any], Speech], settings: Settings) -> Room:
    """The room of a saved game."""
    game, tags, secret = playable(saved.game), dict(saved.tags), saved.secret
    if not secret:
        return _visited(saved, speech(game), tags, settings)
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


def replayed(room: Room, settings: Settings, players: list[Any], choices: tuple[Any, ...]) -> Sitting:
    """The table after these choices, with these players at it."""
    dice = settings.dice(room.server_seed, room.client_seed or "")
    return Sitting.begin(room.game, (players[0], players[1]), dice, choices, MOST_PLIES)


def _visited(saved: SavedGame, speech: Speech, tags: dict[str, str], settings: Settings) -> Room:
    """A finished game that was put on the shelf from elsewhere: nobody sits there, everybody may look."""
    game = speech.game
    strategies = (tags.get("FirstStrategy"), tags.get("SecondStrategy"))
    seed = tags.get("ServerSeed", "")
    room = Room(saved.id, speech, list(players_of(tags)), strategies, False, seed, saved.date, given=tags)
    room.judged = bool(saved.figures)
    choices = tuple(map(game.read_choice, saved.choices.split()))
    table = Sitting.begin(game, (None, None), settings.dice("", ""), choices)
    if saved.ended in ("unfinished", "forfeit") or table.choices != choices:
        raise Unknown("that game did not end by its rules, so it cannot be shown here")
    room.take(replace(table, ended=saved.ended))
    return room
