"""A designer's walk (docs/design-a-game.md): its files are written and its commands run; they print what it says."""

import os
import re
import shlex
from pathlib import Path

import pytest
from tests import forked
from tests.e2e.test_readme import without_times

DOC = (Path(__file__).parents[2] / "docs" / "design-a-game.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(toml|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def run(tmp_path):
    """A command in a folder of its own, told the words after `dicewright`; what it printed, or said was wrong."""

    def run(*words, told="", code=0):
        place = {
            **os.environ,
            "DICEWRIGHT_STORE": str(tmp_path / "store"),
            "DICEWRIGHT_DATABASE": str(tmp_path / "games.sqlite"),
            "COLUMNS": "100",
        }
        done = forked.run(words, text=True, env=place, cwd=str(tmp_path), input=told)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    return run


@pytest.mark.slow
def test_the_walk_prints_what_it_says(run, tmp_path):
    commands = 0
    for block in BLOCK.finditer(DOC):
        kind, text = block.groups()
        if kind == "toml":
            *_, name = re.findall(r"`([\w-]+\.toml)`:", DOC[: block.start()])
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        command, _, expected = text.removeprefix("$ ").partition("\n")
        words = shlex.split(command)
        assert command == " ".join(words)  # nothing needs quotes
        if words[1] == "verify":
            (tmp_path / "mean-pig.toml").unlink()
        said = run(*words[1:], code=2 if expected.startswith("dicewright: ") else 0)
        assert without_times(said) == without_times(expected), command
        commands += 1
    assert commands == len(re.findall(r"^\$ ", DOC, re.MULTILINE)) == 7


@pytest.mark.slow
def test_a_game_of_ones_own_is_played_kept_and_sent(run, tmp_path):
    line = "race:+3/+4/bust,goal=9,title=Mean_Pig"
    (tmp_path / "mean.toml").write_text('game = "race"\ngoal = 9\ntitle = "Mean Pig"\nfaces = "+3/+4/bust"\n')
    played = ("play", "file:mean.toml", "--against", "hold:4", "--first", "--seed", "3", "--plain")
    assert "Mean Pig to 9" in run(*played, told="r\nh\n" * 60)
    assert line in run("games", "export", "-o", "games.dwr") + (tmp_path / "games.dwr").read_text()
    (tmp_path / "mean.toml").unlink()
    (tmp_path / "games.sqlite").unlink()
    run("games", "add", "games.dwr")
    assert "1 game" in run("games", "list", "--game", "race")
    assert "hold:4" in run("analyse", "games.dwr")
