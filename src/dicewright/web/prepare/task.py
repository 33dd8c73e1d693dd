"""One thing that is being prepared: how far it is, its result, or why there is none."""

import asyncio
import logging
import time
import weakref
from collections.abc import Coroutine
from typing import Any

from ...core.errors import DicewrightError, TooLarge
from .lanes import ASKER

log = logging.getLogger("dicewright")
RETRY_SECONDS = 30.0


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

    def hear(self, news: str) -> None:
        """Take note of how far it is."""
        self.news = news

    @property
    def stale(self) -> bool:
        """Whether it failed some time ago and may be tried again; what is too large stays so."""
        if not self.failed or time.monotonic() - self.started <= RETRY_SECONDS:
            return False
        return self.task.cancelled() or not isinstance(self.task.exception(), TooLarge)
