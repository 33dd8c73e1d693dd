"""The commands that play, in a process of their own."""

import json
import os
import signal
import subprocess
import sys

import pytest
from tests import forked
from typer.testing import CliRunner

from dicewright.arena import simulate as arena_simulate
from dicewright.arena import statistics as arena_statistics
from dicewright.cli import main
from dicewright.cli.app import app
from dicewright.cli.commands import arena as arena_commands  # also registers them
from dicewright.core.errors import DicewrightError


def run(*words):
    return forked.run(words, text=True, check=True)


def test_simulate_prints_one_json_document():
    words = ("simulate", "pig", "hold:20", "hold:25", "--games", "20000", "--seed", "3", "--json")
    report = json.loads(run(*words, "--luck").stdout)
    assert (report["game"], report["a"], report["b"], report["games"]) == ("pig", "hold:20", "hold:25", 20000)
    both = report["both"]
    assert both["a_wins"] + both["b_wins"] == 20000
    assert both["clopper_pearson"]["low"] < both["wilson"]["estimate"] < both["clopper_pearson"]["high"]
    assert both["exact"] == pytest.approx(0.488276, abs=1e-6)
    assert report["luck_adjusted"]["variance_reduction"] > 10
    assert json.loads(run(*words, "--workers", "2").stdout)["both"] == both


@pytest.mark.slow
def test_the_fair_test_and_the_sequential_test():
    report = json.loads(run("fair-test", "pig", "turtle", "roll-to-win", "--repeats", "5", "--json").stdout)
    assert (report["verdict"], report["series"], report["games"]) == ("better", 5, 15000)
    assert report["games_needed_for_margin"] == 1537
    report = json.loads(run("sprt", "bluff:sides=3", "optimal", "random", "--json").stdout)
    assert report["verdict"] == "better"
    assert report["games"] <= report["cap"]


def here(words, monkeypatch):
    """The exit code of the command line run in this process."""
    monkeypatch.setattr(sys, "argv", ["dicewright", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (
            ("simulate", "liars-die", "tree", "matrix", "--games", "5000"),
            ["5,000 games simulated (seed 0)", "simulation was not needed", "Clopper-Pearson"],
        ),
        (("simulate", "pig:goal=20", "hold:8", "optimal", "--games", "500", "--luck"), ["times smaller"]),
        (("simulate", "pig:skip=yes", *["skip-when-equal"] * 2, "--games", "500"), ["games never ended"]),
        (
            ("fair-test", "pig", "hold:20", "hold:20", "--repeats", "3"),
            ["inseparable from hold:20", "needs 1537"],
        ),
        (("sprt", "pig", "hold:20", "hold:5"), ["hold:20 is better", "0.05 at most"]),
        (("sprt", "pig", "hold:20", "hold:20", "--cap", "100"), ["undecided after 100 games"]),
    ],
)
def test_people_can_read_it(words, lines, monkeypatch, capsys):
    assert not here(words, monkeypatch)
    shown = capsys.readouterr().out
    assert all(line in shown for line in lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("simulate", "pig", "hold:20", "hold:25", "--games", "-3"), "games is -3"),
        (("simulate", "pig", "hold:20", "hld:25"), "did you mean 'hold'?"),
        (("simulate", "pig", "hold:20", "hold:25", "--workers", "0"), "workers is 0"),
        (("fair-test", "pig", "hold:20", "hold:25", "--margin", "0.7"), "margin is 0.7"),
        (("fair-test", "pig", "hold:20", "hold:25", "--repeats", "0"), "repeats is 0"),
        (("sprt", "pig", "hold:20", "hold:25", "--p0", "0.6"), "p0 below p1"),
        (("sprt", "pog", "hold:20", "hold:25"), "unknown game 'pog'"),
    ],
)
def test_what_cannot_be_played_is_explained(words, message, monkeypatch, capsys):
    assert here(words, monkeypatch) == 2
    assert message in capsys.readouterr().err


WAITS = """
import sys
from dicewright.arena import simulate
from dicewright.cli import main
from dicewright.cli.commands import arena as arena_commands
play = simulate.play_blocks
def told(engine, games, seed, workers, progress, executor):
    said = []
    def first(played, games):
        if not said:
            said.append(True)
            print("playing", file=sys.stderr, flush=True)
    return play(engine, games, seed, workers, first, executor)
simulate.play_blocks = told
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for a child there")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_shows_what_has_been_played(workers):
    """The signal is sent once the first block has been played, whenever that is."""
    words = ["simulate", "pig", "hold:20", "hold:25", "--games", str(10**12), "--workers", workers, "--json"]
    child = subprocess.Popen(
        [sys.executable, "-c", WAITS, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stderr.readline() == "playing\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate()
    report = json.loads(out)
    assert child.returncode == 130
    assert report["interrupted"] is True
    assert 0 < report["games"] < 10**12
    assert report["games"] % 16384 == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["simulate", "pig", "hold:20", "hold:25", "--level", "2"], "level is 2.0"),
        (["simulate", "pig", "hold:20", "hold:25", "--level", "2", "--luck"], "level is 2.0"),
        (["simulate", "pig:skip=yes", "hold:20", "hold:25", "--luck"], "may never end"),
        (["simulate", "bluff:sides=3", "random", "random", "--luck"], "race games"),
        (["fair-test", "pig", "hold:20", "hold:25", "--level", "0"], "level is 0.0"),
        (["fair-test", "pig", "hold:20", "hold:25", "--margin", "0.7"], "margin is 0.7"),
        (["sprt", "pig", "hold:20", "hold:25", "--alpha", "1"], "alpha is 1.0"),
        (["sprt", "pig", "hold:20", "hold:25", "--cap", "1"], "cap is 1"),
    ],
)
def test_wrong_statistics_are_refused_before_a_game_is_played(words, reason, monkeypatch):
    def played(*_, **__):
        raise AssertionError("games were played")

    for module in (arena_simulate, arena_statistics):
        monkeypatch.setattr(module, "play_blocks", played)
    result = CliRunner().invoke(app, words, standalone_mode=False)
    assert isinstance(result.exception, DicewrightError)
    assert reason in str(result.exception)


def test_long_play_says_how_long_where_no_bar_is_seen(monkeypatch, capsys):
    """As with a stranger's game that no compiled code plays: a million games take hours."""
    seconds = iter(range(0, 100, 3))
    monkeypatch.setattr(arena_commands.time, "monotonic", lambda: next(seconds))
    with arena_commands.bar(quiet=False, games=1_000_000) as progress:
        for played in range(64, 640, 64):
            progress(played, 1_000_000)
    said = capsys.readouterr().err
    assert said.count("games are played") == 1
    assert "128 of 1,000,000 games are played, the others take some 781 minutes; Ctrl-C shows" in said
