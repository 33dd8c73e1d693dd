"""Games written down, and rooms as they were then.

One thread writes, everything that waits in one durable transaction (group commit). A long game takes a while to be
taken up again: ask in a thread.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple

from ...arena.table import Table
from ...core.game import WrittenGame
from ...storage.shelf.saved_game import SavedGame
from ..settings import MOST_PLIES, NO_GAME, Settings, Unavailable, Unknown
from .room import BEGIN, Room
from .views import Speech, page_of, playable

log = logging.getLogger("dicewright")
GATHER_SECONDS = 0.003  # moves that come this close together share a transaction
MOST_FAILURES = 3  # one after another, and the shelf itself is taken to be at fault
Work = SavedGame | Callable[[], object]
# what is kept of a game played here
PAGE = {"hints", "seed", "tokens", "invite", "seeds", "ids", "from", "prefix", "begun"}


class Entry(NamedTuple):
    """What waits to be written, and who waits for it."""

    work: Work
    moved: bool  # a game on the shelf that has gone on by a move
    done: "asyncio.Future[None]"


class Journal:
    """`await write(game)` returns once the game is on disk."""

    def __init__(self, shelf: Any) -> None:
        self.shelf = shelf
        self.queue: SimpleQueue[Entry | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self.thread.start()

    async def write(self, work: Work, moved: bool = False) -> None:
        """Wait until this game is stored, or this other change of the shelf is made; Unavailable if it is not.

        A game that has `moved` stands on the shelf already and has not ended: its choices and secrets are written.
        """
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        self.queue.put(Entry(work, moved, done))
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
        whole: dict[str, SavedGame] = {}
        moved: dict[str, SavedGame] = {}
        for entry in entries:
            if not callable(entry.work):
                id = entry.work.id
                (moved if entry.moved and id not in whole else whole)[id] = entry.work
        errors = self._stored(list(whole.values()), [game for id, game in moved.items() if id not in whole])
        waiting: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
        for work, _, done in entries:
            error = self._tried(work) if callable(work) else errors.get(work.id)
            waiting.setdefault(done.get_loop(), []).append((done, error))
        for loop, futures in waiting.items():
            try:
                loop.call_soon_threadsafe(_settle, futures)
            except RuntimeError:  # the loop is closed: nobody waits any more
                continue

    def _stored(self, whole: list[SavedGame], moved: list[SavedGame]) -> dict[str, Exception]:
        """Store all at once, or else one by one; what went wrong with which."""
        games = whole + moved
        if not games or (error := self._tried(partial(self.shelf.save, whole, moved), quiet=True)) is None:
            return {}
        failed: dict[str, Exception] = {}
        for tried, game in enumerate(games if len(games) > 1 else ()):
            if tried == len(failed) == MOST_FAILURES:
                break
            if found := self._tried(partial(self.shelf.save, [game]), quiet=True):
                failed[game.id] = found
        else:
            games = [game for game in games if game.id in failed] if len(games) > 1 else games
        if games:
            first = failed.get(games[0].id, error)
            log.error("%d games could not be stored: %s", len(games), first, exc_info=first)
        return {game.id: failed.get(game.id, error) for game in games}

    def _tried(self, work: Callable[[], object], quiet: bool = False) -> Exception | None:
        try:
            work()
        except Exception as error:
            if not quiet:
                log.error("the shelf could not be changed: %s", error, exc_info=error)
            return error
        return None


def _settle(futures: "list[tuple[asyncio.Future[None], Exception | None]]") -> None:
    for done, error in futures:
        if done.cancelled():
            continue
        if error is None:
            done.set_result(None)
        else:
            failure = Unavailable("the game could not be stored; try again")
            failure.__cause__ = error
            done.set_exception(failure)


def restored(saved: SavedGame, speech: Callable[[Any], Speech], settings: Settings) -> Room:
    """The room of a saved game; Unknown if it goes on elsewhere: its dice and its seed are nobody's here."""
    if not saved.secret.keys() >= PAGE:
        if saved.ended == BEGIN:
            raise Unknown(NO_GAME)
        return _visited(saved, speech, settings)
    game, tags, secret = playable(saved.game), dict(saved.tags), saved.secret
    room = Room(
        saved.id,
        speech(game),
        [tags.get("First", ""), tags.get("Second", "")],
        (tags.get("FirstStrategy"), tags.get("SecondStrategy")),
        secret["hints"],
        secret["seed"],
        saved.date,
        secret["tokens"],
        secret["invite"],
        secret["seeds"],
        secret["ids"],
        secret["from"],
        tuple(map(game.read_choice, secret["prefix"])),
    )
    room.judged = bool(saved.figures)
    if secret["begun"]:
        choices = tuple(map(game.read_choice, saved.choices.split()))
        # the opponent comes later, and is not asked again
        table = replayed(room, settings, [None, None], choices)
        room.take(replace(table, ended=saved.ended))
    return room


def replayed(room: Room, settings: Settings, players: list[Any], choices: tuple[Any, ...]) -> Table:
    """The table after these choices, with these players at it."""
    dice = settings.dice(room.server_seed, room.client_seed or "")
    return Table.begin(room.game, (players[0], players[1]), dice, choices, MOST_PLIES)


def _visited(saved: SavedGame, speech: Callable[[Any], Speech], settings: Settings) -> Room:
    """A finished game of the terminal or of a file: nobody sits there, everybody may look.

    However it ended, it stands where its choices led; no dice fall and nobody is asked.
    """
    record = saved.record()
    game: WrittenGame = record.game
    page_of(game)
    *way, state = record.states()
    seed, names = record.tag("ServerSeed") or "", list(record.players)
    room = Room(saved.id, speech(game), names, record.strategies, False, seed, saved.date, given=record)
    room.judged = bool(saved.figures)
    dice = settings.dice("", "")
    room.take(Table(game, (None, None), dice, state, record.choices, ended=record.ended, way=tuple(way)))
    return room
