"""The server in trouble: a shelf that fails, opponents that come late, readers that do not read."""

import asyncio
import logging
import time
from types import SimpleNamespace

import pytest
from tests.reference.web_client import closing, make, play_out, serving, sit

from dicewright.core.errors import StorageError
from dicewright.storage.records.text import read_records
from dicewright.storage.shelf.saved_game import SavedGame
from dicewright.web import sockets
from dicewright.web.prepare import remembered as task
from dicewright.web.rooms import opponents
from dicewright.web.rooms.rooms import Journal
from dicewright.web.settings import UNREADABLE, Allowance, Unavailable


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(opponents, "AGAIN_SECONDS", 0.05)
    monkeypatch.setattr(task, "RETRY_SECONDS", 0.0)


def test_a_shelf_in_trouble_is_not_a_game_that_is_gone(monkeypatch, caplog):
    with serving() as client:
        made = make(client)
        server = client.app.state.server
        server.rooms.rooms.clear()

        def locked(*_, **__):
            raise StorageError("/home/ada/games.sqlite is locked")

        with monkeypatch.context() as patch:
            patch.setattr(server.shelf, "get", locked)
            patch.setattr(server.shelf, "find", locked)
            with caplog.at_level(logging.ERROR, "dicewright"):
                answer = client.get(f"/api/games/{made['id']}")
            assert (answer.status_code, answer.json()) == (503, {"error": UNREADABLE})
            assert len(caplog.records) == 1
            assert closing(client, made["id"]) == 1013
            answer = client.get("/api/games")
            assert (answer.status_code, answer.json()) == (503, {"error": UNREADABLE})
        assert client.get(f"/api/games/{made['id']}").status_code == 200
        assert closing(client, "nothing-here") == 4404
        assert client.get("/api/games", params={"before": "nothing-here"}).status_code == 400


def test_an_opponent_comes_once_there_is_place():
    with (
        serving(limits=Allowance(waiting=0)) as client,
        sit(client, make(client, "pig:goal=11", "optimal", seat="second")) as table,
    ):
        table.say(type="begin", seed="s")
        waiting = table.until(lambda now: now["begun"] and now["progress"])
        assert (waiting["ply"], waiting["to_move"], waiting["actions"]) == (0, "first", [])
        table.say(type="move", id="m", ply=0, action="roll")
        assert "being solved" in table.hear("error")["error"]
        client.app.state.server.prepared.limits = Allowance()
        assert table.until(lambda now: now["progress"] is None)["events"][0]["who"] == "first"


def test_an_opponent_comes_although_something_failed_at_first(monkeypatch):
    with serving() as client:
        server, tried = client.app.state.server, []
        opponent = server.prepared.opponent

        def failing(*asked):
            tried.append(asked)
            if len(tried) < 3:
                raise RuntimeError("a secret of the server's")
            return opponent(*asked)

        monkeypatch.setattr(server.prepared, "opponent", failing)
        with sit(client, make(client)) as table:
            table.say(type="begin", seed="s")
            assert table.until(lambda now: now["begun"])
            assert "secret" not in "".join(table.frames)


def test_a_game_that_could_not_be_stored_begins_when_it_is_said_again(monkeypatch):
    with serving() as client, sit(client, make(client)) as table:
        shelf = client.app.state.server.shelf
        save, fails = shelf.save, [StorageError("disk full: /var/x"), StorageError("again")]

        def saving(games, moved=()):
            if fails:
                raise fails.pop()
            save(games, moved)

        monkeypatch.setattr(shelf, "save", saving)
        for _ in range(2):
            table.say(type="begin", seed="s")
            assert "/var" not in table.hear("error")["error"]
        table.say(type="begin", seed="s")
        assert table.until(lambda now: now["begun"])["client_seed"] == "s"


def test_playing_again_needs_an_opponent_that_can_come():
    text = '[Game "two-dice-pig:goal=500"]\n[First "Ada"]\n[Second "Bo"]\n\n'
    text += "roll +12 " * 42 + "hold =1\n"
    with serving() as client:
        [id_] = client.app.state.server.shelf.add(read_records(text))
        answer = client.post(f"/api/games/{id_}/again", json={"ply": 2})
        assert (answer.status_code, "too large" in answer.text) == (422, True)


def test_a_spectator_does_not_play_again_under_the_players_name():
    with serving() as client:
        made = make(client, name="Ada")
        with sit(client, made) as table:
            play_out(table)
        for headers, name in (({}, "you"), ({"Authorization": f"Bearer {made['token']}"}, "Ada")):
            fork = client.post(f"/api/games/{made['id']}/again", json={"ply": 0}, headers=headers).json()
            assert client.get(f"/api/games/{fork['id']}").json()["players"][0]["name"] == name


def test_who_reads_nothing_is_let_go():
    async def stuck():
        async def send_text(_):
            await asyncio.sleep(60)

        guest = sockets.SocketGuest(SimpleNamespace(send_text=send_text, scope={}), 0.05)
        guest.room = SimpleNamespace(state_frame=lambda seat, since, applied: f"{since} {applied}")
        for number in range(1_000):
            guest.send("x" * 5_000, f"m{number}")
            assert sum(map(len, guest.outbox)) <= sockets.MOST_BYTES
        with pytest.raises(TimeoutError):
            await guest.write()
        guest.send("y", "last")
        guest.behind = True
        assert guest._next() == "0 last"

    asyncio.run(stuck())


def test_who_asks_is_answered_at_once_and_in_order():
    async def talk():
        said, held = [], [0]

        async def send_text(frame):
            said.append((frame, asyncio.current_task().get_name()))

        transport = SimpleNamespace(get_write_buffer_size=lambda: held[0])
        scope = {"dicewright.transport": transport}
        guest = sockets.SocketGuest(SimpleNamespace(send_text=send_text, scope=scope), 5.0)
        writer = asyncio.create_task(guest.write(), name="writer")
        guest.hearer = asyncio.current_task()
        guest.hearer.set_name("hearer")
        guest.send("a")
        guest.send("b")
        await guest.answer()
        held[0] = 1  # it takes no more for now: whoever hears goes on hearing
        guest.send("c")
        await guest.answer()
        assert said == [("a", "hearer"), ("b", "hearer")]
        held[0] = 0

        async def of_another():
            guest.send("d")

        await asyncio.create_task(of_another())
        while len(said) < 4:
            await asyncio.sleep(0)
        assert said[2:] == [("c", "writer"), ("d", "writer")]
        writer.cancel()

    asyncio.run(asyncio.wait_for(talk(), 60.0))


class PickyShelf:
    """Refuses one game, or all of them."""

    def __init__(self, refused):
        self.refused, self.saved, self.calls = refused, set(), 0

    def save(self, games, moved=()):
        self.calls += 1
        if self.refused is None or any(game.id in self.refused for game in (*games, *moved)):
            raise StorageError("no")
        self.saved |= {game.id for game in (*games, *moved)}


@pytest.mark.parametrize(("refused", "lost"), [({"3"}, {"3"}), (None, set("0123456789"))])
def test_one_bad_game_does_not_fail_the_others(refused, lost, caplog):
    async def write():
        journal = Journal(shelf)
        games = [SavedGame(str(number), "pig") for number in range(10)]
        writing = (journal.write(game, moved=int(game.id) % 2 > 0) for game in games)
        found = await asyncio.gather(*writing, return_exceptions=True)
        journal.close()
        return {game.id for game, error in zip(games, found, strict=True) if isinstance(error, Unavailable)}

    shelf = PickyShelf(refused)
    with caplog.at_level(logging.ERROR, "dicewright"):
        assert asyncio.run(write()) == lost
    assert shelf.saved == set("0123456789") - lost
    assert len(caplog.records) == 1
    assert shelf.calls <= 11


def test_a_reveal_comes_to_who_returns_and_counts():
    """In games with hidden dice everything is said again, for dice that were covered may be open now."""
    with serving() as client:
        made = make(client, "bluff", "truthful")
        with sit(client, made, seen=0) as table:
            end = play_out(table)
        with sit(client, made, seen=end["ply"]) as table:
            assert table.first["since"] == 0
            assert table.first["events"] == client.get(f"/api/games/{made['id']}").json()["events"]


def test_a_repeated_move_is_answered_to_the_asker_only():
    with serving() as client:
        made = make(client, "pig:goal=500")
        with sit(client, made) as table, sit(client, made, token=False) as watcher:
            table.say(type="begin", seed="s")
            table.until(lambda now: now["begun"])
            for _ in range(3):
                table.say(type="move", id="same", ply=0, action="roll")
                table.until(lambda now: now["applied"] == "same")
            table.say(type="move", id="next", ply=-1, action="roll")
            table.hear("error")
            ply = client.get(f"/api/games/{made['id']}").json()["ply"]
            watcher.until(lambda now: now["ply"] == ply)
            assert sum(f'"ply":{ply},"to_move"' in frame for frame in watcher.frames) == 1


def test_figures_are_written_once(monkeypatch):
    with serving() as client:
        made, shelf, kept = make(client, "pig:goal=12"), client.app.state.server.shelf, []
        with sit(client, made) as table:
            play_out(table)
        keep = shelf.keep_figures
        monkeypatch.setattr(shelf, "keep_figures", lambda *asked: (kept.append(asked), keep(*asked)))
        for _ in range(3):
            while client.get(f"/api/games/{made['id']}/analysis").status_code == 202:
                time.sleep(0.05)
        assert len(kept) == 1
