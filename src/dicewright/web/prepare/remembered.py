"""What is being prepared and what is ready: begun within budgets, and remembered as long as there is room.

Nobody's wishes throw out what somebody uses: forgetting it would free no memory, and it would be made again. Nor what
the server itself has asked for.
"""

from collections import OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from ..settings import Busy, Limits
from .costs import Cost
from .lanes import ASKER, METER, SERVER, SHORTLY, Meter, to_its_end
from .ledger import ALL, Ledger
from .task import Task

MOST_KEPT = 64  # solutions, opponents and documents in memory, each
MOST_HEAVY = 32  # maps, ranges and analyses that are drawn or wait

Key = tuple[str, ...]  # its kind first


class Remembered:
    """Tasks by what they prepare, the one that was asked for longest ago first."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.ledger = limits, Ledger(limits)
        self.tasks: OrderedDict[Key, Task] = OrderedDict()

    def _task(
        self,
        key: Key,
        what: str,
        price: Callable[[], Cost],
        work: Callable[[], Coroutine[Any, Any, Any]],
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
            raise Busy(f"{busy.count(who)} {doing} for you already; {SHORTLY}", 20.0)

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
