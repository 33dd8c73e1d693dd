"""When the computer answers: on a beat that began with the question, so that its thinking time shows nothing."""

import asyncio
from types import TracebackType

BEAT_SECONDS = 0.020


class Beat:
    """Ticks every 20 ms from the moment it is made, whatever is done meanwhile.

    A strategy thinks longer with some hands than with others. The timer is set before it begins to think, so the
    answer leaves at a moment that the question alone has fixed: the first tick after it is there.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.waiter: asyncio.Future[None] | None = None
        self.timer = self.loop.call_later(BEAT_SECONDS, self._tick)

    def _tick(self) -> None:
        self.timer = self.loop.call_later(BEAT_SECONDS, self._tick)
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    async def tick(self) -> None:
        """Wait for the next tick."""
        self.waiter = self.loop.create_future()
        await self.waiter

    def __enter__(self) -> "Beat":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.timer.cancel()


class NoBeat:
    """Where nothing is hidden, or no computer plays: nobody waits."""

    async def tick(self) -> None:
        """Do not wait."""

    def __enter__(self) -> "NoBeat":
        return self

    def __exit__(self, *_: object) -> None:
        return
