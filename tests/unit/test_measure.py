"""What `measure` says of players agrees with what is known exactly, and nothing a program does stops it."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests import documents, forked
from tests.unit.test_program import LIMITS, program

import dicewright as dw
from dicewright.arena.measure import FORFEIT, measure
from dicewright.core.effort import UNTOLD, free_memory
from dicewright.core.errors import RulesError, StrategyError
from dicewright.storage.strategies import parse

ENGINES = Path(__file__).parents[2] / "docs" / "engines"


def exactly(game, strategy):
    """What it gets against perfect play, in winning chance."""
    met = dw.evaluate(game, strategy, "optimal")
    return (1 + (met.a_first.payoff - met.b_first.payoff) / 2) / 2


@pytest.mark.parametrize(
    ("game", "strategy"),
    [("pig", "hold:20"), ("piglet:goal=5", "hold:1"), ("bluff", "truthful"), ("mia", "truthful")],
)
def test_the_result_without_luck_is_the_exact_one(game, strategy):
    """The seed is fixed; of other seeds 5 % or fewer would miss it."""
    found = dw.measure(game, strategy, within=0.03, seed=1)
    assert exactly(game, strategy) in found.result
    assert found.result.high - found.result.low <= 0.06 + 1e-12
    assert found.value - found.loss.estimate == pytest.approx(found.result.estimate)
    assert sum(leak.loss.estimate for leak in found.leaks) == pytest.approx(found.loss.estimate)
    assert found.reduction > 2


def test_perfect_play_gives_nothing_away():
    found = dw.measure("piglet:goal=5", "optimal")
    assert (found.games, found.loss.estimate, found.clean, found.leaks) == (50, 0.0, 50, ())
    assert "lost nothing in any game; games in which it does are at most 7.1 %" in " ".join(found.sentences())


def test_a_mix_counts_as_it_is_answered_and_points_are_points():
    margin = dw.measure("piglet:goal=5,payoff=margin", "random", games=60)
    assert margin.points
    assert "points" in margin.sentences()[0]
    assert {leak.habit for leak in margin.leaks} <= {"holding too early", "rolling too long"}


@pytest.mark.parametrize(
    ("way", "why"), [("exit", "I am tired"), ("garbage", "an object of JSON"), ("twice", "asked")]
)
def test_a_forfeit_loses_what_the_position_was_worth(way, why):
    game = dw.game("piglet:goal=5")
    bot = program(way, game.name)
    found = measure(game, bot, dw.solve(game), games=6)
    bot.close()
    assert found.forfeits >= 1
    assert why in found.why[0]
    leak = next(leak for leak in found.leaks if leak.habit == FORFEIT)
    assert 0 < leak.each <= 1
    assert "It forfeited" in " ".join(found.sentences())


@pytest.mark.parametrize(
    ("wrong", "what"), [({"games": 3}, "games"), ({"within": 0.0}, "within"), ({"level": 1.0}, "level")]
)
def test_what_cannot_be_is_refused(wrong, what):
    with pytest.raises(RulesError, match=what):
        dw.measure("piglet:goal=5", "hold:2", **wrong)


def test_ctrl_c_measures_what_was_played():
    def stop(played, _):
        if played == 10:
            raise KeyboardInterrupt

    found = dw.measure("piglet:goal=5", "hold:2", progress=stop)
    assert (found.games, found.interrupted) == (10, True)


CLIENTS = [
    ("bot.py", sys.executable, "pig", "holding too early"),
    ("bot.pl", "perl", "bluff", "calling too early"),
]


@pytest.mark.parametrize(("file", "runs", "game", "leak"), CLIENTS)
def test_the_clients_of_the_page_are_measured(file, runs, game, leak):
    bot = parse(f"engine:{shlex.join([runs, str(ENGINES / file)])}", game, program=LIMITS)
    found = measure(bot.game, bot, dw.solve(game), games=50)
    bot.close()
    assert found.forfeits == 0
    assert found.leaks[0].habit == leak
    assert len((ENGINES / file).read_text(encoding="utf-8").splitlines()) < 60


def test_the_command_prints_its_document():
    words = ["measure", "hold:2", "piglet:goal=5", "--games", "10"]
    printed = json.loads(forked.run([*words, "--json"], text=True, check=True).stdout)
    documents.check(words, printed)
    assert printed["games"] == 10
    assert "against perfect play" in forked.run(words, text=True, check=True).stdout


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_elsewhere_than_on_linux_programs_are_refused_with_a_sentence(monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(StrategyError, match=f"run on Linux only, not on {platform}"):
        dw.measure("pig", "engine:./bot")


def test_where_the_system_does_not_tell_its_memory_some_is_assumed(monkeypatch):
    monkeypatch.delattr("os.sysconf")
    monkeypatch.setattr("pathlib.Path.exists", lambda path: False)
    assert free_memory() == UNTOLD
