"""All games of the server: made, joined, taken up again after a restart, and moved on one move at a time.

One thread writes them down, everything that waits in one durable transaction (group commit).
"""

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from functools import lru_cache, partial, wraps
from queue import SimpleQueue
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from ...arena.table import Table
from ...core.errors import IllegalAction, NotationError, StorageError, TooLarge
from ...core.game import WrittenGame
from ...core.times import Times
from ...core.tokens import digest, fresh_token, matches
from ...families.hidden import taken_back
from ...storage.learned import Seats
from ...storage.shelf.saved_game import SavedGame, new_id, now
from ...storage.shelf.shelf import UnknownGame
from ..prepare.lanes import to_its_end
from ..prepare.prepared import Prepared
from ..prepare.remembered import Cost
from ..settings import MOST_PLIES, NO_GAME, UNREADABLE, Busy, NotNow, NotYours, Settings, Unavailable, Unknown
from .opponents import Opponents, tick
from .room import BEGIN, KEPT_IDS, Room, replayed, restored
from .views import OPTIMAL, PERSON, Speech

log = logging.getLogger("dicewright")
P = ParamSpec("P")
T = TypeVar("T")
GATHER_SECONDS = 0.003  # moves that come this close together share a transaction
MOST_FAILURES = 3  # one after another, and the shelf itself is taken to be at fault
Work = SavedGame | Callable[[], object]
MOST_SPEECHES = 200
MOST_DEALING = 10.0  # seconds
NEARLY = 0.9  # of all rooms: then finished games make place


class Unwritten(NamedTuple):
    """What waits to be written, and who waits for it."""

    work: Work
    moved: bool  # a game on the shelf that has gone on by a move
    done: "asyncio.Future[None]"


class Journal:
    """`await write(game)` returns once the game is on disk."""

    def __init__(self, shelf: Any) -> None:
        self.shelf = shelf
        self.said = ""  # of the last failure: a full disk is told once, until something is stored again
        self.queue: SimpleQueue[Unwritten | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self.thread.start()

    async def write(self, work: Work, moved: bool = False) -> None:
        """Wait until this game is stored, or this other change of the shelf is made; Unavailable if it is not.

        A game that has `moved` stands on the shelf already and has not ended: its choices and secrets are written.
        """
        done = asyncio.get_running_loop().create_future()
        self.queue.put(Unwritten(work, moved, done))
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
            self._save([entry for entry in batch if entry is not None])

    def _save(self, entries: list[Unwritten]) -> None:
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
            what = "a game" if len(games) == 1 else f"{len(games)} games"
            self._say(f"{what} could not be stored", first)
        return {game.id: failed.get(game.id, error) for game in games}

    def _tried(self, work: Callable[[], object], quiet: bool = False) -> Exception | None:
        try:
            work()
        except Exception as error:
            if not quiet:
                self._say("the shelf could not be changed", error)
            return error
        self.said = ""
        return None

    def _say(self, what: str, error: Exception) -> None:
        if str(error) != self.said:
            # The sentence of a StorageError says all; of another error the place must be known.
            log.error("%s: %s", what, error, exc_info=None if isinstance(error, StorageError) else error)
        self.said = str(error)


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


def to_the_end(
    work: "Callable[Concatenate[Rooms, P], Coroutine[Any, Any, T]]",
) -> "Callable[Concatenate[Rooms, P], Coroutine[Any, Any, T]]":
    """Do it in a task of its own: who asked for it may leave, and what is written down is told to the others."""

    @wraps(work)
    async def asked(rooms: "Rooms", /, *said: P.args, **named: P.kwargs) -> T:
        return await to_its_end(work(rooms, *said, **named))

    return asked


class Rooms:
    """Rooms in memory, and the shelf that all of them are written to before anybody is told."""

    def __init__(self, settings: Settings, shelf: Any, prepared: Prepared) -> None:
        self.settings, self.shelf, self.prepared = settings, shelf, prepared
        self.journal = Journal(shelf)
        self.rooms: dict[str, Room] = {}
        self.speech = lru_cache(MOST_SPEECHES)(Speech)  # one for all rooms of a game
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.opponents = Opponents(prepared, settings, self.seat, shelf)

    async def create(
        self,
        game: WrittenGame,
        opponent: str,
        seat: int,
        hints: bool,
        name: str,
        fork: tuple[Room, int] | None = None,
        learns: Seats = (),
    ) -> tuple[Room, str, str | None]:
        """A new game: the room, the token of who made it, and the invitation of the other person.

        An opponent that learns does so from the seats that are given.
        """
        self._make_place()
        token, invite = fresh_token(), fresh_token() if opponent == PERSON else None
        against = None if opponent == PERSON else opponent
        names = [against or "", name] if seat == 1 else [name, against or ""]
        strategies = (against, None) if seat == 1 else (None, against)
        seed = secrets.token_hex(32)
        room = Room(new_id(), self.speech(game), names, strategies, hints, seed, now(), learns=learns)
        if fork:
            source, ply = fork
            assert source.sitting is not None
            room.origin, room.prefix = f"{source.id}@{ply}", source.sitting.choices[:ply]
        room.tokens[seat] = digest(token)
        room.invite = digest(invite) if invite else None
        await self._look_for_hints(room)
        await self.journal.write(room.saved(None, []))
        self._enter(room)
        return room, token, invite

    async def arrange(
        self,
        game: WrittenGame,
        strategies: tuple[str | None, str | None],
        token_of: Callable[[str, int], str],
    ) -> Room:
        """A new game of a study: who sits where is known, each by a token of its own, and nobody watches."""
        self._make_place()
        seed = secrets.token_hex(32)
        room = Room(new_id(), self.speech(game), ["", ""], strategies, False, seed, now(), private=True)
        for seat in room.people:
            room.tokens[seat] = digest(token_of(room.id, seat))
        await self._look_for_hints(room)
        await self.journal.write(room.saved(None, []))
        self._enter(room)
        return room

    async def unseat(self, room: Room, seat: int) -> None:
        """Somebody leaves the table for good: their token proves nothing any more."""
        async with room.lock:
            room.tokens[seat] = None
            for guest in room.guests:
                if guest.seat == seat:
                    guest.seat = None
            await self.journal.write(room.saved(room.sitting, room.ids))

    def forget(self, id_: str) -> None:
        """A game that was deleted goes from memory with all that is under way for it."""
        room = self.rooms.pop(id_, None)
        for task in room.tasks if room else ():
            task.cancel()

    async def again(self, source: Room, seat: int | None, ply: int, hints: bool) -> tuple[Room, str, int]:
        """A game that begins where a finished one stood; spectators take the seat that was to move there."""
        if source.sitting is None or not source.over:
            raise NotNow("the game goes on; play it to its end first")
        if ply > len(source.sitting.choices):
            raise NotationError(f"ply is {ply}; 0 to {len(source.sitting.choices)} is allowed")
        if Cost.dealing(source.game, ply).seconds > MOST_DEALING:
            raise TooLarge(
                f"ply {ply} of {source.game.name} takes too long to be taken up; choose an earlier one"
            )
        record = source.sitting.record({})
        state = await self.prepared.open(Cost.replaying(ply), record.state_at, ply)
        if int(source.game.mover(state)) not in (0, 1):
            raise NotationError(f"nobody is to move at ply {ply}; choose a ply where somebody is")
        chair = int(source.game.mover(state)) if seat is None else seat
        opponent = source.strategies[1 - chair] or OPTIMAL
        await self.prepared.game(source.game.name)  # one from elsewhere may be larger than is played here
        await self.prepared.checked(source.game, opponent)
        name = "you" if seat is None else source.names[seat]
        learns = () if seat is None else source.learns
        room, token, _ = await self.create(source.game, opponent, chair, hints, name, (source, ply), learns)
        return room, token, chair

    @to_the_end
    async def join(self, room: Room, invite: str, name: str) -> tuple[str, int]:
        """The second person takes the free seat; once only."""
        async with room.lock:
            if not matches(invite, room.invite):
                raise NotYours("this invitation is not for this game, or it has been used")
            seat = room.tokens.index(None)
            token = fresh_token()
            before = (room.invite, list(room.names), list(room.tokens))
            room.invite, room.names[seat], room.tokens[seat] = None, name, digest(token)
            try:
                await self.journal.write(room.saved(room.sitting, room.ids))
            except BaseException:
                room.invite, room.names, room.tokens = before
                raise
        room.broadcast()
        return token, seat

    @to_the_end
    async def begin(self, room: Room, seat: int, seed: str) -> None:
        """A person's seed; with the last one the game begins. Said again, it begins if it could not before."""
        beat = room.beat()
        async with room.lock:
            fresh = room.seeds[seat] is None
            if room.sitting is not None or not (fresh or room.client_seed is not None):
                return
            if fresh:
                room.seeds[seat] = seed
            try:
                await self._start(room, beat)
            except BaseException:
                if fresh and room.sitting is None:
                    room.seeds[seat] = None
                raise
        room.broadcast()

    async def _start(self, room: Room, beat: float | None) -> None:
        """Deal if every person is there, up to the first decision that has to be waited for; write down either way."""
        sitting = None
        if room.client_seed is not None:
            dice = self.settings.dice(room.server_seed, room.client_seed)
            if room.prefix:
                sitting = await self.prepared.deal(Cost.dealing(room.game, len(room.prefix)), room.deal, dice)
            else:
                sitting = await self.prepared.open(Cost.replaying(0), room.deal, dice)
        await self._settle(room, sitting, room.ids, beat)

    async def _settle(
        self,
        room: Room,
        sitting: Table | None,
        ids: list[str],
        beat: float | None,
        moved: bool = False,
        times: Mapping[int, Times] | None = None,
    ) -> None:
        """Write the table down, with the times of a decision; then, on the beat, it is the one that everybody sees."""
        await self.journal.write(room.saved(sitting, ids, times), moved=moved)
        await tick(beat)
        room.ids = ids
        room.times |= times or {}
        if sitting is not None:
            room.take(sitting)

    async def seat(self, room: Room, seat: int, strategy: Any) -> None:
        """The opponent has come to the table; it makes the decisions that waited for it."""
        beat = room.beat()
        async with room.lock:
            players, table = list(room.players), room.sitting
            players[seat] = strategy
            if table is not None and not room.over:
                choices = table.choices
                cost = Cost.replaying(len(choices))
                sitting = await self.prepared.open(cost, replayed, room, self.settings, players, choices)
                if len(sitting.choices) > len(choices):
                    await self._settle(room, sitting, room.ids, beat, moved=sitting.ended == BEGIN)
                else:
                    room.take(sitting)
            room.players = players

    @to_the_end
    async def move(self, room: Room, seat: int, move: str, ply: int, action: str) -> bool:
        """Apply one move: checked, written down, then told to everyone. A move id that was seen: False, and no more."""
        key = f"{seat}:{move}"
        beat, times = room.beat(), room.timed(ply)
        async with room.lock:
            if key in room.ids:
                return False
            sitting = self._moved(room, seat, ply, action)
            ids = [*room.ids[1 - KEPT_IDS :], key]
            await self._settle(room, sitting, ids, beat, sitting.ended == BEGIN, times)
            room.used = time.monotonic()
        room.broadcast(seat, move)
        return True

    @to_the_end
    async def take_back(self, room: Room, seat: int, ply: int) -> None:
        """The seat's last decision was not made: checked, written down, then told to everyone. The dice stay."""
        beat = room.beat()
        async with room.lock:
            table = room.sitting
            if not room.takes_back:
                raise NotNow("nothing is taken back in this game: it is not against a strategy")
            if table is None or room.over or table.waits_for != seat or ply != len(table.choices):
                raise NotNow("nothing can be taken back now")
            cost = Cost.replaying(ply)
            last = await self.prepared.open(cost, taken_back, room.game, table.choices, seat)
            if last < len(room.prefix):
                raise NotNow("what was taken over from an earlier game stays")
            choices = table.choices[:last]
            sitting = await self.prepared.open(cost, replayed, room, self.settings, room.players, choices)
            before, was = room.saved(table, room.ids, room.times), room.undone
            times = {then: told for then, told in room.times.items() if then < last}
            room.undone = True
            try:
                after = room.saved(sitting, room.ids, times)
                await self.journal.write(partial(self.shelf.go_on, after, before))
            except BaseException:
                room.undone = was
                raise
            await tick(beat)
            room.take(sitting)
            room.times = times
            room.watch, room.used = None, time.monotonic()
        room.broadcast()

    def _moved(self, room: Room, seat: int, ply: int, action: str) -> Table:
        table = room.sitting
        if table is None:
            raise NotNow("the game has not begun; every person sends a seed first")
        if room.over:
            raise NotNow("the game is over")
        if table.waits_for != seat:
            waiting = None if room.ready else room.progress or "the opponent is not ready yet"
            raise NotNow(waiting or "the turn is not yours")
        if ply != len(table.choices):
            raise NotNow(f"the table has moved on: ply is {len(table.choices)}, not {ply}")
        choice = room.game.read_choice(action)
        if choice not in table.actions:
            allowed = ", ".join(map(room.game.show_choice, table.actions))
            raise IllegalAction(f"{action} is not allowed now; allowed: {allowed}")
        return table.choose(choice)

    async def find(self, id_: str) -> Room:
        """The room of this id, from memory or the shelf; Unknown if there is none, Unavailable if that is unclear."""
        if room := self.rooms.get(id_):
            room.used = time.monotonic()
            self.opponents.call(room)
            return room
        if id_ not in self.loading:
            self.loading[id_] = asyncio.create_task(self._load(id_))
            self.loading[id_].add_done_callback(lambda _: self.loading.pop(id_, None))
        return await asyncio.shield(self.loading[id_])

    async def _load(self, id_: str) -> Room:
        self._make_place()
        try:
            saved = await asyncio.to_thread(self.shelf.get, id_)
        except UnknownGame:
            raise Unknown(NO_GAME) from None
        except StorageError as error:
            log.error("game %s could not be read: %s", id_, error)
            raise Unavailable(UNREADABLE) from error
        plies = len(saved.choices.split())
        if plies > MOST_PLIES:
            raise TooLarge(f"this game has {plies:,} choices; up to {MOST_PLIES:,} are shown here")
        cost = Cost.replaying(plies)
        room: Room = await self.prepared.open(cost, restored, saved, self.speech, self.settings)
        await self._look_for_hints(room)
        self._enter(room)
        return room

    async def _look_for_hints(self, room: Room) -> None:
        if room.hints or OPTIMAL in room.strategies:
            room.solvable = (await self.prepared.look(room.game)).judged

    def leave(self, room: Room) -> None:
        """Somebody has left: a finished game goes from memory with its last guest; the shelf has it."""
        if _is_finished(room) and self.rooms.get(room.id) is room:
            del self.rooms[room.id]

    def _enter(self, room: Room) -> None:
        """Keep the room in memory and call its opponent."""
        self.rooms[room.id] = room
        room.used = time.monotonic()
        self.opponents.call(room)

    def _make_place(self) -> None:
        most = self.settings.limits.rooms
        if len(self.rooms) >= NEARLY * most:
            self.tidy()
            finished = sorted(filter(_is_finished, self.rooms.values()), key=lambda room: room.used)
            for room in finished[: max(0, len(self.rooms) - int(NEARLY * NEARLY * most))]:
                del self.rooms[room.id]
        if len(self.rooms) >= most:
            raise Busy("too many games are going on; try again later", 60.0)

    def tidy(self) -> None:
        """Forget rooms that nobody is in and nobody asked for lately; the shelf has them."""
        before = time.monotonic() - self.settings.limits.idle_seconds
        for room in [room for room in self.rooms.values() if room.used < before and _is_free(room)]:
            del self.rooms[room.id]

    def close(self) -> None:
        """Write what waits."""
        self.opponents.close()
        self.journal.close()


def _is_free(room: Room) -> bool:
    """Whether nobody is in the room and nothing is under way for it."""
    return not (room.guests or room.tasks or room.lock.locked())


def _is_finished(room: Room) -> bool:
    return room.over and _is_free(room)
