"""REST: the catalog, and games made, joined, looked at and taken home."""

import asyncio
from functools import lru_cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.functional_validators import AfterValidator

from ...core.errors import DicewrightError
from ...core.game import SEATS, WrittenGame
from ...core.notation import fields
from ...families import catalog, family, kins
from ..guard import address_of
from ..rooms import views
from ..rooms.room import Room
from ..rooms.views import OPTIMAL, opponents, page_of, playable
from ..settings import GAME_LETTERS, NAME_LETTERS, NotYours

ANSWERS: dict[int | str, dict[str, Any]] = {
    403: {"description": "not yours"},
    404: {"description": "no such game"},
    409: {"description": "not now"},
    413: {"description": "too large"},
    422: {"description": "unreadable; one sentence says why"},
    429: {"description": "too often"},
    503: {"description": "games cannot be read or written just now"},
}
router = APIRouter(responses=ANSWERS)

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,40}$")]
Strategies = Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Query(max_length=4)]
TOURNAMENT = {"view": "tournament", "words": "Tournament", "script": "rooms/explore-tournament"}
GameText = Annotated[str, Query(max_length=GAME_LETTERS)]


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("only letters that can be printed are allowed")
    return " ".join(text.split())


Name = Annotated[str, StringConstraints(max_length=NAME_LETTERS), AfterValidator(_printable)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=GAME_LETTERS), AfterValidator(_printable)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class _Ask(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewGame(_Ask):
    """A game to be made."""

    game: Text = "pig"
    opponent: Text = Field("optimal", description="a strategy, or `person` for a second person")
    seat: Literal["first", "second", "random"] = "first"
    hints: bool = False
    name: Name = ""


class Join(_Ask):
    """The second person's answer to an invitation."""

    invite: Word
    name: Name = ""


class Again(_Ask):
    """Where to stand again."""

    ply: int = Field(ge=0, le=1_000_000)
    hints: bool = False


async def server_of(request: Request) -> Any:
    """What all requests share; like all that is asked first no function for a thread, which would cost more than it."""
    return request.app.state.server


Server = Annotated[Any, Depends(server_of)]


def seldom(kind: str) -> Any:
    """A dependency: one address may ask this only so often."""

    async def check(request: Request, server: Server) -> None:
        server.turnstile.pass_(kind, address_of(request.scope))

    return Depends(check)


async def bearer(authorization: Annotated[str | None, Header(max_length=200)] = None) -> str | None:
    """The token of the request, or None."""
    if authorization is None:
        return None
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise NotYours("Authorization is Bearer and a token")
    return token.strip()


Token = Annotated[str | None, Depends(bearer)]


async def room_and_seat(server: Server, id: Id, token: Token) -> tuple[Room, int | None]:
    """The room and the bearer's seat; NotYours if the token is of another game."""
    room = await server.rooms.find(id)
    seat = room.seat_of(token)
    if token is not None and seat is None:
        raise NotYours("this token is not for this game")
    return room, seat


Visit = Annotated[tuple[Room, int | None], Depends(room_and_seat)]


@router.get("/catalog")
async def games_catalog() -> dict[str, Any]:
    """The games that can be played here, with their fields."""
    return await asyncio.to_thread(_catalog)


@lru_cache(maxsize=1)
def _catalog() -> dict[str, Any]:
    games = []
    for name, builder in catalog.GAMES.items():
        game = catalog.parse(name)
        try:
            kind = page_of(game)
        except DicewrightError:
            continue
        kin, about = family(game), (builder.__doc__ or "").strip().split("\n\n")[0]
        about = " ".join(about.split())
        games.append(
            {
                "game": name,
                "title": family(game).title(game),
                "family": kind,
                "about": about,
                "fields": [_field(field, kin.menu.saying(name, field.name)) for field in fields(builder)],
                "name": kin.short(game),
                "line": kin.menu.about.get(name, about),
            }
        )
    return {"games": games, "views": _views()}


def _views() -> list[dict[str, Any]]:
    """The ways of looking at strategies, each with the games that are offered; tournaments last."""
    sights: dict[str, list[Any]] = {}
    for kin in kins():
        for view, sight in kin.sights.items():
            sights.setdefault(view, []).append(sight)
    found = []
    for view, those in sights.items():
        those.sort(key=lambda sight: not sight.first)
        games = [_offered(text) for sight in those for text in sight.games]
        label, script, _, pair, _ = those[0]
        found.append({"view": view, "words": label, "script": script, "pair": pair, "games": games})
    meetings = dict.fromkeys(text for kin in kins() for text in kin.menu.meetings)
    return [*found, {**TOURNAMENT, "games": list(map(_offered, meetings))}]


def _offered(text: str) -> dict[str, str]:
    """A game as the menus of Explore name it: without what is chosen there by itself."""
    game = catalog.parse(text)
    kin, (name, _, rest) = family(game), text.partition(":")
    said = [
        (part, kin.menu.saying(name, field)) for part in rest.split(",") if (field := part.partition("=")[0])
    ]
    kept = [(part, saying) for part, saying in said if not saying.apart]
    words = [kin.short(game), *(saying.say(part.partition("=")[2]) for part, saying in kept)]
    return {
        "game": ":".join(filter(None, (name, ",".join(part for part, _ in kept)))),
        "name": ", ".join(words),
    }


def _field(field: Any, saying: Any) -> dict[str, Any]:
    allowed = field.kind.allowed
    values = None
    if " or " in allowed and " " not in allowed.replace(" or ", "").replace(", ", ""):
        values = [word.strip() for part in allowed.split(" or ") for word in part.split(",")]
    return {
        "name": field.name,
        "allowed": allowed,
        "default": None if field.required else field.kind.show(field.default),
        "values": values,
        "label": saying.label,
        "options": saying.offered(values),
        "otherwise": saying.otherwise,
        "free": values is None and isinstance(saying.words, str),
        "main": saying.main,
        "apart": saying.apart,
        "most": saying.most,
    }


@router.get("/rules")
async def rules(
    request: Request, server: Server, game: GameText = "pig", strategy: Strategies = ()
) -> dict[str, Any]:
    """A game in words, its opponents, and whether its solution is ready; asking begins to prepare it.

    Of each `strategy` that is given it says how it is called.
    """
    prepared = server.prepared
    found = await prepared.game(game)
    told = await prepared.known(_rules, game)
    ready, progress = False, None
    if (await prepared.look(found)).solvable:
        try:
            may_solve(server, request, found)
            task, solving = prepared.advising(found), prepared.solving(found)
            ready, progress = task.ready, solving.progress or task.progress
        except DicewrightError as error:
            progress = str(error)
    called = {text: family(found).menu.called(text) for text in strategy}
    return {**told, "ready": ready, "progress": progress, "called": called}


def may_solve(server: Any, request: Request, game: WrittenGame) -> None:
    """Busy if this address has begun too much work lately; what has been begun may be asked for."""
    if not server.prepared.has_begun(game):
        server.turnstile.pass_("hard", address_of(request.scope))


def _rules(text: str) -> dict[str, Any]:
    game = playable(text)
    kin = family(game)
    looks = [*kin.looks(game), TOURNAMENT["view"]]
    return {
        **views.head(game),
        "opponents": opponents(game),
        "stand_in": kin.stand_in,
        "views": looks,
        "named": _offered(game.name),
    }


@router.post("/games", status_code=201, dependencies=[seldom("games")])
async def create(request: Request, server: Server, ask: NewGame) -> dict[str, Any]:
    """A new game; the commitment binds the server's dice before you choose your seed."""
    prepared = server.prepared
    game = await prepared.game(ask.game)
    opponent = await prepared.checked(game, ask.opponent)
    if (opponent == OPTIMAL or ask.hints) and (await prepared.look(game)).solvable:
        may_solve(server, request, game)
    seat = server.luck.randrange(2) if ask.seat == "random" else SEATS.index(ask.seat)
    room, token, invite = await server.rooms.create(game, opponent, seat, ask.hints, ask.name or "you")
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
async def join(server: Server, id: Id, ask: Join) -> dict[str, Any]:
    """The second person takes the seat that the invitation holds, once."""
    room = await server.rooms.find(id)
    token, seat = await server.rooms.join(room, ask.invite, ask.name or "guest")
    return {"id": room.id, "token": token, "seat": SEATS[seat]}


@router.post("/games/{id}/again", status_code=201, dependencies=[seldom("games")])
async def again(server: Server, visit: Visit, ask: Again) -> dict[str, Any]:
    """A new game that begins where a finished one stood."""
    room, seat = visit
    fresh, token, chair = await server.rooms.again(room, seat, ask.ply, ask.hints)
    return made(fresh, token, chair, None)


@router.get("/games/{id}")
async def look(visit: Visit) -> Response:
    """The view document of the bearer, or the spectator's."""
    room, seat = visit
    return Response(room.document(seat), media_type="application/json")
