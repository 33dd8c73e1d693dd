"""`dicewright me` as a user meets it: a name, a code from the page, games of the terminal, and the end of it."""

import json
import os
import re
import stat
from pathlib import Path

import pytest
from tests import forked

import dicewright
from dicewright.core.names import read_code
from dicewright.storage.shelf.players import Players
from dicewright.storage.shelf.shelf import Shelf

ROLLS = "r\nr\nh\n" * 200


@pytest.fixture
def dw(tmp_path):
    """Runs a command in a home of its own; what it printed."""
    source = str(Path(dicewright.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "100"}
    environment |= {"XDG_DATA_HOME": str(tmp_path)}
    environment.pop("DICEWRIGHT_DATABASE", None)

    def run(*words, code=0, told=""):
        done = forked.run([*map(str, words)], text=True, env=environment, input=told)
        assert "Traceback" not in done.stdout + done.stderr
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr if code == 0 else done.stderr

    return run


def play(dw, *words):
    return dw("play", "piglet", "--against", "hold:2", "--first", "--plain", *words, told=ROLLS)


def test_games_of_the_terminal_count_under_a_name(dw, tmp_path):
    assert "dicewright me --name Ada begins one" in dw("me", code=2)
    play(dw, "--seed", "1")  # before the name, and nobody's
    told = dw("me", "--name", "Ada")
    code = re.search(r"other devices: (\S+)", told)[1]
    assert read_code(code) == code
    kept = tmp_path / "dicewright" / "code"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    for seed in (2, 3):
        play(dw, "--seed", seed)
    play(dw, "--seed", "4", "--no-save")
    document = json.loads(dw("me", "--json"))
    assert (document["name"], document["games"], document["left_out"]) == ("Ada", 2, 0)
    told = dw("me")
    assert "You give away" in told
    assert "in 2 games with" in told
    assert "Ada" in dw("games", "list")
    file = tmp_path / "me.json"
    dw("me", "--export", file)
    assert [game["seat"] for game in json.loads(file.read_text())["games"]] == ["first", "first"]
    assert "Ada is deleted: 2 games went" in dw("me", "--delete")
    assert not kept.exists()
    assert "nobody has a name here yet" in dw("me", code=2)


def test_the_code_of_the_page_is_taken_here(dw, tmp_path):
    path = tmp_path / "dicewright" / "games.sqlite"
    path.parent.mkdir()
    with Shelf.open(str(path)) as shelf:
        _, code = Players(shelf).add("Bob")
    dw("me", "--code", f"http://localhost:8000/you#code={code.lower()}")
    play(dw, "--seed", "1")
    assert json.loads(dw("me", "--json"))["games"] == 1
    for words, status, why in (
        (("--code", "0000-0000-0000-0000"), 1, "nobody has this code in"),
        (("--code", "12"), 2, "16 letters and digits"),
        (("--name", "B0B"), 2, "is called 'Bob' already"),
        (("--name", "Bob\u200b"), 2, "U+200B"),
        (("--name", "Cleo", "--code", code), 2, "were both given"),
    ):
        told = dw("me", *words, code=status)
        assert why in told
        assert len(told.strip().splitlines()) == 1
    assert json.loads(dw("me", "--json"))["name"] == "Bob"  # nothing of that changed who plays


def test_a_drill_of_the_terminal_comes_back_when_it_is_time(dw, tmp_path):
    """Five decisions of what leaked, noted under the name: then the theme waits, here and on the page."""
    dw("me", "--name", "Ada")
    play(dw, "--seed", "2")
    assert "Practise them: dicewright drill" in dw("me")
    told = dw("drill", "--seed", "1", told="roll\nnonsense\n" + "hold\n" * 9)
    assert told.count("You see: own score") == 5
    assert "'nonsense' is not possible here. Say roll, hold or quit." in told
    assert re.search(r"Not this one: \w+ gives away [\d.]+ %\.\n.+ wins [\d.]+ %", told)
    assert re.search(r"\d of 5 right\.", told)
    assert re.search(r"This theme comes back on \d{4}-\d\d-\d\d\.", told)
    assert dw("drill", "--seed", "1", told="roll\n" * 5) != told  # what was practised is not due any more


def test_a_drill_needs_no_name_and_takes_any_action_of_the_mix(dw):
    assert dw("drill", "mia", "--themes") == (
        "first: the first call\nbeat: beat a call\nanswer: believe or challenge\n"
    )
    told = dw("drill", "mia", "--theme", "answer", "--seed", "3", "--count", "2", told="challenge\naccept\n")
    assert told.count("Believe or challenge. You see:") == 2
    assert "of 2 right." in told
    assert "comes back" not in told
    assert "first, beat, answer, keep is allowed" in dw("drill", "mia", "--theme", "x", code=2)
    assert "too large to be practised" in dw("drill", "perudo", code=2)
    assert dw("drill", "bluff", "--seed", "4", "--count", "1", told="").endswith("? \n")
