"""The shelf: the database of games that were played or are going on."""

import json
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ...core.errors import StorageError
from ...core.record import Record
from . import events
from .database import Database, metadata
from .saved_game import SavedGame, from_row
from .studies import sittings

log = logging.getLogger("dicewright")
MOST_FOUND = 1000
TOGETHER = 500  # ids in one question
EVENTS_FROM = 2  # the first version of the tables that has events
KNOWS_FROM = (3, 33)  # the first SQLite whose UPDATE has a FROM

_table = sa.Table(
    "games",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    *(sa.Column(name, sa.Text) for name in ("id", "game", "tags", "choices", "ended", "date")),
    sa.Column("payoff", sa.Float),
    *(sa.Column(name, sa.Text) for name in ("forfeit", "notes", "secret", "figures", "words")),
)


class UnknownGame(StorageError):  # noqa: N818 (reads as what happened)
    """The shelf can be read, and there is no such game on it."""


class Shelf:
    """Games by id, newest first, in SQLite or any other database; one thread may write while others read.

    >>> from dicewright.storage.records.text import read_records
    >>> shelf = Shelf.open("sqlite://")
    >>> [id] = shelf.add(read_records('[Game "pig:goal=10"]\\n[First "Ada"]\\nroll +6 roll +4 hold =1'))
    >>> shelf.get(id).choices, [game.tag("First") for game in shelf.find("ada")]
    ('roll +6 roll +4 hold', ['Ada'])
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def __repr__(self) -> str:
        return f"<Shelf of games in {self.database.place}>"

    @classmethod
    def open(cls, url: str | None = None, only_read: bool = False) -> "Shelf":
        """The shelf at this URL or path, else at $DICEWRIGHT_DATABASE, else in the user's data folder.

        With `only_read` also where it cannot be written.
        """
        return cls(Database(url, only_read=only_read))

    def add(self, records: Iterable[Record]) -> list[str]:
        """Put records on the shelf, all or none; their new ids."""
        added = [SavedGame.of(record) for record in records]
        self.save(added)
        return [game.id for game in added]

    def save(self, games: Sequence[SavedGame], moved: Sequence[SavedGame] = ()) -> None:
        """Put games on the shelf or in place of what it has under their ids; on disk when this returns.

        `moved` games stand there already, and only their choices and secrets have changed: half the work.
        """
        if not games and not moved:
            return
        if self.database.lite:
            with self.database.writing_lite() as lite:
                _upsert(lite, games)
                events.write_lite(lite, _rows(*games, *moved))
                if sqlite3.sqlite_version_info < KNOWS_FROM or _advance(lite, moved) != len(moved):
                    _upsert(
                        lite, moved
                    )  # also a game that was deleted, or stored with an end nobody was told of
            return
        rows = {game.id: game.row() for game in (*games, *moved)}  # the last of an id counts
        changes = [{**row, "which": id} for id, row in rows.items()]
        with self.database.writing() as connection:
            if connection.execute(_UPDATE, changes).rowcount != len(rows):  # some are new
                there = {id for (id,) in _having(connection, _table.c.id, list(rows), _table.c.id)}
                if new := [row for id, row in rows.items() if id not in there]:
                    connection.execute(sa.insert(_table), new)
            events.write(connection, _rows(*games, *moved))

    def go_on(self, game: SavedGame, before: SavedGame | None) -> None:
        """Save a game that stood here as `before` (None: it was not here yet), with all its times.

        A StorageError if it has gone on elsewhere since: whoever was first is not overwritten.
        """
        stands = sa.select(_table.c.choices, _table.c.ended).where(_table.c.id == game.id).with_for_update()
        with self.database.writing() as connection:
            row = connection.execute(stands).first()
            if (None if row is None else tuple(row)) != (before and (before.choices, before.ended)):
                raise StorageError(f"game {game.id} has gone on elsewhere; what stands there is kept")
            if row is None:
                connection.execute(sa.insert(_table), [game.row()])
            else:
                connection.execute(_UPDATE, [{**game.row(), "which": game.id}])
            known = before.times if before else {}
            events.take_away(connection, [(game.id, ply) for ply in known if ply not in game.times])
            fresh = {ply: times for ply, times in game.times.items() if known.get(ply) != times}
            events.write(connection, list(events.rows_of(game.id, fresh)))

    def known(self, games: Sequence[SavedGame]) -> list[tuple[SavedGame, str]]:
        """Which of these games, with the same tags and choices, the shelf has under other ids, or stand here twice."""
        rows = [game.row() for game in games]
        wanted, same = list({row["choices"] for row in rows}), ("game", "tags", "choices")
        with self.database.reading() as connection:
            columns = (_table.c.id, *(_table.c[name] for name in same))
            there = _having(connection, _table.c.choices, wanted, *columns)
            seen = {tuple(what): id for id, *what in there}
        found = []
        for game, row in zip(games, rows, strict=True):
            first = seen.setdefault(tuple(row[name] for name in same), game.id)
            if first != game.id:
                found.append((game, first))
        return found

    def get(self, id: str) -> SavedGame:
        """The game with this id; UnknownGame if there is none."""
        with self.database.reading() as connection:
            row = connection.execute(sa.select(_table).where(_table.c.id == id)).mappings().first()
            if row is None:
                raise self._unknown(id)
            return self._timed(connection, [from_row(row)])[0]

    def _unknown(self, id: str) -> UnknownGame:
        return UnknownGame(f"there is no game {id[:80]!r} on the shelf {self.database.place}")

    def match(self, beginning: str) -> SavedGame:
        """The one game whose id begins so; a StorageError if there is none or more than one."""
        if not beginning:
            raise UnknownGame("the id is empty; an id of the shelf, or its beginning, is allowed")
        query = sa.select(_table).where(_table.c.id.startswith(beginning, autoescape=True)).limit(50)
        with self.database.reading() as connection:
            rows = connection.execute(query).mappings().all()
            found = [row for row in rows if row["id"].startswith(beginning)]  # some databases know no case
            found = [row for row in found if row["id"] == beginning] or found
            if not found:
                raise self._unknown(beginning)
            if len(found) > 1:
                many = ", ".join(row["id"] for row in found[:3])
                raise StorageError(f"{beginning!r} begins several ids ({many}, ...); more letters are needed")
            return self._timed(connection, [from_row(found[0])])[0]

    def _timed(self, connection: Connection, games: list[SavedGame]) -> list[SavedGame]:
        """The games with their times; tables of before have none."""
        if int(self.database.version) < EVENTS_FROM:
            return games
        times = events.read(connection, [game.id for game in games])
        return [replace(game, times=times[game.id]) if game.id in times else game for game in games]

    def find(
        self,
        text: str = "",
        game: str | None = None,
        ended: str | None = None,
        limit: int = 50,
        before: str | None = None,
        timed: bool = False,
        player: int | None = None,
    ) -> list[SavedGame]:
        """Games, newest first: with every word of `text` in the game or the tags, of this game, ended so.

        game     a whole game such as `pig:goal=50`, or a name such as `pig` for all its variants
        ended    an ending such as `over`, or `finished` for all but unfinished games
        before   the id of the last game found before, for the next page
        timed    with the times of their decisions
        player   the number of somebody who had a seat there
        """
        query = sa.select(_table).order_by(_table.c.date.desc(), _table.c.number.desc())
        for word in text.casefold().split():
            query = query.where(_table.c.words.contains(word, autoescape=True))
        if game is not None:
            query = query.where(
                (_table.c.game == game) | _table.c.game.startswith(f"{game}:", autoescape=True)
            )
        if ended is not None:
            finished = _table.c.ended != "unfinished"
            query = query.where(finished if ended == "finished" else _table.c.ended == ended)
        if player is not None:
            query = query.where(_table.c.id.in_(sa.select(_SEATS.c.game).where(_SEATS.c.player == player)))
        with self.database.reading() as connection:
            if before is not None:
                query = query.where(self._older(connection, before))
            rows = connection.execute(query.limit(max(0, min(limit, MOST_FOUND)))).mappings().all()
            found = list(_readable(rows))
            return self._timed(connection, found) if timed else found

    def all(self, **filters: Any) -> Iterator[SavedGame]:
        """Every game that `find` would find, page by page."""
        before = None
        while page := self.find(limit=200, before=before, **filters):
            yield from page
            before = page[-1].id

    def keep_figures(self, id: str, figures: Mapping[str, Any]) -> None:
        """Keep the figures of a game's analysis."""
        change = sa.update(_table).where(_table.c.id == id).values(figures=json.dumps(dict(figures)))
        with self.database.writing() as connection:
            if connection.execute(change).rowcount == 0:
                raise self._unknown(id)

    def drop_unbegun(self, before: str) -> int:
        """Take away games made before this date in which nothing was ever chosen; how many they were.

        Games of a study stay: their participants may come back another day.
        """
        idle = (_table.c.ended == "unfinished") & (_table.c.choices == "") & (_table.c.date < before)
        idle &= _table.c.id.not_in(sa.select(sittings.c.game))
        with self.database.writing() as connection:
            return int(connection.execute(sa.delete(_table).where(idle)).rowcount)

    def close(self) -> None:
        """Give back the database."""
        self.database.close()

    def __enter__(self) -> "Shelf":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _older(self, connection: Connection, id: str) -> Any:
        place = sa.select(_table.c.date, _table.c.number).where(_table.c.id == id)
        row = connection.execute(place).first()
        if row is None:
            raise UnknownGame(f"there is no game {id[:80]!r} on the shelf, so none came before it")
        date, number = row
        return (_table.c.date < date) | ((_table.c.date == date) & (_table.c.number < number))


def _rows(*games: SavedGame) -> events.Rows:
    return [row for game in games if game.times for row in events.rows_of(game.id, game.times)]


def _readable(rows: Iterable[Any]) -> Iterator[SavedGame]:
    """The games of these rows; a damaged one hides no other."""
    for row in rows:
        try:
            yield from_row(row)
        except StorageError as error:
            log.warning("left out: %s", error)


_SEATS = sa.table("seats", sa.column("player"), sa.column("game"))
_COLUMNS = tuple(SavedGame("", "").row())
MOST_ROWS = 999 // len(_COLUMNS)  # of one statement: older SQLite takes 999 values
_UPDATE = (
    sa.update(_table)
    .where(_table.c.id == sa.bindparam("which"))
    .values({name: sa.bindparam(name) for name in _COLUMNS if name != "id"})
)


def _upsert(connection: sqlite3.Connection, games: Sequence[SavedGame]) -> None:
    """All rows in one statement of SQLite's: each more would wait once more for a busy interpreter."""
    rows = list({game.id: game.row() for game in games}.values())
    for start in range(0, len(rows), MOST_ROWS):
        part = rows[start : start + MOST_ROWS]
        values = ", ".join([f"({', '.join('?' * len(_COLUMNS))})"] * len(part))
        connection.execute(
            f"INSERT INTO games ({', '.join(_COLUMNS)}) VALUES {values} ON CONFLICT (id) DO UPDATE SET {_EXCLUDED}",
            tuple(row[name] for row in part for name in _COLUMNS),
        )


def _advance(connection: sqlite3.Connection, games: Sequence[SavedGame]) -> int:
    """Likewise for what a move changes; how many games were there, and unfinished."""
    found = 0
    for start in range(0, len(games), TOGETHER):
        part = games[start : start + TOGETHER]
        found += connection.execute(
            "UPDATE games SET choices = new.column2, secret = new.column3 "
            f"FROM (VALUES {', '.join(['(?, ?, ?)'] * len(part))}) AS new "
            "WHERE id = new.column1 AND ended = 'unfinished'",
            tuple(value for game in part for value in (game.id, game.choices, game.secret_text())),
        ).rowcount
    return found


_EXCLUDED = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS if name != "id")


def _having(connection: Connection, column: Any, values: list[str], *columns: Any) -> Iterator[Any]:
    """These columns of the rows that have one of the values there."""
    for start in range(0, len(values), TOGETHER):
        part = values[start : start + TOGETHER]
        yield from connection.execute(sa.select(*columns).where(column.in_(part)))
