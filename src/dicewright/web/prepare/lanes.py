"""Who asks, and lanes: a few workers each, threads or another process, for whom one address waits after the other.

Whatever costs processor time goes through a lane of its kind, so that it never keeps waiting what does not; within a
lane nobody waits for all that another address has asked for, only for one piece of it at a time.
"""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ...core import errors
from ...core.errors import DicewrightError, TooLarge
from ..settings import MANY, Busy

SERVER = ""  # asks for what nobody asked for, and is not counted
ASKER: ContextVar[str] = ContextVar("asker", default=SERVER)  # the address whose request is being answered
SHORTLY = "try again in a minute"
MOST_WAITING = 32  # of one address, in one lane
UNDER_WAY: set["asyncio.Task[Any]"] = set()  # Python itself would forget them
T = TypeVar("T")
SECONDS = 120.0  # for one question to another process; then it is stopped
NICE = 10  # the server goes first on a busy machine
DOCUMENT = "document"


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """What the work gives; whoever waits for it may leave, and it is done to its end all the same."""
    task = asyncio.create_task(work)
    UNDER_WAY.add(task)
    task.add_done_callback(_done)
    return await asyncio.shield(task)


def _done(task: "asyncio.Task[Any]") -> None:
    UNDER_WAY.discard(task)
    if not task.cancelled():
        task.exception()  # who waits gets it; if nobody does any more, nobody is to be told


class Meter:
    """The seconds that one piece of work kept a worker busy."""

    seconds = 0.0


PLACE: ContextVar["Berth | None"] = ContextVar("place", default=None)  # of the request that is being answered
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
        place = Berth(self.lanes.setdefault(who, Lane(self.of_address, most=MANY)))
        self.users[who] += 1
        token = PLACE.set(place)
        try:
            await place.take()
            yield
        finally:
            place.give()
            PLACE.reset(token)
            self.users[who] -= 1
            if not self.users[who]:
                del self.users[who], self.lanes[who]


class Berth:
    """One of the places of an address, given back once however often it was lent."""

    def __init__(self, lane: "Lane") -> None:
        self.lane, self.taken = lane, False

    async def take(self) -> None:
        """Wait for it."""
        await self.lane.wait()
        self.taken = True

    def give(self) -> None:
        """Let the next have it, unless somebody has it already."""
        if self.taken:
            self.taken = False
            self.lane.call_next()


@asynccontextmanager
async def aside() -> AsyncIterator[None]:
    """Let another request of this address have the place while this one only waits."""
    place = PLACE.get()
    if place is None:
        yield
        return
    place.give()
    try:
        yield
    finally:
        await place.take()


class Lane:
    """Whoever needs a worker waits until one is free; among those who wait, addresses take turns."""

    def __init__(self, workers: int, most: int = MOST_WAITING) -> None:
        self.free, self.most = workers, most
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Keep the worker that was waited for busy; then the next has it."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.call_next()
            if (meter := METER.get()) is not None:
                meter.seconds += time.perf_counter() - started

    async def wait(self) -> None:
        """Wait for a worker; Busy if this address has too much waiting already."""
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


class Pool(Lane):
    """A lane whose workers are threads of its own."""

    def __init__(self, name: str, threads: int, most: int = MOST_WAITING) -> None:
        super().__init__(threads, most)
        self.threads = ThreadPoolExecutor(threads, name)

    async def do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """What the work gives, done in one of the threads.

        Whoever waits for it may leave; the thread goes on, and its worker is busy until it has done its work.
        """
        await self.wait()
        return await to_its_end(self._done(work, arguments))

    async def _done(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        with self.busy():
            return await asyncio.get_running_loop().run_in_executor(self.threads, work, *arguments)

    def close(self) -> None:
        """Begin nothing more."""
        self.threads.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, eq=False)
class Document:
    """Bytes that go through the server as they are, and what the server itself wants to know of them."""

    body: bytes
    told: Any = None


class Helper(Pool):
    """A lane whose worker is another process (builder.py), started when it is first asked and again if it has died.

    A thread waits for its answers.
    """

    def __init__(self, name: str = "helper", seconds: float = SECONDS) -> None:
        super().__init__(name, 1)
        self.seconds, self.closed, self.lock = seconds, False, threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.pipe: Connection | None = None

    async def ask(self, hear: Callable[[str], None], work: str, *arguments: Any) -> Any:
        """What the other process makes of this work, one after another; `hear` is told how far it is."""
        return await self.do(self._ask, hear, work, arguments)

    def _ask(self, hear: Callable[[str], None], work: str, arguments: tuple[Any, ...]) -> Any:
        (process, pipe), started = self._running(), time.monotonic()
        late = threading.Timer(self.seconds, process.kill)
        late.daemon = True
        late.start()
        try:
            pipe.send_bytes(json.dumps((work, arguments)).encode())
            while (found := json.loads(pipe.recv_bytes()))[0] is None:
                hear(found[1])
            if found[0] == DOCUMENT:
                return Document(pipe.recv_bytes(), found[1])
        except (OSError, EOFError, ValueError) as error:
            process.kill()
            process.wait()
            if time.monotonic() - started >= self.seconds:
                raise TooLarge(f"this took longer than {self.seconds:.0f} s here and was stopped") from error
            raise DicewrightError("the process that solves games has ended") from error
        finally:
            late.cancel()
        done, answer = found
        if done:
            return answer
        name, sentence = answer
        kind = getattr(errors, name, None) if name else None
        raise kind(sentence) if kind else RuntimeError(sentence)

    def _running(self) -> tuple[subprocess.Popen[bytes], Connection]:
        with self.lock:
            if self.closed:
                raise DicewrightError("the server is stopping")
            if self.process is None or self.pipe is None or self.process.poll() is not None:
                self.pipe, theirs = Pipe()
                command = [sys.executable, "-m", "dicewright.web.prepare.builder", str(theirs.fileno())]
                # a session of its own: Ctrl-C is for the server, which ends it
                self.process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], start_new_session=True
                )
                theirs.close()
                os.setpriority(os.PRIO_PROCESS, self.process.pid, os.nice(0) + NICE)
            return self.process, self.pipe

    def close(self) -> None:
        """Stop the process, whatever it is doing, and start no other."""
        super().close()
        with self.lock:
            self.closed, process = True, self.process
        if process is not None:
            process.kill()
            process.wait()
