"""When decisions were shown and made: rows beside the games, written with the choice, that survive whatever happens."""

import errno
import json
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from tests.reference.web_client import make, play_out, serving, sit

import dicewright as dw
from dicewright.cli.play.table import Saver, Setup, Sitting, seed_of, unfinished
from dicewright.core.errors import StorageError
from dicewright.core.times import Times, Watch, times_of
from dicewright.families.catalog import parse
from dicewright.storage.records.lexicon import movers
from dicewright.storage.shelf import migrations
from dicewright.storage.shelf.database import VERSION
from dicewright.storage.shelf.saved_game import SavedGame
from dicewright.storage.shelf.shelf import Shelf
from dicewright.storage.strategies import parse as strategy

OLD = Path(__file__).parent.parent / "fixtures" / "shelf-1.sqlite"
ONE, TWO = Times(1794773700250, 5210), Times(1794773699000, 0)


@pytest.fixture(params=["file", "server"])
def url(request, tmp_path):
    """A new database: an SQLite file, and a schema of a server if there is one."""
    return (
        str(tmp_path / "games.sqlite") if request.param == "file" else request.getfixturevalue("server_url")
    )


def rows(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT game, ply, shown, time FROM events ORDER BY game, ply").fetchall()


class Clock:
    """A clock on the wall that may be set, and one that nobody sets."""

    def __init__(self, monkeypatch, wall=1794773700250):
        self.wall, self.run = wall, 10**9
        monkeypatch.setattr(time, "time_ns", lambda: self.wall * 10**6 + 999_999)
        monkeypatch.setattr(time, "monotonic_ns", lambda: self.run)

    def go(self, ms, wall=None):
        self.run += ms * 10**6
        self.wall += ms if wall is None else wall


def test_a_clock_that_is_set_back_changes_no_duration(monkeypatch):
    clock = Clock(monkeypatch)
    watch = Watch.start(3)
    clock.go(1500, wall=-3_600_000)
    assert watch.stop() == Times(1794773700250, 1500)
    assert Watch.start(4).shown == 1794773700250 - 3_600_000
    assert Watch.start(4).stop().time == 0


def test_times_are_saved_with_the_choice_and_come_back(url):
    game = SavedGame("a", "pig:goal=20", choices="roll +6", times={0: ONE})
    with Shelf.open(url) as shelf:
        shelf.save([game, SavedGame("b", "pig:goal=20", choices="roll +6")])
        moved = replace(game, choices="roll +6 roll +5", times={2: TWO})
        shelf.save([], [moved])
        assert shelf.get("a").times == shelf.match("a").times == {0: ONE, 2: TWO}
        assert times_of(shelf.get("a").record()) == {0: ONE, 2: TWO}
        assert {saved.id: dict(saved.times) for saved in shelf.find(timed=True)} == {
            "a": {0: ONE, 2: TWO},
            "b": {},
        }
        assert not any(saved.times for saved in shelf.find())
        shelf.save([replace(moved, times={2: ONE})])
        assert shelf.get("a").times == {0: ONE, 2: ONE}


def test_what_is_not_saved_leaves_no_row(tmp_path):
    path = tmp_path / "games.sqlite"
    with Shelf.open(str(path)) as shelf:
        with pytest.raises(StorageError):
            shelf.save([SavedGame("a", "pig", choices="roll", times={0: ONE}), SavedGame("b", "\ud800")])
        assert rows(path) == []


def test_a_choice_taken_back_takes_its_time_with_it(url):
    before = SavedGame("a", "pig:goal=20", choices="roll +6 roll +5", times={0: ONE, 2: TWO})
    with Shelf.open(url) as shelf:
        shelf.go_on(before, None)
        back = replace(before, choices="roll +6", times={0: ONE})
        shelf.go_on(back, before)
        assert shelf.get("a").times == {0: ONE}
        shelf.go_on(replace(back, choices="roll +6 hold", times={0: ONE, 2: ONE}), back)
        assert shelf.get("a").times == {0: ONE, 2: ONE}


def test_a_time_beyond_the_choices_keeps_no_game_closed():
    game = SavedGame("a", "pig:goal=20", choices="roll +6", times={0: ONE, 7: TWO, -1: TWO})
    assert times_of(game.record()) == {0: ONE}


# An older database.


def test_an_older_file_is_copied_before_its_tables_change(tmp_path):
    path = tmp_path / "games.sqlite"
    shutil.copy(OLD, path)
    with closing(sqlite3.connect(OLD)) as old:
        games = old.execute("SELECT * FROM games ORDER BY number").fetchall()
    with Shelf.open(str(path)) as shelf:
        assert len(shelf.find(limit=1000, timed=True)) == len(games)
        assert not any(saved.times for saved in shelf.find(limit=1000, timed=True))
    copy = tmp_path / "games.sqlite.version-1"
    for place, version in ((path, VERSION), (copy, "1")):
        with closing(sqlite3.connect(place)) as found:
            assert found.execute("SELECT * FROM games ORDER BY number").fetchall() == games
            assert found.execute("SELECT version_num FROM alembic_version").fetchall() == [(version,)]
    assert rows(path) == []
    Shelf.open(str(path)).close()
    assert sorted(each.name for each in tmp_path.glob("*version*")) == [copy.name]
    shutil.copy(OLD, path)
    kept = copy.read_bytes()
    Shelf.open(f"sqlite:///file:{path}?uri=true").close()
    assert sorted(each.name for each in tmp_path.glob("*version*")) == [copy.name, f"{copy.name}-2"]
    assert copy.read_bytes() == kept


def test_an_older_file_in_use_is_copied_with_what_stands_in_its_log(tmp_path):
    path = tmp_path / "games.sqlite"
    shutil.copy(OLD, path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("UPDATE games SET words = 'changed'")
        other.commit()
        Shelf.open(str(path)).close()
    with closing(sqlite3.connect(f"{path}.version-1")) as copy:
        assert copy.execute("SELECT DISTINCT words FROM games").fetchall() == [("changed",)]


def test_a_full_disk_leaves_the_older_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "games.sqlite"
    shutil.copy(OLD, path)

    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "mkstemp", full)
        with pytest.raises(StorageError, match=r"cannot write the games database .*[Nn]o space"):
            Shelf.open(str(path))
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("SELECT version_num FROM alembic_version").fetchall() == [("1",)]
    Shelf.open(str(path)).close()
    assert (tmp_path / "games.sqlite.version-1").exists()


@pytest.mark.parametrize("sealed", [False, True])
def test_an_older_file_that_is_only_read_stays_as_it_is(tmp_path, monkeypatch, sealed):
    path = tmp_path / "games.sqlite"
    shutil.copy(OLD, path)
    if sealed:
        monkeypatch.setattr("os.access", lambda *_: False)
    with Shelf.open(str(path), only_read=True) as shelf:
        found = shelf.find(ended="finished", timed=True)
        assert shelf.get(found[0].id) == shelf.match(found[0].id) == found[0]
        with pytest.raises(StorageError) if sealed else nullcontext():
            shelf.keep_figures(found[0].id, {})
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_an_older_server_is_brought_up_to_date(server_url):
    """As version 1 left it: a game is there, and no table of events."""
    engine = sa.create_engine(server_url)
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(migrations.__file__).parent))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "1")
        row = {**SavedGame("a", "pig:goal=20", choices="roll").row(), "figures": None}
        connection.execute(
            sa.text(f"INSERT INTO games ({', '.join(row)}) VALUES ({', '.join(f':{name}' for name in row)})"),
            row,
        )
    engine.dispose()
    with Shelf.open(server_url) as shelf:
        shelf.save([], [replace(shelf.get("a"), choices="roll +2 hold", times={2: ONE})])
        assert shelf.get("a").times == {2: ONE}


def test_a_database_of_version_2_has_a_row_for_every_choice_of_a_person(tmp_path):
    """Unless it was added, or its last choice was forced and nobody was asked: a hold at the goal."""
    path = tmp_path / "games.sqlite"
    shutil.copy(OLD.with_name("shelf-2.sqlite"), path)
    told = json.loads(OLD.with_name("shelf-2.json").read_text(encoding="utf-8"))
    added = set(told["added"])
    with Shelf.open(str(path)) as shelf:
        for saved in shelf.all(timed=True):
            record = saved.record()
            people = [seat for seat, text in enumerate(record.strategies) if text is None]
            asked = [ply for ply, mover in enumerate(movers(record)) if mover in people]
            timed = [] if saved.id in added else asked
            assert sorted(saved.times) in (timed, timed[:-1]), saved.id
    Shelf.open(str(path)).close()


# The page.


def test_every_decision_at_the_page_has_a_row_before_the_next_is_shown(tmp_path):
    path = tmp_path / "games.sqlite"
    with serving(database=str(path)) as client:
        made = make(client)
        asked = []

        def choose(state):
            assert [row[1] for row in rows(path)] == asked
            asked.append(state["ply"])
            return state["actions"][-1]["action"]

        with sit(client, made) as table:
            play_out(table, choose)
        assert [row[:2] for row in rows(path)] == [(made["id"], ply) for ply in asked]
        text = client.get(f"/api/games/{made['id']}/record").text
    (record,) = dw.read_records(text)
    assert list(times_of(record)) == asked
    assert all(times.time >= 0 and times.shown > 1.7e12 for times in times_of(record).values())
    with Shelf.open(str(path)) as shelf:
        assert shelf.get(made["id"]).record() == record
    assert "[%" not in client_frames(table)


def client_frames(table):
    return "".join(table.frames)


def test_a_reload_starts_no_clock_anew_and_a_restart_keeps_the_rows(tmp_path, monkeypatch):
    path, clock = tmp_path / "games.sqlite", Clock(monkeypatch)
    with serving(database=str(path)) as client:
        made = make(client)
        with sit(client, made) as table:
            table.say(type="begin", seed="s")
            table.until(lambda now: now["actions"])
        clock.go(4000, wall=-10_000)
        with sit(client, made) as table, sit(client, made):
            clock.go(500)
            table.say(type="move", id="one", ply=table.first["ply"], action="roll")
            state = table.until(lambda now: now["applied"] == "one")
    assert rows(path) == [(made["id"], 0, 1794773700250, 4500)]
    with serving(database=str(path)) as client, sit(client, made) as table:
        table.say(type="move", id="one", ply=0, action="roll")  # said again after the restart
        table.until(lambda now: now["applied"] == "one")
        clock.go(70)
        table.say(type="move", id="two", ply=state["ply"], action="roll")
        table.until(lambda now: now["applied"] == "two")
    first, second = rows(path)
    assert first == (made["id"], 0, 1794773700250, 4500)
    assert second[1:] == (state["ply"], clock.wall - 70, 70)


def test_nothing_is_timed_for_who_only_looks_or_waits(tmp_path, monkeypatch):
    path, clock = tmp_path / "games.sqlite", Clock(monkeypatch)
    with serving(database=str(path)) as client:
        made = make(client, opponent="person")
        joined = client.post(
            f"/api/games/{made['id']}/join", json={"invite": made["invite"], "name": "Bob"}
        ).json()
        second = {"id": made["id"], "token": joined["token"]}
        with sit(client, made) as one:
            one.say(type="begin", seed="a")
            with sit(client, second) as two, sit(client, made, token=False):
                two.say(type="begin", seed="b")
                state = one.until(lambda now: now["actions"])
                clock.go(30)
                one.say(type="move", id="m", ply=state["ply"], action="roll")
                one.until(lambda now: now["applied"] == "m")
    assert [row[3] for row in rows(path)] == [30]


# The terminal.


def sitting(path, **more):
    game = parse("pig:goal=20")
    return Sitting(Setup(game, "hold:8", 0, seed_of(3), **more), strategy("hold:8", game), Saver(str(path)))


def test_the_terminal_keeps_the_times_of_its_person(tmp_path, monkeypatch):
    path, clock = tmp_path / "games.sqlite", Clock(monkeypatch)
    table = sitting(path)
    asked = {}
    while not table.over:
        table.asked()
        clock.go(100)
        table.asked()  # the same decision shown again, as after a word that was not understood
        clock.go(20, wall=-5000)
        asked[len(table.sitting.choices)] = 120
        table.choose(table.actions[0])
        assert {row[1]: row[3] for row in rows(path)} == asked
    assert {ply: times.time for ply, times in times_of(table.record()).items()} == asked
    with Shelf.open(str(path)) as shelf:
        assert shelf.get(table.setup.id).record() == table.record()


def test_a_game_taken_up_again_keeps_its_times_and_an_undo_drops_one(tmp_path, monkeypatch):
    path, clock = tmp_path / "games.sqlite", Clock(monkeypatch)
    table = sitting(path)
    table.asked()
    clock.go(11)
    table.choose("roll")
    with Shelf.open(str(path)) as shelf:
        keeper = Saver(str(path))
        saved = keeper.saved = unfinished(shelf, None)
    again = Sitting(Setup.of(saved), strategy("hold:8", table.game), keeper, saved.record().choices)
    again.asked()
    clock.go(12)
    ply = len(again.sitting.choices)
    again.choose(again.actions[0])
    assert [row[1:] for row in rows(path)] == [(0, 1794773700250, 11), (ply, 1794773700261, 12)]
    again.undo()
    assert [row[1] for row in rows(path)] == [0]
    again.asked()
    clock.go(13)
    again.choose(again.actions[0])
    assert [row[3] for row in rows(path)] == [11, 13]
