"""Live play: what a websocket says, and what it is still to be sent, never more than a little however slow it is."""

import asyncio
import json
import logging
import re
from collections import Counter, deque
from typing import Any

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ..core.errors import DicewrightError
from .guard import TRANSPORT, Bucket, Turnstile, address_of, told
from .rooms.opponents import hint
from .rooms.room import Room
from .rooms.rooms import Rooms
from .rooms.views import dumps
from .settings import FRAME_BYTES, Busy, NotNow, Settings, Soon, Unavailable, Unknown

MOST_WAITING = 64  # frames in an outbox
MOST_BYTES = 262_144  # and their letters
log = logging.getLogger("dicewright")
LIMIT, LARGE, FAILED, LATER, NO_GAME, WRONG_TOKEN = 1008, 1009, 1011, 1013, 4404, 4403
CLOSE_SECONDS = 5.0
SEED = re.compile(r"[ !#-\[\]-~]{1,64}")
WORD = re.compile(r"[!-~]{1,64}")
MOST_PLY = 1_000_000
router = APIRouter()


@router.websocket("/ws/games/{id}")
async def live(socket: WebSocket, id: str) -> None:
    """One live game."""
    await socket.app.state.server.sockets.serve(socket, id)


class SocketGuest:
    """A websocket with an outbox, so that a slow reader keeps nobody waiting.

    Whoever hears the socket sends the answers at once while they are taken; all else is sent by `write`, a task.
    """

    def __init__(self, socket: WebSocket, seconds: float) -> None:
        self.socket, self.seconds = socket, seconds
        self.transport = socket.scope.get(TRANSPORT)
        self.hearer: asyncio.Task[None] | None = None
        self.room: Room | None = None
        self.seat: int | None = None  # of a player; None for a spectator
        self.sent: int | None = None  # how many events it has; None: it wants all of them every time
        self.outbox: deque[str] = deque()
        self.size = 0
        self.behind = False  # frames were thrown away: the whole state is due, as it is then
        self.applied: str | None = None  # the latest move that such a frame acknowledged
        self.news = asyncio.Event()
        self.sending = asyncio.Lock()  # one frame after the other, in their order

    def send(self, frame: str, applied: str | None = None) -> None:
        """Put a frame into the outbox; `applied` is the move that it acknowledges.

        A reader who is far behind gets one whole state instead of all of it.
        """
        self.size += len(frame)
        if self.outbox and (len(self.outbox) >= MOST_WAITING or self.size > MOST_BYTES):
            self.behind = True
        self.applied = applied or self.applied
        if self.behind:
            self.outbox.clear()
            self.size = 0
        else:
            self.outbox.append(frame)
        if self.hearer is None or asyncio.current_task() is not self.hearer:
            self.news.set()

    async def answer(self) -> None:
        """Send what is in the outbox as long as it is taken; the rest, and what goes wrong, is left to `write`."""
        if not self.sending.locked():
            async with self.sending:
                while not self.behind and self._flows() and (frame := self._next()) is not None:
                    try:
                        await self.socket.send_text(frame)
                    except Exception:
                        self.outbox.appendleft(frame)
                        self.size += len(frame)
                        break
        if self.outbox or self.behind:
            self.news.set()

    async def write(self) -> None:
        """Send what is in the outbox, for ever; TimeoutError if a frame is not taken in time."""
        while True:
            await self.news.wait()
            self.news.clear()
            async with self.sending:
                while (frame := self._next()) is not None:
                    async with asyncio.timeout(self.seconds):
                        await self.socket.send_text(frame)

    def _flows(self) -> bool:
        """Whether all was taken so far: then nobody waits to send the next frame."""
        return self.transport is not None and not self.transport.get_write_buffer_size()

    def _next(self) -> str | None:
        if self.behind and self.room is not None:
            self.behind = False
            return self.room.state_frame(self.seat, 0, self.applied)
        if not self.outbox:
            self.applied = None
            return None
        frame = self.outbox.popleft()
        self.size -= len(frame)
        return frame


class Leave(Exception):  # noqa: N818 (reads as what happened)
    """The connection ends with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Sockets:
    """All websockets of the server."""

    def __init__(self, settings: Settings, rooms: Rooms, turnstile: Turnstile) -> None:
        self.settings, self.rooms, self.turnstile = settings, rooms, turnstile
        self.count = 0
        self.of_address: Counter[str] = Counter()

    async def serve(self, socket: WebSocket, id_: str) -> None:
        """One websocket from its first frame to its last."""
        address, limits = address_of(socket.scope), self.settings.limits
        await socket.accept()
        if self.count >= limits.sockets or self.of_address[address] >= limits.sockets_of_address:
            return await _close(socket, LIMIT, "too many connections")
        try:
            self.turnstile.pass_("opens", address)
        except Busy as busy:
            return await _close(socket, LIMIT, str(busy))
        self.count += 1
        self.of_address[address] += 1
        try:
            await self._talk(socket, id_)
        except Leave as leave:
            if socket.application_state is WebSocketState.CONNECTED:
                await _close(socket, leave.code, leave.reason)
        except (WebSocketDisconnect, RuntimeError) as error:
            if not isinstance(error, WebSocketDisconnect) and socket.client_state is WebSocketState.CONNECTED:
                raise
        finally:
            self.count -= 1
            self.of_address[address] -= 1
            if not self.of_address[address]:
                del self.of_address[address]

    async def _talk(self, socket: WebSocket, id_: str) -> None:
        limits = self.settings.limits
        bucket, guest = Bucket(limits.frames), SocketGuest(socket, limits.send_seconds)
        try:
            async with asyncio.timeout(limits.hello_seconds):
                hello = await _frame(socket, bucket)
        except TimeoutError:
            raise Leave(LIMIT, "no hello") from None
        try:
            room = await self.rooms.find(id_)
        except Unknown:
            raise Leave(NO_GAME, "no such game") from None
        except (Unavailable, Busy) as error:
            raise Leave(LATER, str(error)[:100]) from None
        except DicewrightError as error:  # rules that are not shown here, and never will be
            raise Leave(NO_GAME, told(error)[:100]) from None
        self._greet(guest, room, hello)
        reader = asyncio.create_task(self._read(room, guest, bucket))
        writer = asyncio.create_task(guest.write())
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
            if not reader.done():
                self._cut(room, writer)
            reader.result()
        finally:
            room.guests.discard(guest)
            self.rooms.leave(room)
            if guest.seat is not None and len(room.people) > 1:
                room.broadcast()
            for task in (reader, writer):
                task.add_done_callback(lambda done: done.cancelled() or done.exception())
                task.cancel()
            await asyncio.wait({reader, writer})
            guest.hearer = None
            # their errors lead back here: such a ring would keep the whole game in memory
            del reader, writer, task

    async def _read(self, room: Room, guest: SocketGuest, bucket: Bucket) -> None:
        guest.hearer = asyncio.current_task()
        while True:
            await self._answer(room, guest, await _frame(guest.socket, bucket))
            await guest.answer()

    def _cut(self, room: Room, writer: "asyncio.Task[None]") -> None:
        """Nothing can be sent any more: leave."""
        error = writer.exception()
        if isinstance(error, TimeoutError):
            raise Leave(LIMIT, "nothing is read")
        if not isinstance(error, (WebSocketDisconnect, RuntimeError, OSError)):
            log.error("a frame of game %s could not be made", room.id, exc_info=error)
            raise Leave(FAILED, "a mistake of the server's")
        raise WebSocketDisconnect(1006)

    def _greet(self, guest: SocketGuest, room: Room, hello: Any) -> None:
        if not isinstance(hello, dict) or hello.get("type") != "hello":
            raise Leave(LIMIT, "say hello first")
        token, seen = hello.get("token"), hello.get("seen")
        if token is not None:
            guest.seat = room.seat_of(token) if isinstance(token, str) else None
            if guest.seat is None:
                raise Leave(WRONG_TOKEN, "this token is not for this game")
        elif room.private:
            raise Leave(NO_GAME, "no such game")
        guest.room = room
        room.guests.add(guest)
        if type(seen) is int and 0 <= seen <= MOST_PLY:
            guest.sent = seen
        room.tell(guest)
        if guest.seat is not None and len(room.people) > 1:
            room.broadcast()

    async def _answer(self, room: Room, guest: SocketGuest, frame: Any) -> None:
        """Do what the frame says; what cannot be done is answered by a sentence."""
        move = frame.get("id") if isinstance(frame, dict) else None
        move = move if isinstance(move, str) and WORD.fullmatch(move) else None
        try:
            await self._do(room, guest, frame, move)
        except DicewrightError as error:
            self._refuse(guest, frame, move, told(error), isinstance(error, (Busy, Soon)))
        except WebSocketDisconnect:
            raise
        except Exception:
            log.exception("a frame for game %s failed", room.id)
            self._refuse(guest, frame, move, "a mistake of the server's; it was noted")

    def _refuse(
        self, guest: SocketGuest, frame: Any, move: str | None, why: str, later: bool = False
    ) -> None:
        """An `error` frame; one that answers a hint is about no move, and says whether to ask again."""
        found: dict[str, Any] = {"type": "error", "id": move, "error": why}
        if isinstance(frame, dict) and frame.get("type") == "hint":
            found |= {"of": "hint", "later": later}
        guest.send(dumps(found))

    async def _do(self, room: Room, guest: SocketGuest, frame: Any, move: str | None) -> None:
        kind = frame.get("type") if isinstance(frame, dict) else None
        if kind not in ("begin", "move", "hint", "back"):
            raise NotNow("frames are objects of the type begin, move, hint or back")
        if guest.seat is None:
            raise NotNow("spectators only watch")
        if kind == "begin":
            seed = frame.get("seed")
            if not isinstance(seed, str) or not SEED.fullmatch(seed):
                raise NotNow("a seed has 1 to 64 plain letters, without quotes and backslashes")
            await self.rooms.begin(room, guest.seat, seed)
        elif kind == "move":
            ply, action = frame.get("ply"), frame.get("action")
            if move is None or type(ply) is not int or not isinstance(action, str) or len(action) > 64:
                raise NotNow("a move has an id (1 to 64 letters), a ply (a number) and an action (text)")
            if not await self.rooms.move(room, guest.seat, move, ply, action):
                room.tell(guest, move)
        elif kind == "back":
            ply = frame.get("ply")
            if type(ply) is not int:
                raise NotNow("taking back names the ply (a number) of the state that it answers")
            self.turnstile.pass_("hard", address_of(guest.socket.scope))
            await self.rooms.take_back(room, guest.seat, ply)
        else:
            self.turnstile.pass_("asks", address_of(guest.socket.scope))
            guest.send(await hint(self.rooms.prepared, room, guest.seat))


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    """Close, also if the other side takes nothing any more."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(code, reason)
    except TimeoutError:
        if (transport := socket.scope.get(TRANSPORT)) is not None:
            transport.abort()  # with whatever it has not taken; the server's receiving side is told


async def _frame(socket: WebSocket, bucket: Bucket) -> Any:
    """The next frame as data; None if it is no JSON."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    if bucket.take():
        raise Leave(LIMIT, "too many frames")
    text = message.get("text")
    size = len(message.get("bytes") or b"") if text is None else len(text.encode("utf-8", "replace"))
    if size > FRAME_BYTES:
        raise Leave(LARGE, "frame too large")
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
