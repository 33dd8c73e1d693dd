"""What the page says while it waits, where something fails, and in the title of its tab."""

import re

import pytest

playwright = pytest.importorskip("playwright.sync_api")

LARGE = "bluff-match:dice=5v5"  # nobody solves it here


def listed(page):
    """The option that Enter would choose."""
    return page.locator(".menu .active .what").inner_text()


def test_letters_typed_in_a_row_are_one_word(visit):
    page = visit("/")
    page.wait_for_selector(".rules li")
    page.get_by_role("button", name="Game").press("Enter")
    page.keyboard.type("Blu")
    assert listed(page) == "Bluff"
    page.keyboard.type("ff m")  # a space inside a word chooses nothing
    assert listed(page) == "Bluff match"
    page.clock.fast_forward(1000)
    page.keyboard.type("m")
    assert listed(page) == "Mia"
    page.clock.fast_forward(1000)
    page.keyboard.type("bb")  # the same letter goes round
    assert listed(page) == "Big Pig"
    page.clock.fast_forward(1000)
    page.keyboard.type("two")
    page.keyboard.press(" ")
    page.get_by_role("button", name="Game: Two-Dice Pig").wait_for()


def test_the_tab_of_an_invited_player_names_the_game(sit, visit):
    ada = sit("pig:goal=8", opponent="person")
    bo = visit("/" + ada.locator(".invite input").first.input_value().split("/", 3)[3])
    bo.wait_for_selector("#me")
    playwright.expect(bo).to_have_title("Pig to 8 - dicewright")
    bo.get_by_role("button", name="Sit down").click()
    bo.wait_for_selector(".turnline")
    playwright.expect(bo).to_have_title("Pig to 8 - dicewright")


def test_nobody_waits_for_another_player_against_the_computer(sit):
    page = sit("pig:goal=20", opponent="hold:8")
    page.wait_for_selector("[data-decision=roll]")
    shown = page.evaluate(
        """async () => {
            const game = document.querySelector("dw-game");
            const words = [];
            for (const doing of [null, "preparing hold:8 for pig:goal=20, for 2 s"]) {
                game.view = { ...game.view, begun: false, progress: doing };
                await game.updateComplete;
                words.push(document.querySelector(".board").innerText);
            }
            return words;
        }"""
    )
    assert not re.search("other player|both players", " ".join(shown))
    assert "The opponent is thinking the game through" in shown[1]


def test_one_plays_while_the_opponent_is_being_solved(visit):
    """In the lobby, and at the table up to its first decision; test_web_seating.py is about the server."""
    page, doing = visit("/"), "solving pig, for 2 s"
    page.wait_for_selector(".rules li")

    def unsolved(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "ready": False, "progress": doing})

    page.route("**/api/rules?*", unsolved)
    page.reload()
    playwright.expect(page.locator(".go [role=status]")).to_contain_text("for 2 s")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("[data-decision=roll]")
    told = page.locator(".game-room .notice")
    waits = """([doing, mover]) => {
        const game = document.querySelector("dw-game");
        const actions = mover === game.view.seat ? game.kept ?? game.view.actions : [];
        game.kept = game.view.actions.length ? game.view.actions : game.kept;
        game.receive({ ...game.view, since: 0, progress: doing, to_move: mover, actions });
    }"""
    page.evaluate(waits, [doing, "second"])
    playwright.expect(told).to_contain_text("for 2 s")
    page.evaluate(waits, [doing, "first"])  # nobody who may move waits for it
    playwright.expect(told).to_have_count(0)
    page.clock.fast_forward(400)
    page.locator("[data-decision=roll][aria-disabled=false]").click()
    page.wait_for_function("() => document.querySelector('dw-game').view.ply > 0")


@pytest.mark.parametrize("missing", ["rooms/explore.js", "lib/sight.js", "vendor/lit.js", "app.js"])
def test_a_part_that_does_not_load_is_told(visit, served, missing):
    page = visit("/")
    page.wait_for_selector(".rules li")
    page.route(f"**/static/{missing}", lambda route: route.abort())
    page.goto(f"{served.url}/explore")
    page.locator("main .error, .unloaded", has_text="load").wait_for()
    page.unroute(f"**/static/{missing}")
    page.get_by_role("button", name="Reload the page").or_(page.get_by_role("link", name="Try again")).or_(
        page.get_by_role("link", name="Begin again")
    ).first.click()
    if missing == "lib/sight.js":
        page.reload()
    page.wait_for_selector("canvas.map")
    playwright.expect(page.locator(".unloaded")).to_have_count(0)
    visit.faults.clear()


def test_an_analysis_that_does_not_load_is_told(sit, visit):
    page = sit("bluff:dice=2v1,sides=2", opponent="truthful")
    page.route("**/rooms/analysis.js", lambda route: route.abort())
    page.wait_for_selector("[data-bid]")
    page.clock.fast_forward(400)
    page.locator("[data-bid]").last.click()
    page.locator(".error", has_text="did not load").wait_for()
    page.wait_for_selector("#result")
    visit.faults.clear()


def test_hints_that_will_not_come_are_told_and_not_awaited(sit):
    page = sit(f"{LARGE},wild=none", opponent="truthful", hints=True)
    playwright.expect(page.locator(".decision")).to_contain_text("Nobody was trained for these rules")
    playwright.expect(page.locator(".decision")).not_to_contain_text("bluff-match:")
    playwright.expect(page.locator(".decision")).not_to_contain_text("…")
    page.evaluate(
        """() => {
            const game = document.querySelector("dw-game");
            game.live.hint = () => (window.asked = true);
            game.receive({ ...game.view, since: 0 });
        }"""
    )
    page.clock.fast_forward(5000)
    assert page.evaluate("window.asked") is None, "the answer stays what it is"


def test_hints_that_are_being_prepared_are_awaited(sit):
    page = sit("pig:goal=30", hints=True)
    page.wait_for_selector(".actions .worth.best")
    page.evaluate(
        """() => {
            const game = document.querySelector("dw-game");
            game.live.hint = () => (window.asked = (window.asked ?? 0) + 1);
            game.hint = null;
            for (let n = 0; n < 200; n += 1) game.hintLater("the hint is being prepared: solving pig:goal=30", true);
        }"""
    )
    playwright.expect(page.locator(".decision [role=status]")).to_contain_text("being worked out")
    playwright.expect(page.locator(".actions")).to_contain_text("…")
    page.clock.fast_forward(5000)
    assert page.evaluate("window.asked") == 1, "however often it was asked for before"


def test_an_analysis_that_cannot_be_made_says_so_in_a_sentence(visit):
    page = visit("/")
    page.wait_for_selector(".rules li")
    page.route(
        "**/analysis",
        lambda route: route.fulfill(
            status=422, json={"error": f"{LARGE} is too large to be solved here; smaller rules are allowed"}
        ),
    )
    page.evaluate(
        """async (game) => {
            await import("/static/rooms/analysis.js");
            const analysis = document.createElement("dw-analysis");
            analysis.view = { id: "x", game, title: "Bluff match, five dice each", events: [] };
            document.body.append(analysis);
        }""",
        LARGE,
    )
    told = page.locator("dw-analysis .notice")
    playwright.expect(told).to_have_text(
        "Bluff match, five dice each is too large to be solved here; smaller rules are allowed."
    )
    visit.faults.clear()
