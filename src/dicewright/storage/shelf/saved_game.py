"""A game as the shelf keeps it, and its row in the table."""

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ...core.errors import NotationError, StorageError, shown
from ...core.game import sees
from ...core.record import Ending, Forfeit, Note, Record
from ...core.times import Times, with_times
from ...families import family
from ...families.hidden import all_eyes
from ..records.lexicon import ENDINGS, Lexicon, check_labels, read_forfeit, seat_of, show_forfeit, tokens_of

LEXICON = Lexicon()
TIME = "%Y-%m-%dT%H:%M:%SZ"
_text = json.JSONEncoder(separators=(",", ":")).encode


def new_id() -> str:
    """An id that nobody guesses and every address can hold; it begins with a letter or a digit."""
    while not (id := secrets.token_urlsafe(12))[0].isalnum():
        pass  # a command would take a first - for an option
    return id


def now() -> str:
    """The time in UTC to the second: `2026-11-15T20:15:00Z`."""
    return datetime.now(UTC).strftime(TIME)


def _began(date: str | None) -> str:
    """The tag Date in UTC, so that games sort by it; now if it is none."""
    try:
        when = datetime.fromisoformat(date or "")
        if date and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", date):
            return date
        return when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC).strftime(TIME)
    except (ValueError, OverflowError):
        return now()


@dataclass(frozen=True)
class SavedGame:
    """One game of the shelf, finished or going on.

    choices   the tokens of a record with single spaces between them
    date      when it began, ISO, in UTC
    secret    what players must not see: server seed, tokens, options; never shown or exported
    figures   of its analysis (error rates, luck), or None until they are computed
    times     when people's decisions were shown and how long they took, by ply, as far as they were asked for; saved,
              they stand beside those that are there
    """

    id: str
    game: str
    tags: tuple[tuple[str, str], ...] = ()
    choices: str = ""
    ended: Ending = "unfinished"
    payoff: float = 0.0
    date: str = field(default_factory=now)
    secret: Mapping[str, Any] = field(default_factory=dict, repr=False)
    figures: Mapping[str, Any] | None = None
    forfeit: Forfeit | None = None
    notes: tuple[Note, ...] = ()
    times: Mapping[int, Times] = field(default_factory=dict)

    def __repr__(self) -> str:
        plies = len(self.choices.split())
        return f"<SavedGame {self.id}: {shown(self.game, 60)}, {plies} choices, {self.ended}>"

    @classmethod
    def of(
        cls, record: Record, id: str | None = None, secret: Mapping[str, Any] | None = None
    ) -> "SavedGame":
        """The record as the shelf keeps it; its tag Date is when it began, else now."""
        check_labels(record)
        rules = record.game
        return cls(
            id or new_id(),
            rules.name,
            record.tags,
            " ".join(tokens_of(rules).of(record.choices)),
            record.ended,
            record.payoff,
            _began(record.tag("Date")),
            secret or {},
            None,
            record.forfeit,
            record.notes,
        )

    def tag(self, name: str) -> str | None:
        """The value of a tag, or None."""
        return dict(self.tags).get(name)

    def record(self) -> Record:
        """The game as a record with its times as comments, checked by the rules; a NotationError says what is wrong."""
        tokens = self.choices.split()
        notes = with_times(self.notes, {ply: self.times[ply] for ply in self.times if 0 <= ply < len(tokens)})
        try:
            return LEXICON.record(self.game, tokens, self.payoff, self.ended, self.forfeit, self.tags, notes)
        except NotationError as error:
            raise NotationError(f"game {self.id}: {error}") from error

    def row(self) -> dict[str, Any]:
        """The columns of the table but for `figures`, which analysis alone writes."""
        words = [self.game, *(word for pair in self.tags for word in pair)]
        return {
            "id": self.id,
            "game": self.game,
            "tags": _text(self.tags),
            "choices": self.choices,
            "ended": self.ended,
            "payoff": float(self.payoff),
            "date": self.date,
            "forfeit": None if self.forfeit is None else show_forfeit(self.forfeit),
            "notes": _text(self.notes) if self.notes else None,
            "secret": self.secret_text(),
            "words": " ".join(words).casefold().replace("\0", " "),
        }

    def secret_text(self) -> str | None:
        """What players must not see, as it is kept."""
        return _text(dict(self.secret)) if self.secret else None


def from_row(row: Any) -> SavedGame:
    """The game of a row; a StorageError if it is none."""
    try:
        if row["ended"] not in ENDINGS:
            raise ValueError(f"ended is {row['ended']!r}")
        for name in ("id", "game", "choices", "date"):
            if not isinstance(row[name], str):
                raise ValueError(f"{name} is {row[name]!r}")
        secret = json.loads(row["secret"]) if row["secret"] else {}
        figures = json.loads(row["figures"]) if row["figures"] else None
        if not isinstance(secret, dict) or not isinstance(figures, dict | None):
            raise ValueError("secret or figures is no object")
        tags = tuple((str(name), str(value)) for name, value in json.loads(row["tags"]))
        notes = json.loads(row["notes"] or "[]")
        return SavedGame(
            **{name: row[name] for name in ("id", "game", "choices", "ended", "date")},
            tags=tags,
            payoff=float(row["payoff"]),
            secret=secret,
            figures=figures,
            forfeit=read_forfeit(row["forfeit"]) if row["forfeit"] else None,
            notes=tuple(Note(int(ply), str(text), str(mark)) for ply, text, mark in notes),
        )
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise StorageError(f"game {row['id']!r} of the database is damaged: {error}") from error


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
    rules, choices, kin = record.game, record.choices, family(record.game)
    secret = hidden(record)
    # Where no table says who sees what, actions may be hidden too: nothing is shown.
    eyes = all_eyes(rules, choices) if kin.at_table else (0,) * len(choices)
    states, notes, plies = list(record.states()), record.notes_at(), []
    for number, (choice, seen) in enumerate(zip(choices, eyes, strict=True), start=1):
        who, shown, said, position = seat_of(rules.mover(states[number - 1])), None, None, None
        if not secret or sees(seen, None):
            shown, said = rules.show_choice(choice), kin.say(rules, choice)
        if not secret:
            position = rules.show_state(states[number])
        plies.append(Ply(number, who, shown, said, position, tuple(notes.get(number, ()))))
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
