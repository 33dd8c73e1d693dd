"""Explore and the shelf in a real browser."""

import json
import re

import pytest

from .conftest import stand

playwright = pytest.importorskip("playwright.sync_api")


def test_the_map_tells_both_chances_where_one_points(visit):
    page = visit("/explore?view=map&game=pig:goal=20&yours=5")
    canvas, where = page.locator("canvas.map"), page.locator(".readout .where")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    first = where.inner_text()
    page.keyboard.press("ArrowUp")
    playwright.expect(where).not_to_have_text(first)
    for choice in ("Roll", "Hold"):
        playwright.expect(page.locator(".readout")).to_contain_text(choice)
    canvas.hover(position={"x": 60, "y": canvas.bounding_box()["height"] - 50})
    playwright.expect(where).to_have_text(re.compile("^0 to 5"))
    page.locator("#yours").focus()
    page.keyboard.press("End")
    page.wait_for_function("() => location.search.includes('yours=19')")
    playwright.expect(where).to_contain_text("to 19")
    page.locator("summary", has_text="As a table").click()
    playwright.expect(page.locator(".decisions tbody tr")).to_have_count(20)


def test_the_surface_turns(visit):
    page = visit("/explore?view=surface&game=pig:goal=20")
    canvas = page.locator("canvas.surface")
    canvas.focus()
    drawn = "document.querySelector('canvas.surface').toDataURL()"
    page.wait_for_function("() => document.querySelector('dw-explore-surface').drawn")
    before = page.evaluate(drawn)
    page.keyboard.press("ArrowLeft")
    angle = "document.querySelector('dw-explore-surface').turnAngle"
    page.wait_for_function(f"() => {angle} !== 3.75")
    page.wait_for_function(f"before => {drawn} !== before", arg=before)
    turned = page.evaluate(angle)
    canvas.hover(position={"x": 200, "y": 100})
    box = canvas.bounding_box()
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 120, steps=3)
    page.mouse.up()
    page.wait_for_function(f"turned => {angle} !== turned", arg=turned)


def test_two_strategies_side_by_side(visit):
    page = visit("/explore?view=compare&game=pig:goal=20&other=hold:5")
    page.wait_for_selector(".pair figure >> nth=1")
    playwright.expect(page.locator(".pair")).to_contain_text("the hold-at-5 player")
    page.get_by_role("button", name="Other strategy").click()
    page.get_by_role("option", name="the optimal player").click()
    page.locator("#room").get_by_text("They differ in 0 of").wait_for()


def test_a_rule_of_ones_own_is_drawn(visit):
    page = visit("/explore?view=map&game=pig:goal=20")
    page.get_by_role("button", name="Strategy").click()
    page.get_by_role("option", name="a rule of my own").click()
    page.get_by_label("A rule, such as turn < 20").fill("turn < 4")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('strategy=expr')")
    playwright.expect(page.get_by_role("button", name="Strategy: the “turn < 4” player")).to_be_visible()
    page.locator("canvas.map").wait_for()


def test_ranges_of_bluff_and_the_answer_to_a_bid(visit):
    page = visit("/explore?view=ranges&game=bluff")
    playwright.expect(page.locator(".heat-table tbody tr")).to_have_count(6)
    page.get_by_role("button", name="3", exact=True).click()
    playwright.expect(page.locator(".readout")).to_contain_text("How often")
    page.get_by_role("button", name="After 1×5").click()
    page.wait_for_function("() => location.search.includes('said=1x5')")
    page.locator(".heat-table th", has_text="call").wait_for()
    page.get_by_role("button", name="Opening").click()
    page.wait_for_function("() => !location.search.includes('said=')")


def test_ranges_of_mia(visit):
    page = visit("/explore?view=ranges&game=mia")
    playwright.expect(page.locator(".heat-table tbody tr")).to_have_count(21)


def test_the_tournament_matrix(visit):
    page = visit("/explore?view=tournament&game=pig:goal=20")
    page.wait_for_selector(".heat-table tbody tr")
    row = page.locator(".heat-table tbody tr", has_text="optimal").locator("td").all_inner_texts()
    assert min(float(cell) for cell in row if cell != "–") >= 50.0


def test_another_tournament_leaves_nothing_of_the_last(visit):
    page = visit("/explore?view=tournament&game=liars-die")
    page.wait_for_selector(".heat-table tbody tr")
    page.get_by_role("button", name="Game").click()
    page.get_by_role("option", name="Mia", exact=True).click()
    page.wait_for_function("() => location.search.includes('game=mia')")
    playwright.expect(page.locator(".heat-table tbody tr")).to_have_count(4)
    playwright.expect(page.locator(".heat-table")).not_to_contain_text(
        "mixer"
    )  # its table would be too large


def test_points_on_the_map_and_in_the_tournament(visit):
    page = visit("/explore?view=map&game=pig:goal=20,payoff=difference")
    playwright.expect(page.locator(".readout")).to_contain_text("points")
    playwright.expect(page.locator(".sight")).not_to_contain_text("%")
    page = visit("/explore?view=tournament&game=pig:goal=20,payoff=margin")
    playwright.expect(page.locator(".heat-table")).to_contain_text("−")


def test_hog_has_no_map(visit):
    page = visit("/explore?view=map&game=hog")
    playwright.expect(page.locator(".error")).to_contain_text("no turn total")
    visit.faults.clear()


def test_unknown_rules_are_refused_in_words(visit):
    page = visit("/explore?view=map&game=pig:goal=1")
    playwright.expect(page.locator(".error")).to_contain_text("Goal is 1 in pig; 2 to")
    visit.faults.clear()


def play_piglet(page):
    """A short game to its end."""
    for _ in range(60):
        page.wait_for_selector("[data-decision=roll][aria-disabled=false], #result")
        if page.query_selector("#result"):
            break
        ply = page.evaluate("document.querySelector('dw-game').view.ply")
        stand(page)
        page.keyboard.press("h" if page.query_selector("[data-decision=hold][aria-disabled=false]") else "r")
        page.wait_for_function("ply => document.querySelector('dw-game').view.ply > ply", arg=ply)


def test_the_shelf_finds_replays_and_downloads(sit, served):
    page = sit("piglet:goal=2", opponent="optimal")
    play_piglet(page)
    page.get_by_role("link", name="Shelf").click()
    page.get_by_label("Search").fill("piglet")
    page.wait_for_function(
        """() => {
            const found = [...document.querySelectorAll(".card .what")];
            return found.length && found.every((one) => /Piglet/.test(one.textContent));
        }"""
    )
    for kind, sign in (("Text", "[Game"), ("JSONL", "{"), ("CSV", "game")):
        with page.expect_download() as saved:
            page.locator(".card").first.get_by_role("link", name=kind).click()
        text = saved.value.path().read_text(encoding="utf-8")
        assert sign in text
        if kind == "JSONL":
            assert json.loads(text.splitlines()[0])
    page.locator(".card .replay").first.click()
    page.wait_for_selector("dw-curve")


def test_a_game_that_was_left_at_its_end_is_judged_on_the_shelf(sit, visit):
    page = sit("piglet:goal=3", opponent="optimal")
    page.route("**/analysis", lambda route: route.abort())  # as for somebody who does not wait for it
    play_piglet(page)
    page.wait_for_selector("dw-analysis .notice")
    visit.faults.clear()
    page.unroute("**/analysis")
    page.get_by_role("link", name="Shelf").click()
    row = page.locator(".card", has_text="Piglet to 3").first
    playwright.expect(row.locator("dd").nth(1)).to_contain_text("%")
    playwright.expect(row.locator("dd").nth(2)).to_contain_text("%")


def test_the_game_stays_when_the_tab_changes(visit):
    page = visit("/explore?view=map&game=pig:goal=20&strategy=hold:8")
    tabs = page.get_by_role("navigation", name="Ways of looking")
    for tab in ("Surface", "Compare", "Tournament", "Map"):
        tabs.get_by_role("link", name=tab).click()
        playwright.expect(tabs.locator("[aria-current=page]")).to_have_text(tab)
        page.get_by_role("button", name="Goal: to 20").wait_for()
    page.get_by_role("button", name="Strategy: the hold-at-8 player").wait_for()
    tabs.get_by_role("link", name="Ranges").click()  # no race game can be seen so
    page.get_by_role("button", name="Game: Bluff").wait_for()
    page.get_by_role("button", name="Game").click()
    page.get_by_role("option", name="Mia", exact=True).click()
    playwright.expect(page.locator(".heat-table tbody tr")).to_have_count(21)  # it is there
    tabs.get_by_role("link", name="Map").click()
    page.get_by_role("button", name="Goal: to 20").wait_for()
    tabs.get_by_role("link", name="Ranges").click()
    page.get_by_role("button", name="Game: Mia").wait_for()


def test_a_game_without_turn_totals_is_left_behind_by_the_map(visit):
    page = visit("/explore?view=map&game=pig:goal=20")
    page.get_by_role("link", name="Tournament").click()
    page.locator("#room").get_by_text("Everybody meets everybody").wait_for()
    page.get_by_role("button", name="Game: Pig").click()
    page.get_by_role("option", name="Hog").click()
    page.get_by_role("button", name="Game: Hog").wait_for()
    page.get_by_role("link", name="Map", exact=True).click()
    page.get_by_role("button", name="Goal: to 20").wait_for()
    page.wait_for_selector("canvas.map")


RECORD = '[Game "pig:goal=10"]\n[First "Dropped"]\n\nroll +6 hold roll +5 hold roll +5 hold =1\n'
DROP = """([room, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], "mine.dwr"));
  room.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true }));
}"""


def test_a_record_that_is_dropped_on_the_shelf_is_opened(visit):
    page = visit("/games")
    room = page.locator(".shelf-room")
    page.evaluate(DROP, [room.element_handle(), ""])
    page.locator(".notice", has_text="“mine.dwr” is empty").wait_for()
    page.evaluate(DROP, [room.element_handle(), "no record"])
    page.locator(".notice", has_text="This is no record").wait_for()
    visit.faults.clear()  # the browser writes the refusal down
    page.evaluate(DROP, [room.element_handle(), RECORD])
    page.locator("#result").wait_for()
    assert "Dropped wins." in page.inner_text("#result")
