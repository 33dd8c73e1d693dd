"""The screen of the terminal through Textual's pilot: whole games, hints, undo, rules, sizes."""

import asyncio
import time

import pytest

from dicewright.cli.play.screen import GameApp, RulesSheet
from dicewright.cli.play.table import Saver, Setup, Sitting, seed_of
from dicewright.cli.play.told import Adviser, dice_text, rail
from dicewright.cli.play.widgets import Buttons
from dicewright.families import family
from dicewright.families.catalog import parse
from dicewright.storage.shelf.shelf import Shelf

SIZES = [(80, 24), (40, 24)]


def app_of(text, opponent, seat=0, seed=3, url="sqlite://", hints=False, **options):
    adviser = Adviser(parse(text))
    setup = Setup(parse(text), opponent, seat, seed_of(seed), **options)
    table = Sitting(setup, adviser.opponent(opponent, 1 - seat), Saver(url))
    return GameApp(table, adviser, hints, pace=0)


def pilot_test(app, size, steps):
    async def run():
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot)

    asyncio.run(run())


def screen_of(app):
    """What a person sees, line by line."""
    width, height = app.size
    rows = app.screen._compositor.render_strips()
    assert len(rows) == height
    return [row.text[:width].rstrip() for row in rows]


async def until(pilot, true):
    """Until something is so; a generous limit and no other clock."""
    limit = time.monotonic() + 120
    while not true():
        assert time.monotonic() < limit, screen_of(pilot.app)
        await pilot.pause(0.05)


async def play_on(pilot, share=0.4):
    """Keys and arrows until the game is over."""
    app = pilot.app
    while not app.table.over:
        cells = app.query_one(Buttons).cells
        cell = cells[int(share * len(cells))]
        if cell.key:
            await pilot.press(cell.key)
        else:
            while app.query_one(Buttons).cells[app.query_one(Buttons).at] is not cell:
                await pilot.press("right")
            await pilot.press("enter")
        await pilot.pause()


def said(app):
    return "\n".join(text for text, _ in app.lines)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("text", "opponent"),
    [
        ("pig:goal=20", "optimal"),
        ("bluff:dice=2v1,sides=3", "optimal"),
        ("mia", "optimal"),
        ("hog:goal=20", "random"),
    ],
)
def test_whole_games_end_with_their_analysis(text, opponent, size):
    app = app_of(text, opponent)

    async def steps(pilot):
        await play_on(pilot)
        await until(pilot, lambda: "players win" in said(app))
        shown = "\n".join(screen_of(app))
        assert "The game is over. Q leaves." in shown
        assert "Q quit" in shown
        assert app.table.result() in said(app)
        assert app.table.setup.server_seed in said(app)

    pilot_test(app, size, steps)
    assert app.table.keeper.shelf.get(app.table.setup.id).ended == "over"


@pytest.mark.parametrize("size", [*SIZES, (40, 16), (200, 60)])
@pytest.mark.parametrize(
    ("text", "opponent", "controls"),
    [
        ("pig", "hold:20", ["R Roll"]),
        ("bluff:dice=2v2", "call-below:0.3", ["1x1", "2x6"]),
        ("bluff:dice=5v5", "call-below:0.3", ["1x1"]),
        ("mia", "truthful", ["[31]", "32"]),
        ("liars-dice-poker", "truthful", ["["]),
    ],
)
def test_controls_are_never_cut_off(text, opponent, controls, size):
    app = app_of(text, opponent)

    async def steps(pilot):
        shown = "\n".join(screen_of(app))
        for word in (
            *controls,
            "? hint",
            "I rules",
            "U undo",
            "Q quit",
            family(app.table.game).title(app.table.game),
        ):
            assert word in shown
        assert f"against {opponent}" in shown
        for _ in range(30):
            app.simulate_key("right")  # in one breath: press waits after each
        await pilot.pause()
        choices = app.query_one(Buttons)
        await until(pilot, lambda: f"[{choices.cells[choices.at].label}]" in "\n".join(screen_of(app)))

    pilot_test(app, size, steps)


def test_digits_and_arrows_choose_a_bid():
    app = app_of("bluff:dice=2v2", "call-below:0.3")

    async def steps(pilot):
        await pilot.press("3", "5")
        assert "Enter says: three fives" in "\n".join(screen_of(app))
        await pilot.press("up", "left")
        await pilot.pause()
        assert "Enter says: two fours" in "\n".join(screen_of(app))
        await pilot.press("1", "2", "enter")
        await pilot.pause()
        assert "You bid one two." in said(app)

    pilot_test(app, (80, 24), steps)


def test_a_click_chooses():
    app = app_of("pig:goal=30", "hold:10")

    async def steps(pilot):
        await pilot.click(Buttons, offset=(2, 0))
        await pilot.pause()
        assert app.table.sitting.choices[0] == "roll"

    pilot_test(app, (80, 24), steps)


def test_a_hint_on_demand_and_at_every_decision():
    app = app_of("piglet", "hold:3")

    async def steps(pilot):
        await pilot.press("r")
        await pilot.press("question_mark")
        await until(pilot, lambda: "Hint:" in said(app))

    pilot_test(app, (80, 24), steps)
    app = app_of("piglet", "hold:3", hints=True)

    async def unasked(pilot):
        await until(pilot, lambda: "Hint:" in said(app))

    pilot_test(app, (80, 24), unasked)


def test_where_solving_takes_long_a_hint_says_how_likely_bids_are():
    app = app_of("bluff:dice=3v3", "call-below:0.3")

    async def steps(pilot):
        await pilot.press("question_mark")
        await until(pilot, lambda: "right in" in said(app))

    pilot_test(app, (80, 24), steps)


def test_undo():
    app = app_of("pig:goal=30", "hold:10")

    async def steps(pilot):
        await pilot.press("u")
        assert "Not undone: there is no decision of yours" in said(app)
        await pilot.press("r")
        await pilot.press("u")
        await pilot.pause()
        assert app.table.sitting.choices == ()
        assert "taken back" in said(app)
        assert "R Roll" in "\n".join(screen_of(app))

    pilot_test(app, (80, 24), steps)


def test_a_rated_game_refuses_hints_and_undo():
    app = app_of("pig:goal=30", "hold:10", rated=True)

    async def steps(pilot):
        await pilot.press("r", "question_mark", "u")
        await pilot.pause()
        assert "A rated game has no hints." in said(app)
        assert "a rated game has no undo" in said(app)
        shown = "\n".join(screen_of(app))
        assert "rated" in shown
        assert "U undo" not in shown
        assert len(app.table.sitting.choices) >= 2

    pilot_test(app, (80, 24), steps)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", ["pig", "bluff-match:palifico=yes,spot_on=yes,reward=regain", "mia"])
def test_the_rules_lie_on_top_and_go_away(text, size):
    app = app_of(text, "random")

    async def steps(pilot):
        await pilot.press("i")
        await pilot.pause()
        assert isinstance(app.screen, RulesSheet)
        shown = " ".join(line.replace("│", " ") for line in screen_of(app))
        assert family(app.table.game).rules(app.table.game)[0][:20] in " ".join(shown.split())
        assert "Esc: back" in shown
        await pilot.resize_terminal(60, 20)
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, RulesSheet)
        assert "Enter says" in "\n".join(screen_of(app))

    pilot_test(app, size, steps)


@pytest.mark.slow
def test_quit_and_resume(tmp_path):
    url = str(tmp_path / "games.sqlite")
    app = app_of("pig:goal=50", "hold:10", url=url)

    async def steps(pilot):
        await pilot.press("r", "r")
        await pilot.press("q")

    pilot_test(app, (80, 24), steps)
    saved = Shelf.open(url).get(app.table.setup.id)
    assert saved.ended == "unfinished"
    assert saved.record().choices == app.table.sitting.choices
    setup = Setup.of(saved)
    adviser = Adviser(setup.game)
    keeper = Saver(url)
    keeper.saved = saved
    again = GameApp(
        Sitting(setup, adviser.opponent("hold:10", 1), keeper, saved.record().choices),
        adviser,
        resumed=True,
        pace=0,
    )

    async def go_on(pilot):
        assert again.table.sitting.state == app.table.sitting.state
        assert said(again) == said(app)
        await play_on(pilot)

    pilot_test(again, (80, 24), go_on)
    assert Shelf.open(url).get(app.table.setup.id).ended == "over"


def test_a_shelf_that_fails_is_said_on_the_screen(tmp_path):
    app = app_of("pig:goal=20", "hold:10", url=str(tmp_path))

    async def steps(pilot):
        assert "The game is not saved" in said(app)
        await play_on(pilot)
        assert said(app).count("The game is not saved") == 1

    pilot_test(app, (80, 24), steps)


@pytest.mark.parametrize("size", [(40, 24), (80, 18), (120, 40), (40, 16)])
def test_resizing_draws_everything_anew(size):
    app = app_of("bluff:dice=2v2", "call-below:0.3")

    async def steps(pilot):
        await pilot.resize_terminal(*size)
        await pilot.pause()
        shown = "\n".join(screen_of(app))
        for word in ("Bluff, two dice each", "your dice", "[1x1]", "Q quit"):
            assert word in shown

    pilot_test(app, (80, 24), steps)


def test_the_opponents_moves_come_one_after_another_and_a_key_hurries_them():
    app = app_of("pig:goal=100", "hold:20", seed=5)
    app.pace = 3600.0

    async def steps(pilot):
        await pilot.press("r")
        while not app.waiting:
            await pilot.press("h" if len(app.query_one(Buttons).cells) > 1 else "r")
        told = len(app.lines)
        assert "Any key: faster." in "\n".join(screen_of(app))
        await pilot.press("space")
        await pilot.pause()
        assert len(app.lines) > told
        assert "R Roll" in "\n".join(screen_of(app))

    pilot_test(app, (80, 24), steps)


def test_without_colour_dice_and_rails_still_read(monkeypatch):
    assert str(dice_text((5,), 40)).splitlines()[2].rstrip() == "▐   ●   ▌"
    assert str(dice_text((3, None), 40, low=True)) == "[3] [?]"
    assert str(dice_text((12,), 40)).splitlines()[2].rstrip() == "▐  12   ▌"
    assert "━" in str(rail("you", 50, 10, 100, 40, "red"))
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_of("pig:goal=30", "hold:10")

    async def steps(pilot):
        await pilot.press("r")
        await pilot.pause()
        assert "R Roll" in "\n".join(screen_of(app))

    pilot_test(app, (80, 24), steps)


def test_brackets_in_the_name_of_an_opponent_are_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{mine},{yours},4\n" for mine in range(10) for yours in range(10))
    (tmp_path / "[red]x.csv").write_text(f"mine,yours,hold_at\n{rows}")
    app = app_of("pig:goal=10", "table:[red]x.csv", seat=1)
    app.pace = 1000.0

    async def steps(pilot):
        assert any("Table:[red]x.csv plays. Any key: faster." in line for line in screen_of(pilot.app))

    pilot_test(app, (80, 24), steps)


def test_what_was_said_of_a_training_is_said_on_the_screen_again():
    app = app_of("bluff:sides=2", "random")
    app.news = "2 of 25 rounds are trained; call-below:0.3 plays where nobody is trained yet."

    async def steps(_):
        assert app.news in said(app)

    pilot_test(app, (80, 24), steps)
