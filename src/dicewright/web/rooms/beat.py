"""When the computer answers: on a beat that began with the question, so that its thinking time shows nothing."""

import asyncio
from math import floor

BEAT_SECONDS = 0.020


class Beat:
    """Ticks every 20 ms from the moment it is made, whatever is done meanwhile.

    A strategy thinks longer with some hands than with others. The answer leaves at a moment that the question alone
    has fixed: the first tick after it is there, a whole number of beats after the question.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.start = self.loop.time()

    async def tick(self) -> None:
        """Wait for the next tick."""
        number = floor((self.loop.time() - self.start) / BEAT_SECONDS) + 1
        due = self.loop.create_future()
        self.loop.call_at(self.start + number * BEAT_SECONDS, _come, due)
        await due


class NoBeat:
    """Where nothing is hidden, or no computer plays: nobody waits."""

    async def tick(self) -> None:
        """Do not wait."""


def _come(due: "asyncio.Future[None]") -> None:
    if not due.done():
        due.set_result(None)
