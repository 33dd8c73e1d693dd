"""Texts of strangers on the terminal: names, notes, files and errors that try to command it or to forge lines."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests import forked

import dicewright
from dicewright.arena.table import play_match
from dicewright.core.record import Note
from dicewright.families.catalog import parse as game
from dicewright.families.race.strategies import HoldAt
from dicewright.storage.records.files import save_records

PACKAGE = str(Path(dicewright.__file__).parents[1])
EVIL = "Ann\x1b[31m\n1 of 1 right.\x9b2J\u202e[red]x[/y]\r\a"


def dw(*words, code=0, cwd=None):
    """What a command printed, every sign of it checked."""
    done = forked.run(words, cwd=cwd, env={**os.environ, "PYTHONPATH": PACKAGE, "COLUMNS": "200"})
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, err
    assert [sign for sign in out + err if sign != "\n" and not sign.isprintable()] == []
    assert not any(line.startswith(("1 of 1", "refused x")) for line in (out + err).splitlines())
    return out if code == 0 else err


@pytest.fixture
def record():
    played = play_match(game("pig:goal=10"), (HoldAt(5), HoldAt(5)), rolls=["+6", "bust", "+4"])
    tags = (("First", EVIL), ("Second", "Bob\x1b[1m"), ("Event", EVIL))
    return replace(played, tags=tags, notes=(Note(0, EVIL), Note(1, EVIL)))


@pytest.mark.parametrize("ending", [".dwr", ".jsonl", ".csv"])
def test_names_and_notes_of_a_file_of_records(record, ending, tmp_path):
    one, two = tmp_path / f"one{ending}", tmp_path / f"two{ending}"
    save_records(one, [record])
    save_records(two, [record, record])
    shown = r"Ann\x1b[31m\n1 of 1 right.\x9b2J\u202e[red]x[/y]\r\x07"
    assert shown in dw("analyse", one, "--all")
    assert shown in dw("analyse", two)
    assert json.loads(dw("analyse", one, "--json"))["players"][0] == EVIL
    assert len(json.loads(dw("analyse", two, "--json"))["games"]) == 2


def test_names_and_notes_on_the_shelf(record, tmp_path):
    file, shelf = tmp_path / "one.dwr", ("--database", tmp_path / "shelf.db")
    save_records(file, [record])
    id = dw("games", "add", file, *shelf).strip()
    assert r"Ann\x1b[31m" in dw("games", "list", *shelf)
    assert dw("games", "show", id, *shelf).count(r"Ann\x1b[31m\n1 of 1") >= 4
    assert json.loads(dw("games", "list", "--json", *shelf))[0]["players"][0] == EVIL
    assert json.loads(dw("games", "show", id, "--json", *shelf))["tags"]["Event"] == EVIL


@pytest.mark.parametrize(
    "words",
    [
        ["verify", EVIL],
        ["analyse", EVIL + ".dwr"],
        ["value", EVIL],
        ["evaluate", "pig", f"table:{EVIL}.csv", "optimal"],
        ["tournament", "pig", "--folder", EVIL],
        ["verify", "a", EVIL],
        [EVIL],
        ["value", "pig", f"--{EVIL}"],
        ["value", "pig", "--gap", EVIL],
        ["value", "\udcff"],
    ],
)
def test_errors_that_quote_names(words, tmp_path):
    done = forked.run(words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": PACKAGE})
    told = done.stderr.decode()
    assert done.returncode in (1, 2)
    assert [sign for sign in told if sign != "\n" and not sign.isprintable()] == []
    assert not any(line.startswith("1 of 1") for line in told.splitlines())
    assert "mistake of dicewright's own" not in told


def test_brackets_in_the_name_of_a_table_are_shown(tmp_path):
    rows = "".join(f"{mine},{yours},4\n" for mine in range(6) for yours in range(6))
    (tmp_path / "[red]a[b].csv").write_text(f"mine,yours,hold_at\n{rows}")
    told = dw("evaluate", "pig:goal=6", "table:[red]a[b].csv", "hold:3", cwd=tmp_path)
    assert told.count("table:[red]a[b].csv") == 3
