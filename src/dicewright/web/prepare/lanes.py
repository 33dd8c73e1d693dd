"""Who asks, what that costs, and lanes: a few workers each, for whom one address waits after the other.

Whatever costs processor time goes through a lane of its kind, so that it never keeps waiting what does not; within a
lane nobody waits for all that another address has asked for, only for one piece of it at a time.
"""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from ...core.effort import LITTLE
from ...core.game import WrittenGame
from ...families import family
from ..rooms.views import OPTIMAL
from ..settings import MANY, Busy

SERVER = ""  # asks for what nobody asked for, and is not counted
ASKER: ContextVar[str] = ContextVar("asker", default=SERVER)  # the address whose request is being answered
SHORTLY = "try again in a minute"
MOST_WAITING = 32  # of one address, in one lane
UNDER_WAY: set["asyncio.Task[Any]"] = set()  # Python itself would forget them
T = TypeVar("T")
A_MOMENT = 0.1  # seconds: what is at hand is loaded, what is simple is written down
TOURNAMENT = 10.0
PLY = 5e-3  # seconds for a ply judged
OPENED, REPLAYED = 1e-3, 5e-5  # seconds for a game, and for each of its plies
TRIED = 2.5e-6  # seconds for a choice that is tried


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """What the work gives; whoever waits for it may leave, and it is done to its end all the same."""
    return await asyncio.shield(_under_way(work))


def _under_way(work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
    task = asyncio.create_task(work)
    UNDER_WAY.add(task)
    task.add_done_callback(_done)
    return task


def _done(task: "asyncio.Task[Any]") -> None:
    UNDER_WAY.discard(task)
    if not task.cancelled():
        task.exception()  # who waits gets it; if nobody does any more, nobody is to be told


class Meter:
    """The seconds that one piece of work kept a worker busy."""

    seconds = 0.0


PLACE: ContextVar["Place | None"] = ContextVar("place", default=None)  # of the request that is being answered
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
        place = Place(self.lanes.setdefault(who, Lane(self.of_address, most=MANY)))
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


class Place:
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

    async def do(self, threads: Executor, work: Callable[..., Any], *arguments: Any) -> Any:
        """What the work gives, done in one of these threads.

        Whoever waits for it may leave; the thread goes on, and its worker is busy until it has done its work.
        """
        await self.wait()
        return await to_its_end(self._done(threads, work, arguments))

    async def _done(self, threads: Executor, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        with self.busy():
            return await asyncio.get_running_loop().run_in_executor(threads, work, *arguments)

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


class Pool:
    """A lane whose workers are threads of its own."""

    def __init__(self, name: str, threads: int, most: int = MOST_WAITING) -> None:
        self.lane, self.threads = Lane(threads, most), ThreadPoolExecutor(threads, name)

    async def do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """What the work gives, done in one of the threads."""
        return await self.lane.do(self.threads, work, *arguments)

    def close(self) -> None:
        """Begin nothing more."""
        self.threads.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True)
class Cost:
    """Seconds of a processor, and bytes that stay: known from the rules before it is begun, corrected afterwards."""

    seconds: float = A_MOMENT
    size: int = LITTLE

    @staticmethod
    def solving(game: WrittenGame, at_hand: bool) -> "Cost":
        """Of the solution."""
        effort = family(game).effort(game)
        return Cost(A_MOMENT + (0.0 if at_hand else effort.seconds), effort.size)

    @staticmethod
    def opponent(game: WrittenGame, text: str) -> "Cost":
        """Of a player; solving, if it needs that, is counted by itself, unless it is not the game's own."""
        built = text.partition(":")[0] in family(game).built and text != OPTIMAL
        effort = family(game).player_effort(game, built)
        return Cost(A_MOMENT + effort.seconds, effort.size)

    @staticmethod
    def picture(game: WrittenGame, what: str) -> "Cost":
        """Of one of the game's pictures."""
        return Cost(A_MOMENT + family(game).drawn(game)[what].seconds(game))

    @staticmethod
    def dealing(game: WrittenGame, plies: int) -> "Cost":
        """Of a game taken up after so many choices: each roll that was hidden is tried with all that came after it."""
        rolls = family(game).rolls_tried(game)
        return Cost(A_MOMENT + TRIED * rolls * plies**2 / 12, 0)

    @staticmethod
    def replaying(plies: int) -> "Cost":
        """Of a game that is replayed or written out."""
        return Cost(OPENED + REPLAYED * plies, 0)

    @staticmethod
    def analysis(plies: int) -> "Cost":
        """Of every ply judged."""
        return Cost(A_MOMENT + PLY * plies)
