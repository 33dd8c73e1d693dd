"""Fix my mistakes: the dearest decisions come back under the result."""

import pytest

from .conftest import stand

playwright = pytest.importorskip("playwright.sync_api")

BID = "[data-bid='2x6'][aria-disabled=false]"


def test_a_mistake_of_bluff_is_fixed_by_keyboard_on_a_phone(sit, axe):
    page = sit("bluff", width=390, height=800)
    page.wait_for_selector(BID)  # the highest bid there is, a blunder whatever the die shows
    stand(page)
    page.click(BID)
    begin = page.locator("[data-fix=begin]")
    begin.wait_for()
    playwright.expect(begin).to_have_text("Fix my mistakes (1)")
    begin.focus()
    page.keyboard.press("Enter")
    playwright.expect(page.locator(".fix h3")).to_be_focused()
    assert page.locator(".summary, dw-curve, .worths").count() == 0  # nothing tells the answer
    assert page.locator(".across .die:not(.unknown)").count() == 0  # nor what was hidden then
    choices = page.locator(".fix .actions button")
    assert choices.count() == 8
    page.keyboard.press("Tab")
    playwright.expect(choices.first).to_be_focused()
    page.locator("[data-fix='2x6']").focus()
    page.keyboard.press("Enter")
    told = page.locator(".fix .told")
    playwright.expect(told).to_contain_text("That is what you did, and it gives away")
    playwright.expect(told).to_contain_text("of cases")  # why
    assert page.locator(".fix button.right").count() >= 1
    assert axe(page) == []
    playwright.expect(page.locator("[data-fix=next]")).to_be_focused()
    page.keyboard.press("Enter")
    playwright.expect(page.locator(".fix-begin")).to_contain_text("0 of 1 right.")
    page.locator(".summary").wait_for()
    page.click("[data-fix=begin]")
    best = page.evaluate("document.querySelector('dw-fix').all[0].best")
    page.click(f"[data-fix='{best}']")
    playwright.expect(told).to_contain_text("Right.")
    page.click("[data-fix=next]")
    playwright.expect(page.locator(".fix-begin")).to_contain_text("1 of 1 right.")


def test_what_comes_back_and_what_is_right(visit):
    page = visit("/")
    answer = page.evaluate(
        """async () => {
            const { isRight, offered, toFix } = await import("/static/rooms/fix.js");
            const worths = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`c${i}`, i / 100]));
            const mix = { c7: 0.2, c8: 0.001 };
            const moment = { worths, actions: Object.keys(worths), best: "c20", choice: "c3", mix };
            const made = (who, judgement, loss) => ({ who, judgement, loss });
            const moments = [made("first", "mistake", 0.05), made("second", "blunder", 0.5),
                made("first", "good", 0.004),
                made("first", "blunder", 0.3), made("first", "inaccuracy", 0.02), made("first", "inaccuracy", 0.01)];
            return [offered(moment), ["c20", "c7", "c8", "c3"].map((one) => isRight(moment, one)),
                toFix({ moments }, "first").map(({ loss }) => loss)];
        }"""
    )
    choices, right, losses = answer
    assert len(choices) == 8
    assert {"c3", "c20"} < set(choices)
    assert choices == sorted(choices, key=lambda one: int(one[1:]))
    assert right == [True, True, False, False]
    assert losses == [0.3, 0.05, 0.02]
