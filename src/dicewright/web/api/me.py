"""REST: who somebody is, which games are theirs, and all of it taken home or taken away.

A player proves who they are by their code, which no address and no log holds.
"""

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from ...storage.career import career_of, unjudged
from ...storage.shelf.player_data import exported
from ...storage.shelf.players import Player
from ..prepare.remembered import Cost
from .asking import ANSWERS, Ask, Held, Server, Token, seldom
from .games import PATIENCE, answer

router = APIRouter(prefix="/me", responses=ANSWERS)


class NameAsked(Ask):
    """A name to play under."""

    name: str = Field(max_length=200)  # rules of names say the rest, in a sentence


class Claimed(Ask):
    """Seats that a browser holds."""

    seats: Held


async def player(server: Server, token: Token) -> Player:
    """Whose code the request bears; NotYours if nobody's."""
    found: Player = await server.people.who(token)
    return found


Who = Annotated[Player, Depends(player)]


@router.post("", status_code=201, dependencies=[seldom("games")])
async def add(server: Server, ask: NameAsked) -> dict[str, Any]:
    """A new player; the code is told this once."""
    found, code = await server.people.add(ask.name)
    return {"name": found.name, "code": code}


@router.get("")
async def me(who: Who) -> dict[str, Any]:
    """Whose code this is."""
    return {"name": who.name, "since": who.date}


@router.get("/figures", dependencies=[seldom("hard")], responses={202: {"description": "in progress"}})
async def figures(server: Server, who: Who) -> Response:
    """What all games of the player show together; 202 with the progress while some are judged."""
    late = time.monotonic() + PATIENCE
    while True:
        games = await asyncio.to_thread(server.people.players.games, who)
        found = await server.judging.next(games)
        if found is None:
            cost = Cost.replaying(len(games))
            return JSONResponse(await server.prepared.open(cost, career_of, who, games))
        batch, task = found
        if (waiting := await answer(task)) is not None:
            return waiting
        if batch:
            await server.judging.keep(batch, task.task.result().told)
        if time.monotonic() > late:
            return JSONResponse({"progress": f"judging {len(unjudged(games))} games"}, 202)


@router.post("/seats", dependencies=[seldom("games")])
async def claim(server: Server, who: Who, ask: Claimed) -> dict[str, Any]:
    """Games that were played before there was a name become the player's, where the tokens prove it."""
    return {"seats": await server.people.claim(who, ask.seats)}


@router.get("/export", dependencies=[seldom("hard")])
async def export(server: Server, who: Who) -> Response:
    """All that is kept of the player, as a file."""
    document = await server.prepared.open(Cost.replaying(1000), exported, server.people.players, who)
    headers = {"Content-Disposition": 'attachment; filename="dicewright-me.json"'}
    return JSONResponse(document, headers=headers)


@router.delete("", dependencies=[seldom("games")])
async def delete(server: Server, who: Who) -> dict[str, Any]:
    """Forget the player: their games against the computer go, in games of two people their name does."""
    await server.people.delete(who)
    return {"deleted": who.name}
