"""What one websocket is still to be sent: never more than a little, however slowly it reads."""

import asyncio
from collections import deque
from typing import Any

from starlette.websockets import WebSocket

from ..rooms.room import Room

MOST_WAITING = 64  # frames in an outbox
MOST_BYTES = 262_144  # and their letters


class SocketGuest:
    """A websocket with an outbox, so that a slow reader keeps nobody waiting.

    Whoever hears the socket sends the answers at once while they are taken; all else is sent by `write`, a task.
    """

    def __init__(self, socket: WebSocket, seconds: float) -> None:
        self.socket, self.seconds = socket, seconds
        self.transport = transport_of(socket.scope)
        self.hearer: asyncio.Task[None] | None = None
        self.room: Room | None = None
        self.seat: int | None = None
        self.sent: int | None = None
        self.outbox: deque[str] = deque()
        self.size = 0
        self.behind = False  # frames were thrown away: the whole state is due, as it is then
        self.applied: str | None = None  # the latest move that such a frame acknowledged
        self.news = asyncio.Event()
        self.sending = asyncio.Lock()  # one frame after the other, in their order

    def send(self, frame: str, applied: str | None = None) -> None:
        """Put a frame into the outbox; a reader who is far behind gets one whole state instead of all of it."""
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
                await self._hand_over()
        if self.outbox or self.behind:
            self.news.set()

    async def _hand_over(self) -> None:
        while not self.behind and self._flows() and (frame := self._next()) is not None:
            try:
                await self.socket.send_text(frame)
            except Exception:
                self.outbox.appendleft(frame)
                self.size += len(frame)
                return

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


def transport_of(scope: Any) -> Any:
    """The connection below a websocket, if there is a real one."""
    return scope.get("dicewright.transport")


def abort(scope: Any) -> None:
    """Drop the connection with whatever it has not taken; the server's receiving side is told."""
    transport = transport_of(scope)
    if transport is not None:
        transport.abort()
