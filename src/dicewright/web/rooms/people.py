"""People with a name on this server: known by their code, and the seats that are theirs."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from ...core.errors import NotationError
from ...storage.learned import Seats, seats_of, seats_proved
from ...storage.shelf.players import SOMEBODY, Player, Players
from ..settings import NotYours
from .rooms import Rooms

T = TypeVar("T")
NOBODY = (
    "nobody has this code here: it is of another server, or its player has been deleted; "
    "give another code, or begin with a name"
)


class People:
    """The players of this server; what changes goes through the journal of its rooms."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.players = rooms, Players(rooms.shelf)

    async def who(self, code: str | None) -> Player:
        """Whose code this is; NotYours if it is nobody's."""
        if code is None:
            raise NotYours("your code is missing; Authorization is Bearer and the code")
        found = await self.maybe(code)
        if found is None:
            raise NotYours(NOBODY)
        return found

    async def maybe(self, code: str) -> Player | None:
        """Whose code this is, if it is anybody's; a NotationError if it cannot be a code."""
        return await asyncio.to_thread(self.players.find, code)

    async def add(self, name: str) -> tuple[Player, str]:
        """A new player and their code."""
        return await self.write(partial(self.players.add, name))

    async def sit(self, player: Player | None, game: str, seat: int) -> None:
        """This seat is theirs."""
        if player is not None:
            await self.write(partial(self.players.sit, player, [(game, seat)]))

    async def claim(self, player: Player, tokens: Mapping[str, str]) -> int:
        """The seats that these tokens prove are theirs."""
        return await self.write(partial(self.players.claim, player, tokens))

    async def learnt(self, player: Player | None, tokens: Mapping[str, str], game: str) -> Seats:
        """The seats from which an opponent learns: of the player by their name, else those that the tokens prove."""
        if player is not None:
            return await asyncio.to_thread(seats_of, self.players, player, game)
        return await asyncio.to_thread(seats_proved, self.players, tokens, game)

    async def delete(self, player: Player) -> None:
        """All that is kept of them goes, from memory too."""
        gone, shared = await self.write(partial(self.players.delete, player))
        for id in gone:
            self.rooms.forget(id)
        for id, seat in shared:
            if room := self.rooms.rooms.get(id):
                room.names[seat] = SOMEBODY
                room.broadcast()

    async def write(self, work: Callable[[], T]) -> T:
        """Do it in the thread that writes, and wait until it is on disk; what is refused is told as it is."""
        found: list[T] = []
        refused: list[NotationError] = []

        def tried() -> None:
            try:
                found.append(work())
            except NotationError as error:
                refused.append(error)

        await self.rooms.journal.write(tried)
        if refused:
            raise refused[0]
        return found[0]
