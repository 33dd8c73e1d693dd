"""REST: two people play again. Who asks first makes the new game; the other's asking is the acceptance."""

import asyncio
from collections import OrderedDict
from typing import Any, NamedTuple

from fastapi import APIRouter

from ...core.game import SEATS, other
from ..rooms.playable import PERSON
from ..rooms.room import Room
from .games import ANSWERS, Server, Visit, made, seldom
from .refusals import NotNow, NotYours, Unknown

MOST_OFFERS = 1_000
router = APIRouter(responses=ANSWERS)


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
