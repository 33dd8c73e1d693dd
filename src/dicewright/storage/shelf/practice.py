"""What a person practises: themes in boxes, each waiting twice as long as the one before, and days that were solved.

A round is ROUND decisions of one theme. Who gets nearly all of them right sees the theme again after twice as long;
who gets half of them wrong, tomorrow. A clock that was set back takes nothing away: time stands still until it has
caught up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa

from .players import Player, Players, days, practice

ROUND = 5
NEARLY, HALF = 4, 2  # right of a round
WAITS = (1, 2, 4, 8, 16, 32)  # days


@dataclass(frozen=True)
class Practice:
    """One theme of one game: its box, when it is due, and how the round goes."""

    game: str
    theme: str
    box: int = 0
    hits: int = 0
    asked: int = 0
    day: str = ""  # when it was practised last
    due: str = ""

    def answered(self, right: bool, today: date) -> "Practice":
        """After one more decision."""
        now = max(today.isoformat(), self.day)
        hits, asked, box, due = self.hits + right, self.asked + 1, self.box, self.due or now
        if asked >= ROUND:
            box = min(box + 1, len(WAITS) - 1) if hits >= NEARLY else box if hits > HALF else 0
            wait = WAITS[max(0, box - 1)] if hits > HALF else WAITS[0]
            due = (date.fromisoformat(now) + timedelta(days=wait)).isoformat()
            hits = asked = 0
        return Practice(self.game, self.theme, box, hits, asked, now, due)


def practised(players: Players, player: Player) -> list[Practice]:
    """What they practise, what is due first in front."""
    query = sa.select(practice).where(practice.c.player == player.number)
    with players.database.reading() as connection:
        rows = connection.execute(query.order_by(practice.c.due, practice.c.number)).mappings().all()
    return [_of(row) for row in rows]


def answer(players: Players, player: Player, game: str, theme: str, right: bool, today: date) -> Practice:
    """Note an answer; the theme as it is then."""
    mine = (practice.c.player == player.number) & (practice.c.game == game) & (practice.c.theme == theme)
    with players.database.writing() as connection:
        row = connection.execute(sa.select(practice).where(mine)).mappings().first()
        after = (_of(row) if row else Practice(game, theme)).answered(right, today)
        values = {name: getattr(after, name) for name in ("box", "hits", "asked", "day", "due")}
        if row:
            connection.execute(sa.update(practice).where(mine).values(values))
        else:
            named = {"player": player.number, "game": game, "theme": theme}
            connection.execute(sa.insert(practice).values({**named, **values}))
    return after


def solve_day(players: Players, player: Player, right: bool, today: date) -> bool:
    """Note the first answer to the position of a day; what it was."""
    mine = (days.c.player == player.number) & (days.c.day == today.isoformat())
    with players.database.writing() as connection:
        there = connection.execute(sa.select(days.c.hits).where(mine)).scalar()
        if there is not None:
            return bool(there)
        values = {"player": player.number, "day": today.isoformat(), "hits": int(right)}
        connection.execute(sa.insert(days).values(values))
    return right


def solved_days(players: Players, player: Player) -> dict[str, bool]:
    """Whether the positions of the days that they answered were found."""
    query = sa.select(days.c.day, days.c.hits).where(days.c.player == player.number)
    with players.database.reading() as connection:
        return {row.day: bool(row.hits) for row in connection.execute(query)}


def streak(found: dict[str, bool], today: date) -> int:
    """The days in a row, up to today or yesterday, whose position was found.

    >>> streak({"2026-11-16": True, "2026-11-17": True}, date(2026, 11, 18))
    2
    """
    day, count = today, 0
    if day.isoformat() not in found:
        day -= timedelta(days=1)
    while found.get(day.isoformat()):
        count, day = count + 1, day - timedelta(days=1)
    return count


def ahead(those: Sequence[Practice], today: date) -> str | None:
    """The last day of practice, if the clock says that it is still to come."""
    last = max((one.day for one in those), default="")
    return last if last > today.isoformat() else None


def _of(row: Any) -> Practice:
    return Practice(**{name: row[name] for name in ("game", "theme", "box", "hits", "asked", "day", "due")})
