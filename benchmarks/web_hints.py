"""How long the first hint of a fresh server takes: asked as soon as the table asks for a decision."""

import asyncio
import json
import time
from typing import Any

import websockets

from .web_players import ask

GAMES = ("pig", "bluff", "bluff:dice=2v2", "mia")
PAUSE = 4.0  # seconds from the server's start to the game: less than a person needs to open the page and to choose
AGAIN = 0.02  # until a hint that was not ready is asked for again


async def first_hint(port: int, game: str) -> float:
    """Seconds from the first question for a hint to the hint."""
    body = {"game": game, "opponent": "optimal", "name": "bench", "seat": "first", "hints": True}
    made = await ask(port, "/api/games", body)
    here = f"127.0.0.1:{port}"
    async with websockets.connect(f"ws://{here}/ws/games/{made['id']}", origin=f"http://{here}") as socket:
        await say(socket, type="hello", token=made["token"])
        state = await hear(socket)
        await say(socket, type="begin", seed="bench")
        while not state["actions"]:
            state = await hear(socket)
        asked = time.perf_counter()
        while True:
            await say(socket, type="hint")
            while (frame := await hear(socket))["type"] == "state":
                pass
            if frame["type"] == "hint":
                return time.perf_counter() - asked
            await asyncio.sleep(AGAIN)


async def say(socket: websockets.ClientConnection, **frame: Any) -> None:
    """Send one frame."""
    await socket.send(json.dumps(frame))


async def hear(socket: websockets.ClientConnection) -> dict:
    """The next frame."""
    return json.loads(await socket.recv())
