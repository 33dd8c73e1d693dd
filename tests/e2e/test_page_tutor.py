"""The tutor asks before something is given away; a decision is taken back; levels stand in the menu."""

import pytest

from .conftest import stand

playwright = pytest.importorskip("playwright.sync_api")

BID = "[data-bid='2x6'][aria-disabled=false]"


def tutored(page):
    """As a player of this browser who has chosen the tutor at the table."""
    page.evaluate(
        """import('/static/lib/memory.js').then(({ remember }) => {
            remember('show-hints', false);
            remember('tutor', true);
        })"""
    )
    page.reload()


@pytest.mark.parametrize("colour", ["light", "dark"])
def test_the_tutor_asks_before_a_blunder_on_a_phone(sit, axe, colour):
    page = sit("bluff", hints=True, width=390, height=800)
    tutored(page)
    page.emulate_media(color_scheme=colour)
    page.wait_for_selector(BID)  # a blunder whatever the die shows
    stand(page)
    assert page.locator(".worth").count() == 0
    page.click(BID)
    playwright.expect(page.locator(".doubt")).to_contain_text("Sure? That gives away")
    playwright.expect(page.locator("[data-decision=again]")).to_be_focused()
    assert axe(page) == []
    stand(page)
    page.keyboard.press("Enter")
    page.wait_for_selector(".doubt", state="detached")
    assert page.evaluate("document.querySelector('dw-game').view.ply") == 2
    stand(page)
    page.click(BID)
    page.locator("[data-decision=sure]").wait_for()
    stand(page)
    page.click("[data-decision=sure]")
    page.locator("[data-fix=begin]").wait_for()


def test_the_tutor_lets_a_good_decision_pass_and_can_be_set(sit):
    page = sit("pig:goal=30", hints=True)
    tutored(page)
    page.get_by_role("button", name="Roll").wait_for()
    page.get_by_label("What the tutor asks about").select_option("0.2")
    stand(page)
    page.get_by_role("button", name="Roll").click()
    page.wait_for_function("() => document.querySelector('dw-game').view.ply > 0")
    assert page.locator(".doubt").count() == 0
    assert page.evaluate("JSON.parse(localStorage.dicewright)['tutor-above']") == 0.2


def test_a_decision_is_taken_back_on_the_page(sit):
    page = sit("pig:goal=30")
    back = page.get_by_role("button", name="Take back")
    page.get_by_role("button", name="Roll").wait_for()
    assert back.count() == 0  # nothing was done yet
    stand(page)
    page.get_by_role("button", name="Roll").click()
    back.wait_for()
    back.click()
    page.wait_for_function("() => document.querySelector('dw-game').view.ply === 0")
    back.wait_for(state="detached")
    page.get_by_role("button", name="Roll").wait_for()


def test_opponents_stand_in_order_of_strength_with_their_levels(visit):
    page = visit("/")
    page.wait_for_selector(".rules li")
    sheet = page.evaluate("import('/static/lib/api.js').then(({ rules }) => rules('pig'))")
    chances = [one["chance"] for one in sheet["opponents"] if "chance" in one]
    assert chances == sorted(chances, reverse=True)
    names = [one["strategy"] for one in sheet["opponents"]]
    assert names[0] == "optimal"
    assert [name for name in names if name.startswith("level")] == [f"level:{n}" for n in range(8, 0, -1)]
    page.get_by_role("button", name="Opponent").click()
    playwright.expect(page.get_by_role("option", name="level 8")).to_contain_text("45.7 % of games")
