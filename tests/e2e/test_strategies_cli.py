"""Strategies as text on the command line: the examples of the documentation, files, games that are kept."""

import os
import re
import shlex
from pathlib import Path

import pytest
from tests import forked

from dicewright.storage.shelf.shelf import Shelf

DOCS = Path(__file__).parents[2] / "docs" / "strategies.md"
RULE = "def strategy(mine, yours, turn):\n    return turn < 8\n"


def run(folder, *words, code=0, typed=None):
    place = {**os.environ, "DICEWRIGHT_DATABASE": str(folder / "games.sqlite"), "COLUMNS": "120"}
    done = forked.run(words, text=True, env=place, cwd=folder, input=typed)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.mark.slow
def test_shell_examples_print_what_the_documentation_says(tmp_path):
    blocks = re.findall(r"^```console\n(\$ .*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    examples = [one for block in blocks for one in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    assert len(examples) == 3
    for example in examples:
        command, _, expected = example.partition("\n")
        assert run(tmp_path, *shlex.split(command)[1:]).split() == expected.split()


@pytest.mark.slow
def test_a_game_against_a_file_names_it_and_goes_on_as_long_as_it_is_the_same(tmp_path):
    (tmp_path / "rule.py").write_text(RULE)
    run(tmp_path, "play", "pig:goal=20", "--against", "file:rule.py", "--first", "--plain", typed="")
    with Shelf.open(str(tmp_path / "games.sqlite")) as shelf:
        [saved] = shelf.find(ended="unfinished")
    line = saved.record().tag("SecondStrategy")
    assert re.fullmatch(r"file:rule\.py#[0-9a-f]{12}", line)
    assert "The game goes on." in run(tmp_path, "play", "--resume", "--plain", typed="r\nh\n")
    (tmp_path / "rule.py").write_text(RULE.replace("8", "9"))
    assert "rule.py has changed" in run(tmp_path, "play", "--resume", "--plain", typed="", code=2)


def test_a_rule_that_remembers_plays_and_is_kept_as_it_is_read(tmp_path):
    rule = "expr:turn<min(8,3+last)"
    run(tmp_path, "play", "pig:goal=20", "--against", rule, "--first", "--plain", typed="r\nh\n" * 60)
    with Shelf.open(str(tmp_path / "games.sqlite")) as shelf:
        [saved] = shelf.find(ended="over")
    assert saved.record().tag("SecondStrategy") == "expr:turn < min(8, 3 + last)"


@pytest.mark.slow
def test_a_record_has_no_file_read(tmp_path):
    (tmp_path / "rule.py").write_text(RULE)
    run(
        tmp_path,
        "play",
        "pig:goal=20",
        "--against",
        "file:rule.py",
        "--first",
        "--plain",
        typed="r\nh\n" * 60,
    )
    with Shelf.open(str(tmp_path / "games.sqlite")) as shelf:
        [saved] = shelf.find(ended="over")
    said = run(tmp_path, "analyse", saved.id, "--exploit", code=2)
    assert "no file is read because a record says so; give it with --against-strategy" in said
    assert "rule.py" in run(tmp_path, "analyse", saved.id, "--against-strategy", "file:rule.py", "--json")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            ("strategy", "export", "pig", "hold:20"),
            "no file was named; --csv, --parquet and --npy are allowed",
        ),
        (("evaluate", "pig", "expr:turn <", "hold:20"), "'turn <' is no expression: invalid syntax"),
        (("evaluate", "pig", "expr:busts > 3", "hold:20"), "simulate plays games with it"),
    ],
)
def test_refusals_are_sentences(words, reason, tmp_path):
    assert reason in run(tmp_path, *words, code=2)


@pytest.mark.parametrize("words", [("strategy",), ("strategy", "export"), ("evaluate",), ("simulate",)])
def test_help_has_an_example(words, tmp_path):
    assert "Example: dicewright" in " ".join(run(tmp_path, *words, "--help").split())
