"""The computer's answers leave on a beat of 20 ms: how long it thought about its hidden dice shows nowhere."""

import asyncio
import selectors
from types import SimpleNamespace

import pytest
from tests.reference.web_client import settings

from dicewright.families.catalog import parse
from dicewright.web.prepare.lanes import Pool
from dicewright.web.prepare.prepared import Prepared
from dicewright.web.prepare.remembered import Task
from dicewright.web.rooms.opponents import BEAT_SECONDS
from dicewright.web.rooms.rooms import Journal, Rooms
from dicewright.web.settings import NO_LIMITS


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time is the test's own: it passes when the test says so, or when everybody waits for it."""

    def __init__(self):
        self.now = 100.0
        super().__init__(SimpleSelector(self))

    def time(self):
        return self.now


class SimpleSelector(selectors.SelectSelector):
    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def select(self, timeout=None):
        if timeout:
            self.clock.now += timeout
        return super().select(0.0 if timeout is not None else None)


@pytest.fixture(autouse=True)
def inline(monkeypatch):
    """No thread: the time that one takes would be the machine's."""

    async def at_once(pool, work, *arguments):
        return work(*arguments)

    monkeypatch.setattr(Pool, "do", at_once)


class Guest:
    """Notes when each frame is put into its outbox."""

    def __init__(self, seat):
        self.seat, self.sent, self.at = seat, None, []

    def send(self, frame, applied=None):
        self.at.append((asyncio.get_running_loop().time(), '"applied":"m"' in frame))


async def play(game, seat, think, write, monkeypatch):
    """When the answers to `begin` and to a move leave, counted from when they were heard."""
    loop = asyncio.get_running_loop()

    def strategy(view):
        loop.now += think  # longer with some hands than with others
        return {next(iter(game.actions(view))): 1.0}

    async def written(self, work, moved=False):
        await asyncio.sleep(write)

    async def ready():
        return strategy

    monkeypatch.setattr(Journal, "write", written)
    prepared = Prepared(NO_LIMITS)
    prepared.opponent = lambda *_: Task("scripted", ready())
    rooms = Rooms(settings(), SimpleNamespace(), prepared)
    room, _, _ = await rooms.create(game, "optimal", seat, False, "Ada")
    while not room.ready:
        await asyncio.sleep(0.001)
    guest = Guest(seat)
    room.guests.add(guest)
    await asyncio.sleep(0.0037)
    begun = loop.time()
    await rooms.begin(room, seat, "seed")
    answers = [guest.at[-1][0] - begun]
    if not room.over:
        heard, table = loop.time(), room.sitting
        await rooms.move(room, seat, "m", len(table.choices), game.show_choice(table.actions[0]))
        answers.append(next(at for at, applied in guest.at if applied) - heard)
        assert room.sitting is not table
    rooms.close()
    prepared.close()
    return answers


def timed(monkeypatch, text, seat=0, think=0.0002, write=0.004):
    clock = Clock()
    try:
        return clock.run_until_complete(play(parse(text), seat, think, write, monkeypatch))
    finally:
        clock.run_until_complete(clock.shutdown_default_executor())
        clock.close()


@pytest.mark.parametrize("text", ["bluff", "bluff-match:dice=2v2", "mia", "liars-die"])
@pytest.mark.parametrize("seat", [0, 1])
def test_short_and_long_thoughts_are_answered_alike(monkeypatch, text, seat):
    found = {
        tuple(round(at, 9) for at in timed(monkeypatch, text, seat, think)) for think in (0.0, 174e-6, 4e-3)
    }
    assert found == {(BEAT_SECONDS,) * len(next(iter(found)))}


def test_what_takes_longer_leaves_with_a_later_tick(monkeypatch):
    for think, write, ticks in ((0.001, 0.021, 2), (0.003, 0.033, 2), (0.001, 0.055, 3)):
        assert timed(monkeypatch, "bluff", think=think, write=write)[1] == pytest.approx(ticks * BEAT_SECONDS)


@pytest.mark.parametrize("think", [0.022, 0.027, 0.037])
def test_a_thought_longer_than_a_beat_moves_no_tick(monkeypatch, think):
    """Strategies think on the loop, so a tick may come late; the next ones are due when they always were."""
    [begun, moved] = timed(monkeypatch, "bluff", think=think, write=0.001)
    assert moved == pytest.approx(2 * BEAT_SECONDS, abs=1e-9)
    assert begun == pytest.approx(BEAT_SECONDS, abs=1e-9)


def test_where_nothing_is_hidden_nobody_waits(monkeypatch):
    for answer in timed(monkeypatch, "pig", write=0.004):
        assert answer == pytest.approx(0.004, abs=0.002)


def left(monkeypatch, ask, when, write=0.004):
    """A room whose player leaves so long after asking something; what is on disk then and what others were told."""

    async def leave():
        loop, game, written = asyncio.get_running_loop(), parse("bluff"), []

        async def save(self, work, moved=False):
            written.append(work)  # the journal's thread writes it down, whoever waits for that
            await asyncio.sleep(write)

        monkeypatch.setattr(Journal, "write", save)
        prepared = Prepared(NO_LIMITS)

        async def ready():
            return lambda view: {next(iter(game.actions(view))): 1.0}

        prepared.opponent = lambda *_: Task("scripted", ready())
        rooms = Rooms(settings(), SimpleNamespace(), prepared)
        room, _, _ = await rooms.create(game, "optimal", 0, False, "Ada")
        while not room.ready:
            await asyncio.sleep(0.001)
        other = Guest(0)  # another tab of the same player
        room.guests.add(other)
        if ask == "move":
            await rooms.begin(room, 0, "seed")
        other.at.clear()
        heard = loop.time()
        work = {"begin": lambda: rooms.begin(room, 0, "seed")}.get(
            ask, lambda: rooms.move(room, 0, "m", len(room.sitting.choices), "1x1")
        )
        asked = asyncio.create_task(work())
        await asyncio.sleep(when)
        asked.cancel()
        await asyncio.wait({asked})
        assert asked.cancelled()  # nobody is kept from leaving
        assert loop.time() - heard == pytest.approx(when)
        await asyncio.sleep(2 * BEAT_SECONDS)
        rooms.close()
        prepared.close()
        assert written[-1].choices.split() == [game.show_choice(choice) for choice in room.sitting.choices]
        assert written[-1].secret["ids"] == room.ids
        assert not room.lock.locked()
        return [at - heard for at, _ in other.at]

    clock = Clock()
    try:
        return clock.run_until_complete(leave())
    finally:
        clock.run_until_complete(clock.shutdown_default_executor())
        clock.close()


@pytest.mark.parametrize("when", [0.002, BEAT_SECONDS / 2], ids=["being written", "waiting for the beat"])
@pytest.mark.parametrize("ask", ["begin", "move"])
def test_who_leaves_has_asked_all_the_same(monkeypatch, ask, when):
    """It is on disk: the table that everybody sees must not lag behind it, and everybody is told."""
    assert left(monkeypatch, ask, when) == [pytest.approx(BEAT_SECONDS)]
