"""The tutor of the terminal asks once before a decision that gives much away."""

import pytest

from dicewright.cli.play.table import Saver, Setup, Sitting, seed_of
from dicewright.cli.play.told import Adviser
from dicewright.cli.play.tutor import Tutor
from dicewright.core.errors import TooLarge
from dicewright.families.catalog import parse

from .test_play_screen import app_of, pilot_test, said


def sitting(name, opponent, seed=3):
    game = parse(name)
    adviser = Adviser(game)
    setup = Setup(game, opponent, 0, seed_of(seed))
    return Sitting(setup, adviser.opponent(opponent, 1), Saver(save=False)), adviser


def test_it_asks_once_about_each_blunder_and_lets_the_rest_pass():
    table, adviser = sitting("bluff", "truthful")
    tutor = Tutor(adviser, 2.0)
    worth = adviser.advice(table.view).worth
    worst, best = min(worth, key=worth.get), max(worth, key=worth.get)
    lost = 100 * (worth[best] - worth[worst])
    asked = tutor.asks(table, worst)
    assert asked == f"Sure? That gives away {lost:.1f} %. Say it again to do it."
    assert tutor.asks(table, worst) == ""
    assert tutor.asks(table, best) == ""
    assert Tutor(adviser, lost + 0.1).asks(table, worst) == ""


def test_forced_actions_are_not_asked_about():
    table, adviser = sitting("pig:goal=20", "hold:5")
    assert table.actions == ("roll",)
    assert Tutor(adviser, 0.0).asks(table, "roll") == ""


def test_where_nothing_is_solved_it_says_so_once(monkeypatch):
    table, adviser = sitting("bluff", "truthful")

    def none(view):
        raise TooLarge("solving takes long")

    monkeypatch.setattr(adviser, "advice", none)
    tutor = Tutor(adviser, 2.0)
    assert tutor.asks(table, table.actions[0]).startswith("The tutor is silent: solving takes long")
    assert tutor.asks(table, table.actions[0]) == ""


@pytest.mark.parametrize("again", [False, True])
def test_the_screen_asks_and_does_it_when_it_is_said_again(again):
    app = app_of("pig:goal=30", "hold:5")
    app.tutor = Tutor(app.adviser, 0.5)

    async def steps(pilot):
        await pilot.press("r")  # a first roll is forced
        await pilot.pause()
        while len(app.table.actions) < 2 and not app.table.over:
            await pilot.press("r")
            await pilot.pause()
        ply = len(app.table.sitting.choices)
        await pilot.press("h")
        await pilot.pause()
        assert "Sure? That gives away" in said(app)
        assert len(app.table.sitting.choices) == ply
        if again:
            await pilot.press("h")
            await pilot.pause()
            assert len(app.table.sitting.choices) > ply

    pilot_test(app, (80, 24), steps)
