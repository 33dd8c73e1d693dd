"""A game begins before its opponent is ready, and waits for it only when it has to decide."""

import asyncio
import sqlite3
import time

import pytest
from tests.reference.web_client import make, play_out, serving, sit

from dicewright.web.prepare import prepared as prepared_module
from dicewright.web.rooms import opponents
from dicewright.web.settings import Allowance, Busy


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(opponents, "AGAIN_SECONDS", 0.05)


@pytest.fixture
def held(monkeypatch):
    """Solving that does not end before the test says so."""
    gate = {}
    solve = prepared_module.Prepared._solve

    async def waiting(self, game):
        gate.setdefault("event", asyncio.Event())
        gate["loop"] = asyncio.get_running_loop()
        await gate["event"].wait()
        return await solve(self, game)

    monkeypatch.setattr(prepared_module.Prepared, "_solve", waiting)
    return lambda: gate["loop"].call_soon_threadsafe(gate["event"].set)


def test_who_moves_first_plays_while_the_opponent_is_prepared(held):
    with serving() as client, sit(client, make(client, "pig:goal=30", "optimal")) as table:
        table.say(type="begin", seed="s")
        state = table.until(lambda now: now["begun"] and now["progress"])
        assert state["progress"].startswith("solving pig:goal=30")
        assert [action["action"] for action in state["actions"]] == ["roll"]
        number = 0
        while state["actions"]:
            number += 1
            table.say(type="move", id=f"m{number}", ply=state["ply"], action=state["actions"][-1]["action"])
            state = table.until(lambda now, id_=f"m{number}": now["applied"] == id_)
        assert (state["to_move"], state["ended"]) == ("second", None)
        table.say(type="move", id="late", ply=state["ply"], action="roll")
        assert table.hear("error")["error"].startswith("solving pig:goal=30")
        held()
        later = table.until(lambda now: now["progress"] is None and now["ply"] > state["ply"])
        assert later["events"][: state["ply"]] == state["events"]
        assert later["events"][state["ply"]]["who"] == "second"
        table.first = later
        assert play_out(table)["ended"] == "over"


@pytest.mark.parametrize("game", ["bluff:sides=3", "mia"])
@pytest.mark.parametrize("seat", ["first", "second"])
def test_an_opponent_that_comes_late_plays_as_one_that_was_there(held, game, seat):
    """The same seeds, and the same table when it is the person's turn, whenever the opponent came."""
    with serving() as client:
        tables = []
        for late in (True, False):
            made = make(client, game, "optimal", seat=seat)
            room = client.app.state.server.rooms.rooms[made["id"]]
            room.server_seed = "00" * 32
            with sit(client, made) as table:
                while not (late or room.ready):
                    time.sleep(0.01)
                table.say(type="begin", seed="s")
                table.until(lambda now: now["begun"])
                held()
                state = client.get(f"/api/games/{made['id']}").json()
                while state["progress"] is not None or (state["to_move"] != seat and not state["ended"]):
                    time.sleep(0.01)
                    state = client.get(f"/api/games/{made['id']}").json()
            tables.append(room.sitting.choices)
        assert tables[0] == tables[1]


def test_what_a_late_opponent_does_is_on_disk_before_it_is_told(held, tmp_path):
    place = tmp_path / "games.sqlite"
    with serving(database=str(place)) as client:
        made = make(client, "pig:goal=30", "optimal", seat="second")
        with sit(client, made) as table:
            table.say(type="begin", seed="s")
            table.until(lambda now: now["begun"])
            held()
            state = table.until(lambda now: now["ply"] > 0)
            with sqlite3.connect(place) as connection:
                [(choices,)] = connection.execute("SELECT choices FROM games")
            connection.close()
            assert choices.split() == [event["choice"] for event in state["events"]]
    with serving(database=str(place)) as client, sit(client, made) as table:
        assert table.first["events"] == state["events"]


def test_a_game_without_a_solution_says_at_once_that_it_has_no_hints():
    with serving(limits=Allowance()) as client:
        made = make(client, "bluff:dice=5v5", "random", hints=True)
        with sit(client, made) as table:
            table.say(type="begin", seed="s")
            table.until(lambda now: now["begun"])
            table.say(type="hint")
            told = table.hear("error", "hint")
            assert (told["type"], told["worth"], told["mix"]) == ("hint", {}, {})
            assert told["note"] == "Nobody was trained for these rules, so there is no advice."
            assert told["odds"]["1x6"] > told["odds"]["3x6"] > told["odds"]["6x6"]


def test_hints_of_an_address_that_has_had_its_share_are_prepared_later(monkeypatch):
    """They were given up, with an error that nobody saw."""
    asked, advising = [], prepared_module.Prepared.advising

    def later(shelf, game):
        asked.append(game.name)
        if len(asked) == 1:
            raise Busy("by hand", 1.0)
        return advising(shelf, game)

    monkeypatch.setattr(prepared_module.Prepared, "advising", later)
    with serving() as client:
        made = make(client, "mia", "truthful", hints=True)
        room = client.app.state.server.rooms.rooms[made["id"]]
        while room.tasks:
            time.sleep(0.01)
    assert asked == ["mia", "mia"]
    assert room.advised
