"""One address asks for as much work as its limits allow; how long another one waits for its list, move and hint.

The server runs with the limits of `dicewright serve`. The attacker calls from 127.0.0.1, the other client from
127.0.0.2. The slowest of each kind under the attack is judged by the middle one of the quiet time before.
"""

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain, cycle
from typing import Any

import websockets

KINDS = ("list", "move", "hint")
ATTACKER, OTHER = "127.0.0.1", "127.0.0.2"
QUIET, ATTACKED, BETWEEN = 10.0, 20.0, 0.6  # seconds
AT_ONCE, PAUSE = (
    60,
    0.027,
)  # the attacker's first questions, and between the later ones: 40 a second are allowed
LEAVERS, LEAVE_EVERY = 4, 0.9  # websockets that ask for a hint and close; 5 a second may be opened
LEFT = {"game": "bluff-match:dice=2v2", "opponent": "truthful", "hints": True}
RUNS, FACTOR, SHORT = 3, 3.0, 0.050
PATIENCE = 60.0

RULES = [f"/api/rules?game=pig:goal={goal}" for goal in range(500, 100, -1)]
OTHERS = [
    [f"/api/rules?game=hog:goal={goal},dice=20" for goal in range(500, 400, -1)],
    [f"/api/explore/race?game=pig:goal={goal}&yours=9&strategy=hold:9" for goal in range(200, 100, -1)],
    [f"/api/explore/surface?game=pig:goal={goal}" for goal in range(200, 100, -1)],
    [f"/api/explore/tournament?game=pig:goal={goal}" for goal in range(200, 100, -1)],
    [
        {"game": f"pig:goal={goal}", "opponent": "max-difference", "hints": True}
        for goal in range(499, 399, -1)
    ],
    [{"game": f"pig:goal={goal},skip=yes", "opponent": "skip-when-equal"} for goal in range(499, 399, -1)],
    [f"/api/explore/ranges?game=liars-die:sides={sides}" for sides in range(300, 200, -1)],
    [f"/api/drills/question?game=bluff:dice=3v1&seed={seed}" for seed in range(100)],
    [{"game": "bluff-match:dice=5v5", "opponent": "call-below:0.3", "seat": "second"} for _ in range(100)],
]
ATTACKS = {"60 rules": RULES, "everything": list(chain.from_iterable(zip(*OTHERS, strict=True)))}


@dataclass
class Times:
    """Seconds of each kind of question."""

    of: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def middle(self, kind: str) -> float:
        return sorted(self.of[kind])[len(self.of[kind]) // 2]

    def worst(self, kind: str) -> float:
        return max(self.of[kind])


async def ask(port: int, address: str, what: str | dict[str, Any]) -> tuple[int, Any]:
    """One REST call from this address: the status and the document."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    data = b"" if isinstance(what, str) else json.dumps(what).encode()
    verb = f"GET {what}" if isinstance(what, str) else "POST /api/games"
    head = f"{verb} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    writer.write(
        f"{head}Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data
    )
    try:
        answer = await reader.read()
    finally:
        writer.close()
    top, _, body = answer.partition(b"\r\n\r\n")
    return int(top.split()[1]), json.loads(body)


class Client:
    """The other one: it plays Pig with hints, holding whenever it can, and looks at the list."""

    def __init__(self, port: int) -> None:
        self.port, self.number = port, 0
        self.socket: websockets.ClientConnection | None = None
        self.state: dict[str, Any] = {}

    async def sit(self) -> None:
        """Begin a game that is ready for hints."""
        _, made = await ask(
            self.port, OTHER, {"game": "pig", "opponent": "optimal", "name": "bench", "hints": True}
        )
        here = f"127.0.0.1:{self.port}"
        if self.socket is not None:
            await self.socket.close()
        self.socket = await websockets.connect(
            f"ws://{here}/ws/games/{made['id']}", origin=f"http://{here}", local_addr=(OTHER, 0)
        )
        await self._say(type="hello", token=made["token"])
        await self._say(type="begin", seed="bench")
        await self._until(lambda frame: frame["type"] == "state" and frame["actions"])
        while True:
            await self._say(type="hint")
            if (await self._until(lambda frame: frame["type"] != "state"))["type"] == "hint":
                return
            await asyncio.sleep(BETWEEN)

    async def measure(self, seconds: float) -> Times:
        """The times of lists, moves and hints for so long."""
        times, end = Times(), time.perf_counter() + seconds
        while time.perf_counter() < end:
            if self.state["ended"] is not None:
                await self.sit()
            began = time.perf_counter()
            status, _ = await ask(self.port, OTHER, "/api/games")
            assert status == 200, status
            times.of["list"].append(time.perf_counter() - began)
            began = time.perf_counter()
            await self._say(type="hint")
            told = await self._until(lambda frame: frame["type"] != "state")
            assert told["type"] == "hint", told
            times.of["hint"].append(time.perf_counter() - began)
            self.number += 1
            began, id_ = time.perf_counter(), f"m{self.number}"
            action = self.state["actions"][-1]["action"]
            await self._say(type="move", id=id_, ply=self.state["ply"], action=action)
            await self._until(lambda frame, id_=id_: frame.get("applied") == id_)
            times.of["move"].append(time.perf_counter() - began)
            await asyncio.sleep(BETWEEN * (0.8 + 0.4 * random.random()))
        return times

    async def _say(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def _until(self, true: Any) -> dict[str, Any]:
        while True:
            frame = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            if frame["type"] == "state":
                self.state = frame
            if true(frame):
                return frame


@dataclass
class Met:
    """What became of the attacker's questions."""

    answered: int = 0
    refused: Counter[int] = field(default_factory=Counter)  # by status, or by the code of a closed websocket
    failed: Counter[str] = field(default_factory=Counter)  # by error
    left: int = 0  # websockets closed by the attacker right after asking for a hint
    open: int = 0  # not answered when the attack ended

    def note(self, status: int) -> None:
        if status < 400:
            self.answered += 1
        else:
            self.refused[status] += 1

    def __str__(self) -> str:
        refused = ", ".join(f"{count} by {code}" for code, count in sorted(self.refused.items()))
        failed = ", ".join(f"{count} by {name}" for name, count in sorted(self.failed.items()))
        return (
            f"attacker: {self.answered} answered, {self.refused.total()} refused ({refused or '-'}), "
            f"{self.failed.total()} failed ({failed or '-'}), {self.open} open, {self.left} hints left"
        )

    @property
    def harmless(self) -> bool:
        """Whether nothing was done for the attacker: then the attack has shown nothing."""
        return not self.answered and not self.left


async def attack(port: int, asks: list[Any], until: asyncio.Event) -> Met:
    """Ask all of it, as fast as the limits allow, while a few websockets come and go; what became of it."""
    met, tasks = Met(), set()

    async def one(what: Any) -> None:
        try:
            status, _ = await ask(port, ATTACKER, what)
        except (OSError, ValueError, IndexError) as error:
            met.failed[type(error).__name__] += 1
        else:
            met.note(status)

    leavers = [asyncio.create_task(leave(port, met, until)) for _ in range(LEAVERS)]
    for number, what in enumerate(cycle(asks)):
        if until.is_set():
            break
        task = asyncio.create_task(one(what))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        if number >= AT_ONCE:
            await asyncio.sleep(PAUSE)
    met.open = len(tasks)
    for task in (*tasks, *leavers):
        task.cancel()
    await asyncio.gather(*tasks, *leavers, return_exceptions=True)
    return met


async def leave(port: int, met: Met, until: asyncio.Event) -> None:
    """Sit down, ask for a hint and close before it is there, again and again."""
    made: dict[str, Any] | None = None
    here = f"127.0.0.1:{port}"
    while not until.is_set():
        try:
            if made is None:
                status, found = await ask(port, ATTACKER, LEFT)
                met.note(status)
                made = found if status < 400 else None
            if made is not None:
                path = f"ws://{here}/ws/games/{made['id']}"
                async with websockets.connect(
                    path, origin=f"http://{here}", local_addr=(ATTACKER, 0)
                ) as socket:
                    for frame in (
                        {"type": "hello", "token": made["token"]},
                        {"type": "begin", "seed": "bench"},
                        {"type": "hint"},
                    ):
                        await socket.send(json.dumps(frame))
                    await asyncio.wait_for(socket.recv(), PATIENCE)
                    await socket.send(json.dumps({"type": "hint"}))
                    met.left += 1
        except websockets.ConnectionClosed as error:
            met.refused[error.rcvd.code if error.rcvd else 1006] += 1
        except (OSError, ValueError, IndexError, TimeoutError, websockets.InvalidHandshake) as error:
            met.failed[type(error).__name__] += 1
        await asyncio.sleep(LEAVE_EVERY)


async def run(port: int, asks: list[Any]) -> tuple[Times, Times, Met]:
    """Quiet times, attacked times, and what became of the attacker's questions."""
    client, stop = Client(port), asyncio.Event()
    await client.sit()
    quiet = await client.measure(QUIET)
    attacker = asyncio.create_task(attack(port, asks, stop))
    attacked = await client.measure(ATTACKED)
    stop.set()
    return quiet, attacked, await attacker
