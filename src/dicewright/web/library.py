"""Solutions and opponents that are ready, and those that are being prepared in the background."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from ..core.errors import DicewrightError, TooLarge
from ..core.solution import Solution
from ..games.bluff import Bluff
from ..games.calling import CallingGame
from ..games.race import RaceGame, RaceView
from .helper import Helper
from .playable import OPTIMAL, at_hand, is_brief, make, solvable
from .refusals import Busy
from .warming import first_analysis, first_hint, rehearse

log = logging.getLogger("dicewright")
RETRY_SECONDS = 30.0
MOST_KEPT = 64  # solutions, opponents and tables in memory, each
MOST_HEAVY = 16  # maps, ranges and analyses that are drawn or wait
THREADS = 2  # for those, and as many for opponents; hints and the shelf have the loop's own
SHORTLY = "try again in a minute"


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
        """Whether it failed some time ago and may be tried again; what is too large stays so."""
        if not self.failed or time.monotonic() - self.started <= RETRY_SECONDS:
            return False
        return self.task.cancelled() or not isinstance(self.task.exception(), TooLarge)


class Library:
    """Everything that takes long is asked here: nothing of it runs on the event loop."""

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self.helper, self.brief = Helper("slow"), Helper("brief")  # a long solve keeps no short one waiting
        self.heavy = ThreadPoolExecutor(THREADS, "heavy")
        self.preparing = ThreadPoolExecutor(THREADS, "preparing")
        self.tasks: OrderedDict[tuple[str, ...], Task] = OrderedDict()
        self.compiled: set[tuple[str, str]] = set()  # what was asked for the first time, by kind of strategy

    def close(self) -> None:
        """Stop the other processes, whatever they are doing."""
        for task in self.tasks.values():
            task.task.cancel()
        for pool in (self.heavy, self.preparing):
            pool.shutdown(wait=False, cancel_futures=True)
        self.helper.close()
        self.brief.close()

    def has_begun(self, game: Any) -> bool:
        """Whether asking for the solution of this game starts no work."""
        task = self.tasks.get(("solution", game.name))
        return task is not None and not task.stale

    def solving(self, game: Any) -> Task:
        """The solution of this game, ready or under way; TooLarge if it would take too long."""
        if not solvable(game):
            raise TooLarge(f"{game.name} is too large to be solved here; smaller rules are allowed")
        return self._task(("solution", game.name), f"solving {game.name}", lambda: self._solve(game))

    def compiling(self, game: Any) -> Task:
        """Nothing, once the code is made that hints of this game need; the game itself is left alone."""
        return self._task(("code", game.name), f"compiling for {game.name}", lambda: self._compile(game))

    def advising(self, game: Any) -> Task:
        """The solution again, once the first hint will be quick."""
        self.solving(game)
        return self._task(("advice", game.name), f"preparing hints for {game.name}", lambda: self._warm(game))

    def analysing(self, game: Any) -> Task:
        """Nothing, once the first analysis will be quick."""
        what = f"preparing analyses of {game.name}"
        return self._task(("analysis", game.name), what, lambda: self._warm_analysis(game))

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
            key,
            f"playing out {game.name}",
            lambda: self._ask(self.helper, key, "matrix", game.name, strategies),
        )

    def work(self, key: tuple[str, ...], what: str, work: Callable[[], Any]) -> Task:
        """Any other answer that is computed once, in one of a few threads; Busy if many wait for them."""
        return self._task(("heavy", *key), what, lambda: _in(self.heavy, work))

    def _task(self, key: tuple[str, ...], what: str, work: Callable[[], Coroutine[Any, Any, Any]]) -> Task:
        task = self.tasks.get(key)
        if task is None or task.stale:
            self._check_place(key[0])
            task = self.tasks[key] = Task(what, work())
            self._forget(key[0])
        self.tasks.move_to_end(key)
        return task

    def _check_place(self, kind: str) -> None:
        busy = sum(key[0] == kind and not task.task.done() for key, task in self.tasks.items())
        if kind == "solution" and busy >= self.waiting:
            raise Busy(f"{busy} games are being solved already; {SHORTLY}", 60.0)
        if kind in ("heavy", "matrix") and busy >= MOST_HEAVY:
            raise Busy(f"{busy} maps and analyses are being made already; {SHORTLY}", 20.0)

    def _forget(self, kind: str) -> None:
        done = [key for key, task in self.tasks.items() if key[0] == kind and task.task.done()]
        for key in done[: max(0, len(done) - MOST_KEPT)]:
            del self.tasks[key]

    async def _ask(self, helper: Helper, key: tuple[str, ...], work: str, *arguments: Any) -> Any:
        return await helper.ask(lambda news: self.tasks[key].hear(news), work, *arguments)

    async def _solve(self, game: Any) -> Solution:
        sent = None
        if not await asyncio.to_thread(at_hand, game):
            helper, key = self.brief if is_brief(game) else self.helper, ("solution", game.name)
            sent = await self._ask(helper, key, "build", game.name)
        solution: Solution = await _in(self.preparing, _solution, game, sent)
        await _in(self.preparing, _load_code, solution)
        return solution

    async def _warm(self, game: Any) -> Solution:
        solution: Solution = await asyncio.shield(self.solving(game).task)
        if _hints_are_compiled(game):
            await self._compiled(self.brief, "advice", "hint", solution)
        await _in(self.preparing, first_hint, game, solution)
        self.analysing(game)
        return solution

    async def _warm_analysis(self, game: Any) -> None:
        solution: Solution = await asyncio.shield(self.solving(game).task)
        if waiting := [task.task for key, task in self.tasks.items() if key[0] == "advice"]:
            await asyncio.wait(waiting)  # hints first: somebody may be waiting for them
        await self._compiled(self.helper, "analysis", "analysis", solution)
        await _in(self.preparing, first_analysis, game, solution)

    async def _compile(self, game: Any) -> None:
        if _hints_are_compiled(game):
            kind = await self._ask(self.brief, ("code", game.name), "compile", game.name, "hint")
            self.compiled.add(("hint", kind))

    async def _compiled(self, helper: Helper, key: str, what: str, solution: Solution) -> None:
        """Wait for the code that this needs; it is made once for all games with the same kind of strategy."""
        game: Any = solution.game
        kind = (what, type(solution.strategies[0]).__name__)
        if kind not in self.compiled:
            await self._ask(helper, (key, game.name), "compile", game.name, what)
            self.compiled.add(kind)

    async def _opponent(self, game: Any, text: str, seat: int) -> Any:
        if text == OPTIMAL:
            solution = await asyncio.shield(self.solving(game).task)
            if isinstance(game, Bluff):
                from ..solvers.bluff_strategy import both_seats

                return replace(both_seats(solution), label=OPTIMAL)
            if isinstance(game, RaceGame):
                from ..strategies.read_off import read_off

                return await _in(self.preparing, read_off, game, solution.strategies[0])
            return solution.strategies[seat]
        strategy = await _in(self.preparing, make, game, text)
        return strategy if isinstance(game, RaceGame) else await _in(self.preparing, rehearse, game, strategy)


def _hints_are_compiled(game: Any) -> bool:
    """Whether hints need more compiled code than `_load_code` loads: calling games need none at all."""
    return not isinstance(game, (CallingGame, RaceGame))


def _solution(game: Any, sent: Any) -> Solution:
    """The solution that the second process sent; where it sent none, the one that is at hand."""
    if sent is None:
        from ..storage import store

        return store.solution_of(game)
    from ..storage import parcel

    return parcel.unpack(sent)


def _load_code(solution: Solution) -> None:
    """Load the compiled code that chances need: it would stop the event loop."""
    if isinstance(solution.game, RaceGame):
        values: Any = solution.strategies[0]
        values.best_worth(RaceView(0, 0))


async def _in(pool: ThreadPoolExecutor, work: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(pool, work, *arguments)
