"""A shelf on a database server, as a user meets it: the same commands with --database URL."""

import json
import os
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests import forked

import dicewright

PIG = """[Game "pig:goal=20"]
[First "Ada"]
[SecondStrategy "hold:8"]

roll +6 hold roll +4 roll bust roll +2 roll +6 hold roll +6 roll +5 hold
roll +6 hold =1
"""


@pytest.fixture
def dw(server_url):
    """Run a command on the server's shelf; it never tells the password."""

    def run(*words, told="", code=0):
        source = str(Path(dicewright.__file__).parents[1])
        place = {**os.environ, "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "120"}
        done = forked.run([*words, "--database", server_url], text=True, env=place, input=told)
        said = done.stdout + done.stderr
        assert "Traceback" not in said
        assert f":{sa.make_url(server_url).password}@" not in said
        assert done.returncode == code, said
        return done.stdout if code == 0 else said

    return run


def test_games_are_added_listed_shown_exported_and_analysed(dw, tmp_path):
    (tmp_path / "club.dwr").write_text(PIG)
    [id] = dw("games", "add", str(tmp_path / "club.dwr")).split()
    assert dw("games", "add", str(tmp_path / "club.dwr")) == ""
    assert id in dw("games", "list", "--game", "pig", "--text", "ada")
    assert "result +1 for Ada" in dw("games", "show", id[:4])
    assert '[First "Ada"]' in dw("games", "export")
    assert "Ada beat hold:8" in dw("analyse", id[:3])
    assert "there is no game 'zzz' on the shelf postgresql" in dw("games", "show", "zzz", code=1)


def test_a_game_is_played_left_and_gone_on_with(dw):
    begun = ("play", "pig:goal=15", "--against", "hold:8", "--first", "--seed", "12", "--plain")
    assert "Go on with" in dw(*begun, told="roll\nroll\nhold\n")
    assert "You win." in dw("play", "--resume", "--plain", told="roll\nroll\nroll\nroll\n")
    [game] = json.loads(dw("games", "list", "--json"))
    assert game["ended"] == "over"
    assert "the seeds make all" in dw("verify-dice", game["id"])
