"""Who asks, and lanes: a few workers each, for whom one address waits after the other.

Whatever costs processor time goes through a lane of its kind, so that it never keeps waiting what does not; within a
lane nobody waits for all that another address has asked for, only for one piece of it at a time.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

from .refusals import Busy

SERVER = ""  # asks for what nobody asked for, and is not counted
ASKER: ContextVar[str] = ContextVar("asker", default=SERVER)  # the address whose request is being answered
SHORTLY = "try again in a minute"
MOST_WAITING = 32  # of one address, in one lane


class Meter:
    """The seconds that one piece of work kept a worker busy."""

    seconds = 0.0


METER: ContextVar[Meter | None] = ContextVar("meter", default=None)  # of the work that is being done


class Lane:
    """`async with lane.turn():` waits for a free worker; among those who wait, addresses take turns."""

    def __init__(self, workers: int, most: int = MOST_WAITING) -> None:
        self.free, self.most = workers, most
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Keep a worker busy; Busy if this address has too much waiting already."""
        await self._wait()
        started = time.perf_counter()
        try:
            yield
        finally:
            self._call_next()
            if (meter := METER.get()) is not None:
                meter.seconds += time.perf_counter() - started

    async def _wait(self) -> None:
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
                self._call_next()
            raise

    def _call_next(self) -> None:
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
