"""A saved game as anyone may see it: while it goes on, hidden dice stay hidden."""

from dataclasses import replace
from typing import NamedTuple

from ...core.errors import StorageError
from ...core.game import sees
from ...core.record import Note, Record
from ...families import family
from ...families.hidden import all_eyes
from ..records.lexicon import seat_of
from .saved_game import SavedGame


class Ply(NamedTuple):
    """One choice: who made it, what it was, also in words, where it led; None where that is hidden."""

    number: int
    who: str
    choice: str | None
    words: str | None
    position: str | None
    notes: tuple[Note, ...]


def plies_of(game: SavedGame) -> list[Ply]:
    """Every ply of a game; in one that goes on, dice that some player must not see are None."""
    record = game.record()
    rules = record.game
    secret = hidden(record)
    told = family(rules).at_table  # else actions may be hidden too, so nothing of it is shown
    eyes = all_eyes(rules, record.choices) if told else (0,) * len(record.choices)
    states = record.states()
    before, plies = next(states), []
    notes: dict[int, list[Note]] = {}
    for note in record.notes:
        notes.setdefault(note.ply, []).append(note)
    for number, (choice, state) in enumerate(zip(record.choices, states, strict=True), start=1):
        mover = rules.mover(before)
        covered = secret and not sees(eyes[number - 1], None)
        shown, said = (
            (None, None) if covered else (rules.show_choice(choice), family(rules).say(rules, choice))
        )
        position = None if secret else rules.show_state(state)
        plies.append(Ply(number, seat_of(mover), shown, said, position, tuple(notes.get(number, ()))))
        before = state
    return plies


def hidden(record: Record) -> bool:
    """Whether the record holds what a player must not see yet; in race games everything is open."""
    return record.ended == "unfinished" and family(record.game).covered


def exported(game: SavedGame, unfinished: bool = False) -> Record:
    """The record of a game for everybody; a StorageError if it goes on and is not asked for, or hides dice."""
    record = game.record()
    if record.ended != "unfinished":
        return record
    if hidden(record):
        raise StorageError(f"game {game.id} is unfinished and hides dice; it can be shown once it has ended")
    if not unfinished:
        raise StorageError(f"game {game.id} is unfinished; --unfinished exports it all the same")
    return replace(record, tags=tuple(pair for pair in record.tags if pair[0] != "ServerSeed"))
