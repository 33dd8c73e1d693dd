"""What the page shows, asks and says while a turn is still being shown.

`HOLD_STILL` stops a game in the middle of its showing: every pause of the page lasts for ever.
"""

import re

import pytest

from .conftest import stand

playwright = pytest.importorskip("playwright.sync_api")

ROLL = "[data-decision=roll][aria-disabled=false]"
HOLD_STILL = "() => { document.querySelector('dw-game').pause = () => new Promise(() => {}); }"
# The other player thinks for no time, and moves; then every pause lasts for ever.
HOLD_STILL_ONCE_MOVED = """() => {
    let moved = false;
    document.querySelector("dw-game").pause = () => (moved ? new Promise(() => {}) : Promise.resolve((moved = true)));
}"""
# A state as the server sends it: the reader's hold, then the optimal player's whole turn, which ends the game or not.
THEIR_TURN = """async (ended) => {
    const game = document.querySelector("dw-game");
    const { view } = game;
    const added = [["first", "first", "roll", []], ["dice", "first", "+6", [6]], ["first", "first", "hold", []],
        ["second", "second", "roll", []], ["dice", "second", "+5", [5]], ["second", "second", "hold", []]];
    const scores = [[0, 0], [0, 0], [6, 0], [6, 0], [6, 0], [6, 5]];
    const scene = (i, of, faces) => ({ scores: scores[i], turn: 0, mover: of,
        roll: { faces, bad: false, label: "", note: "" }, end: i % 3 === 2 ? "held" : undefined });
    const events = added.map(([who, of, choice, dice], i) =>
        ({ ply: view.ply + i, who, of, choice, words: choice, dice, scene: scene(i, of, dice) }));
    game.receive({ ...view, type: "state", ply: view.ply + added.length, since: 0, events: [...view.events, ...events],
        chance: { first: ended ? 0 : 0.123 }, ended: ended ? "over" : null, payoff: ended ? -1 : null,
        to_move: ended ? null : "first", actions: [] });
    await game.updateComplete;
}"""


def test_a_refused_hint_is_no_error(sit):
    page = sit("pig:goal=30")
    page.wait_for_selector(ROLL)
    page.evaluate(
        """() => {
            const { live } = document.querySelector("dw-game");
            const { error } = live.hear;
            live.hear.error = (...words) => error(...(window.heard = words));
            live.hint();
        }"""
    )
    page.wait_for_function("() => window.heard")
    [frame] = page.evaluate("window.heard")
    assert (frame["error"], frame["of"], frame["later"]) == (
        "this game is played without hints",
        "hint",
        False,
    )
    playwright.expect(page.locator(".error")).to_have_count(0)
    page.evaluate("document.querySelector('dw-game').move('fly')")
    page.locator(".error", has_text="fly").wait_for()
    stand(page)
    page.click(ROLL)
    page.wait_for_selector(".error", state="detached")


def test_no_hint_is_asked_for_once_the_move_is_out(sit):
    page = sit("pig:goal=30", hints=True)
    page.wait_for_selector(".actions .worth.best")
    wants = """(sent) => {
        const game = document.querySelector("dw-game");
        [game.hint, game.sent] = [null, sent];
        return game.wantsHint;
    }"""
    assert page.evaluate(wants, False)
    assert not page.evaluate(wants, True)


@pytest.mark.parametrize("ended", [False, True])
def test_a_turn_is_not_given_away_before_its_dice_are_shown(sit, ended):
    page = sit("pig:goal=30", hints=True, still=False)
    page.wait_for_selector(".actions .worth.best")
    playwright.expect(page.locator(".chance")).to_contain_text("%")
    before = page.inner_text(".chance"), page.locator(".actions").bounding_box()
    page.evaluate(HOLD_STILL)
    page.evaluate(THEIR_TURN, ended)
    assert (page.inner_text(".chance"), page.locator(".actions").bounding_box()) == before
    playwright.expect(page.get_by_label("Show hints and chances")).to_be_visible()
    playwright.expect(page.locator(".turnline")).to_have_text(
        re.compile(r"^\s*Your turn")
    )  # the own roll is tumbling
    page.evaluate(
        """async () => {
            const game = document.querySelector("dw-game");
            [game.shown, game.tumbling] = [game.view.events.length - 2, true];
            await game.updateComplete;
        }"""
    )
    playwright.expect(page.locator(".turnline")).to_have_text(re.compile(r"^\s*Optimal to move"))
    playwright.expect(page.get_by_role("button", name="skip")).to_be_visible()
    assert page.inner_text(".chance") == before[0]


def test_hints_come_as_soon_as_the_buttons_can_be_pressed(sit):
    page = sit("bluff:sides=3", hints=True, still=False)
    page.wait_for_selector(".cell .worth.best")
    page.evaluate(HOLD_STILL_ONCE_MOVED)
    stand(page)
    page.click("[data-bid] >> nth=0")
    page.wait_for_function(
        """() => {
            const { view, hint, counted } = document.querySelector("dw-game");
            return view.ply > 2 && (counted < 99 || hint?.ply === view.ply);
        }"""
    )
    playwright.expect(page.locator("#result")).to_have_count(0)


def test_a_game_that_is_left_is_shown_no_further(sit, served):
    """Another game in the same room while dice tumble: the old ones come to rest in nobody's sight."""
    page = sit("pig:goal=30", still=False)
    page.wait_for_selector(ROLL)
    first = page.url
    page.evaluate(
        """async () => {
            const { newGame } = await import("/static/lib/api.js");
            const { sitAt } = await import("/static/lib/memory.js");
            const { go } = await import("/static/app.js");
            const asked = { opponent: "optimal", seat: "first", hints: false, name: "Ada" };
            const made = await newGame({ game: "pig:goal=31", ...asked });
            sitAt(made.id, made);
            go(`/g/${made.id}`);
        }"""
    )
    page.wait_for_function("() => document.querySelector('dw-game').view?.position?.goal === 31")
    page.wait_for_selector(ROLL)
    page.evaluate(THEIR_TURN, False)
    page.go_back()
    page.wait_for_function("() => document.querySelector('dw-game').view?.position?.goal === 30")
    page.evaluate(
        "async () => (await import('/static/lib/element.js')).pause(400)"
    )  # after those of the old game
    page.wait_for_selector(ROLL)
    assert page.url == first
    assert page.evaluate("document.querySelector('dw-game').shown") == 0


@pytest.mark.parametrize(("seen", "left"), [(1, 0), (1, 1), (4, 0)])
def test_what_is_taken_back_while_dice_tumble_is_shown_no_further(sit, seen, left):
    """The table has fewer events than were shown: nobody looks for the next one."""
    page = sit("pig:goal=30", still=False)
    page.wait_for_selector(ROLL)
    page.evaluate(
        f"""async () => {{
            const game = document.querySelector("dw-game");
            const {{ view }} = game;
            await ({THEIR_TURN})(false);
            const until = async (true_) => {{ while (!true_()) await new Promise((done) => setTimeout(done, 5)); }};
            await until(() => game.shown === view.events.length + {seen} && game.tumbling);
            const left = game.view.events.slice(0, {left});
            game.receive({{ ...view, type: "state", since: 0, events: left }});
            await game.updateComplete;
        }}"""
    )
    page.wait_for_selector(ROLL)
    page.evaluate(
        "async () => (await import('/static/lib/element.js')).pause(800)"
    )  # what was going on is over
    assert page.evaluate(
        "(({ shown, tumbling, settled }) => [shown, tumbling, settled])(document.querySelector('dw-game'))"
    ) == [left, False, True]


@pytest.mark.parametrize("height", [844, 700])
def test_call_is_in_sight_on_a_phone_and_notices_move_nothing(sit, height):
    page = sit("bluff:dice=2v2", seat="second", hints=True, width=390, height=height)
    page.wait_for_selector("[data-decision=call] .worth:not([aria-hidden])")
    call = page.locator("[data-decision=call]").bounding_box()
    assert call["y"] + call["height"] <= height
    board = page.locator(".board").bounding_box()
    page.evaluate(
        "document.querySelector('dw-game').error = 'Something is the matter, and it takes a few words.'"
    )
    page.wait_for_selector(".error")
    assert page.locator(".board").bounding_box() == board
    told = page.locator(".error").bounding_box()
    assert told["y"] + told["height"] <= board["y"]


def test_the_list_says_whose_dice_they_were(sit):
    page = sit("bluff:sides=3", opponent="truthful")
    page.wait_for_selector("[data-bid]")
    stand(page)
    page.click("[data-bid] >> nth=0")
    page.wait_for_function("() => document.querySelector('dw-game').view.ply > 3")
    page.locator("summary", has_text="What happened").click()
    told = page.locator(".events li")
    playwright.expect(told.nth(2)).to_have_text("you: a single one")
    playwright.expect(told.nth(0)).to_have_text(re.compile(r"^\s*you rolled a "))
    playwright.expect(told.nth(1)).to_have_text(re.compile(r"^\s*truthful(: dice under the cup| rolled a )"))
