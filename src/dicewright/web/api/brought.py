"""REST: finished games that somebody brings along as a record."""

import re
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, StringConstraints

from ...core.errors import NotationError, shown
from ...storage.records.text import read_records
from ...storage.shelf.saved_game import SavedGame
from ..prepare.remembered import Cost
from ..settings import MOST_PLIES, NAME_LETTERS, STRATEGY_LETTERS
from .asking import ANSWERS, Server, seldom

router = APIRouter(responses=ANSWERS)
MOST_TEXT = 15_000  # letters: some 3,000 choices
MOST_GAMES = 20
GAME = re.compile(r'^\s*\[Game "((?:[^"\\]|\\.)*)"\]', re.MULTILINE)
SOURCE = "the record"
LETTERS = {
    **dict.fromkeys(("First", "Second"), NAME_LETTERS),
    **dict.fromkeys(("FirstStrategy", "SecondStrategy"), STRATEGY_LETTERS),
}


class Brought(BaseModel):
    """Records as text."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, StringConstraints(min_length=1, max_length=MOST_TEXT)]


@router.post("/records", status_code=201, dependencies=[seldom("games")])
async def bring(server: Server, brought: Brought) -> dict[str, Any]:
    """Check the records by the rules and keep them, all or none; what stands here already is told by its id."""
    names = GAME.findall(brought.text)
    if not 1 <= len(names) <= MOST_GAMES:
        raise NotationError(
            f'this is no record: it has {len(names)} tags [Game "..."]; 1 to {MOST_GAMES} are allowed, as '
            "“Text” on the shelf saves them"
        )
    for name in dict.fromkeys(names):  # no rules are set up that are not played here
        await server.prepared.game(name)
    cost = Cost.replaying(len(brought.text) // 3)
    games, there = await server.prepared.open(cost, _read, server.shelf, brought.text)
    if games:
        await server.rooms.journal.write(lambda: server.shelf.save(games))
    return {"added": [game.id for game in games], "there": there}


def _read(shelf: Any, text: str) -> tuple[list[SavedGame], list[str]]:
    records = list(read_records(text, SOURCE))
    for record in records:
        for tag, most in LETTERS.items():
            text = record.tag(tag) or ""
            if len(text) > most or not text.isprintable():
                raise NotationError(
                    f"{tag} of {SOURCE} is {shown(repr(text), most)}; up to {most} letters that can be seen are allowed"
                )
        if record.ended == "unfinished" or len(record.choices) > MOST_PLIES:
            raise NotationError(
                f"a game of {SOURCE} has {len(record.choices)} choices and is {record.ended}; "
                f"finished games of up to {MOST_PLIES:,} are allowed"
            )
    given = [SavedGame.of(record) for record in records]
    known = {game.id: id for game, id in shelf.known(given)}
    return [game for game in given if game.id not in known], list(known.values())
