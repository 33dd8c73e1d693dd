"""Issue 21: whole matches with five dice each in a real browser, lost, replayed and understood."""

import re

import pytest

from .test_page_play import finish, waits

playwright = pytest.importorskip("playwright.sync_api")

WINDOWS = {"phone": {"width": 390, "height": 844, "touch": True}, "desktop": {"width": 1280, "height": 800}}
ESTIMATE = "Estimates by a trained player"


def lose(page):
    """Call whatever may be called, and open with the highest bid."""

    def act(_):
        call = page.query_selector("[data-decision=call][aria-disabled=false]")
        (call or page.locator("[data-bid][aria-disabled=false]").last).click()

    return act


@pytest.mark.parametrize("window", WINDOWS)
def test_a_match_of_perudo_is_lost_replayed_and_understood(sit, window):
    page = sit("perudo", opponent="trained", hints=True, **WINDOWS[window])
    waits(page)
    cell = page.locator("[data-bid='3x6']")
    playwright.expect(cell.locator(".worth")).to_have_text(re.compile(r"\d\d\.\d"))
    playwright.expect(cell).to_contain_text("by your dice right in")
    playwright.expect(page.locator(".plan")).to_contain_text(ESTIMATE)
    hint = page.evaluate("document.querySelector('dw-game').hint.worth")
    finish(page, lose(page))
    playwright.expect(page.locator("#result")).to_have_text("Trained wins.")
    page.wait_for_selector("dw-curve .dot.mine")
    page.get_by_role("button", name="Costliest").click()
    told = page.locator(".moment")
    playwright.expect(told).to_contain_text(re.compile(r"you lost about \d+\.\d.%.\(±.\d+\.\d.%\)"))
    playwright.expect(told).to_contain_text(
        re.compile("In this round: with your dice this bid is true in 0.%")
    )
    doc = page.evaluate("document.querySelector('dw-analysis').doc")
    moments = [each for each in doc["moments"] if each["who"] == "first"]
    assert moments[0]["worths"] == hint, "one decision has one judgement"
    assert len(moments) >= 5, "every lost round has a decision"
    playwright.expect(page.locator(".summary")).to_contain_text(ESTIMATE)
    playwright.expect(page.locator(".summary")).to_contain_text("a decision (an estimate: ")
    for moment in moments:  # all dice are shown, step by step
        page.evaluate(f"document.querySelector('dw-analysis').pick({moment['ply']})")
        playwright.expect(page.locator(".board .die.unknown")).to_have_count(0)
        playwright.expect(page.locator(".board .hand .die")).not_to_have_count(0)
    words = page.inner_text("main")
    assert not any(raw in words for raw in (" | ", " v ", "…"))
    page.get_by_role("button", name="Costliest").click()
    old = page.url
    page.get_by_role("button", name="Try again here").click()
    page.wait_for_function("old => location.href !== old", arg=old)
    assert waits(page)
