"""Brings opponents, hints and live chances to the rooms, and tries again while somebody waits for them.

Opponents answer on a beat that began with the question, so that their thinking time shows nothing.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from math import floor
from typing import Any

from ...core.errors import DicewrightError, NotationError, RulesError, StrategyError, TooLarge
from ...families import family
from ...families.minds import LEARNER
from ...storage.learned import played
from ..guard import told
from ..prepare.prepared import Prepared
from ..prepare.remembered import Task
from ..settings import NotNow, Settings, Soon
from .room import Room
from .views import dumps, unit

BEAT_SECONDS = 0.020
log = logging.getLogger("dicewright")
TABLE_SECONDS = 1.0  # for those who come back, before chances are prepared
ODDS_ALONE = "Nobody was trained for these rules, so there is no advice."
AGAIN_SECONDS = 3.0  # until an opponent that could not come is called again
FOR_GOOD = (TooLarge, NotationError, RulesError, StrategyError)  # calling again would change nothing


async def tick(asked: float | None) -> None:
    """Wait for the next tick of the beat that began when something was asked; None is no beat.

    A strategy thinks longer with some hands than with others. The answer leaves at a moment that the question alone
    has fixed: the first tick after it is there, a whole number of beats after the question.
    """
    if asked is not None:
        loop = asyncio.get_running_loop()
        due, number = asyncio.Event(), floor((loop.time() - asked) / BEAT_SECONDS) + 1
        loop.call_at(asked + number * BEAT_SECONDS, due.set)
        await due.wait()


class Opponents:
    """What is under way for each room; `sit` has an opponent that is ready take its place at the table."""

    def __init__(
        self,
        prepared: Prepared,
        settings: Settings,
        sit: Callable[[Room, int, Any], Awaitable[None]],
        shelf: Any,
    ) -> None:
        self.prepared, self.settings, self.sit, self.shelf = prepared, settings, sit, shelf
        self.tasks: set[asyncio.Task[None]] = set()

    def call(self, room: Room) -> None:
        """Call the opponent and the live chances, unless they are there or on their way."""
        if room.tasks:
            return
        if not room.over and not room.ready and not room.hopeless:
            for seat, text in enumerate(room.strategies):
                if text is not None:
                    self._later(room, self._bring(room, seat, text))
        asked = room.hints and room.solvable and (not room.over or not room.hidden)
        if asked and not room.advised and not room.hopeless:
            self._later(room, self._advise(room))

    def close(self) -> None:
        """Stop all of it."""
        for task in self.tasks:
            task.cancel()

    def _later(self, room: Room, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        for tasks in (self.tasks, room.tasks):
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    async def _bring(self, room: Room, seat: int, text: str) -> None:
        while not await self._seated(room, seat, text) and not self._is_left(room):
            await asyncio.sleep(AGAIN_SECONDS)

    def _is_left(self, room: Room) -> bool:
        idle = time.monotonic() - room.used > self.settings.limits.idle_seconds
        return idle and not room.guests

    async def _seated(self, room: Room, seat: int, text: str) -> bool:
        """Bring the opponent to the table, telling how far it is; False if it is to be tried again."""
        try:
            await self.sit(room, seat, await self._strategy(room, seat, text))
            room.progress = None
        except FOR_GOOD as error:
            room.progress, room.hopeless = told(error), True
        except DicewrightError as error:
            room.progress = f"{told(error)}; it is tried again"
            return False
        except Exception:
            log.exception("the opponent %s of game %s could not be prepared", text, room.id)
            room.progress = "the opponent could not be prepared; it is tried again"
            return False
        finally:
            room.broadcast()
        return True

    async def _strategy(self, room: Room, seat: int, text: str) -> Any:
        task = await self._called(room, seat, text)
        while not task.task.done():
            solving = self.prepared.tasks.get(("solution", room.game.name))
            room.progress = (solving.progress if solving else None) or task.progress
            room.broadcast()
            await asyncio.wait({task.task}, timeout=1.0)
        found = task.task.result()
        if text != LEARNER:
            return found
        room.learned = found.told
        return found.strategy

    async def _called(self, room: Room, seat: int, text: str) -> Task:
        if text != LEARNER:
            return self.prepared.opponent(room.game, text, seat)
        games = await asyncio.to_thread(played, self.shelf, room.learns)
        return self.prepared.learner(("opponent", LEARNER, room.id), room.game, games)

    async def _advise(self, room: Room) -> None:
        """Prepare hints and the live chances of race games; after a restart everybody gets the table first."""
        if room.sitting is not None:
            await asyncio.sleep(TABLE_SECONDS)
        while not self._is_left(room):
            try:
                solution = await asyncio.shield(self.prepared.solving(room.game).task)
                self.prepared.advising(room.game)
                room.advised = True
                if not room.hidden:  # chances are looked up on the event loop: by compiled code alone
                    await asyncio.shield(self.prepared.analysing(room.game).task)
                    room.solution = solution
                    room.broadcast()
            except FOR_GOOD:
                room.advised = True
                return
            except Exception:  # noted by the task; the page lacks a number until then
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            return


async def hint(prepared: Prepared, room: Room, seat: int) -> str:
    """A `hint` frame; NotNow if there is none, Soon if there will be one."""
    table = room.sitting
    if not room.hints:
        raise NotNow("this game is played without hints")
    if table is None or table.waits_for != seat:
        raise NotNow("the turn is not yours")
    show = room.game.show_choice
    odds = {
        show(action): chance for action, chance in family(room.game).odds(room.game, table.view(seat)).items()
    }
    if not room.solvable:
        if not odds:
            raise NotNow(f"{room.game.name} is too large to be solved here, so it has no hints")
        alone = {"type": "hint", "ply": len(table.choices), "unit": unit(room.game), "note": ODDS_ALONE}
        return dumps({**alone, "worth": {}, "best": None, "mix": {}, "odds": odds})
    advising, solving = prepared.advising(room.game), prepared.solving(room.game)
    for task in (advising, solving):
        if not task.task.done():
            raise Soon(f"the hint is being prepared: {task.progress}")
        if task.failed:
            error = task.task.exception()
            known = isinstance(error, DicewrightError)
            raise NotNow(str(error) if known else "there are no hints for this game")
    ply, view = len(table.choices), table.view(seat)
    advice = await prepared.hint(solving.task.result().advise, view)
    document = {
        "type": "hint",
        "ply": ply,
        "unit": unit(room.game),
        "worth": {show(action): worth for action, worth in advice.worth.items()},
        "best": show(advice.best),
        "mix": {show(action): float(share) for action, share in advice.mix.items()},
        "note": advice.note,
        **({"odds": odds, "estimate": advice.off, "who": _trained(room)} if advice.off else {}),
    }
    return dumps(document)


def _trained(room: Room) -> str:
    """Whose estimates they are."""
    kin = family(room.game)
    return kin.menu.called(kin.by_training[0])
