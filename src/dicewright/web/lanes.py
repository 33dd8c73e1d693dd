"""Who asks, and lanes: a few workers each, for whom one address waits after the other.

Whatever costs processor time goes through a lane of its kind, so that it never keeps waiting what does not; within a
lane nobody waits for all that another address has asked for, only for one piece of it at a time.
"""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

from .refusals import Busy
from .settings import MANY

SERVER = ""  # asks for what nobody asked for, and is not counted
ASKER: ContextVar[str] = ContextVar("asker", default=SERVER)  # the address whose request is being answered
SHORTLY = "try again in a minute"
MOST_WAITING = 32  # of one address, in one lane


class Meter:
    """The seconds that one piece of work kept a worker busy."""

    seconds = 0.0


PLACE: ContextVar["Lane | None"] = ContextVar("place", default=None)  # of the request that is being answered
METER: ContextVar[Meter | None] = ContextVar("meter", default=None)  # of the work that is being done


class Places:
    """A lane for each address: so many of its requests are answered at once, and the others wait for these."""

    def __init__(self, of_address: int) -> None:
        self.of_address = of_address
        self.lanes: dict[str, Lane] = {}
        self.users: Counter[str] = Counter()

    @asynccontextmanager
    async def place(self, who: str) -> AsyncIterator[None]:
        """Have one of the places of this address."""
        lane = self.lanes.setdefault(who, Lane(self.of_address, most=MANY))
        self.users[who] += 1
        token = PLACE.set(lane)
        try:
            async with lane.turn():
                yield
        finally:
            PLACE.reset(token)
            self.users[who] -= 1
            if not self.users[who]:
                del self.users[who], self.lanes[who]


@asynccontextmanager
async def aside() -> AsyncIterator[None]:
    """Let another request of this address have the place while this one only waits."""
    lane = PLACE.get()
    if lane is None:
        yield
        return
    lane.call_next()
    try:
        yield
    finally:
        await lane.wait()


class Lane:
    """`async with lane.turn():` waits for a free worker; among those who wait, addresses take turns."""

    def __init__(self, workers: int, most: int = MOST_WAITING) -> None:
        self.free, self.most = workers, most
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Keep a worker busy; Busy if this address has too much waiting already."""
        await self.wait()
        started = time.perf_counter()
        try:
            yield
        finally:
            self.call_next()
            if (meter := METER.get()) is not None:
                meter.seconds += time.perf_counter() - started

    async def wait(self) -> None:
        """Wait for a worker."""
        if self.free:
            self.free -= 1
            return
        who, turn = ASKER.get(), asyncio.get_running_loop().create_future()
        line = self.waiting.get(who, ())
        if who != SERVER and len(line) >= self.most:
            raise Busy(f"{len(line)} of your questions are waiting already; {SHORTLY}", 20.0)
        self.waiting.setdefault(who, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.call_next()
            raise

    def call_next(self) -> None:
        """Give the worker to the next."""
        while self.waiting:
            who, line = self.waiting.popitem(last=False)
            turn = line.popleft()
            if line:
                self.waiting[who] = line
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1


class Pool:
    """A lane whose workers are threads of its own."""

    def __init__(self, name: str, threads: int) -> None:
        self.lane, self.threads = Lane(threads), ThreadPoolExecutor(threads, name)

    async def do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """What the work gives, done in one of the threads."""
        async with self.lane.turn():
            return await asyncio.get_running_loop().run_in_executor(self.threads, work, *arguments)

    def close(self) -> None:
        """Begin nothing more."""
        self.threads.shutdown(wait=False, cancel_futures=True)
