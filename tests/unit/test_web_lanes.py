"""Lanes when somebody leaves: a worker is free when it has done its work, not when nobody waits for that any more."""

import ast
import asyncio
import gc
import threading
from pathlib import Path

import pytest

from dicewright.families.catalog import parse
from dicewright.web.prepare import lanes
from dicewright.web.prepare.lanes import ASKER, Helper, Places, Pool, aside
from dicewright.web.prepare.prepared import Prepared
from dicewright.web.settings import Allowance, Rate


async def settled():
    for _ in range(50):
        await asyncio.sleep(0)


async def until(true):
    while not true():
        await asyncio.sleep(0.001)


class Work:
    """Work in a thread that takes as long as the test says."""

    def __init__(self):
        self.begun, self.end = [], threading.Event()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end.set()  # also if the test fails: Python waits for its threads

    def __call__(self, name):
        self.begun.append(name)
        self.end.wait()
        return name


def in_pool(work):
    pool = Pool("test", 1)
    return pool, pool, lambda name: pool.do(work, name)


def in_helper(work):
    helper = Helper()
    helper._ask = lambda hear, what, arguments: work(what)
    return helper, helper, lambda name: helper.ask(print, name)


@pytest.mark.parametrize("place", [in_pool, in_helper])
def test_who_leaves_frees_no_worker_that_still_works(place):
    """Ten that left keep one turn, and the address that waits is the next."""

    async def leave(work):
        owner, lane, do = place(work)
        ASKER.set("bad")
        left = [asyncio.create_task(do(f"bad{number}")) for number in range(10)]
        await until(lambda: work.begun)
        ASKER.set("good")
        good = asyncio.create_task(do("good"))
        await settled()
        for task in left:
            task.cancel()
        await settled()
        assert all(task.cancelled() for task in left)  # nobody is kept from leaving
        assert [turn.done() for turn in lane.waiting["good"]] == [False]
        work.end.set()
        assert await good == "good"
        assert work.begun == ["bad0", "good"]  # what had not begun is not done
        await settled()
        assert (lane.free, lane.waiting) == (1, {})
        owner.close()

    with Work() as work:
        asyncio.run(leave(work))


def test_what_somebody_left_is_counted_to_its_end(monkeypatch):
    """A hint that takes 50 s, and whoever asked for it leaves after none: the 50 s are the asker's all the same."""
    now = [0.0]
    monkeypatch.setattr(lanes.time, "perf_counter", lambda: now[0])

    async def leave(work):
        prepared = Prepared(Allowance(work=Rate(0.001, 60.0)))
        ASKER.set("bad")
        hint = asyncio.create_task(prepared.hint(work, "hint"))
        await until(lambda: work.begun)
        hint.cancel()
        await settled()
        assert hint.cancelled()
        bucket = prepared.ledger.seconds["bad"]
        assert bucket.tokens < 60.0  # not given back
        now[0] = 50.0
        work.end.set()
        await until(lambda: prepared.hinting.free == 2)
        await settled()
        assert bucket.tokens == pytest.approx(10.0, abs=0.1)
        prepared.close()

    with Work() as work:
        asyncio.run(leave(work))


def test_an_error_that_nobody_waits_for_is_not_shown(caplog):
    async def leave(work):
        def failing():
            work("failing")
            raise ValueError("nobody hears this")

        pool = Pool("test", 1)
        asked = asyncio.create_task(pool.do(failing))
        await until(lambda: work.begun)
        asked.cancel()
        await settled()
        work.end.set()
        await until(lambda: pool.free == 1)
        await settled()
        pool.close()

    with Work() as work:
        asyncio.run(leave(work))
    gc.collect()
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []


def test_who_leaves_before_the_place_is_got_back_leaves_no_place_more():
    async def leave():
        places, asked = Places(1), asyncio.Event()

        async def waits():
            async with places.place("a"), aside():
                await asked.wait()

        async def works(end):
            async with places.place("a"):
                await end.wait()

        ends = [asyncio.Event(), asyncio.Event()]
        gone = asyncio.create_task(waits())
        await settled()
        first, second = (asyncio.create_task(works(end)) for end in ends)
        await settled()
        lane = places.lanes["a"]
        asked.set()
        await settled()  # its place is the first's now, and the second waits before it
        gone.cancel()
        await settled()
        assert gone.cancelled()
        assert (lane.free, [len(line) for line in lane.waiting.values()]) == (0, [2])
        ends[0].set()
        await first
        assert lane.free == 0
        ends[1].set()
        await second
        assert lane.free == 1
        assert (places.lanes, places.users) == ({}, {})

    asyncio.run(leave())


@pytest.mark.parametrize("path", sorted(Path(lanes.__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_nothing_is_imported_on_the_event_loop(path):
    """The first import of a module takes up to a tenth of a second, in which nobody's move is answered."""
    for work in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(work, ast.AsyncFunctionDef):
            found = [part.lineno for part in ast.walk(work) if isinstance(part, (ast.Import, ast.ImportFrom))]
            assert found == [], f"{work.name} imports in lines {found}"


def test_a_task_that_is_stopped_before_it_begins_leaves_nothing_behind():
    """Python warns of a coroutine that nobody awaited, and tests fail for that."""

    async def stopped():
        shelf = Prepared(Allowance())
        shelf.compiling(parse("bluff"))
        shelf.close()

    asyncio.run(stopped())
    gc.collect()
