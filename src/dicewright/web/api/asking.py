"""What every call asks first: the server, how often, whose seat or code it bears; and how it may be answered."""

from typing import Annotated, Any

from fastapi import Depends, Header, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from ...core.errors import NotationError
from ...storage.shelf.players import Player
from ..guard import address_of
from ..settings import NotYours

ANSWERS: dict[int | str, dict[str, Any]] = {
    403: {"description": "not yours"},
    404: {"description": "no such game"},
    409: {"description": "not now"},
    413: {"description": "too large"},
    422: {"description": "unreadable; one sentence says why"},
    429: {"description": "too often"},
    503: {"description": "games cannot be read or written just now"},
}
CODE_LETTERS = 200  # of a header

MOST_SEATS = 100  # whose tokens are shown at once

Word = Annotated[str, StringConstraints(min_length=1, max_length=64)]
# seats that a browser holds: tokens by the ids of their games
Held = Annotated[dict[Annotated[str, Field(max_length=40)], Word], Field(max_length=MOST_SEATS)]


class Ask(BaseModel):
    """What a request says, and nothing else."""

    model_config = ConfigDict(extra="forbid")


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


async def owner(
    server: Server, code: Annotated[str | None, Header(alias="x-player", max_length=CODE_LETTERS)] = None
) -> Player | None:
    """Who plays, if the request says so; a code of elsewhere keeps nobody from playing."""
    if code is None:
        return None
    try:
        found: Player | None = await server.people.maybe(code)
    except NotationError:
        return None
    return found


Owner = Annotated[Player | None, Depends(owner)]
