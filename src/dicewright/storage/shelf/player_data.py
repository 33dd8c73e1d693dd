"""All that is kept of one player, as plain data to take home."""

from typing import Any

import sqlalchemy as sa

from ...core.errors import DicewrightError
from ...core.game import SEATS
from ..records.text import write_records
from .players import Player, Players, days, practice


def exported(players: Players, player: Player) -> dict[str, Any]:
    """Name, games with their records, practice and days; nothing of anybody else but the games played with them."""
    games = []
    for saved, seat in players.games(player):
        told = {"id": saved.id, "seat": SEATS[seat], "date": saved.date, "figures": saved.figures}
        try:
            games.append({**told, "record": write_records([saved.record()])})
        except DicewrightError as error:  # of a game that today's rules do not read: as it stands
            games.append({**told, "game": saved.game, "choices": saved.choices, "error": str(error)})
    return {
        "name": player.name,
        "since": player.date,
        "games": games,
        "practice": _rows(players, player, practice, ("game", "theme", "box", "hits", "asked", "day", "due")),
        "days": _rows(players, player, days, ("day", "hits")),
    }


def _rows(players: Players, player: Player, table: sa.Table, names: tuple[str, ...]) -> list[dict[str, Any]]:
    query = sa.select(*(table.c[name] for name in names)).where(table.c.player == player.number)
    with players.database.reading() as connection:
        return [dict(row) for row in connection.execute(query.order_by(table.c.number)).mappings()]
