"""Rules of any allowed length in databases of every version, in files and in requests."""

import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from tests.reference.web_client import make, play_out, serving, sit

import dicewright as dw
from dicewright.core.notation import MOST_LETTERS
from dicewright.families import catalog
from dicewright.storage.shelf import migrations
from dicewright.storage.shelf.database import VERSION
from dicewright.storage.shelf.players import Players
from dicewright.storage.shelf.practice import answer, practised
from dicewright.storage.shelf.shelf import Shelf

FIXTURES = Path(__file__).parent.parent / "fixtures"
OLD = sorted(FIXTURES.glob("shelf-*.sqlite"))
FACES = "/".join(f"+{n}.{999_000 + n}" for n in range(1, 90))
LONG = catalog.parse(f"race:{FACES}/bust.7,goal=3,title=Long").name


@pytest.fixture(scope="module")
def record():
    return dw.play_game(LONG, ("hold:1", "hold:2"), rng=Random(5))


def test_the_line_is_as_long_as_can_be():
    assert MOST_LETTERS - 20 < len(LONG) <= MOST_LETTERS
    assert [path.stem for path in OLD] == [f"shelf-{n}" for n in range(1, int(VERSION))]


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_a_database_of_an_earlier_version_takes_long_rules(old, record, tmp_path):
    path, version = tmp_path / "games.sqlite", old.stem.partition("-")[2]
    shutil.copy(old, path)
    with closing(sqlite3.connect(old)) as connection:
        games = connection.execute("SELECT * FROM games ORDER BY number").fetchall()
    with Shelf.open(str(path)) as shelf:
        [id_] = shelf.add([record])
    with Shelf.open(str(path)) as shelf:
        assert shelf.match(id_).record() == record
        assert [saved.id for saved in shelf.find(game=LONG)] == [id_]
        assert [saved.id for saved in shelf.find(game="race")] == [id_]
    with closing(sqlite3.connect(path)) as now, closing(sqlite3.connect(f"{path}.version-{version}")) as kept:
        assert now.execute("SELECT * FROM games ORDER BY number").fetchall()[: len(games)] == games
        assert kept.execute("SELECT * FROM games ORDER BY number").fetchall() == games


@pytest.mark.slow
def test_a_database_server_keeps_what_is_practised_of_long_rules(server_url):
    with Shelf.open(server_url) as shelf:
        players, today = Players(shelf), date(2026, 11, 19)
        ada, _ = players.add("Ada")
        answer(players, ada, LONG, "endings", True, today)
        [found] = practised(players, ada)
        assert (found.game, found.asked) == (LONG, 1)


@pytest.mark.slow
def test_a_database_server_of_an_earlier_version_takes_long_rules(server_url, record):
    config, engine = Config(), sa.create_engine(server_url)
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "3")
        game = next(each for each in sa.inspect(connection).get_columns("games") if each["name"] == "game")
        assert game["type"].length == 200
    engine.dispose()
    with Shelf.open(server_url) as shelf:
        [id_] = shelf.add([record])
        assert shelf.match(id_).record() == record


def test_long_rules_are_played_on_the_page_and_longer_ones_refused(tmp_path):
    with serving(database=str(tmp_path / "games.sqlite")) as client:
        told = client.get("/api/rules", params={"game": LONG}).json()
        assert (told["game"], told["title"]) == (LONG, "Long to 3")
        made = make(client, LONG, "hold:1")
        with sit(client, made) as table:
            assert play_out(table, choose=lambda now: now["actions"][0]["action"])["ended"] == "over"
        record = client.get(f"/api/games/{made['id']}/record").text
        assert f'[Game "{LONG}"]' in record
        answers = [client.get("/api/rules", params={"game": LONG + "x" * 20})]
        answers += [client.post("/api/games", json={"game": LONG + "x" * 20})]
        assert {answer.status_code for answer in answers} == {422}
