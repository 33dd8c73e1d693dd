"""The screen at the end of a game and after a change of its size."""

import pytest
from tests.unit.test_play_screen import app_of, pilot_test, play_on, said, screen_of, until
from textual.containers import VerticalScroll

from dicewright.cli.commands.play import _farewell
from dicewright.cli.play.widgets import Buttons


@pytest.mark.parametrize("size", [(40, 16), (80, 24)])
def test_the_headline_says_who_won_and_the_terminal_below_keeps_it(size):
    app = app_of("pig:goal=20", "optimal")

    async def steps(pilot):
        await play_on(pilot)
        await until(pilot, lambda: "players win" in said(app))
        await pilot.pause()
        assert screen_of(app)[0].strip().startswith(app.table.result())
        await pilot.press("q")

    pilot_test(app, size, steps)
    id = app.table.setup.id
    first, result, course, *_, last = _farewell(app.table, app.outcome)
    assert (first, result, last) == (f"Saved as {id}.", app.table.result(), f"More: dicewright analyse {id}")
    assert course.startswith("Your chance: ")


@pytest.mark.parametrize("size", [(40, 16), (60, 20), (120, 30)])
def test_the_talk_stays_at_its_end_when_the_size_changes(size):
    app = app_of("pig:goal=200", "hold:20")

    async def steps(pilot):
        for _ in range(30):
            await pilot.press("r")
        await pilot.resize_terminal(*size)
        await pilot.pause()
        await pilot.pause()
        talk = app.query_one("#talk", VerticalScroll)
        assert talk.max_scroll_y > 0
        assert talk.scroll_y == talk.max_scroll_y

    pilot_test(app, (80, 24), steps)


@pytest.mark.parametrize("seed", range(4))
def test_keys_in_haste_do_not_bring_the_question_back(seed):
    """Two rolls and a hold in one breath: what the first roll asked comes after the end, and too late."""
    app = app_of("pig:goal=6", "hold:2", seed=seed)

    async def steps(pilot):
        for _ in range(50):
            for action in ("roll", "roll", "hold") if not app.table.over else ():
                app.query_one(Buttons).post_message(Buttons.Taken(action))
            await pilot.pause()
        assert app.table.over
        await until(pilot, lambda: "players win" in said(app))
        assert app.failure is None
        assert any("The game is over" in line for line in screen_of(app))

    pilot_test(app, (80, 24), steps)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_is_drawn_when_a_player_has_no_dice_left(seat):
    app = app_of("bluff-match:dice=1v1,sides=3", "call-below:0.3", seat=seat)

    async def steps(pilot):
        await play_on(pilot)
        await until(pilot, lambda: "players win" in said(app))
        assert any("no dice" in line for line in screen_of(app))

    pilot_test(app, (80, 24), steps)


def test_a_challenge_is_told_one_thing_at_a_time():
    """The word, then the dice, then who has won: nothing tells the end before its time."""
    app = app_of("mia", "optimal", seed=5)
    app.pace = 3600.0

    async def steps(pilot):
        app._hurry()  # the own roll
        await pilot.pause()
        app.query_one(Buttons).post_message(Buttons.Taken(app.table.game.read_choice("21")))
        shown = []
        for _ in range(4):
            await pilot.pause()
            shown.append("\n".join(screen_of(app)))
            if app.waiting:
                app._tick()
        one, two, three, *_ = shown
        assert "You call 21." in one
        assert "challenges" not in one
        assert "Optimal challenges." in two
        assert "The dice show" not in two
        assert "The dice show 62: 21 was not true." in three
        assert not any("Optimal wins" in text for text in shown)
        app._ask()
        await pilot.pause()
        assert screen_of(app)[0].strip().startswith("Optimal wins.")

    pilot_test(app, (80, 24), steps)
