"""REST: a game made, joined, looked at, taken home, analysed and played again.

Of two people who play again the one who asks first makes the new game; the other's asking is the acceptance.
"""

import asyncio
from collections import OrderedDict
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field, StringConstraints
from pydantic.functional_validators import AfterValidator

from ...core.game import SEATS, WrittenGame, other
from ...families.minds import LEARNER
from ...storage.learned import played
from ...storage.records.tables import write_csv, write_jsonl
from ...storage.records.text import write_records
from ..guard import address_of
from ..prepare.lanes import aside
from ..prepare.remembered import Cost, Task
from ..rooms.room import Room
from ..rooms.views import OPTIMAL, PERSON
from ..settings import GAME_LETTERS, NAME_LETTERS, STRATEGY_LETTERS, NotNow, NotYours, Unavailable, Unknown
from .asking import ANSWERS, Ask, Held, Owner, Server, Token, Word, seldom

router = APIRouter(responses=ANSWERS)
MOST_OFFERS = 1_000
PATIENCE = 2.0  # seconds until a request is told to ask again
KINDS = {
    "text": ("text/plain; charset=utf-8", "txt"),
    "jsonl": ("application/x-ndjson", "jsonl"),
    "csv": ("text/csv", "csv"),
}

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,40}$")]


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("only letters that can be printed are allowed")
    return " ".join(text.split())


Name = Annotated[str, StringConstraints(max_length=NAME_LETTERS), AfterValidator(_printable)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=GAME_LETTERS), AfterValidator(_printable)]
Strategy = Annotated[
    str, StringConstraints(min_length=1, max_length=STRATEGY_LETTERS), AfterValidator(_printable)
]


class NewGame(Ask):
    """A game to be made."""

    game: Text = "pig"
    opponent: Strategy = Field("optimal", description="a strategy, or `person` for a second person")
    seat: Literal["first", "second", "random"] = "first"
    hints: bool = False
    name: Name = ""
    seats: Held = Field(
        {}, description="tokens by games: of whoever has no name, for an opponent that learns"
    )


class Join(Ask):
    """The second person's answer to an invitation."""

    invite: Word
    name: Name = ""


class Again(Ask):
    """Where to stand again."""

    ply: int = Field(ge=0, le=1_000_000)
    hints: bool = False


async def room_and_seat(server: Server, id: Id, token: Token) -> tuple[Room, int | None]:
    """The room and the bearer's seat; NotYours if the token is of another game."""
    room = await server.rooms.find(id)
    seat = room.seat_of(token)
    if token is not None and seat is None:
        raise NotYours("this token is not for this game")
    return room, seat


Visit = Annotated[tuple[Room, int | None], Depends(room_and_seat)]


def may_solve(server: Any, request: Request, game: WrittenGame) -> None:
    """Busy if this address has begun too much work lately; what has been begun may be asked for."""
    if not server.prepared.has_begun(game):
        server.turnstile.pass_("hard", address_of(request.scope))


@router.post("/games", status_code=201, dependencies=[seldom("games")])
async def create(request: Request, server: Server, owner: Owner, ask: NewGame) -> dict[str, Any]:
    """A new game; the commitment binds the server's dice before you choose your seed."""
    prepared = server.prepared
    game = await prepared.game(ask.game)
    opponent = await prepared.checked(game, ask.opponent)
    if (opponent == OPTIMAL or ask.hints) and (await prepared.look(game)).judged:
        may_solve(server, request, game)
    seat = server.luck.randrange(2) if ask.seat == "random" else SEATS.index(ask.seat)
    name = ask.name or (owner.name if owner else "you")
    learns = await server.people.learnt(owner, ask.seats, game.name) if opponent == LEARNER else ()
    room, token, invite = await server.rooms.create(game, opponent, seat, ask.hints, name, learns=learns)
    await server.people.sit(owner, room.id, seat)
    return made(room, token, seat, invite)


def made(room: Room, token: str, seat: int, invite: str | None) -> dict[str, Any]:
    """What the maker of a game is told."""
    return {
        "id": room.id,
        "token": token,
        "seat": SEATS[seat],
        "commitment": room.commitment,
        "invite": invite,
    }


@router.post("/games/{id}/join", dependencies=[seldom("games")])
async def join(server: Server, owner: Owner, id: Id, ask: Join) -> dict[str, Any]:
    """The second person takes the seat that the invitation holds, once."""
    room = await server.rooms.find(id)
    name = ask.name or (owner.name if owner else "guest")
    token, seat = await server.rooms.join(room, ask.invite, name)
    await server.people.sit(owner, room.id, seat)
    return {"id": room.id, "token": token, "seat": SEATS[seat]}


@router.post("/games/{id}/again", status_code=201, dependencies=[seldom("games")])
async def again(server: Server, owner: Owner, visit: Visit, ask: Again) -> dict[str, Any]:
    """A new game that begins where a finished one stood."""
    room, seat = visit
    fresh, token, chair = await server.rooms.again(room, seat, ask.ply, ask.hints)
    await server.people.sit(owner, fresh.id, chair)
    return made(fresh, token, chair, None)


@router.get("/games/{id}")
async def look(visit: Visit) -> Response:
    """The view document of the bearer, or the spectator's."""
    room, seat = visit
    return Response(room.document(seat), media_type="application/json")


class Offer(NamedTuple):
    """A rematch that one of two people has asked for."""

    seat: int  # in the finished game
    room: str
    invite: str
    answers: dict[int, dict[str, Any]]  # what each seat was told, to be told again: an answer may be lost


class Rematches(OrderedDict[str, Offer]):
    """The offers of the last games, by finished game; a restart forgets them, the new games stay."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = asyncio.Lock()


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
async def rematch(server: Server, owner: Owner, visit: Visit) -> dict[str, Any]:
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
                await server.people.sit(owner, fresh.id, chair)
                offer.answers[seat] = made(fresh, token, chair, None)
                return offer.answers[seat]
            except NotYours:  # somebody else came through the link: ask anew
                pass
        chair, name = other(seat), room.names[seat]
        fresh, token, invite = await server.rooms.create(room.game, PERSON, chair, room.hints, name)
        await server.people.sit(owner, fresh.id, chair)
        answer = made(fresh, token, chair, invite)
        server.rematches[room.id] = Offer(seat, fresh.id, str(invite), {seat: answer})
        if len(server.rematches) > MOST_OFFERS:
            server.rematches.popitem(last=False)
        return answer


async def _standing(server: Any, room: Room) -> tuple[Offer, Room] | None:
    """The offer after this game and the game that it made, if there is one."""
    offer = server.rematches.get(room.id)
    try:
        return None if offer is None else (offer, await server.rooms.find(offer.room))
    except Unknown:
        return None


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
    "/games/{id}/learned", dependencies=[seldom("hard")], responses={202: {"description": "in progress"}}
)
async def learned(server: Server, visit: Visit) -> Response:
    """What the opponent that learns has learned of the bearer, this game included; nobody else is told."""
    room, seat = visit
    if seat is None:
        raise NotYours("what an opponent has learned is told to whom it has learned")
    if LEARNER not in room.strategies:
        raise NotNow("nobody learns in this game; choose the opponent that learns you")
    record = room.record()
    games = [*await asyncio.to_thread(played, server.shelf, room.learns), (record, seat)]
    task = server.prepared.learner(("heavy", LEARNER, room.id), room.game, games, answer=False)
    if (waiting := await answer(task)) is not None:
        return waiting
    return JSONResponse(task.task.result().told)


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
        room.judged = True  # its figures are written down once
        try:
            await server.rooms.journal.write(lambda: server.shelf.keep_figures(room.id, document.told))
        except Unavailable:  # noted by the journal; the list lacks a number, nothing else
            room.judged = False
    return Response(document.body, media_type="application/json")
