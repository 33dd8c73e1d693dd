"""The README's shell examples are run, and print what it says (times aside). Its Python examples are doctests."""

import os
import re
import shlex
from pathlib import Path

import pytest
from tests import forked

README = Path(__file__).parents[2] / "README.md"


def shell_examples():
    blocks = re.findall(r"^```(?:console)?\n(\$ .*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    for block in blocks:
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = example.partition("\n")
            yield command, expected


def without_times(text):
    text = re.sub(r'in [\d.]+ s|"seconds": [\d.]+', "TIME", text)
    return [line.split() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize(("command", "expected"), list(shell_examples()))
def test_shell_examples_print_what_the_readme_says(command, expected, tmp_path):
    words = shlex.split(command)
    assert words[0] == "dicewright"
    place = {**os.environ, "DICEWRIGHT_STORE": str(tmp_path), "COLUMNS": "120"}
    done = forked.run(words[1:], text=True, env=place, check=True)
    assert without_times(done.stdout) == without_times(expected)


def test_the_readme_has_shell_examples():
    assert len(list(shell_examples())) >= 3
