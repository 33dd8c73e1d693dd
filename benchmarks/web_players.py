"""Players for the benchmarks: each holds a websocket, plays Pig by holding at 20, and comes back when it is cut off."""

import asyncio
import json
import random
import time
from dataclasses import dataclass, field

import websockets

HOLD_AT = 20


@dataclass
class Tally:
    """What all players met."""

    seconds: list[float] = field(default_factory=list)  # from a move sent to its state received
    resumed: list[float] = field(default_factory=list)  # from a connection lost to the state on the next one
    moves: int = 0
    games: int = 0
    errors: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)  # acknowledged moves that a later state did not have


async def ask(port: int, path: str, body: dict | None = None, token: str | None = None) -> dict:
    """One REST call over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode() if body is not None else b""
    verb = "POST" if body is not None else "GET"
    head = f"{verb} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    head += f"Authorization: Bearer {token}\r\n" if token else ""
    head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    answer = await reader.read()
    writer.close()
    status, _, rest = answer.partition(b"\r\n\r\n")
    if b" 20" not in status[:16]:
        raise RuntimeError(answer[:200].decode())
    return json.loads(rest)


class Player:
    """One person at one game after another."""

    def __init__(self, port: int, game: str, opponent: str, tally: Tally, every: float = 1.0) -> None:
        self.port, self.game, self.opponent, self.tally, self.every = port, game, opponent, tally, every
        self.measuring = False
        self.made: dict = {}
        self.acknowledged: list[str] = []  # the choices of the last state that was received
        self.number = 0
        self.pending: tuple[str, int, str] | None = None
        self.cut: float | None = None

    async def play(self, until: asyncio.Event) -> None:
        """Play until told to stop, whatever happens to the connection."""
        await asyncio.sleep(random.random() * self.every)
        while not until.is_set():
            try:
                if not self.made:
                    self.made = await self.begin()
                    self.acknowledged, self.pending = [], None
                await self._sit(until)
            except (
                OSError,
                websockets.ConnectionClosed,
                websockets.InvalidHandshake,
                RuntimeError,
                EOFError,
            ) as error:
                if self.cut is None:
                    self.cut = time.perf_counter()
                self._failed(error)
                await asyncio.sleep(0.05 + 0.05 * random.random())

    async def begin(self) -> dict:
        """A new game."""
        body = {"game": self.game, "opponent": self.opponent, "name": "bench"}
        return await ask(self.port, "/api/games", body)

    def _failed(self, error: Exception) -> None:
        self.tally.errors.append(f"{type(error).__name__}: {error}"[:200])

    async def _sit(self, until: asyncio.Event) -> None:
        address = f"ws://127.0.0.1:{self.port}/ws/games/{self.made['id']}"
        async with websockets.connect(
            address, compression=None, origin=f"http://127.0.0.1:{self.port}", ping_interval=None
        ) as socket:
            await socket.send(json.dumps({"type": "hello", "token": self.made["token"], "seen": 0}))
            state = json.loads(await socket.recv())
            if self.cut is not None:
                self.tally.resumed.append(time.perf_counter() - self.cut)
                self.cut = None
            had, self.acknowledged = self.acknowledged, []
            self._note(state)
            if self.acknowledged[: len(had)] != had:
                self.tally.lost.append(f"{self.made['id']}: ply {state['ply']} after {len(had)}, or others")
            if not state["begun"]:
                await socket.send(json.dumps({"type": "begin", "seed": "bench"}))
            state = await self._asked(socket, state)
            due = await self._in_step()
            while state["ended"] is None and not until.is_set():
                state = await self._asked(socket, await self._move(socket, state))
                due += self.every
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if state["ended"] is not None:
                self.tally.games += 1
                self.made = {}

    async def _in_step(self) -> float:
        """When the first move of a connection is due: at once."""
        return time.perf_counter()

    async def _asked(self, socket: websockets.ClientConnection, state: dict) -> dict:
        """The first state, from this one on, that asks for a decision or is the last: the opponent may be coming."""
        while not state["actions"] and state["ended"] is None:
            state = json.loads(await socket.recv())
            self._note(state)
        return state

    def _note(self, state: dict) -> None:
        """Keep the choices that were told, as the page does."""
        if state["type"] == "state":
            del self.acknowledged[state["since"] :]
            self.acknowledged += [event["choice"] for event in state["events"]]

    async def _move(self, socket: websockets.ClientConnection, state: dict) -> dict:
        if self.pending is None or self.pending[1] < state["ply"]:
            self.number += 1
            actions = [action["action"] for action in state["actions"]]
            hold = "hold" in actions and state["position"]["turn"] >= HOLD_AT
            self.pending = (f"m{self.number}", state["ply"], "hold" if hold else actions[0])
        id_, ply, action = self.pending
        sent = time.perf_counter()
        await socket.send(json.dumps({"type": "move", "id": id_, "ply": ply, "action": action}))
        while True:
            answer = json.loads(await socket.recv())
            self._note(answer)
            if answer["type"] == "error":
                self.tally.errors.append(answer["error"])
                self.pending = None
                return state
            if answer.get("applied") == id_:
                break
        if self.measuring:
            self.tally.seconds.append(time.perf_counter() - sent)
        self.tally.moves += 1
        self.pending = None
        return answer
