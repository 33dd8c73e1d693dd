"""The family of another package (tests/toys) in the terminal and on the page: found by its entry point alone."""

import json
import os
import subprocess
import sys

import pytest
from tests.toys import TOYS

SEEN = os.pathsep.join([TOYS, *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.fixture
def run(tmp_path):
    """run("value", "nerve") is the command as somebody types it who has the package installed."""
    env = os.environ | {"PYTHONPATH": SEEN, "DICEWRIGHT_DATABASE": str(tmp_path / "games.sqlite")}

    def command(*said, typed=""):
        words = [sys.executable, "-m", "dicewright", *said]
        done = subprocess.run(words, input=typed, env=env, text=True, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return command


def test_it_is_played_kept_and_judged_in_the_terminal(run):
    told = run("play", "nerve", "--first", "--seed", "3", typed="hint\nhigh\n")
    assert "You roll: a two.\nYou have a two.\n" in told
    assert "Optimal chooses call.\nThe die shows a two.\nOptimal wins 2 points." in told
    assert "None of your decisions lost anything." in told
    [game] = json.loads(run("games", "list", "--json"))
    assert "2 high call" in run("games", "export", game["id"])
    assert json.loads(run("analyse", game["id"], "--json"))["start"] == pytest.approx(1 / 3)
