"""A press counts only if its position had been on the screen for 400 ms when the button went down.

The clock of the page is stopped, so that the times are the test's own.
"""

import pytest

from .conftest import STEADY, stand

playwright = pytest.importorskip("playwright.sync_api")

GAME = "document.querySelector('dw-game')"
ASKED = f"ply => {GAME}.view.ply > ply && {GAME}.mine && !{GAME}.sent"
ANSWERED = {  # the opponent's first answer asks again
    "bluff:dice=2v2": ("truthful", "[data-bid]"),
    "pig": ("hold:20", "[data-decision=roll]"),
    "hog": ("random", "[data-decision='1']"),
    "mia": ("random", "[data-decision=accept], [data-bid]"),
}
TUMBLE = 350  # milliseconds: rooms/game.js
HANDS = ["bluff:dice=2v2", "pig"]


def stop(page):
    """Stop the clock of the page; from now on it moves when it is told to."""
    stand(page)
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)


def sent(page):
    """Whether a move is on its way or has been answered since the first one."""
    return page.evaluate(
        f"{GAME}.sent || {GAME}.view.events.filter((e) => e.who === {GAME}.view.seat).length > 1"
    )


def mouse(page, target):
    page.locator(target).first.scroll_into_view_if_needed()
    box = page.locator(target).first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def touch(page, target):
    page.locator(target).first.scroll_into_view_if_needed()
    box = page.locator(target).first.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def enter(page, target):
    page.locator(target).first.focus()
    page.keyboard.press("Enter")


def space(page, target):
    page.locator(target).first.focus()
    page.keyboard.press(" ")


def by_itself(page, target):
    """A click that no button or key makes, as a screen reader's."""
    page.locator(target).first.evaluate("button => button.click()")


def moved_once(page, press, target):
    """Make the first move, and wait until the next is asked for."""
    page.wait_for_selector(target)
    stop(page)
    ply = page.evaluate(f"{GAME}.view.ply")
    press(page, target)
    page.wait_for_function(ASKED, arg=ply)
    page.wait_for_selector(target)


@pytest.mark.parametrize("press", [mouse, touch, enter, space, by_itself])
@pytest.mark.parametrize("game", HANDS)
def test_a_second_press_counts_when_its_position_has_stood(sit, game, press):
    opponent, target = ANSWERED[game]
    page = sit(game, opponent=opponent, touch=press is touch)
    moved_once(page, press, target)
    for wait in (0, STEADY - 1):
        page.clock.run_for(wait)
        press(page, target)
        assert not sent(page), f"after {wait} ms"
    page.clock.run_for(1)
    press(page, target)
    assert sent(page)


def right(page, target):
    page.locator(target).first.click(button="right", force=True)


def hold_enter(page, _):
    page.evaluate("document.activeElement.blur()")
    for _ in range(2):  # the second time in a row it is a repetition
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")


@pytest.mark.parametrize("press", [right, hold_enter])
def test_a_press_that_clicked_nothing_is_forgotten(sit, press):
    """The next click may be a screen reader's or a voice's, which press nothing: it is judged by its own time."""
    opponent, target = ANSWERED["pig"]
    page = sit("pig", opponent=opponent)
    moved_once(page, mouse, target)
    press(page, target)
    page.clock.run_for(STEADY)
    by_itself(page, target)
    assert sent(page)


@pytest.mark.parametrize("game", sorted(ANSWERED.keys() - HANDS))
def test_every_family_waits_for_its_position(sit, game):
    opponent, target = ANSWERED[game]
    page = sit(game, opponent=opponent)
    moved_once(page, mouse, target)
    mouse(page, target)
    assert not sent(page)
    page.clock.run_for(STEADY)
    mouse(page, target)
    assert sent(page)


@pytest.mark.parametrize(("game", "key"), [("bluff:dice=2v2", "Enter"), ("pig", "Enter"), ("pig", "r")])
def test_a_key_that_is_held_down_moves_once(sit, game, key):
    opponent, target = ANSWERED[game]
    page = sit(game, opponent=opponent)
    moved_once(page, lambda page, _: page.keyboard.down(key), target)
    page.clock.run_for(2 * STEADY)
    page.locator(target).first.focus()
    page.keyboard.down(key)  # the second time in a row it is a repetition
    assert not sent(page)
    page.keyboard.up(key)
    page.keyboard.press(key)
    assert sent(page)


def test_a_letter_waits_for_its_position(sit):
    page = sit("pig", opponent="hold:20")
    moved_once(page, lambda page, _: page.keyboard.press("r"), "[data-decision=roll]")
    page.clock.run_for(STEADY - 1)
    page.keyboard.press("r")
    assert not sent(page)
    page.clock.run_for(1)
    page.keyboard.press("r")
    assert sent(page)


def test_the_press_that_ends_a_game_begins_no_other(sit):
    page = sit("bluff:dice=2v1,sides=2", opponent="truthful")
    page.wait_for_selector("[data-bid]")
    stop(page)
    here = page.url
    mouse(page, "[data-bid] >> nth=-1")  # nothing beats it: the answer is a call
    page.wait_for_selector("[data-decision=again]")
    mouse(page, "[data-decision=again]")
    mouse(page, ".ending a")
    assert (page.url, page.evaluate(f"{GAME}.asking")) == (here, None)
    page.clock.run_for(STEADY)
    mouse(page, "[data-decision=again]")
    page.wait_for_function("here => location.href !== here", arg=here)


def test_the_press_that_ends_a_round_does_not_open_the_next(sit):
    page = sit("bluff-match:dice=2v2,sides=2", opponent="truthful")
    page.wait_for_selector("[data-bid]")
    stop(page)
    mouse(page, "[data-bid] >> nth=-1")
    page.wait_for_selector("[data-decision=next]")
    mouse(page, "[data-decision=next]")
    assert page.evaluate(f"Boolean({GAME}.resting)")
    page.clock.run_for(STEADY)
    mouse(page, "[data-decision=next]")
    page.wait_for_selector("[data-decision=next]", state="detached")


def test_dice_that_tumble_do_not_lie_on_the_table_yet(sit):
    """With motion on, a position stands from when its dice have come to rest: a tumbling die shows no face."""
    page = sit("pig", opponent="hold:20", still=False)
    page.wait_for_selector("[data-decision=roll][aria-disabled=false]")
    stop(page)
    mouse(page, "[data-decision=roll]")
    page.wait_for_function(f"() => {GAME}.tumbling")
    page.clock.run_for(TUMBLE)
    page.wait_for_function(f"() => {GAME}.mine")
    page.clock.run_for(STEADY - 1)
    mouse(page, "[data-decision=roll]")
    assert not sent(page)
    page.clock.run_for(1)
    mouse(page, "[data-decision=roll]")
    assert sent(page)
