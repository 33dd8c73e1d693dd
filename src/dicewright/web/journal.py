"""One thread writes games down, everything that waits in one durable transaction (group commit)."""

import asyncio
import threading
import time
from queue import SimpleQueue
from typing import Any

from ..core.errors import StorageError

GATHER_SECONDS = 0.005  # moves that come this close together share a transaction

Entry = tuple[Any, "asyncio.Future[None]"]


class Journal:
    """`await write(game)` returns once the game is on disk."""

    def __init__(self, shelf: Any) -> None:
        self.shelf = shelf
        self.queue: SimpleQueue[Entry | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self.thread.start()

    async def write(self, game: Any) -> None:
        """Wait until this game is stored; StorageError if it could not be."""
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        self.queue.put((game, done))
        await done

    def close(self) -> None:
        """Write what waits and stop."""
        self.queue.put(None)
        self.thread.join(10.0)

    def _work(self) -> None:
        open_ = True
        while open_:
            batch = [self.queue.get()]
            time.sleep(GATHER_SECONDS)
            while not self.queue.empty():
                batch.append(self.queue.get())
            open_ = None not in batch
            entries = [entry for entry in batch if entry is not None]
            if entries:
                self._save(entries)

    def _save(self, entries: list[Entry]) -> None:
        latest = {game.id: game for game, _ in entries}
        error: Exception | None = None
        try:
            self.shelf.save(list(latest.values()))
        except Exception as failure:
            error = failure
        waiting: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
        for _, done in entries:
            waiting.setdefault(done.get_loop(), []).append(done)
        for loop, futures in waiting.items():
            try:
                loop.call_soon_threadsafe(_settle, futures, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                continue


def _settle(futures: "list[asyncio.Future[None]]", error: Exception | None) -> None:
    for done in futures:
        if done.cancelled():
            continue
        if error is None:
            done.set_result(None)
        else:
            failure = StorageError("the game could not be stored; try again")
            failure.__cause__ = error
            done.set_exception(failure)
