"""What a shell asks the command line for: its version, and what TAB may put there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dicewright

SCRIPT = """#!{python}
import sys
from dicewright.__main__ import main
sys.exit(main())
"""  # as pip writes it: completion goes by its name


@pytest.fixture
def place(tmp_path):
    """An environment whose PATH begins with the command."""
    script = tmp_path / "dicewright"
    script.write_text(SCRIPT.format(python=sys.executable), encoding="utf-8")
    script.chmod(0o755)
    source = str(Path(dicewright.__file__).parents[1])
    return {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": source}


def ran(place, *words, **changes):
    """The lines that the command printed, with nothing on stderr."""
    done = subprocess.run(words, capture_output=True, text=True, env={**place, **changes}, timeout=200)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def offered(place, line):
    """What bash is given for the last word of the line."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    return list(filter(None, ran(place, "dicewright", _DICEWRIGHT_COMPLETE="complete_bash", **words)))


def test_the_version(place):
    assert ran(place, "dicewright", "--version") == [f"dicewright {dicewright.__version__}"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("dicewright va", ["value", "values"]),
        ("dicewright value pi", ["pig", "piglet"]),
        ("dicewright play bluff", ["bluff", "bluff-match"]),
        ("dicewright strategies m", ["mia"]),
        ("dicewright evaluate mia tr", ["tree", "truthful"]),
        ("dicewright evaluate pig hold:20 r", ["roll-to-win", "roll-and-wait", "random"]),
        ("dicewright evaluate bluff:dice=1v2 call", ["call-below"]),
        ("dicewright play pig --against tu", ["turtle"]),
        ("dicewright simulate pig opt", ["optimal"]),
        ("dicewright tournament pig hold:1..3 op", ["optimal"]),
        ("dicewright best-response no-such-game opt", []),
        ("dicewright best-response kuhn-poker opt", []),
        ("dicewright value no-such-game", []),
    ],
)
def test_names_are_offered(place, line, names):
    assert sorted(offered(place, line)) == sorted(names)


def test_other_shells_also_show_what_a_name_means(place):
    asked = {"_DICEWRIGHT_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "dicewright value ho"}
    shown = " ".join(ran(place, "dicewright", **asked))
    assert '"hog":' in shown
    assert "Choose how many dice to roll" in shown


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_with_the_script_that_is_shown(place):
    typed = "COMP_WORDS=(dicewright value pigl) COMP_CWORD=2; _dicewright_completion dicewright"
    script = f'eval "$(dicewright --show-completion)"; {typed}; echo "${{COMPREPLY[@]}}"'
    assert ran(place, "bash", "--norc", "-c", script) == ["piglet"]


def test_games_are_offered_without_loading_a_solver():
    code = "import sys; from dicewright.cli.app import games_begun; print(*games_begun('pigl'), 'numba' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("('piglet', ")
    assert shown.endswith("False\n")
