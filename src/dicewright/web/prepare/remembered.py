"""What is being prepared and what is ready: begun within budgets, and remembered as long as there is room.

What each address has had done lately is counted in processor seconds, and what is kept for it in bytes. Nobody's wishes
throw out what somebody uses: forgetting it would free no memory, and it would be made again. Nor what the server
itself has asked for.
"""

import asyncio
import logging
import time
import weakref
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np

from ...core.effort import LITTLE
from ...core.errors import DicewrightError, TooLarge
from ...core.game import WrittenGame
from ...families import family
from ..guard import Buckets
from ..rooms.views import OPTIMAL
from ..settings import Allowance, Busy
from .lanes import ASKER, METER, SERVER, SHORTLY, Document, Meter, to_its_end

log = logging.getLogger("dicewright")
RETRY_SECONDS = 30.0
YOURS, ALL = "you have", "all players have"
SMALL = 4_096  # bytes of an array that is not worth counting
MOST_PARTS = 20_000  # of one value that are looked at
MOST_KEPT = 64  # solutions, opponents and documents in memory, each
MOST_HEAVY = 32  # maps, ranges and analyses that are drawn or wait

A_MOMENT = 0.1  # seconds: what is at hand is loaded, what is simple is written down
PLY = 5e-3  # seconds for a ply judged
OPENED, REPLAYED = 1e-3, 5e-5  # seconds for a game, and for each of its plies
TRIED = 2.5e-6  # seconds for a choice that is tried

Key = tuple[str, ...]  # its kind first


@dataclass(frozen=True)
class Cost:
    """Seconds of a processor, and bytes that stay: known from the rules before it is begun, corrected afterwards."""

    seconds: float = A_MOMENT
    size: int = LITTLE

    @staticmethod
    def solving(game: WrittenGame, at_hand: bool) -> "Cost":
        """Of the solution."""
        effort = family(game).effort(game)
        return Cost(A_MOMENT + (0.0 if at_hand else effort.seconds + effort.proof), effort.size)

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


class Task:
    """Something that is prepared once, and the error if it cannot be."""

    def __init__(self, what: str, work: Coroutine[Any, Any, Any]) -> None:
        self.what, self.who = what, ASKER.get()
        self.size = 0  # bytes that the result keeps in memory, once it is there
        self.news: str | None = None  # how far it is, if it says so
        self.started = time.monotonic()
        self.task: asyncio.Future[Any] = asyncio.create_task(work)
        self.task.add_done_callback(self._seen)

    def _seen(self, task: "asyncio.Future[Any]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, DicewrightError):
            log.error("%s failed", self.what, exc_info=error)

    @property
    def ready(self) -> bool:
        """Whether the result is there."""
        return self.task.done() and not self.task.cancelled() and self.task.exception() is None

    def let_go(self) -> bool:
        """Have the result no longer; False if somebody uses it, for then it would stay in memory and is kept here."""
        if not (self.ready and self.size):
            return True
        used, again = weakref.ref(self.task.result()), asyncio.get_running_loop().create_future()
        self.task = again
        if (result := used()) is None:
            return True
        again.set_result(result)
        return False

    @property
    def failed(self) -> bool:
        """Whether there will be no result."""
        return self.task.done() and not self.ready

    @property
    def progress(self) -> str | None:
        """What is being done and for how long, or None."""
        if self.task.done():
            return None
        return f"{self.news or self.what}, for {time.monotonic() - self.started:.0f} s"

    @property
    def stale(self) -> bool:
        """Whether it failed some time ago and may be tried again; what is too large stays so."""
        if not self.failed or time.monotonic() - self.started <= RETRY_SECONDS:
            return False
        return self.task.cancelled() or not isinstance(self.task.exception(), TooLarge)


class Ledger:
    """A piece of work is begun only if its cost, known before, is within what its asker may still have done."""

    def __init__(self, limits: Allowance) -> None:
        self.limits = limits
        self.seconds = Buckets(limits.work)
        self.bytes: Counter[str] = Counter()  # of what is still in memory, by who had them made
        self.counted: set[int] = set()
        self.gone: deque[tuple[int, str, int]] = deque()  # told by Python when it frees them, in any thread

    def begin(self, who: str, seconds: float, size: int, make_room: Callable[[], None] | None = None) -> None:
        """Count the work; Busy if this address has had its share of the processor or of the memory.

        If there is no room for its result, `make_room` may make some.
        """
        if who == SERVER:
            return
        if wait := self.seconds.of(who).take(seconds):
            raise Busy("you have had much worked out already; wait a little", wait)
        if self.full(who, size) and make_room is not None:
            make_room()
        if whose := self.full(who, size):
            self.seconds.of(who).give(seconds)
            raise Busy(f"{whose} too many different games prepared at once; {SHORTLY}", 60.0)

    def full(self, who: str, size: int) -> str | None:
        """Whose share of the memory has no room for so many bytes more: YOURS, that of ALL, or None."""
        if size and self.kept(who) + size > self.limits.bytes_of_address:
            return YOURS
        return ALL if size and self.kept() + size > self.limits.bytes else None

    def settle(self, who: str, seconds: float, took: float) -> None:
        """The work took this long, not as long as was counted."""
        if who != SERVER:
            self.seconds.of(who).give(seconds - took)

    def keep(self, who: str, value: Any) -> int:
        """Count the arrays and documents of a result as long as anybody has them; their bytes."""
        size = 0
        self.kept()  # what is gone first: its numbers are given again
        for part in _parts(value):
            if found := _bytes_of(part):
                size += found
                if id(part) not in self.counted:
                    self.counted.add(id(part))
                    self.bytes[who] += found
                    end = weakref.finalize(part, self.gone.append, (id(part), who, found))
                    end.atexit = False
        return size

    def kept(self, who: str | None = None) -> int:
        """The bytes in memory that this address, or all addresses, had made."""
        while self.gone:
            key, of, size = self.gone.popleft()
            self.counted.discard(key)
            self.bytes[of] -= size
            if not self.bytes[of]:
                del self.bytes[of]
        return self.bytes[who] if who is not None else self.bytes.total()


def _parts(value: Any) -> Iterator[Any]:
    """The value and what it is made of, each thing once and not too many of them."""
    seen: set[int] = set()
    found = [value]
    while found and len(seen) < MOST_PARTS:
        part = found.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, dict):
            found += part.values()
        elif isinstance(part, (tuple, list)):
            found += part
        elif is_dataclass(part) and not isinstance(part, type):
            found += [getattr(part, field.name) for field in fields(part)]
        elif isinstance(part, np.ndarray) and part.base is not None:
            found.append(part.base)


def _bytes_of(part: Any) -> int:
    """The bytes that this part itself keeps in memory, 0 if they are few."""
    if isinstance(part, Document):
        return len(part.body)
    if not isinstance(part, np.ndarray) or part.base is not None or part.nbytes < SMALL:
        return 0  # part of another array, which is counted, or of a file, which is not
    return part.nbytes


class Remembered:
    """Tasks by what they prepare, the one that was asked for longest ago first."""

    def __init__(self, limits: Allowance) -> None:
        self.limits, self.ledger = limits, Ledger(limits)
        self.tasks: OrderedDict[Key, Task] = OrderedDict()

    def _task(
        self, key: Key, what: str, price: Callable[[], Cost], work: Callable[[], Coroutine[Any, Any, Any]]
    ) -> Task:
        task = self.tasks.get(key)
        if task is None or task.stale:
            who, cost = ASKER.get(), price()
            self._check_place(key[0], who)
            self.ledger.begin(who, cost.seconds, cost.size, partial(self._make_room, who, cost.size))
            task = self.tasks[key] = Task(what, self._metered(who, cost, work))
            task.task.add_done_callback(lambda _: self._weigh(key))
            self._forget(key[0], who)
        if ASKER.get() == SERVER:
            task.who = SERVER
        self.tasks.move_to_end(key)
        return task

    async def _counted(self, who: str, cost: Cost, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            self.ledger.begin(who, cost.seconds, cost.size)
        except Busy:
            work.close()
            raise
        return await to_its_end(self._metered(who, cost, lambda: work))  # who leaves pays for all of it

    async def _metered(self, who: str, cost: Cost, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """The work, made when its turn comes; what it really took is counted in the place of what was expected."""
        meter = Meter()
        token = METER.set(meter)
        try:
            return await work()
        finally:
            METER.reset(token)
            self.ledger.settle(who, cost.seconds, meter.seconds)

    def _check_place(self, kind: str, who: str) -> None:
        busy = [task.who for key, task in self.tasks.items() if key[0] == kind and not task.task.done()]
        most = {"solution": self.limits.waiting, "heavy": MOST_HEAVY, "matrix": MOST_HEAVY}.get(kind)
        if most is None or who == SERVER:
            return
        doing = "games are being solved" if kind == "solution" else "maps and analyses are being made"
        if len(busy) >= most:
            raise Busy(f"{len(busy)} {doing} already; {SHORTLY}", 60.0)
        if busy.count(who) >= self.limits.waiting_of_address:
            soon = 20.0 if kind == "solution" else 5.0  # for so long the page waits by itself
            raise Busy(f"{busy.count(who)} {doing} for you already; {SHORTLY}", soon)

    def _weigh(self, key: Key) -> None:
        task = self.tasks.get(key)
        if task is not None and task.ready:
            task.size = self.ledger.keep(task.who, task.task.result())

    def _make_room(self, who: str, size: int) -> None:
        """Let go what is only remembered: the asker's own, then others', but not if the asker has too much anyway."""
        mine, others = self._in_turn(who, lambda _, task: task.size > 0)
        self._let_go(mine, lambda: not self.ledger.full(who, size))
        if self.ledger.full(who, size) == ALL:
            self._let_go(others, lambda: not self.ledger.full(who, size))

    def _forget(self, kind: str, who: str) -> None:
        """Let go what is too many of a kind, the asker's own first."""
        mine, others = self._in_turn(who, lambda key, task: key[0] == kind and task.task.done())
        most = len(self.tasks) - max(0, len(mine) + len(others) - MOST_KEPT)
        self._let_go(mine + others, lambda: len(self.tasks) <= most)

    def _in_turn(self, who: str, chosen: Callable[[Key, Task], bool]) -> tuple[list[Key], list[Key]]:
        """The asker's own tasks that are chosen, and others' but the server's, each from the oldest on."""
        found = {key: task.who for key, task in self.tasks.items() if chosen(key, task)}
        mine = [key for key, of in found.items() if of == who != SERVER]
        return mine, [key for key, of in found.items() if of not in (who, SERVER)]

    def _let_go(self, keys: list[Key], enough: Callable[[], bool]) -> None:
        for key in keys:
            if enough():
                return
            if self.tasks[key].let_go():
                del self.tasks[key]
