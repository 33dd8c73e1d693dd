"""All games of the server: made, joined, taken up again after a restart, and moved on one move at a time."""

import asyncio
import secrets
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ..arena.sitting import Sitting
from ..core.errors import DicewrightError, IllegalAction, NotationError, StorageError
from ..storage.saved_game import SavedGame
from . import tokens
from .journal import Journal
from .library import Library
from .playable import OPTIMAL, PERSON, playable
from .refusals import Busy, NotNow, NotYours, Unknown
from .room import KEPT_IDS, Room
from .settings import Settings
from .views import Speech

MOST_SPEECHES = 200
OPPONENT_SECONDS = 2.0


class Rooms:
    """Rooms in memory, and the shelf that all of them are written to before anybody is told."""

    def __init__(self, settings: Settings, shelf: Any, library: Library) -> None:
        self.settings, self.shelf, self.library = settings, shelf, library
        self.journal = Journal(shelf)
        self.rooms: dict[str, Room] = {}
        self.speeches: dict[str, Speech] = {}
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    def speech(self, game: Any) -> Speech:
        """How this game is told; one for all its rooms."""
        if game.name not in self.speeches and len(self.speeches) >= MOST_SPEECHES:
            self.speeches.clear()
        return self.speeches.setdefault(game.name, Speech(game))

    async def create(
        self,
        game: Any,
        opponent: str,
        seat: int,
        hints: bool,
        name: str,
        fork: tuple[Room, int] | None = None,
    ) -> tuple[Room, str, str | None]:
        """A new game: the room, the token of who made it, and the invitation of the other person."""
        self._make_place()
        token, invite = tokens.fresh_token(), tokens.fresh_token() if opponent == PERSON else None
        names, strategies = [name, ""], [None, None if opponent == PERSON else opponent]
        names[1] = strategies[1] or ""
        if seat == 1:
            names.reverse()
            strategies.reverse()
        room = Room(
            tokens.fresh_id(),
            self.speech(game),
            names,
            (strategies[0], strategies[1]),
            hints,
            secrets.token_hex(32),
            datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        if fork:
            source, ply = fork
            assert source.sitting is not None
            room.origin, room.prefix = f"{source.id}@{ply}", source.sitting.choices[:ply]
        room.tokens[seat] = tokens.digest(token)
        room.invite = tokens.digest(invite) if invite else None
        await self.journal.write(room.saved(None, []))
        self._enter(room)
        return room, token, invite

    async def again(self, source: Room, seat: int | None, ply: int, hints: bool) -> tuple[Room, str, int]:
        """A game that begins where a finished one stood; spectators take the seat that was to move there."""
        if source.sitting is None or not source.over:
            raise NotNow("the game goes on; play it to its end first")
        if ply > len(source.sitting.choices):
            raise NotationError(f"ply is {ply}; 0 to {len(source.sitting.choices)} is allowed")
        state = source.sitting.record({}).state_at(ply)
        if int(source.game.mover(state)) not in (0, 1):
            raise NotationError(f"nobody is to move at ply {ply}; choose a ply where somebody is")
        chair = int(source.game.mover(state)) if seat is None else seat
        opponent = source.strategies[1 - chair] or OPTIMAL
        name = source.names[chair] if source.strategies[chair] is None else "you"
        room, token, _ = await self.create(source.game, opponent, chair, hints, name, (source, ply))
        return room, token, chair

    async def join(self, room: Room, invite: str, name: str) -> tuple[str, int]:
        """The second person takes the free seat; once only."""
        async with room.lock:
            if not tokens.matches(invite, room.invite):
                raise NotYours("this invitation is not for this game, or it has been used")
            seat = room.tokens.index(None)
            token = tokens.fresh_token()
            before = (room.invite, list(room.names), list(room.tokens))
            room.invite, room.names[seat], room.tokens[seat] = None, name, tokens.digest(token)
            try:
                await self.journal.write(room.saved(room.sitting, room.ids))
            except DicewrightError:
                room.invite, room.names, room.tokens = before
                raise
        room.broadcast()
        return token, seat

    async def begin(self, room: Room, seat: int, seed: str) -> None:
        """A person's seed; with the last one the game begins."""
        async with room.lock:
            if room.sitting is not None or room.seeds[seat] is not None:
                return
            room.seeds[seat] = seed
            try:
                await self._start(room)
            except DicewrightError:
                room.seeds[seat] = None
                raise
        room.broadcast()

    async def _start(self, room: Room) -> None:
        """Deal if everybody is there; write down either way."""
        sitting = None
        if room.client_seed is not None and room.ready and room.sitting is None:
            sitting = room.deal(self.settings.dice(room.server_seed, room.client_seed))
        await self.journal.write(room.saved(sitting, room.ids))
        if sitting is not None:
            room.take(sitting)

    async def move(self, room: Room, seat: int, move: str, ply: int, action: str) -> None:
        """Apply one move: checked, written down, then told to everyone. A move id that was seen changes nothing."""
        key, late = f"{seat}:{move}", time.monotonic() + OPPONENT_SECONDS
        while room.sitting is not None and not room.ready and time.monotonic() < late:
            await asyncio.sleep(0.02)  # after a restart the opponent comes a moment after the person
        async with room.lock:
            if key not in room.ids:
                sitting = self._moved(room, seat, ply, action)
                ids = [*room.ids[1 - KEPT_IDS :], key]
                await self.journal.write(room.saved(sitting, ids))
                room.ids = ids
                room.take(sitting)
                room.used = time.monotonic()
        room.broadcast(seat, move)

    def _moved(self, room: Room, seat: int, ply: int, action: str) -> Sitting:
        table = room.sitting
        if table is None or not room.ready:
            raise NotNow(room.progress or "the game has not begun; every person sends a seed first")
        if room.over:
            raise NotNow("the game is over")
        if table.waits_for != seat:
            raise NotNow("the turn is not yours")
        if ply != len(table.choices):
            raise NotNow(f"the table has moved on: ply is {len(table.choices)}, not {ply}")
        choice = room.game.read_choice(action)
        if choice not in table.actions:
            allowed = ", ".join(map(room.game.show_choice, table.actions))
            raise IllegalAction(f"{action} is not allowed now; allowed: {allowed}")
        return table.choose(choice)

    async def find(self, id_: str) -> Room:
        """The room of this id, from memory or from the shelf; Unknown if there is none."""
        if room := self.rooms.get(id_):
            room.used = time.monotonic()
            return room
        if id_ not in self.loading:
            self.loading[id_] = asyncio.create_task(self._load(id_))
            self.loading[id_].add_done_callback(lambda _: self.loading.pop(id_, None))
        return await asyncio.shield(self.loading[id_])

    async def _load(self, id_: str) -> Room:
        try:
            saved = await asyncio.to_thread(self.shelf.get, id_)
        except StorageError:
            raise Unknown("there is no such game") from None
        self._make_place()
        room = self._restored(saved)
        self._enter(room)
        return room

    def _restored(self, saved: SavedGame) -> Room:
        """The room as it was when it was written down."""
        game, tags, secret = playable(saved.game), dict(saved.tags), saved.secret
        if not secret:
            return self._visited(saved, game, tags)
        room = Room(
            saved.id,
            self.speech(game),
            [tags.get("First", ""), tags.get("Second", "")],
            (tags.get("FirstStrategy"), tags.get("SecondStrategy")),
            secret["hints"],
            secret["seed"],
            saved.date,
            secret["tokens"],
            secret["invite"],
            secret["seeds"],
            secret["ids"],
            secret["from"],
            tuple(map(game.read_choice, secret["prefix"])),
        )
        if secret["begun"]:
            self._replay(room, tuple(map(game.read_choice, saved.choices.split())))
        return room

    def _visited(self, saved: SavedGame, game: Any, tags: dict[str, str]) -> Room:
        """A finished game that was put on the shelf from elsewhere: nobody sits there, everybody may look."""
        names = [
            tags.get(seat) or tags.get(f"{seat}Strategy") or seat.lower() for seat in ("First", "Second")
        ]
        strategies = (tags.get("FirstStrategy"), tags.get("SecondStrategy"))
        seed = tags.get("ServerSeed", "")
        room = Room(saved.id, self.speech(game), names, strategies, False, seed, saved.date, given=tags)
        choices = tuple(map(game.read_choice, saved.choices.split()))
        table = Sitting.begin(game, (None, None), self.settings.dice("", ""), choices)
        if saved.ended in ("unfinished", "forfeit") or table.choices != choices:
            raise Unknown("that game did not end by its rules, so it cannot be shown here")
        room.take(replace(table, ended=saved.ended))
        return room

    def _replay(self, room: Room, choices: tuple[Any, ...]) -> None:
        dice = self.settings.dice(room.server_seed, room.client_seed or "")
        room.take(Sitting.begin(room.game, (room.players[0], room.players[1]), dice, choices))

    def _enter(self, room: Room) -> None:
        """Keep the room in memory and call its opponent."""
        self.rooms[room.id] = room
        room.used = time.monotonic()
        if not room.over:
            for seat, text in enumerate(room.strategies):
                if text is not None:
                    self._later(self._seat(room, seat, text))
        if room.hints and room.values is None:
            self._later(self._watch_chance(room))

    def _later(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _seat(self, room: Room, seat: int, text: str) -> None:
        """Bring the opponent to the table, telling how far it is."""
        try:
            task = self.library.opponent(room.game, text, seat)
            while not task.task.done():
                room.progress = self._progress(room, task)
                room.broadcast()
                await asyncio.wait({task.task}, timeout=1.0)
            strategy = task.task.result()
        except DicewrightError as error:
            room.progress = str(error)
            room.broadcast()
            return
        async with room.lock:
            room.progress = None
            room.players[seat] = strategy
            if room.sitting is not None:
                self._replay(room, room.sitting.choices)
            elif room.client_seed is not None:
                await self._start(room)
        room.broadcast()

    def _progress(self, room: Room, task: Any) -> str | None:
        solving = self.library.tasks.get(("solution", room.game.name))
        return (solving.progress if solving else None) or task.progress

    async def _watch_chance(self, room: Room) -> None:
        """Live chances come once a race game is solved."""
        from ..games.race import RaceGame

        if not isinstance(room.game, RaceGame):
            return
        try:
            solution = await asyncio.shield(self.library.solving(room.game).task)
        except DicewrightError:
            return
        room.values = solution.strategies[0]
        room.broadcast()

    def _make_place(self) -> None:
        if len(self.rooms) >= self.settings.limits.rooms:
            self.tidy()
        if len(self.rooms) >= self.settings.limits.rooms:
            raise Busy("too many games are going on; try again later", 60.0)

    def tidy(self) -> None:
        """Forget rooms that nobody is in and nobody asked for lately; the shelf has them."""
        before = time.monotonic() - self.settings.limits.idle_seconds
        for room in [room for room in self.rooms.values() if not room.guests and room.used < before]:
            if not room.lock.locked():
                del self.rooms[room.id]

    def close(self) -> None:
        """Write what waits."""
        for task in self.tasks:
            task.cancel()
        self.journal.close()
