"""Solutions and opponents that are ready, and those that are being prepared in the background."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from ..core.errors import DicewrightError, TooLarge
from ..core.solution import Solution
from ..games.bluff import Bluff
from ..games.race import RaceGame
from ..storage.effort import is_quick
from ..strategies.read_off import read_off
from .helper import Helper
from .playable import OPTIMAL, at_hand, make
from .warming import rehearse, warm

log = logging.getLogger("dicewright")
RETRY_SECONDS = 30.0
MOST_KEPT = 64  # solutions, opponents and tables in memory, each


class Task:
    """Something that is prepared once, and the error if it cannot be."""

    def __init__(self, what: str, work: Coroutine[Any, Any, Any]) -> None:
        self.what = what
        self.news: str | None = None  # how far it is, if it says so
        self.started = time.monotonic()
        self.task = asyncio.create_task(work)
        self.task.add_done_callback(self._seen)

    def _seen(self, task: "asyncio.Task[Any]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, DicewrightError):
            log.error("%s failed", self.what, exc_info=error)

    @property
    def ready(self) -> bool:
        """Whether the result is there."""
        return self.task.done() and not self.task.cancelled() and self.task.exception() is None

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

    def hear(self, news: str) -> None:
        """Take note of how far it is."""
        self.news = news

    @property
    def stale(self) -> bool:
        """Whether it failed some time ago and may be tried again."""
        return self.failed and time.monotonic() - self.started > RETRY_SECONDS


class Library:
    """Everything that takes long is asked here: nothing of it runs on the event loop."""

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self.helper = Helper()
        self.tasks: OrderedDict[tuple[str, ...], Task] = OrderedDict()

    def close(self) -> None:
        """Stop the second process, whatever it is doing."""
        for task in self.tasks.values():
            task.task.cancel()
        self.helper.close()

    def solving(self, game: Any) -> Task:
        """The solution of this game, ready or under way; TooLarge if it would take too long."""
        if not is_quick(game):
            raise TooLarge(f"{game.name} is too large to be solved here; smaller rules are allowed")
        return self._task(("solution", game.name), f"solving {game.name}", lambda: self._solve(game))

    def advising(self, game: Any) -> Task:
        """The solution again, once the first hint will be quick."""
        self.solving(game)
        return self._task(("advice", game.name), f"preparing hints for {game.name}", lambda: self._warm(game))

    def opponent(self, game: Any, text: str, seat: int) -> Task:
        """The strategy of this name for this seat."""
        if text == OPTIMAL:
            self.solving(game)
        key = ("opponent", game.name, text, str(seat))
        return self._task(key, f"preparing {text} for {game.name}", lambda: self._opponent(game, text, seat))

    def matrix(self, game: Any, strategies: list[str]) -> Task:
        """The exact tournament of these strategies."""
        key = ("matrix", game.name, *strategies)
        return self._task(
            key, f"playing out {game.name}", lambda: self._ask(key, "matrix", game.name, strategies)
        )

    def work(self, key: tuple[str, ...], what: str, work: Callable[[], Any]) -> Task:
        """Any other answer that is computed once, in a thread."""
        return self._task(key, what, lambda: asyncio.to_thread(work))

    def _task(self, key: tuple[str, ...], what: str, work: Callable[[], Coroutine[Any, Any, Any]]) -> Task:
        task = self.tasks.get(key)
        if task is None or task.stale:
            busy = sum(not one.task.done() for one in self.tasks.values())
            if busy >= self.waiting and key[0] == "solution":
                raise TooLarge(f"{busy} games are being solved already; try again in a minute")
            task = self.tasks[key] = Task(what, work())
            self._forget(key[0])
        self.tasks.move_to_end(key)
        return task

    def _forget(self, kind: str) -> None:
        done = [key for key, task in self.tasks.items() if key[0] == kind and task.task.done()]
        for key in done[: max(0, len(done) - MOST_KEPT)]:
            del self.tasks[key]

    async def _ask(self, key: tuple[str, ...], work: str, *arguments: Any) -> Any:
        return await self.helper.ask(lambda news: self.tasks[key].hear(news), work, *arguments)

    async def _solve(self, game: Any) -> Solution:
        from ..storage import store

        if not await asyncio.to_thread(at_hand, game):
            solution: Solution | None = await self._ask(("solution", game.name), "build", game.name)
            if solution is not None:
                return solution
        return await asyncio.to_thread(store.solution_of, game)

    async def _warm(self, game: Any) -> Solution:
        solution: Solution = await asyncio.shield(self.solving(game).task)
        await self._ask(("advice", game.name), "compile", game.name)
        await asyncio.to_thread(warm, game, solution)
        return solution

    async def _opponent(self, game: Any, text: str, seat: int) -> Any:
        if text == OPTIMAL:
            solution = await asyncio.shield(self.solving(game).task)
            if isinstance(game, Bluff):
                from ..solvers.bluff_strategy import both_seats

                return replace(both_seats(solution), label=OPTIMAL)
            if isinstance(game, RaceGame):
                return await asyncio.to_thread(read_off, game, solution.strategies[0])
            return solution.strategies[seat]
        strategy = await asyncio.to_thread(make, game, text)
        return strategy if isinstance(game, RaceGame) else await asyncio.to_thread(rehearse, game, strategy)
