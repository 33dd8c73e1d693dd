"""The usual games are prepared at the start: every piece of code once, and hints before analyses."""

import asyncio
import threading

import pytest
from tests.reference.web_client import settings

from dicewright.families import own
from dicewright.storage.shelf.shelf import Shelf
from dicewright.web import app
from dicewright.web.app import Server
from dicewright.web.prepare import prepared as prepared_module
from dicewright.web.prepare.lanes import Helper
from dicewright.web.rooms import views

GAMES = ("mia", "bluff-match:dice=1v2", "bluff-match:dice=2v1")  # at hand in every package
TURNS = 200  # of the event loop, in which all that can go on has gone on


class Asked:
    """Stands in for the other processes: what they are asked, and what they answer once they may."""

    def __init__(self, monkeypatch):
        self.questions, self.may = [], asyncio.Event()
        asked = self

        async def ask(helper, _, work, *arguments):
            asked.questions.append((work, *arguments))
            await asked.may.wait()
            return "MatchStrategy"

        monkeypatch.setattr(Helper, "ask", ask)

    def of(self, what):
        return [question for question in self.questions if question[-1] == what]


async def until(true):
    while not true():
        await asyncio.sleep(0.001)


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(app, "QUIET_SECONDS", 0.0)


def prepared(monkeypatch, work):
    """Run the work beside a server that prepares GAMES."""

    async def run():
        asked, server = Asked(monkeypatch), Server(settings(warm=GAMES), Shelf.open("sqlite://"))
        warm = asyncio.create_task(server.warm())
        try:
            await work(server, asked)
            await warm
            return asked
        finally:
            warm.cancel()
            server.close()

    return asyncio.run(asyncio.wait_for(run(), 60.0))


def test_code_that_is_being_made_is_not_asked_for_again(at_once, monkeypatch):
    """The other process was asked again for each game, and the hints waited for all of these answers."""

    async def work(server, asked):
        solutions = [("solution", name) for name in GAMES]
        await until(lambda: all(key in server.prepared.tasks for key in solutions))
        await asyncio.gather(*(server.prepared.tasks[key].task for key in solutions))
        for _ in range(TURNS):
            await asyncio.sleep(0)
        asked.may.set()

    asked = prepared(monkeypatch, work)
    assert asked.of("hint") == [("compile", name, "hint") for name in GAMES[1:]]
    assert [name.partition(":")[0] for _, name, _ in asked.of("analysis")] == ["mia", "bluff-match"]


def test_analyses_are_prepared_when_all_hints_are(at_once, monkeypatch):
    """Also where the rules of one game are looked at when another one's hints are ready already."""
    found = threading.Event()

    def look(game):
        if game.name == GAMES[-1]:
            found.wait(1.0)
        return views.look(game)

    async def work(server, asked):
        asked.may.set()
        for _ in range(TURNS):
            await asyncio.sleep(0.001)
        found.set()
        await until(lambda: asked.of("analysis"))
        assert all(("advice", name) in server.prepared.tasks for name in GAMES)
        assert all(server.prepared.tasks["advice", name].ready for name in GAMES)

    monkeypatch.setattr(prepared_module, "look", look)
    prepared(monkeypatch, work)


def test_compiled_code_is_loaded_beside_the_event_loop(at_once, monkeypatch):
    """Loading it took 0.6 s on the loop, at the first document after the analysis was prepared."""
    threads = []
    for kin in own():
        monkeypatch.setattr(
            type(kin), "warm", lambda kin, solution: threads.append(threading.current_thread()), raising=True
        )

    async def work(server, asked):
        asked.may.set()

    prepared(monkeypatch, work)
    assert len(threads) == len(GAMES)
    assert threading.main_thread() not in threads


def test_a_game_that_cannot_be_prepared_keeps_no_other_from_it(at_once, monkeypatch, caplog):
    def look(game):
        if game.name == GAMES[1]:
            raise RuntimeError("by hand")
        return views.look(game)

    async def work(server, asked):
        asked.may.set()

    monkeypatch.setattr(prepared_module, "look", look)
    asked = prepared(monkeypatch, work)
    assert "bluff-match:dice=1v2 was not prepared: by hand" in caplog.text
    assert {name for _, name, _ in asked.of("analysis")} <= set(GAMES) - {GAMES[1]}
    assert asked.of("analysis")
