"""Rows that say when a decision of a game was shown and how long it took, written with the choice itself.

They hold no choice and no dice: a row names its game, and how many choices were made there before.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ...core.times import Times
from .database import metadata

Rows = Sequence[tuple[str, int, int, int]]  # game, ply, shown, time
MOST_ROWS = 999 // 4  # of one statement: older SQLite takes 999 values
TOGETHER = 500  # ids in one question
COLUMNS = ("game", "ply", "shown", "time")

_table = sa.Table(
    "events",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("game", sa.Text),
    sa.Column("ply", sa.Integer),
    sa.Column("shown", sa.BigInteger),
    sa.Column("time", sa.BigInteger),
)
_ONE = (_table.c.game == sa.bindparam("which")) & (_table.c.ply == sa.bindparam("at"))


def rows_of(id: str, times: Mapping[int, Times]) -> Iterator[tuple[str, int, int, int]]:
    """The rows of a game."""
    return ((id, ply, *each) for ply, each in times.items())


def write_lite(connection: sqlite3.Connection, rows: Rows) -> None:
    """Put rows into SQLite's table, or in place of those of the same choice, in one statement."""
    for start in range(0, len(rows), MOST_ROWS):
        part = rows[start : start + MOST_ROWS]
        connection.execute(
            f"INSERT INTO events (game, ply, shown, time) VALUES {', '.join(['(?, ?, ?, ?)'] * len(part))} "
            "ON CONFLICT (game, ply) DO UPDATE SET shown = excluded.shown, time = excluded.time",
            tuple(value for row in part for value in row),
        )


def write(connection: Connection, rows: Rows) -> None:
    """The same in any database."""
    if rows:
        take_away(connection, [row[:2] for row in rows])
        connection.execute(sa.insert(_table), [dict(zip(COLUMNS, row, strict=True)) for row in rows])


def take_away(connection: Connection, places: Sequence[tuple[str, int]]) -> None:
    """Delete the rows of choices that were taken back, by game and ply."""
    if places:
        connection.execute(sa.delete(_table).where(_ONE), [{"which": id, "at": ply} for id, ply in places])


def read(connection: Connection, ids: Sequence[str]) -> dict[str, dict[int, Times]]:
    """The times of these games, by game and by ply."""
    found: dict[str, dict[int, Times]] = {}
    for start in range(0, len(ids), TOGETHER):
        wanted = _table.c.game.in_(ids[start : start + TOGETHER])
        columns = (_table.c[name] for name in COLUMNS)
        for game, ply, shown, time in connection.execute(sa.select(*columns).where(wanted)):
            found.setdefault(game, {})[ply] = Times(shown, time)
    return found
