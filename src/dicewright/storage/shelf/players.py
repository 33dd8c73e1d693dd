"""People with a name: who they are, which seats were theirs, and how all of it is taken away again.

A person is known by a code alone, of which the database has the digest. What is added is on disk when it returns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ...core.errors import NotationError, StorageError
from ...core.game import SEATS, other
from ...core.names import check_name, fresh_code, likeness, read_code
from ...core.record import TAGS
from ...core.tokens import digest, matches
from .database import Database, metadata
from .saved_game import SavedGame, now
from .shelf import TOGETHER, Shelf, UnknownGame

PLAYERS_FROM = 5  # the first version of the tables that has them
SOMEBODY = "somebody"  # the name of a person who has gone, in games that are another's too
MARK = 8  # letters of a digest by which a person is looked up, before the whole is compared


def _table(name: str, numbers: tuple[str, ...], texts: tuple[str, ...]) -> sa.Table:
    columns = [sa.Column(each, sa.Integer) for each in numbers] + [sa.Column(each, sa.Text) for each in texts]
    return sa.Table(name, metadata, sa.Column("number", sa.Integer, primary_key=True), *columns)


people = _table("players", (), ("name", "likeness", "secret", "date"))
seats = _table("seats", ("player", "seat"), ("game",))
practice = _table("practice", ("player", "box", "hits", "asked"), ("game", "theme", "day", "due"))
days = _table("days", ("player", "hits"), ("day",))
_EVENTS = sa.table("events", sa.column("game"), sa.column("ply"))
_GAMES = sa.table("games", sa.column("id"))


@dataclass(frozen=True)
class Player:
    """A person with a name."""

    number: int
    name: str
    date: str  # since when


class Players:
    """The people of one database.

    >>> people = Players(Shelf.open("sqlite://"))
    >>> ada, code = people.add("Ada")
    >>> people.find(code.lower()) == ada, ada.name
    (True, 'Ada')
    """

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf

    @property
    def database(self) -> Database:
        """Where they are kept."""
        return self.shelf.database

    def add(self, text: str) -> tuple[Player, str]:
        """A new person and their code, which is told now and never again; a NotationError if the name is taken."""
        name, code = check_name(text), fresh_code()
        like = likeness(name)
        with self.database.writing() as connection:
            alike = connection.execute(sa.select(people.c.name).where(people.c.likeness == like)).scalar()
            if alike is not None:
                raise NotationError(
                    f"somebody here is called {alike!r} already; if that is you, give your code instead, "
                    "else choose another name"
                )
            values = {"name": name, "likeness": like, "secret": digest(code), "date": now()}
            connection.execute(sa.insert(people).values(values))
            mine = sa.select(people).where(people.c.likeness == like)
            return _player(connection.execute(mine).mappings().one()), code

    def find(self, text: str) -> Player | None:
        """The person whose code this is, None if it is nobody's here; a NotationError if it cannot be a code."""
        code = read_code(text)
        marked = sa.select(people).where(people.c.secret.startswith(digest(code)[:MARK]))
        with self.database.reading() as connection:
            rows = connection.execute(marked).mappings().all()
        return next((_player(row) for row in rows if matches(code, row["secret"])), None)

    def sit(self, player: Player, taken: Iterable[tuple[str, int]]) -> None:
        """These seats of games were theirs; one that is somebody's already stays so."""
        places = list(dict.fromkeys(taken))
        with self.database.writing() as connection:
            there = set(_seats(connection, [game for game, _ in places]))
            rows = [
                {"player": player.number, "game": game, "seat": seat}
                for game, seat in places
                if (game, seat) not in there
            ]
            if rows:
                connection.execute(sa.insert(seats), rows)

    def claim(self, player: Player, tokens: Mapping[str, str]) -> int:
        """The seats that these tokens prove, by the ids of their games, become theirs; how many were proved."""
        proved = self.proved(tokens)
        self.sit(player, [(saved.id, seat) for saved, seat in proved])
        return len(proved)

    def proved(self, tokens: Mapping[str, str]) -> list[tuple[SavedGame, int]]:
        """The games of these ids whose seats the tokens prove."""
        found = []
        for id, token in tokens.items():
            try:
                saved = self.shelf.get(id)
            except StorageError:  # gone, or damaged: nothing of it can be anybody's
                continue
            held = saved.secret.get("tokens") or (None, None)
            found += [(saved, seat) for seat in (0, 1) if matches(token, held[seat])][:1]
        return found

    def seats_in(self, player: Player, ids: Sequence[str]) -> dict[str, str]:
        """The seat that the player had in each of these games where they had one."""
        found: dict[str, str] = {}
        with self.database.reading() as connection:
            for start in range(0, len(ids), TOGETHER):
                mine = seats.c.game.in_(ids[start : start + TOGETHER]) & (seats.c.player == player.number)
                for row in connection.execute(sa.select(seats.c.game, seats.c.seat).where(mine)):
                    found[row.game] = SEATS[row.seat]
        return found

    def games(self, player: Player) -> list[tuple[SavedGame, int]]:
        """Their finished games with their seats, the oldest first; of a game against oneself the first seat."""
        mine = list(self.shelf.all(ended="finished", player=player.number))
        found = self.seats_in(player, [game.id for game in mine])
        return [(game, SEATS.index(found[game.id])) for game in reversed(mine)]

    def delete(self, player: Player) -> tuple[list[str], list[tuple[str, int]]]:
        """All that is kept of them: the games that were theirs alone go, in those of two people their name does.

        The ids of the games that went, and the seats that have lost their name.
        """
        with self.database.reading() as connection:
            query = sa.select(seats.c.game, seats.c.seat).where(seats.c.player == player.number)
            held = [(row.game, row.seat) for row in connection.execute(query)]
        alone, shared = list[str](), dict[str, tuple[SavedGame, int]]()
        for id, seat in held:
            try:
                saved = self.shelf.get(id)
            except UnknownGame:
                continue
            if saved.tag(f"{TAGS[other(seat)]}Strategy"):
                alone.append(id)
            else:
                shared[id] = (saved, seat)
        named = [_nameless(saved, seat) for saved, seat in shared.values()]
        times = [(id, ply) for id, (saved, seat) in shared.items() for ply in _decided(saved, seat)]
        self.shelf.save(named)  # whoever is stopped here has a name still, and asks once more
        with self.database.writing() as connection:
            for table in (seats, practice, days):
                connection.execute(sa.delete(table).where(table.c.player == player.number))
            connection.execute(sa.delete(people).where(people.c.number == player.number))
            for id in alone:
                connection.execute(sa.delete(_EVENTS).where(_EVENTS.c.game == id))
                connection.execute(sa.delete(_GAMES).where(_GAMES.c.id == id))
            for id, ply in times:
                gone = (_EVENTS.c.game == id) & (_EVENTS.c.ply == ply)
                connection.execute(sa.delete(_EVENTS).where(gone))
        return alone, [(id, seat) for id, (_, seat) in shared.items()]


def _player(row: Any) -> Player:
    return Player(row["number"], row["name"], row["date"])


def _seats(connection: Connection, ids: Sequence[str]) -> Iterable[tuple[str, int]]:
    for start in range(0, len(ids), TOGETHER):
        query = sa.select(seats.c.game, seats.c.seat).where(seats.c.game.in_(ids[start : start + TOGETHER]))
        yield from ((row.game, row.seat) for row in connection.execute(query))


def _nameless(saved: SavedGame, seat: int) -> SavedGame:
    tags = tuple((name, SOMEBODY if name == TAGS[seat] else value) for name, value in saved.tags)
    return replace(saved, tags=tags, times={})


def _decided(saved: SavedGame, seat: int) -> list[int]:
    """The plies at which the seat chose."""
    record = saved.record()
    movers = [int(record.game.mover(state)) for state in record.states()]
    return [ply for ply, mover in enumerate(movers[: len(record.choices)]) if mover == seat]
