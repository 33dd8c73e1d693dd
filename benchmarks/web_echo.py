"""The baseline of the load: a websocket server that only says back what it hears, at the same pace."""

import asyncio
import random
import sys
import time
from typing import Any

import uvicorn
import websockets

WORDS = "x" * 600  # about as long as the state that answers a move


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Every text is answered by the same text and 600 letters."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"] + WORDS})


async def talk(port: int, seconds: list[float], since: float, until: float) -> None:
    """One websocket that says something once a second; how long each answer took from `since` on."""
    await asyncio.sleep(random.random())
    async with websockets.connect(f"ws://127.0.0.1:{port}", compression=None, ping_interval=None) as socket:
        due = time.perf_counter()
        while due < until:
            sent = time.perf_counter()
            await socket.send("a move")
            await socket.recv()
            if sent > since:
                seconds.append(time.perf_counter() - sent)
            due += 1.0
            await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def measure(port: int, sockets: int, ramp: float, length: float) -> list[float]:
    """The times of all answers within `length` seconds after the ramp, sorted."""
    seconds: list[float] = []
    since = time.perf_counter() + ramp
    await asyncio.gather(*(talk(port, seconds, since, since + length) for _ in range(sockets)))
    return sorted(seconds)


if __name__ == "__main__":
    uvicorn.run(
        app,
        port=int(sys.argv[1]),
        log_level="warning",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )
