"""The shelf of games: what is kept, found and paged, and what happens when the database fails."""

import io
import json
import os
import random
import re
import sqlite3
import sys
import tempfile
import threading
import time
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory
from tests.reference.random_play import GAMES, random_record

from dicewright.cli.commands import games as games_commands
from dicewright.core.errors import NotationError, StorageError
from dicewright.core.record import Note
from dicewright.storage.records.files import saved_at
from dicewright.storage.shelf import migrations
from dicewright.storage.shelf.database import VERSION, Database, _log_ahead, metadata
from dicewright.storage.shelf.saved_game import SavedGame
from dicewright.storage.shelf.shelf import Shelf


def played(seed=1, **tags):
    return random_record(GAMES[seed % len(GAMES)], random.Random(seed), 400, tags=tuple(tags.items()))


@pytest.fixture(params=["file", "server"])
def url(request, tmp_path):
    """A new database: an SQLite file, and a schema of a server if the environment names one."""
    return (
        str(tmp_path / "games.sqlite") if request.param == "file" else request.getfixturevalue("server_url")
    )


@pytest.fixture
def shelf(url):
    with Shelf.open(url) as opened:
        yield opened


def test_records_are_added_and_come_back_whole(shelf):
    records = [replace(played(seed, First="Ada"), notes=(Note(0, "hm", "?"),)) for seed in range(20)]
    ids = shelf.add(records)
    assert len(set(ids)) == 20
    assert all(len(id) == 16 for id in ids)
    assert [shelf.get(id).record() for id in ids] == records


def test_all_of_a_batch_or_nothing_is_added(shelf):
    foreign = replace(played(), game=replace(GAMES[0], name="mine"))
    with pytest.raises(NotationError, match="'mine' is no game of the catalog"):
        shelf.add([played(), foreign])
    assert shelf.find() == []


def test_saving_again_replaces_and_keeps_secrets_to_itself(shelf):
    game = SavedGame("abc", "pig", (("First", "Ada"),), "roll", secret={"server_seed": "00ff"})
    shelf.save([game])
    shelf.save([replace(game, choices="roll +5"), replace(game, choices="roll +5 hold")])
    assert shelf.get("abc").choices == "roll +5 hold"
    assert shelf.get("abc").secret == {"server_seed": "00ff"}
    assert "00ff" not in repr(shelf.get("abc"))
    assert shelf.find("00ff") == []
    assert len(shelf.find()) == 1


@pytest.mark.parametrize("version", [(3, 26, 0), sqlite3.sqlite_version_info])
def test_a_move_is_saved_also_if_the_game_was_deleted_meanwhile(shelf, version, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    tags = (("First", "Ada"),)
    games = [SavedGame(f"g{number}", "pig", tags, "roll +3", secret={"ids": []}) for number in range(3)]
    shelf.save(games[:2])
    moved = [replace(game, choices="roll +3 roll +4", secret={"ids": ["m1"]}) for game in games]
    shelf.save([], moved[:1])
    assert shelf.get("g0") == moved[0]
    shelf.save([replace(games[1], ended="over")], moved[2:])
    assert [shelf.get(game.id) for game in games] == [moved[0], replace(games[1], ended="over"), moved[2]]
    shelf.save([], moved[1:2])  # the end was stored, but its player was cut off before it counted
    assert shelf.get("g1") == moved[1]


@pytest.mark.parametrize("place", ["sqlite://", "games.sqlite"])
def test_what_fails_halfway_leaves_nothing_and_nobody_waiting(place, tmp_path):
    with Shelf.open(place if "://" in place else str(tmp_path / place)) as shelf:
        shelf.save([SavedGame("kept", "pig")])
        with pytest.raises(StorageError, match="games database"):
            shelf.save([SavedGame("next", "pig")], [SavedGame("kept", "pig", choices="\ud800")])
        assert [game.id for game in shelf.find()] == ["kept"]
        shelf.save([SavedGame("next", "pig")])
        assert {game.id for game in shelf.find()} == {"kept", "next"}
        shelf.close()
        if "://" not in place:
            shelf.save([SavedGame("after", "pig")])  # a closed file opens again


def test_a_game_that_went_on_elsewhere_is_not_overwritten(shelf):
    game = SavedGame("one", "pig:goal=20", choices="roll +5")
    shelf.go_on(game, None)
    longer = replace(game, choices="roll +5 roll +6")
    shelf.go_on(longer, game)
    with pytest.raises(StorageError, match="gone on elsewhere"):
        shelf.go_on(replace(game, choices="roll +5 hold"), game)
    ended = replace(longer, ended="cut-off")
    shelf.go_on(ended, longer)
    for stale in (longer, None):
        with pytest.raises(StorageError, match="what stands there is kept"):
            shelf.go_on(game, stale)
    assert (shelf.get("one").choices, shelf.get("one").ended) == (ended.choices, "cut-off")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("notes", '[[1e400,"",""]]'),
        ("secret", "[1]"),
        ("game", b"\xff"),
        ("figures", "3"),
        ("tags", "nonsense"),
    ],
)
def test_a_damaged_row_is_left_out_and_hides_no_other(tmp_path, caplog, column, value):
    path = tmp_path / "games.sqlite"
    with Shelf.open(str(path)) as shelf:
        whole, damaged = shelf.add([played(1), played(2)])
        with sqlite3.connect(path) as database:
            database.execute(f"UPDATE games SET {column} = ? WHERE id = ?", (value, damaged))
        database.close()
        assert [game.id for game in shelf.find()] == [whole]
        assert damaged in caplog.text
        with pytest.raises(StorageError, match="is damaged"):
            shelf.get(damaged)


def test_figures_are_kept_apart_and_survive_a_save(shelf):
    [id] = shelf.add([played()])
    assert shelf.get(id).figures is None
    shelf.keep_figures(id, {"luck": [0.5, -0.5]})
    shelf.save([shelf.get(id)])
    assert shelf.get(id).figures == {"luck": [0.5, -0.5]}
    with pytest.raises(StorageError, match="there is no game 'nobody'"):
        shelf.keep_figures("nobody", {})


def test_games_are_found_newest_first_by_words_game_and_ending(shelf):
    dates = ["2026-01-03", "2026-01-01", "2026-01-02T10:00:00Z"]
    shelf.save(
        [
            SavedGame(f"g{number}", name, (("First", who),), date=date, ended=ended)
            for number, (name, who, date, ended) in enumerate(
                [
                    ("pig", "Ada", dates[0], "unfinished"),
                    ("pig:goal=50", "Bob 100%", dates[1], "over"),
                    ("piglet", "Ädä", dates[2], "cut-off"),
                ]
            )
        ]
    )

    def found(*args, **kwargs):
        return [game.id for game in shelf.find(*args, **kwargs)]

    assert found() == ["g0", "g2", "g1"]
    assert found("ada") == ["g0"]
    assert found("ÄDÄ") == ["g2"]
    assert found("bob pig") == ["g1"]
    assert found("100%") == ["g1"]
    assert found("10_%") == []
    assert found(game="pig") == ["g0", "g1"]
    assert found(game="pig:goal=50") == ["g1"]
    assert found(ended="finished") == ["g2", "g1"]
    assert found(ended="over") == ["g1"]
    assert found(limit=1) == ["g0"]
    assert found(limit=1, before="g0") == ["g2"]
    assert found(before="g1") == []
    with pytest.raises(StorageError, match="there is no game 'x'"):
        found(before="x")


@pytest.mark.parametrize(
    ("tag", "date"),
    [
        ("2026-11-15", "2026-11-15"),
        ("2026-11-15T20:15:00Z", "2026-11-15T20:15:00Z"),
        ("2026-11-15T20:15:00.5+02:00", "2026-11-15T18:15:00Z"),
        ("2026-11-15 20:15", "2026-11-15T20:15:00Z"),
        ("yesterday", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("", None),
    ],
)
def test_games_sort_by_their_tag_date_if_it_is_one(tag, date):
    saved = SavedGame.of(played(Date=tag))
    assert saved.tag("Date") == tag
    assert saved.date == date or (date is None and saved.date.startswith("20") and len(saved.date) == 20)


def test_pages_meet_every_game_once_even_on_one_date(shelf):
    ids = shelf.add([played(First="Ada", Date="2026-11-15")] * 450)
    assert [game.id for game in shelf.all()] == ids[::-1]


def test_an_id_may_be_shortened_as_long_as_it_is_the_only_one(shelf):
    shelf.save([SavedGame(id, "pig") for id in ("abc1", "abc2", "ABC3", "abc", "a_c")])
    assert shelf.match("abc1").id == "abc1"
    assert shelf.match("abc").id == "abc"
    assert shelf.match("AB").id == "ABC3"
    assert shelf.match("a_").id == "a_c"
    for short, message in (
        ("ab", "begins several ids"),
        ("x", "there is no game 'x'"),
        ("", "the id is empty"),
    ):
        with pytest.raises(StorageError, match=message):
            shelf.match(short)


def test_a_record_of_an_illegal_sequence_is_explained(shelf):
    shelf.save([SavedGame("bad", "pig", choices="roll hold"), SavedGame("strange", "chess")])
    with pytest.raises(NotationError, match="game bad: 'hold' is not allowed to the dice"):
        shelf.get("bad").record()
    with pytest.raises(NotationError, match="game strange: unknown game 'chess'"):
        shelf.get("strange").record()


def test_one_thread_writes_while_others_read(shelf):
    games = [SavedGame(f"g{number}", "pig") for number in range(50)]
    shelf.save(games)
    faults, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            try:
                lengths = {len(game.choices) for game in shelf.find(limit=50)}
                assert len(lengths) == 1, lengths  # a batch is seen whole
            except Exception as error:
                faults.append(error)
                return

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for ply in range(1, 40):
        shelf.save([replace(game, choices="x" * ply) for game in games])
    stop.set()
    for reader in readers:
        reader.join()
    assert faults == []


def test_two_writers_take_turns(url):
    shelves = [Shelf.open(url) for _ in range(2)]
    faults = []

    def write(number):
        try:
            for count in range(25):
                shelves[number].save([SavedGame(f"{number}-{count}", "pig")])
        except Exception as error:
            faults.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert faults == []
    assert len(shelves[0].find(limit=100)) == 50
    for shelf in shelves:
        shelf.close()


def test_of_two_who_go_on_with_one_game_only_the_first_is_kept(url):
    shelves = [Shelf.open(url) for _ in range(2)]
    kept, refused = [], []

    def write(number):
        for count in range(30):
            game = SavedGame(f"g{count}", "pig")
            start.wait()
            try:
                shelves[number].go_on(replace(game, choices=f"x{number}"), game)
                kept.append((game.id, f"x{number}"))
            except StorageError as error:
                refused.append(str(error))

    start = threading.Barrier(2)
    shelves[0].save([SavedGame(f"g{count}", "pig") for count in range(30)])
    writers = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert (len(kept), len(refused)) == (30, 30)
    assert all("gone on elsewhere" in message for message in refused)
    assert {game.id: game.choices for game in shelves[0].find()} == dict(kept)
    for shelf in shelves:
        shelf.close()


# The tables and their versions.


def test_the_newest_migration_is_the_version_the_shelf_asks_for(shelf):
    assert ScriptDirectory(str(Path(migrations.__file__).parent)).get_current_head() == VERSION
    with shelf.database.reading() as connection:
        for name, table in metadata.tables.items():
            found = {column["name"] for column in sa.inspect(connection).get_columns(name)}
            assert found == set(table.columns.keys())


def test_a_commit_to_a_file_is_on_disk(tmp_path):
    with Shelf.open(str(tmp_path / "games.sqlite")) as shelf, shelf.database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


class OpenedByOthers:
    """A connection to a new file that others are opening too: refused so many times."""

    def __init__(self, refusals, words="database is locked"):
        self.refusals, self.words, self.asked = refusals, words, 0

    def execute(self, _):
        self.asked += 1
        if self.asked <= self.refusals:
            raise sqlite3.OperationalError(self.words)
        return self

    def close(self):
        pass


def test_who_opens_a_new_file_waits_for_the_others():
    connection = OpenedByOthers(3)
    _log_ahead(connection, time.monotonic() + 600.0)
    assert connection.asked == 4
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        _log_ahead(OpenedByOthers(3), time.monotonic() - 1.0)
    broken = OpenedByOthers(3, "disk I/O error")
    with pytest.raises(sqlite3.OperationalError, match="disk"):
        _log_ahead(broken, time.monotonic() + 600.0)
    assert broken.asked == 1


def test_a_newer_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "games.sqlite"
    Shelf.open(str(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '99'")
    connection.close()
    with pytest.raises(StorageError, match=r"tables of version 99, of a newer dicewright or .* up to 6"):
        Shelf.open(str(path))


def test_many_may_open_a_new_database_at_once(url):
    faults = []

    def work():
        try:
            with Shelf.open(url) as opened:
                opened.add([played()])
        except Exception as error:
            faults.append(error)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert faults == []


def test_the_place_is_the_users_data_folder_unless_the_environment_says_otherwise(tmp_path, monkeypatch):
    monkeypatch.delenv("DICEWRIGHT_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Shelf.open().close()
    assert (tmp_path / "data" / "dicewright" / "games.sqlite").exists()
    monkeypatch.setenv("DICEWRIGHT_DATABASE", f"sqlite:///{tmp_path}/other.sqlite")
    Shelf.open().close()
    assert (tmp_path / "other.sqlite").exists()


# Faults: a sentence each, and nothing lost that was acknowledged.


@pytest.mark.parametrize("url", ["nosuch://x", "sqlite+nothing://", "http//x://", "://"])
def test_a_url_of_no_database_is_refused(url):
    with pytest.raises(StorageError, match="names no database"):
        Shelf.open(url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nosuch://ada:pass-word@localhost/dw", "names no database"),
        ("postgresql://ada:pass-word@localhost:port/dw", "names no database"),
        ("postgresql+asyncpg://ada:pass-word@localhost/dw", "asynchronous driver"),
        (
            "mysql+mysqldb://ada:pass-word@localhost/dw",
            "its driver is not installed; pip install mysqlclient",
        ),
        ("mysql+mysqldb://localhost/dw?passwd=pass-word", "mysqldb://localhost/dw: its driver"),
    ],
)
def test_a_password_is_never_told(monkeypatch, url, message):
    monkeypatch.setitem(sys.modules, "MySQLdb", None)  # as if it were not installed
    with pytest.raises(StorageError, match=message) as caught:
        Shelf.open(url)
    assert "pass-word" not in str(caught.value)


def test_a_missing_driver_of_postgresql_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StorageError, match=re.escape("pip install 'psycopg[binary]'")) as caught:
        Shelf.open("postgresql+psycopg://ada:pass-word@localhost/dw")
    assert "pass-word" not in str(caught.value)


def test_a_server_that_refuses_is_explained_without_the_password(server_url):
    stranger = sa.make_url(server_url).set(username="stranger", password="pass-word")
    hidden = stranger.set(password=None).update_query_dict({"password": "pass-word"})
    for given, message in (
        (stranger, "password is wrong|does not exist"),
        (hidden, "password is wrong|does not exist"),
        (stranger.set(port=1), "nobody answers there"),
    ):
        with pytest.raises(StorageError, match=message) as caught:
            Shelf.open(given.render_as_string(hide_password=False))
        assert "pass-word" not in str(caught.value)


def test_garbage_is_no_database(tmp_path):
    path = tmp_path / "games.sqlite"
    path.write_bytes(random.Random(1).randbytes(8192))
    with pytest.raises(StorageError, match=r"cannot .*games.sqlite: the file is damaged or something else"):
        Shelf.open(str(path))
    assert len(path.read_bytes()) == 8192


def test_a_truncated_or_overwritten_database_is_explained(tmp_path):
    path = tmp_path / "games.sqlite"
    with Shelf.open(str(path)) as opened:
        opened.add([played(seed) for seed in range(200)])
    whole = path.read_bytes()
    rng = random.Random(3)
    damages = [whole[: rng.randrange(1, len(whole))] for _ in range(20)]
    for _ in range(20):
        start = rng.randrange(len(whole) - 4096)
        damages.append(whole[:start] + rng.randbytes(4096) + whole[start + 4096 :])
    refused = 0
    for data in damages:
        for leftover in tmp_path.glob("games.sqlite-*"):
            leftover.unlink()
        path.write_bytes(data)
        refused += refuses(path)
    assert refused > 20


def refuses(path):
    """Whether the shelf explains itself; any exception but a StorageError is a failure of the test."""
    try:
        with Shelf.open(str(path)) as opened:
            for game in opened.all():
                opened.save([game])
    except StorageError as error:
        return "games.sqlite" in str(error) or "is damaged" in str(error)
    return False


def test_a_folder_in_place_of_the_file(tmp_path):
    with pytest.raises(StorageError, match=r"cannot .*: it is no file that can be written there"):
        Shelf.open(str(tmp_path))
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"cannot open the games database .*games.sqlite"):
        Shelf.open(str(tmp_path / "file" / "games.sqlite"))


def test_a_read_only_database_can_be_read(tmp_path):
    path = tmp_path / "games.sqlite"
    with Shelf.open(str(path)) as opened:
        [id] = opened.add([played()])
    with Shelf.open(f"sqlite:///file:{path}?mode=ro&uri=true") as opened:
        assert opened.get(id).record() == played()
        with pytest.raises(StorageError, match="it is read-only; --database or DICEWRIGHT_DATABASE"):
            opened.add([played()])


def as_nobody(work):
    """What the work answers, done by somebody who is not root; root is not bound by what may be written."""

    def answer():
        try:
            return work()
        except BaseException as error:
            return f"{type(error).__name__}: {error}"

    if os.geteuid() != 0:
        return answer()
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        os.write(writer, json.dumps(answer()).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        said = json.load(answers)
    os.waitpid(child, 0)
    return said


@pytest.fixture
def sealed(tmp_path):
    """A database in a folder where nothing may be written, that all may read; and the ids of its games."""
    with tempfile.TemporaryDirectory() as name:  # tmp_path itself is not open to others
        folder = Path(name) / "sealed"
        folder.mkdir()
        with Shelf.open(str(folder / "games.sqlite")) as opened:
            ids = opened.add([played(seed) for seed in range(3)])
        Path(name).chmod(0o755)
        seal(folder)
        yield folder, ids
        folder.chmod(0o755)


def seal(folder):
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


def test_a_database_in_a_read_only_folder_is_listed_shown_and_exported(sealed):
    folder, ids = sealed
    before = sorted(folder.iterdir())

    def look():
        with Shelf.open(str(folder / "games.sqlite"), only_read=True) as shelf:
            return [[game.id for game in shelf.find()], shelf.match(ids[1]).id, len(list(shelf.all()))]

    def command():
        said = io.StringIO()
        with redirect_stdout(said):
            games_commands.listed(database=f"sqlite:///{folder}/games.sqlite", json=True, limit=9)
        return [game["id"] for game in json.loads(said.getvalue())]

    assert as_nobody(look) == [ids[::-1], ids[1], 3]
    assert as_nobody(command) == ids[::-1]
    assert as_nobody(lambda: saved_at(ids[0], str(folder / "games.sqlite")).id) == ids[0]
    assert sorted(folder.iterdir()) == before


def test_nothing_is_added_in_a_read_only_folder(sealed):
    folder, _ = sealed

    def add(**options):
        with Shelf.open(str(folder / "games.sqlite"), **options) as shelf:
            shelf.add([played()])

    for options in ({}, {"only_read": True}):
        assert re.match(
            r"StorageError: cannot .*games.sqlite: it is .*; --database",
            as_nobody(lambda o=options: add(**o)),
        )
    said = as_nobody(lambda: Shelf.open(str(folder / "none.sqlite"), only_read=True))
    assert said.startswith("StorageError: cannot read the games database")


def test_what_another_program_wrote_last_is_read_in_a_read_only_folder_or_refused(sealed):
    """A log beside the database is never left out: it is read with its index, and refused without."""
    folder, ids = sealed
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o644)
    writer = Shelf.open(str(folder / "games.sqlite"))
    [newest] = writer.add([played(7)])
    assert (folder / "games.sqlite-wal").stat().st_size > 0
    seal(folder)

    def look():
        with Shelf.open(str(folder / "games.sqlite"), only_read=True) as shelf:
            return [game.id for game in shelf.find()]

    assert as_nobody(look) == [newest, *ids[::-1]]
    folder.chmod(0o755)
    (folder / "games.sqlite-shm").rename(folder / "elsewhere")
    folder.chmod(0o555)
    assert "games.sqlite-wal holds what only a program that may write there can read" in as_nobody(look)
    folder.chmod(0o755)
    (folder / "elsewhere").rename(folder / "games.sqlite-shm")
    writer.close()


def test_a_read_only_database_that_keeps_no_log_is_read(sealed):
    folder, ids = sealed
    folder.chmod(0o755)
    (folder / "games.sqlite").chmod(0o644)
    connection = sqlite3.connect(folder / "games.sqlite")
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    seal(folder)

    def look():
        with Shelf.open(str(folder / "games.sqlite"), only_read=True) as shelf:
            return [game.id for game in shelf.find()]

    assert as_nobody(look) == ids[::-1]


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
@pytest.mark.parametrize("only_read", [False, True])
def test_a_folder_that_is_not_there_is_named_and_not_made(tmp_path, monkeypatch, form, only_read):
    url = form.format(tmp_path / "gmaes" / "deep" / "games.sqlite")
    with pytest.raises(StorageError, match=r"there is no folder .*gmaes.deep; make it, or name another"):
        Shelf.open(url, only_read=only_read)
    monkeypatch.setenv("DICEWRIGHT_DATABASE", url)
    with pytest.raises(StorageError, match="there is no folder"):
        Shelf.open(only_read=only_read)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "sqlite+pysqlite:///{}"])
def test_a_database_that_is_not_there_is_named_and_not_made_by_reading(tmp_path, monkeypatch, form):
    """A mistyped name was an empty shelf, and a file more."""
    url = form.format(tmp_path / "gmaes.sqlite")
    said = r"cannot read the games database .*gmaes.sqlite: there is no such file; --database or DICEWRIGHT"
    with pytest.raises(StorageError, match=said):
        Shelf.open(url, only_read=True)
    with pytest.raises(StorageError, match=rf"there is no file 4fQ, and {said}"):
        saved_at("4fQ", url)
    monkeypatch.setenv("DICEWRIGHT_DATABASE", url)
    with pytest.raises(StorageError, match=said):
        Shelf.open(only_read=True)
    assert not list(tmp_path.iterdir())
    Shelf.open(url).close()  # to write there it may be made
    with Shelf.open(url, only_read=True) as shelf:
        assert list(shelf.all()) == []


def test_a_shelf_that_nobody_named_is_empty_and_not_made_by_reading(tmp_path, monkeypatch):
    monkeypatch.delenv("DICEWRIGHT_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Shelf.open(only_read=True) as shelf:
        assert list(shelf.all()) == []
        with pytest.raises(StorageError, match=r"there is no game '4fQ' on the shelf .*games.sqlite"):
            shelf.match("4fQ")
    assert not list(tmp_path.iterdir())
    with Shelf.open() as shelf:
        [id] = shelf.add([played()])
    with Shelf.open(only_read=True) as shelf:
        assert [game.id for game in shelf.all()] == [id]


def test_a_database_that_another_program_writes_to(tmp_path):
    path = tmp_path / "games.sqlite"
    with Shelf.open(str(path)) as opened:
        [id] = opened.add([played()])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Shelf(Database(str(path), patience=0.2)) as waiting:
        assert waiting.get(id).record() == played()
        with pytest.raises(StorageError, match="another program is writing to it; try again"):
            waiting.add([played()])
        other.execute("ROLLBACK")
        assert len(waiting.add([played()])) == 1
    other.close()
