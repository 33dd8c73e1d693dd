"""A moment of a finished game has an address: it can be linked, Back returns to it, and its ranges are a link away."""

import pytest

from .conftest import stand

playwright = pytest.importorskip("playwright.sync_api")

BID = "[data-bid='2x6'][aria-disabled=false]"
STANDS = "document.querySelector('dw-analysis')?.ply"


def test_a_moment_is_in_the_address_and_back_returns_to_it(sit):
    page = sit("bluff")
    page.wait_for_selector(BID)
    stand(page)
    page.click(BID)
    page.wait_for_selector("dw-curve .dot.mine")
    assert "#" not in page.url
    page.get_by_role("button", name="Costliest").click()
    assert page.url.endswith("#ply=2")
    board, moment = (page.locator(part).bounding_box() for part in (".board", ".moment"))
    assert board["x"] + board["width"] <= moment["x"]  # beside it
    page.reload()
    page.locator(".moment table.worths").wait_for()
    assert page.evaluate(STANDS) == 2
    page.get_by_role("link", name="See what each hand does").click()
    playwright.expect(page.locator(".readout .where")).to_be_visible()
    page.go_back()
    page.locator(".moment table.worths").wait_for()
    assert page.evaluate(STANDS) == 2
    summary = page.locator(".summary")
    playwright.expect(summary).to_contain_text("% a decision")
    assert "added up" not in summary.inner_text()
    playwright.expect(page.locator(".figures").last).to_contain_text("Luck in what was hidden")


def test_on_a_phone_the_board_stays_in_sight_while_stepping(sit, axe):
    page = sit("bluff", width=390, height=844)
    page.wait_for_selector(BID)
    stand(page)
    page.click(BID)
    page.wait_for_selector("dw-curve .dot.mine")
    page.get_by_role("button", name="Costliest").click()
    page.locator(".moment table.worths").scroll_into_view_if_needed()
    board, moment = (page.locator(part).bounding_box() for part in (".board", ".moment"))
    assert board["y"] >= 0
    assert board["y"] + board["height"] < moment["y"] + moment["height"]
    assert board["height"] < 844 / 2
    assert axe(page) == []


def test_an_address_past_the_end_stands_at_the_end(sit):
    page = sit("bluff")
    page.wait_for_selector(BID)
    stand(page)
    page.click(BID)
    page.wait_for_selector("dw-curve .dot.mine")
    page.goto(page.url + "#ply=99999")
    page.reload()
    page.wait_for_selector("dw-curve .dot.mine")
    assert page.evaluate(f"{STANDS} === document.querySelector('dw-analysis').doc.chances.length")
