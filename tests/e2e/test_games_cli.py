"""`dicewright games` as a user meets it: the catalog, and records added, listed, shown and exported."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests import forked

import dicewright
from dicewright.storage.shelf.shelf import Shelf

CLUB = """\
[Game "pig:goal=10"]
[First "Ada"]
[Second "Bob [2] \\u001b[31m"]
[Date "2026-11-15"]

{off we go} roll +6 {a good start} hold roll bust roll! +4 hold =1

[Game "bluff:dice=2v2"]
[First "Cleo"]
[Date "2026-11-14"]

1,3 2,5 1x5 2x6 call =1
"""
OPEN = """\
[Game "bluff"]
[ServerSeed "5eed"]

3 5 1x5 *

[Game "pig"]
[ServerSeed "5eed"]

roll +5 *
"""


@pytest.fixture
def dw(tmp_path):
    """Run the command on a database of this test alone; there is never a traceback."""

    def run(*words, code=0, stdin="", **changes):
        source = str(Path(dicewright.__file__).parents[1])
        own = {"PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "120"}
        own["DICEWRIGHT_DATABASE"] = str(tmp_path / "games.sqlite")
        done = forked.run(["games", *words], input=stdin.encode(), env={**os.environ, **own, **changes})
        said = done.stderr.decode()
        assert "Traceback" not in said
        assert done.returncode == code, said
        return done.stdout if code == 0 else said

    return run


@pytest.fixture
def club(tmp_path):
    path = tmp_path / "club.dwr"
    path.write_text(CLUB)
    return path


def test_alone_it_lists_the_catalog(dw):
    assert b"pass-the-pigs" in dw()
    assert {"pig", "mia", "bluff"} <= {entry["name"] for entry in json.loads(dw("--json"))}


def test_records_are_added_listed_shown_and_exported(dw, club):
    pig, bluff = dw("add", club).decode().split()
    shown = dw("list").decode()
    assert shown.index(pig) < shown.index(bluff)
    assert [game["players"][0] for game in json.loads(dw("list", "--json"))] == ["Ada", "Cleo"]
    assert [game["id"] for game in json.loads(dw("list", "--text", "cleo", "--json"))] == [bluff]
    assert [game["id"] for game in json.loads(dw("list", "--game", "pig:goal=10", "--json"))] == [pig]
    assert f"more: --before {pig}" in dw("list", "--limit", "1").decode()

    page = dw("show", pig[:12]).decode()
    for word in (
        "Ada against Bob [2]",
        "a good start",
        "off we go",
        "bust",
        "a six: +6",
        "result +1 for Ada",
    ):
        assert word in page
    assert "\x1b" not in page
    document = json.loads(dw("show", bluff, "--json"))
    assert [ply["choice"] for ply in document["plies"]] == ["1,3", "2,5", "1x5", "2x6", "call"]
    assert document["plies"][0]["who"] == "dice"

    text = dw("export").decode()
    assert text.startswith('[Game "pig:goal=10"]\n[First "Ada"]\n')
    assert "roll! +4 hold =1" in text
    assert dw("export", bluff[:12], "--format", "jsonl").count(b"\n") == 1


@pytest.mark.parametrize("ending", [".dwr", ".txt", ".jsonl", ".csv", ".parquet"])
def test_every_form_goes_out_and_in_again(dw, club, tmp_path, ending):
    dw("add", club)
    file = tmp_path / f"all{ending}"
    dw("export", "-o", file)
    other = str(tmp_path / "other.sqlite")
    assert len(json.loads(dw("add", file, "--database", other, "--json"))["added"]) == 2
    assert dw("export", "--database", other) == dw("export")


def test_of_a_match_the_round_that_is_played_is_shown(dw):
    """Its position says all rounds before, and grew by a line with each."""
    text = '[Game "bluff-match:dice=2v1"]\n[First "Cleo"]\n\n1,3 2 3x6 call 4 1 1x5 call =-1\n'
    shown = dw("show", dw("add", "-", stdin=text).decode().strip()).decode()
    assert "1,3 v 2 | 3x6" in shown
    assert "4 v 1 | 1x5" in shown
    assert " / " not in shown


def test_a_game_that_is_there_already_is_not_added_again(dw, club, tmp_path):
    ids = dw("add", club).decode().split()
    assert json.loads(dw("add", club, "--json")) == {"added": [], "there": ids}
    other = tmp_path / "other.dwr"
    other.write_text(CLUB.replace("Ada", "Eve"))
    found = json.loads(dw("add", other, other, "--json"))
    assert len(found["added"]) == 1
    assert found["there"] == [ids[1], found["added"][0], ids[1]]
    assert len(json.loads(dw("list", "--json"))) == 3


@pytest.mark.parametrize("columns", ["80", "50"])
def test_ids_are_never_broken(dw, columns):
    text = CLUB.replace("Ada", "Ada Augusta King, Countess of Lovelace").replace(
        "dice=2v2", "dice=2v2,wild=none"
    )
    ids = dw("add", "-", stdin=text + OPEN).decode().split()
    shown = dw("list", COLUMNS=columns).decode().splitlines()
    assert {line.split()[0] for line in shown[2:]} == set(ids)
    assert max(map(len, shown)) <= 80
    assert "first gets" in shown[1]
    assert sum(line.endswith("goes on") for line in shown) == 2
    assert sum(line.endswith("+1") for line in shown) == 2
    assert "the game goes on" in dw("show", ids[-1]).decode()


def test_games_that_cannot_be_played_are_marked(dw):
    assert {entry["name"] for entry in json.loads(dw("--json")) if not entry["played"]} == {
        "rock-paper-scissors",
        "kuhn-poker",
        "textbook-tree",
    }
    assert b"not for `play`" in b" ".join(dw().split())


def test_a_reader_of_parquet_may_leave(dw, club, tmp_path):
    dw("add", club)
    command = f"{sys.executable} -m dicewright games export --format parquet"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | head -c 4; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(dicewright.__file__).parents[1]),
            "DICEWRIGHT_DATABASE": str(tmp_path / "games.sqlite"),
        },
        timeout=200,
    )
    assert done.stdout == b"PAR1"
    assert done.returncode in (0, 1)
    assert done.stderr == b""


def test_standard_input_is_read(dw):
    assert len(dw("add", "-", stdin=CLUB).split()) == 2
    line = dw("export", "--format", "jsonl").decode()
    assert dw("add", "-", "--format", "jsonl", stdin=line) == b""
    assert len(dw("add", "-", "--format", "jsonl", "--again", stdin=line).split()) == 2


def test_games_that_go_on_hide_their_dice_and_seeds(dw):
    bluff, pig = dw("add", "-", stdin=OPEN).decode().split()
    for words in (("show", bluff), ("show", bluff, "--json"), ("show", pig), ("list", "--json")):
        assert b"5eed" not in dw(*words)
    page = json.loads(dw("show", bluff, "--json"))["plies"]
    assert [(ply["choice"], ply["position"]) for ply in page] == [(None, None), (None, None), ("1x5", None)]
    assert dw("export") == b""
    assert "is unfinished; --unfinished exports it all the same" in dw("export", pig, code=1)
    assert "is unfinished and hides dice; it can be shown once" in dw("export", bluff, "--unfinished", code=1)
    text = dw("export", "--unfinished").decode()
    assert 'Ended "unfinished"' in text
    assert "roll +5 *" in text
    assert "5eed" not in text
    assert "bluff" not in text


def test_other_bytes_than_utf_8_are_refused(dw, tmp_path):
    path = tmp_path / "latin.dwr"
    path.write_bytes(CLUB.replace("Ada", "\u00c9va").encode("latin-1"))
    assert "byte 0xc9 is no UTF-8; only UTF-8 text is allowed" in dw("add", path, code=2)


def test_what_cannot_be_added_leaves_nothing(dw, club, tmp_path):
    broken = tmp_path / "broken.dwr"
    broken.write_text(CLUB.replace("call =1", "call =-1"))
    said = dw("add", club, broken, code=2)
    assert f"{broken} line 12 column 22: the result is -1, but 1 is right" in said
    assert json.loads(dw("list", "--json")) == []


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("show", "nobody"), 1, "games.sqlite: there is no such file; --database or DICEWRIGHT_DATABASE"),
        (
            ("list", "--database", "gmaes.sqlite"),
            1,
            "database gmaes.sqlite: there is no such file; --database",
        ),
        (
            ("export", "--database", "sqlite:///gmaes.sqlite"),
            1,
            "database gmaes.sqlite: there is no such file",
        ),
        (("add", "nothing.dwr"), 1, "cannot read nothing.dwr: No such file"),
        (("add", "nothing.doc"), 2, "the ending of 'nothing.doc' is unknown"),
        (("export", "--format", "xml"), 2, "the form 'xml' is unknown"),
        (("export", "-o", "x.xml"), 2, "the ending of 'x.xml' is unknown"),
        (("list", "--database", "nosuch://x"), 1, "'nosuch://...' names no database"),
        (("list", "--game", "pig:gaol=3"), 2, "has no field 'gaol'"),
        (("list", "--game", "chess"), 2, "two-dice-pig"),
        (("add", "-"), 1, "standard input holds no games; nothing was added"),
        (("list", "--database", "mysql://host/games"), 1, "pip install mysqlclient"),
        (("list", "--database", "/dev/null/games.sqlite"), 1, "its folder is a file; --database"),
        (
            ("list", "--database", "gmaes/games.sqlite"),
            1,
            "there is no folder gmaes; make it, or name another",
        ),
    ],
)
def test_refusals_are_one_sentence(dw, words, code, message):
    said = dw(*words, code=code)
    assert message in said
    assert said.count("\n") == 1
    assert "Errno" not in said
    assert "No module" not in said


def test_nothing_is_made_by_looking(dw, club, tmp_path):
    dw("list", code=1)
    dw("export", "--database", tmp_path / "gmaes.sqlite", code=1)
    assert not list(tmp_path.glob("*.sqlite*"))
    for words in (["analyse", "4fQ"], ["verify-dice", "4fQ"]):
        done = subprocess.run(
            [sys.executable, "-m", "dicewright", *words, "--database", str(tmp_path / "gmaes.sqlite")],
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == 1, done.stderr
        assert "there is no file 4fQ, and cannot read the games database" in done.stderr
    assert not list(tmp_path.glob("*.sqlite*"))
    kept = {"DICEWRIGHT_DATABASE": "", "XDG_DATA_HOME": str(tmp_path / "data")}
    assert json.loads(dw("list", "--json", **kept)) == []
    assert not (tmp_path / "data").exists()
    dw("add", club)
    assert "there is no game 'nobody'" in dw("show", "nobody", code=1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_sentence(dw, club, tmp_path):
    dw("add", club)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dicewright", "games", "export", "--database", tmp_path / "games.sqlite"],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(dicewright.__file__).parents[1])},
            timeout=200,
        )
    assert done.stderr.decode().splitlines()[0] == (
        "dicewright: cannot write standard output: No space left on device"
    )
    assert b"Traceback" not in done.stderr


def test_the_shelf_of_the_command_is_the_shelf_of_the_library(dw, club, tmp_path):
    [pig, _] = dw("add", club).decode().split()
    with Shelf.open(str(tmp_path / "games.sqlite")) as shelf:
        assert shelf.get(pig).record().payoff == 1.0
