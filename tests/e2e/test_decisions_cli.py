"""`dicewright decisions` as a user meets it: files, saved games, forms, the codebook and refusals."""

import csv
import io
import json
import os
from pathlib import Path

import pytest
from tests import forked

import dicewright
from dicewright.analysis.decisions import COLUMNS

PIG = """[Game "pig:goal=20"]
[First "Ada"]
[SecondStrategy "hold:8"]

roll +6 roll {[%shown 2026-11-15T20:15:00.250Z] [%time 5210]} +5 hold roll +4
roll bust roll +6 roll +3 hold =1
"""


def dw(*words, code=0, told="", **changes):
    source = str(Path(dicewright.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "80", **changes}
    done = forked.run([*words], text=True, env=environment, input=told)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture
def pig(tmp_path):
    path = tmp_path / "pig.txt"
    path.write_text(PIG)
    return path


def test_a_file_becomes_a_table(pig):
    rows = list(csv.DictReader(io.StringIO(dw("decisions", pig))))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["position"] for row in rows] == ["0-0+6", "0-0+11", "0-11+4", "11-0+6"]
    assert [row["time"] for row in rows] == ["5210", "", "", ""]
    assert json.loads(rows[0]["worths"]).keys() == {"roll", "hold"}


def test_numbers_go_on_through_files_and_saved_games_keep_their_ids(pig, tmp_path):
    database = f"--database={tmp_path / 'games.sqlite'}"
    (id,) = dw("games", "add", database, pig).split()
    found = json.loads(dw("decisions", pig, id[:6], pig, "--json", database))
    assert list(dict.fromkeys(row["record"] for row in found)) == [1, id, 2]
    assert {row["time"] for row in found} == {5210, None}


def test_decisions_played_in_the_terminal_have_their_times(tmp_path):
    database = f"--database={tmp_path / 'games.sqlite'}"
    game = ("play", "pig:goal=12", "--against", "hold:8", "--first", "--seed", "12", "--plain", database)
    dw(*game, told="roll\nwhat\nroll\n" + "roll\n" * 40)
    (saved,) = json.loads(dw("games", "list", "--json", database))
    path = tmp_path / "games.jsonl"
    dw("games", "export", "-o", path, database)
    for where in (saved["id"], path):
        found = json.loads(dw("decisions", where, "--json", database))
        mine = [row for row in found if row["strategy"] == ""]
        assert mine
        assert all(row["shown"] > 1.7e12 and row["time"] >= 0 for row in mine)
        assert all(row["shown"] is None for row in found if row["strategy"])
    assert "after 0." in dw("games", "show", saved["id"], database)


def test_it_is_written_whole_to_a_file(pig, tmp_path):
    path = tmp_path / "decisions.jsonl"
    assert dw("decisions", pig, "-o", path).splitlines() == [f"4 decisions written to {path}"]
    assert len(path.read_text().splitlines()) == 4
    told = json.loads(dw("decisions", pig, "-o", path, "--format", "csv", "--json"))
    assert told == {"file": str(path), "decisions": 4}
    pig.write_text(PIG.replace("hold =1", "hold =-1"))
    before = path.read_text()
    assert "line 6" in dw("decisions", pig, "-o", path, code=2)
    assert path.read_text() == before


def test_the_codebook_tells_every_column():
    told = json.loads(dw("decisions", "--codebook", "--json"))
    assert [row["column"] for row in told] == list(COLUMNS)
    text = dw("decisions", "--codebook")
    assert all(name in text for name in COLUMNS)


@pytest.mark.parametrize(
    ("words", "told", "code"),
    [
        ([], "no games were named; files of records and ids of saved games are allowed", 2),
        (["nowhere.txt"], "cannot read nowhere.txt", 1),
        (["PIG", "--format", "xls"], "the form 'xls' is unknown; .csv, .jsonl", 2),
        (["PIG", "--format", "parquet"], "Parquet is written to a file; name one with --output", 2),
        (["EMPTY"], "empty.txt has no games", 2),
    ],
)
def test_what_cannot_be_is_one_sentence(pig, tmp_path, words, told, code):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    places = {"PIG": str(pig), "EMPTY": str(empty)}
    error = dw("decisions", *(places.get(word, word) for word in words), code=code)
    assert told in error
    assert len(error.splitlines()) == 1
