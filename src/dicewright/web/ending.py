"""How the server ends: what is under way has a moment, what is not done by then gets one sentence or is closed.

uvicorn alone would cancel every request that still waits and log where each of them stood.
"""

import asyncio
import socket
from collections.abc import MutableMapping
from typing import Any

import uvicorn

from .guard import Receive, Scope, Send, refuse

GRACE_SECONDS = 3.0
LAST_SECONDS = 1.0  # more, in which the sentence is to be taken
STOPPING = "the server is stopping; try again in a moment"


class QuietServer(uvicorn.Server):
    """One that ends without a word."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing more, and end; who interrupts a second time does not wait for the moment."""
        late = asyncio.create_task(self._cut_off(GRACE_SECONDS))
        await super().shutdown(sockets)
        late.cancel()
        await self._cut_off(0.0)

    async def _cut_off(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        if tasks := list(self.server_state.tasks):
            for task in tasks:
                task.cancel(STOPPING)
            await asyncio.wait(tasks, timeout=LAST_SECONDS)
        for connection in list(self.server_state.connections):
            connection.transport.abort()  # with whatever it has not taken


class Cutoff:
    """Around the application: a request that is cut off is refused, or closed if its answer has begun."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Do what the application does, and end quietly when the server does."""
        begun = scope["type"] != "http"

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send if begun else noted)
        except asyncio.CancelledError as stopped:
            if stopped.args != (STOPPING,):
                raise
            if not begun:
                return await refuse(send, 503, STOPPING)
            send.__self__.transport.abort()  # type: ignore[attr-defined]
            while not (await receive())["type"].endswith(".disconnect"):
                continue
