"""REST: finished games listed, taken home, analysed and played again.

Of two people who play again the one who asks first makes the new game; the other's asking is the acceptance.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response

from ...core.errors import DicewrightError
from ...core.game import SEATS, other
from ...core.record import players_of
from ...families import family
from ...families.catalog import parse
from ...storage.records.tables import write_csv, write_jsonl
from ...storage.records.text import write_records
from ...storage.shelf.shelf import UnknownGame
from ..prepare.lanes import aside
from ..prepare.remembered import Cost, Task
from ..rooms.room import Room
from ..rooms.views import PERSON, solvable, unit
from ..settings import NotNow, NotYours, Refusal, Unavailable, Unknown
from .games import ANSWERS, Server, Visit, made, seldom

MOST_OFFERS = 1_000
router = APIRouter(responses=ANSWERS)
PATIENCE = 2.0  # seconds until a request is told to ask again
Cursor = Annotated[str | None, Query(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")]


class Offer(NamedTuple):
    """A rematch that one of two people has asked for."""

    seat: int  # in the finished game
    room: str
    invite: str
    answers: dict[int, dict[str, Any]]  # what each seat was told, to be told again: an answer may be lost


class Rematches:
    """The offers of the last games, by finished game; a restart forgets them, the new games stay."""

    def __init__(self) -> None:
        self.offers: OrderedDict[str, Offer] = OrderedDict()
        self.lock = asyncio.Lock()

    def note(self, room: Room, offer: Offer) -> None:
        """Keep the offer, in the place of older ones."""
        self.offers[room.id] = offer
        while len(self.offers) > MOST_OFFERS:
            self.offers.popitem(last=False)


@router.get("/games/{id}/rematch")
async def offered(server: Server, visit: Visit) -> dict[str, Any]:
    """Whether a rematch has been offered: its game (told to the players), who asked, whether it was accepted."""
    room, seat = visit
    found = await _standing(server, room)
    if found is None:
        return {"id": None, "by": None, "accepted": False}
    offer, fresh = found
    id_ = None if seat is None else offer.room  # a game under way is known by its link only
    return {"id": id_, "by": SEATS[offer.seat], "accepted": fresh.invite is None}


@router.post("/games/{id}/rematch", status_code=201, dependencies=[seldom("games")])
async def rematch(server: Server, visit: Visit) -> dict[str, Any]:
    """Offer a rematch with the seats swapped, or accept the one that was offered; answers as a new game does."""
    room, seat = visit
    if seat is None:
        raise NotYours("only the players of this game can have a rematch")
    if not room.over or len(room.people) < len(SEATS):
        raise NotNow("a rematch is for two people whose game is over")
    async with server.rematches.lock:
        if found := await _standing(server, room):
            offer, fresh = found
            if seat in offer.answers:
                return offer.answers[seat]
            try:
                token, chair = await server.rooms.join(fresh, offer.invite, room.names[seat])
                offer.answers[seat] = made(fresh, token, chair, None)
                return offer.answers[seat]
            except NotYours:  # somebody else came through the link: ask anew
                pass
        chair, name = other(seat), room.names[seat]
        fresh, token, invite = await server.rooms.create(room.game, PERSON, chair, room.hints, name)
        answer = made(fresh, token, chair, invite)
        server.rematches.note(room, Offer(seat, fresh.id, str(invite), {seat: answer}))
        return answer


async def _standing(server: Any, room: Room) -> tuple[Offer, Room] | None:
    """The offer after this game and the game that it made, if there is one."""
    offer = server.rematches.offers.get(room.id)
    try:
        return None if offer is None else (offer, await server.rooms.find(offer.room))
    except Unknown:
        return None


@router.get("/games")
async def games(
    server: Server,
    q: Annotated[str, Query(max_length=100)] = "",
    before: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> dict[str, Any]:
    """Finished games, newest first; `before` is the `next` of the page before."""
    try:
        return await asyncio.to_thread(_page, server.shelf, _plain(q), before or None, limit)
    except UnknownGame as error:
        raise Refusal(str(error)) from error


def _page(shelf: Any, text: str, before: str | None, limit: int) -> dict[str, Any]:
    found = shelf.find(text, ended="finished", limit=limit, before=before)
    return {"games": [_line(game) for game in found], "next": found[-1].id if len(found) == limit else None}


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


@lru_cache(maxsize=512)
def _rules(text: str) -> tuple[dict[str, Any], Callable[[str], str]]:
    """What the list says of the rules, and how strategies are called there."""
    try:
        game = parse(text)
        found = {"title": family(game).title(game), "solvable": solvable(game), "unit": unit(game)}
        return {**found, "game": text}, family(game).menu.called
    except DicewrightError:
        return {"title": text, "game": text, "solvable": False, "unit": "chance"}, str


def _line(saved: Any) -> dict[str, Any]:
    known, tags = saved.figures or {}, dict(saved.tags)
    rules, called = _rules(saved.game)
    strategies = [tags.get(f"{seat.capitalize()}Strategy") for seat in SEATS]
    return {
        "id": saved.id,
        **rules,
        "players": players_of(tags),
        "called": [None if text is None else called(text) for text in strategies],
        "date": saved.date,
        "payoff": saved.payoff,
        "ended": saved.ended,
        "error_rate": known.get("error_rate"),
        "luck": known.get("luck"),
    }


KINDS = {
    "text": ("text/plain; charset=utf-8", "txt"),
    "jsonl": ("application/x-ndjson", "jsonl"),
    "csv": ("text/csv", "csv"),
}


@router.get("/games/{id}/record", responses={200: {"content": {"text/plain": {}}}}, response_class=Response)
async def record(server: Server, visit: Visit, format: Literal["text", "jsonl", "csv"] = "text") -> Response:
    """The record as a file."""
    room, _ = visit
    kind, ending = KINDS[format]
    found = room.record()
    body = await server.prepared.open(Cost.replaying(len(found.choices)), _written, found, format)
    name = f'attachment; filename="dicewright-{room.id}.{ending}"'
    return Response(body, media_type=kind, headers={"Content-Disposition": name})


def _written(found: Any, format: str) -> str:
    write = {"jsonl": write_jsonl, "csv": write_csv}.get(format)
    return "".join(write([found])) if write else write_records([found])


async def answer(*tasks: Task) -> Response | None:
    """None once all are ready; else the progress, as an answer."""
    for task in tasks:
        async with aside():
            await asyncio.wait({task.task}, timeout=PATIENCE)
        if not task.task.done():
            return JSONResponse({"progress": task.progress}, 202)
        task.task.result()
    return None


@router.get(
    "/games/{id}/analysis", dependencies=[seldom("hard")], responses={202: {"description": "in progress"}}
)
async def analysis(server: Server, visit: Visit) -> Response:
    """Every ply judged; 202 with the progress while values are prepared."""
    room, _ = visit
    found = room.record()
    await server.prepared.look(room.game)
    solving = server.prepared.solving(room.game)
    if not solving.task.done():
        return JSONResponse({"progress": solving.progress}, 202)
    await solving.task
    key, plies = ("analysis", room.id), len(found.choices)
    cost = partial(Cost.analysis, plies)
    text = await server.prepared.open(Cost.replaying(plies), _written, found, "text")
    task = server.prepared.document(key, cost, room.game, "analysis", [text])
    if (waiting := await answer(task)) is not None:
        return waiting
    document = task.task.result()
    if not room.judged:
        await _keep(server, room, document.told)
    return Response(document.body, media_type="application/json")


async def _keep(server: Any, room: Room, found: dict[str, Any]) -> None:
    """Write the figures down, once."""
    room.judged = True
    try:
        await server.rooms.journal.write(lambda: server.shelf.keep_figures(room.id, found))
    except Unavailable:  # noted by the journal; the list lacks a number, nothing else
        room.judged = False
