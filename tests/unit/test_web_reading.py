"""What is read and replayed for somebody: in lanes, counted, and found out once."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.reference.web_client import closing, make, play_out, serving, sit

from dicewright.core.errors import TooLarge
from dicewright.families.catalog import parse
from dicewright.storage.records.text import read_records
from dicewright.web.prepare import prepared as prepared_module
from dicewright.web.prepare.prepared import Prepared
from dicewright.web.prepare.remembered import Cost, Ledger
from dicewright.web.rooms import views
from dicewright.web.settings import MOST_PLIES, NO_LIMITS


@pytest.fixture
def given(monkeypatch):
    """What was given to threads: the name of the pool and the work."""
    found, submit = [], ThreadPoolExecutor.submit

    def noted(pool, work, *arguments, **named):
        found.append((pool._thread_name_prefix, f"{work} {arguments}"))
        return submit(pool, work, *arguments, **named)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", noted)
    return found


def long_game(plies):
    """A game of Pig in which nobody ever gets on."""
    moves = " ".join(plies // 2 * ["roll bust"])
    text = f'[Game "pig"]\n[First "a"]\n[FirstStrategy "random"]\n[Ended "cut-off"]\n\n{moves} =0\n'
    return read_records(text)


@pytest.mark.parametrize("text", ["bluff:dice=5v5,sides=10", "pig:goal=30", "hog:goal=500,dice=20"])
def test_whether_a_game_is_solvable_is_looked_at_once_and_in_a_thread(monkeypatch, text):
    looks, is_quick = [], views.is_quick

    def noted(game):
        looks.append(threading.current_thread().name.partition("_")[0])
        return is_quick(game)

    monkeypatch.setattr(views, "is_quick", noted)
    with serving() as client:
        shelf = client.app.state.server.prepared
        first = client.get("/api/rules", params={"game": text}).json()
        once = len(looks)
        assert client.get("/api/rules", params={"game": text}).json().keys() == first.keys()
        assert (len(looks), set(looks)) == (once, {"reading"})
        assert [key for key in shelf.read_before if key[0] == "look"] == [("look", parse(text).name)]


def test_the_same_opponent_is_checked_once(given):
    """Thousands begin the same game; each waited for the thread that checks, and after 32 they were refused."""
    with serving() as client:
        for _ in range(3):
            assert make(client)["id"]
        refused = {"game": "pig:goal=20", "opponent": "hold:0"}
        assert [client.post("/api/games", json=refused).status_code for _ in range(2)] == [422, 422]
    assert len([what for pool, what in given if "check_opponent" in what and pool == "reading"]) == 3


def test_what_was_looked_at_is_forgotten_in_time(monkeypatch):
    monkeypatch.setattr("dicewright.web.prepare.prepared.MOST_READ", 6)
    with serving() as client:
        for goal in range(20, 40):
            client.get("/api/rules", params={"game": f"pig:goal={goal}"})
        assert len(client.app.state.server.prepared.read_before) <= 6


def test_a_game_is_opened_and_written_in_a_lane(given):
    with serving() as client:
        [id_] = client.app.state.server.shelf.add(long_game(40))
        assert client.get(f"/api/games/{id_}").status_code == 200
        assert client.get(f"/api/games/{id_}/record").status_code == 200
        assert client.post(f"/api/games/{id_}/again", json={"ply": 4}).status_code == 201
    for work in ("restored", "_written", "state_at"):
        assert [pool for pool, what in given if work in what] == ["opening"], work


def test_who_opens_long_games_pays_for_their_length():
    few, many = Cost.replaying(50), Cost.replaying(MOST_PLIES)
    assert many.seconds > 10 * few.seconds
    assert many.size == 0


def test_a_game_that_is_too_long_is_refused_with_a_sentence(given):
    with serving() as client:
        shelf = client.app.state.server.shelf
        [most] = shelf.add(long_game(MOST_PLIES))
        assert client.get(f"/api/games/{most}").status_code == 200
        given.clear()
        [id_] = shelf.add(long_game(MOST_PLIES + 2))
        answer = client.get(f"/api/games/{id_}")
        assert answer.status_code == 422
        assert (
            answer.json()["error"]
            == f"this game has {MOST_PLIES + 2:,} choices; up to {MOST_PLIES:,} are shown here"
        )
        assert closing(client, id_) == 4404
        assert not [what for _, what in given if "restored" in what]


def test_a_game_played_here_is_opened_again_from_the_shelf(given):
    with serving() as client:
        made = make(client)
        with sit(client, made) as table:
            play_out(table)
        client.app.state.server.rooms.rooms.clear()
        assert client.get(f"/api/games/{made['id']}").json()["ended"] == "over"
        assert [pool for pool, what in given if "restored" in what] == ["opening"]


def test_the_first_deal_and_an_opponent_that_comes_late_are_counted_in_a_lane(given, monkeypatch):
    """What a strategy thinks about then was done in threads without a lane, and for nothing."""
    gate, settled, settle = threading.Event(), [], Ledger.settle

    def noted(ledger, who, seconds, took):
        settled.append((who, seconds))
        settle(ledger, who, seconds, took)

    def late(*asked):
        gate.wait(10.0)
        return views.make(*asked)

    monkeypatch.setattr(prepared_module, "make", late)
    monkeypatch.setattr(Ledger, "settle", noted)
    with serving() as client, sit(client, make(client, "pig", seat="second")) as table:
        table.say(type="begin", seed="s")
        table.until(lambda now: now["begun"])
        assert settled.count(("testclient", Cost.replaying(0).seconds)) == 1
        gate.set()
        assert table.until(lambda now: now["ply"])["to_move"] == "second"
        assert settled.count(("testclient", Cost.replaying(0).seconds)) == 2
    for work in ("Room.deal", "replayed"):
        assert [pool for pool, what in given if work in what] == ["opening"], work


@pytest.mark.parametrize(("text", "solvable"), [("pig:goal=12", True), ("bluff:dice=5v5,sides=10", False)])
def test_what_was_not_looked_at_before_is_looked_at_in_a_thread(monkeypatch, text, solvable):
    """A store is a file: nothing of it is opened on the event loop, also where the look has been forgotten."""
    looks, game = [], views.playable(text)

    def noted(*asked):
        looks.append(threading.current_thread().name.partition("_")[0])
        return views.look(*asked)

    async def asked():
        shelf = Prepared(NO_LIMITS)
        try:
            return await shelf.solving(game).task
        finally:
            shelf.close()

    noted.__name__ = views.look.__name__
    monkeypatch.setattr(prepared_module, "look", noted)
    if solvable:
        assert asyncio.run(asked()).game == game
    else:
        with pytest.raises(TooLarge, match="too large to be solved here"):
            asyncio.run(asked())
    assert looks == ["reading"]
