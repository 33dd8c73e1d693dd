"""The family of another package (tests/toys) in the terminal and on the page: found by its entry point alone."""

import json
import os
import re
import subprocess
import sys

import pytest
from tests.toys import TOYS

from .conftest import Served
from .test_page_play import finish, tab_to, waits

playwright = pytest.importorskip("playwright.sync_api")

SEEN = os.pathsep.join([TOYS, *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.fixture
def run(tmp_path):
    """run("value", "nerve") is the command as somebody types it who has the package installed."""
    env = os.environ | {"PYTHONPATH": SEEN, "DICEWRIGHT_DATABASE": str(tmp_path / "games.sqlite")}

    def command(*said, typed=""):
        words = [sys.executable, "-m", "dicewright", *said]
        done = subprocess.run(words, input=typed, env=env, text=True, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return command


def test_it_is_played_kept_and_judged_in_the_terminal(run):
    told = run("play", "nerve", "--first", "--seed", "3", typed="hint\nhigh\n")
    assert "You roll: a two.\nYou look at a two.\n" in told
    assert "Optimal chooses call.\nThe die shows a two.\nOptimal wins 2 points." in told
    assert "None of your decisions lost anything." in told
    [game] = json.loads(run("games", "list", "--json"))
    assert re.search(r"2 high \{\[%shown \S+\] \[%time \d+\]\}\s+call", run("games", "export", game["id"]))
    assert json.loads(run("analyse", game["id"], "--json"))["start"] == pytest.approx(1 / 3)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server that has the package installed, as have the processes it starts."""
    for name in ("fastapi", "uvicorn"):
        pytest.importorskip(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", SEEN)
        server = Served(tmp_path_factory.mktemp("served"))
        yield server
        server.kill()


def position(page):
    return page.evaluate("document.querySelector('dw-game').view.position")


def test_it_is_chosen_and_played_on_the_page_by_mouse(visit):
    page = visit("/")
    page.get_by_role("button", name="Game").click()
    page.get_by_role("option", name="Nerve One die").click()
    playwright.expect(page.locator(".rules li").first).to_contain_text("a die of 6 sides under a cup")
    page.get_by_role("button", name="Opponent").click()
    page.get_by_role("option", name="a random player").click()
    page.get_by_role("button", name="Play", exact=True).click()
    waits(page)
    playwright.expect(page.locator(".near .hand svg.die")).to_have_count(1)
    playwright.expect(page.locator(".ask")).to_contain_text("You look at a")
    finish(page, lambda _: page.get_by_role("button", name="High").click())
    playwright.expect(page.locator(".ending")).to_contain_text("point")
    page.wait_for_selector("dw-curve svg.curve")
    playwright.expect(page.locator(".summary")).to_contain_text("the dice")


def test_its_die_is_under_the_cup_for_the_other_player(sit, axe):
    page = sit("nerve:sides=2", opponent="random", seat="second", hints=True, width=360, height=740)
    if waits(page):
        assert position(page)["table"][0]["dice"] == [None]
        playwright.expect(page.locator(".across .cup")).to_be_visible()
        page.wait_for_selector(".actions .worth:has-text('points')")
        assert axe(page) == []
        finish(page, lambda _: page.keyboard.press("c"))
        playwright.expect(page.locator(".across .hand svg.die:not(.unknown)")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_its_analysis_is_in_the_words_of_its_family(sit):
    page = sit("nerve:sides=3", seat="first", hints=True)
    finish(page, lambda _: page.keyboard.press("l"))
    page.wait_for_selector("dw-curve svg.curve")
    tab_to(page, "Step through the game")
    page.keyboard.press("ArrowLeft")
    playwright.expect(page.locator(".moment")).to_contain_text("You could know: a ")
    playwright.expect(page.locator(".worths")).to_contain_text("Low")
    page.get_by_role("button", name="Try again here").click()
    page.wait_for_selector("[data-decision=high][aria-disabled=false]")


def test_spectators_see_what_everybody_may(sit, visit):
    page = sit("nerve", opponent="random", seat="first")
    waits(page)
    watching = visit(page.url[page.url.index("/g/") :])
    playwright.expect(watching.locator("h1")).to_contain_text("you are watching")
    playwright.expect(watching.locator(".talk")).to_contain_text("Dice under the cup")
    assert position(watching) == {"view": None}
