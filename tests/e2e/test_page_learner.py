"""The opponent that learns you in a browser: chosen at the table, with its bound, and what it says at the end."""

import re

from .test_page_play import events, hold_at, waits


def finish(page):
    """Hold at seven points to the end."""
    act = hold_at(page, 7)
    for turn in range(300):
        if not waits(page):
            return
        before = events(page)
        act(turn)
        page.wait_for_function("n => document.querySelector('dw-game').view.events.length > n", arg=before)


def test_it_is_chosen_at_the_table_and_says_what_it_has_learned(sit, axe):
    page = sit("pig:goal=15", "hold:2")
    finish(page)
    page.click("text=Another game")
    page.wait_for_selector(".sentence")
    page.evaluate(
        """() => {
            const table = document.querySelector("dw-table");
            table.set({ name: "pig", values: { goal: "15" }, opponent: "learner" }, true);
            return table.looked;
        }"""
    )
    page.click(".sentence >> text=the learner")
    page.wait_for_selector("text=loses at most 2 % to anybody")
    page.keyboard.press("Escape")
    page.click(".go .main")
    page.wait_for_selector(".decision")
    assert "loses at most 2 % to anybody" in page.inner_text(".notes")
    finish(page)
    page.wait_for_selector("dw-learned p")
    told = page.inner_text("dw-learned")
    assert re.search(r"It has seen \d+ decisions? of yours in 2 finished games", told)
    assert axe(page) == []
