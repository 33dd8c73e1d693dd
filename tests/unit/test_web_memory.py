"""What a finished game leaves in memory: nothing, and without Python's search for rings, which stops all games."""

import asyncio
import gc
import threading
import time
from collections import Counter
from types import SimpleNamespace

import pytest
import uvicorn
from benchmarks.web_players import Player, Tally
from tests.reference.web_client import settings
from websockets.server import ServerProtocol

from dicewright.web import run
from dicewright.web.rooms.room import Room
from dicewright.web.run import Http, Socket
from dicewright.web.sockets import SocketGuest

KINDS = (Room, SocketGuest, Http, Socket, ServerProtocol)
PATIENCE = 20.0  # seconds in which the server has noticed that a connection has ended


@pytest.fixture
def port():
    listener = run._listen("127.0.0.1", 0)
    server = uvicorn.Server(run._config(settings()))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join()


def alive():
    return Counter(type(thing) for thing in gc.get_objects() if type(thing) in KINDS)


async def play(port, games):
    """So many games to their end, one after another; the kinds of what was alive during them."""
    tally, met = Tally(), set()
    end = SimpleNamespace(is_set=lambda: tally.games == games or tally.errors)
    task = asyncio.create_task(Player(port, "pig:goal=20", "hold:20", tally, every=0.01).play(end))
    while not task.done():
        await asyncio.sleep(0.02)
        met |= alive().keys()
    assert tally.errors == []
    return met


def test_a_finished_game_leaves_nothing_in_memory(port):
    gc.collect()
    gc.disable()
    before = alive()
    try:
        assert asyncio.run(play(port, 5)) >= set(KINDS) - {
            Http
        }  # an Http lasts too short to be sure to be met
        late = time.monotonic() + PATIENCE
        while left := alive() - before:
            assert time.monotonic() < late, left
            time.sleep(0.05)
    finally:
        gc.enable()
