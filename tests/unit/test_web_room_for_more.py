"""What is kept in memory: nobody's wishes throw out what others use, nor what the server itself prepared."""

import asyncio
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dicewright.web.prepare import remembered
from dicewright.web.prepare.lanes import ASKER, SERVER, Document
from dicewright.web.prepare.prepared import Prepared
from dicewright.web.prepare.remembered import Cost
from dicewright.web.settings import Allowance, Busy, Rate

MB = 1_000_000
LIMITS = Allowance(bytes=200 * MB, bytes_of_address=80 * MB, work=Rate(1.0, 100.0))


@dataclass(eq=False)
class Table:
    table: Any


def table(size):
    return Table(np.zeros(size, np.uint8))


async def made(prepared, who, name, size=10 * MB, kind="opponent", make=table):
    """What this address asks for, once it is there."""
    ASKER.set(who)

    async def work():
        return make(size)

    task = prepared._task((kind, name), name, lambda: Cost(0.1, size), work)
    result = await task.task
    await asyncio.sleep(0)
    return result


def names(prepared):
    return [name for _, name in prepared.tasks]


def kept(talk, limits=LIMITS):
    async def run():
        prepared = Prepared(limits)
        try:
            return await talk(prepared)
        finally:
            prepared.close()

    return asyncio.run(run())


def test_what_others_use_is_not_thrown_out_and_not_refused():
    async def talk(prepared):
        await made(prepared, SERVER, "pig")
        in_rooms = [await made(prepared, who, f"{who}{n}") for who in "abc" for n in range(6)]
        before = list(prepared.tasks)
        with pytest.raises(Busy, match="all players"):
            await made(prepared, "d", "new", 20 * MB)
        assert list(prepared.tasks) == before
        assert [await made(prepared, "d", name) for name in ("a0", "c5")] == [in_rooms[0], in_rooms[-1]]
        assert prepared.ledger.seconds["d"].tokens == pytest.approx(100.0, abs=0.1)  # nothing was done

    kept(talk)


def test_what_nobody_uses_makes_room_oldest_first():
    async def talk(prepared):
        await made(prepared, SERVER, "pig")
        used = await made(prepared, "a", "used")
        for name in ("a1", "a2", "b1", "b2", "c1", "c2"):
            await made(prepared, name[0], name, 30 * MB)
        assert names(prepared) == ["pig", "used", "a1", "a2", "b1", "b2", "c1", "c2"]
        await made(prepared, "c", "c3", 30 * MB)  # its own first
        assert names(prepared) == ["pig", "used", "a1", "a2", "b1", "b2", "c2", "c3"]
        await made(prepared, "d", "d1", 40 * MB)
        assert names(prepared) == ["pig", "used", "b1", "b2", "c2", "c3", "d1"]
        assert used is await made(prepared, "d", "used")

    kept(talk)


def test_who_has_too_much_throws_out_nothing_of_others():
    async def talk(prepared):
        await made(prepared, "b", "b1", 70 * MB)
        mine = [await made(prepared, "a", f"a{n}") for n in range(8)]
        with pytest.raises(Busy, match="you have"):
            await made(prepared, "a", "more")
        assert (len(mine), names(prepared)) == (8, ["b1", *(f"a{n}" for n in range(8))])

    kept(talk)


def test_who_has_used_up_the_budget_throws_out_nothing():
    async def talk(prepared):
        await made(prepared, "b", "b1", 70 * MB)
        await made(prepared, "c", "c1", 70 * MB)
        prepared.ledger.seconds.of("a").take(100.0)
        with pytest.raises(Busy, match="worked out"):
            await made(prepared, "a", "more", 70 * MB)
        assert names(prepared) == ["b1", "c1"]

    kept(talk)


def test_what_the_server_asks_for_becomes_its_own():
    async def talk(prepared):
        await made(prepared, "a", "pig", 70 * MB)
        await made(prepared, SERVER, "pig", 70 * MB)
        used = await made(prepared, "a", "one", 10 * MB)
        with pytest.raises(Busy):
            await made(prepared, "a", "two", 10 * MB)
        assert names(prepared) == ["pig", "one"]
        return used

    kept(talk)


def test_many_small_things_of_one_address_push_out_its_own(monkeypatch):
    monkeypatch.setattr(remembered, "MOST_KEPT", 4)

    async def talk(prepared):
        await made(prepared, SERVER, "pig", 100)
        used = await made(prepared, "b", "b0", 100)
        for name in ("b1", "a0", "a1", "a2", "a3", "a4"):
            await made(prepared, name[0], name, 100)
        assert names(prepared) == ["pig", "b0", "b1", "a2", "a3", "a4"]
        return used

    kept(talk)


def test_documents_count_by_their_bytes():
    async def talk(prepared):
        for number in range(8):
            await made(prepared, "a", str(number), 3_000, "heavy", lambda size: Document(b"x" * size))
        assert names(prepared) == ["5", "6", "7"]
        assert prepared.ledger.kept("a") == 9_000

    kept(talk, Allowance(bytes=10_000))


def test_one_solution_is_counted_once():
    async def talk(prepared):
        one = await made(prepared, "a", "solution", 30 * MB)
        again = await made(prepared, "b", "advice", 0, make=lambda _: one)
        assert again is one
        assert (prepared.ledger.kept("a"), prepared.ledger.kept("b"), prepared.ledger.kept()) == (
            30 * MB,
            0,
            30 * MB,
        )

    kept(talk)
