"""You: a lost game, its mistakes fixed, and the next day a drill on their themes; what stands on You meanwhile."""

import pytest

from .conftest import Served, stand

playwright = pytest.importorskip("playwright.sync_api")

MOST_BYTES = 400_000  # of the page without fonts
RANKS = ["31", "32", *map(str, (41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21))]
MOVED = """(ply) => {
    const game = document.querySelector("dw-game");
    return game.over || (game.mine && !game.sent && game.view.ply > ply);
}"""
BID = "[data-bid='2x6'][aria-disabled=false]"
CLOCK = """from datetime import date
from pathlib import Path
from dicewright.web import settings
settings.utc_today = lambda: date.fromisoformat(Path({!r}).read_text())
"""


@pytest.fixture(scope="module")
def day(tmp_path_factory):
    """The day of the server, to be set forward."""
    return tmp_path_factory.mktemp("clock") / "today"


@pytest.fixture(scope="module")
def served(tmp_path_factory, day):
    day.write_text("2026-11-18")
    server = Served(tmp_path_factory.mktemp("you"), before=CLOCK.format(str(day)))
    yield server
    server.kill()


def refused(visit, count):
    """So many requests were refused with a sentence, and nothing else was wrong."""
    assert [fault for fault in visit.faults if "status of 4" not in fault] == []
    assert len(visit.faults) == count
    visit.faults.clear()


def test_who_loses_comes_back_the_next_day_to_the_themes_of_the_mistakes(sit, visit, axe, day):
    page = sit("bluff", width=390, height=844)
    weights = {}
    page.on(
        "response", lambda got: weights.update({got.url: len(got.body())}) if "/static/" in got.url else None
    )
    page.reload()
    page.wait_for_selector(BID)
    stand(page)
    page.click(BID)  # the highest bid there is
    page.click("[data-fix=begin]")
    best = page.evaluate("document.querySelector('dw-fix').all[0].best")
    page.click(f"[data-fix='{best}']")
    playwright.expect(page.locator(".fix .told")).to_contain_text("Right.")

    # A name, asked once, gathers what this browser has played.
    page.click("nav >> text=You")
    name = page.locator("#name")
    name.fill("Ada\u202e")
    name.press("Enter")
    playwright.expect(page.locator("[role=alert]")).to_contain_text("U+202E")
    refused(visit, 1)
    name.fill("Ada Lovelace")
    name.press("Enter")
    lead = page.locator(".summing .lead")
    playwright.expect(lead).to_contain_text("a decision, in 1 game")
    playwright.expect(page.locator("h1")).to_have_text("Ada Lovelace")
    assert "you bluff too often when you open" in page.inner_text(".leaks").replace("\u00a0", " ")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    # The shelf has it as mine.
    page.click("nav >> text=Shelf")
    playwright.expect(page.locator(".whose [aria-pressed=true]")).to_have_text("Mine")
    playwright.expect(page.locator(".card")).to_have_count(1)

    # The next day: the theme is due; five decisions, by keyboard alone.
    day.write_text("2026-11-19")
    page.click("nav >> text=You")
    due = page.locator(".today a.main")
    playwright.expect(due).to_have_text("Practise: Bluff, open")
    due.focus()
    page.keyboard.press("Enter")
    for number in range(5):
        page.locator("[data-decision=bid][aria-disabled=false]").wait_for()
        stand(page)
        page.locator("[data-decision=bid]").focus()
        page.keyboard.press("Enter")
        page.locator(".verdict-of .told").wait_for()
        playwright.expect(page.locator("[data-drill=on]")).to_be_focused()
        if number == 2:
            assert axe(page) == []
        if number < 4:
            page.keyboard.press("Enter")
    playwright.expect(page.locator(".verdict-of")).to_contain_text(
        "A round is done. This theme comes back on November"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert sum(weights.values()) < MOST_BYTES, sorted(weights.items(), key=lambda one: -one[1])[:5]

    # What is done is not due any more.
    page.click("nav >> text=You")
    playwright.expect(page.locator(".today a").first).to_have_text("Practise")


def tab_to(page, target, most=80):
    """Press Tab until this has the focus, as somebody without a mouse does."""
    for _ in range(most):
        if page.evaluate("(target) => Boolean(document.activeElement?.closest(target))", target):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {target}")


def test_a_lost_game_of_pig_to_the_next_day_by_keyboard_alone(sit, axe, day):
    day.write_text("2026-11-18")
    page = sit("pig:goal=25", width=1280)
    page.locator("[data-decision=roll][aria-disabled=false]").wait_for()
    while not page.locator("#result").count():  # banks whatever it has, which is a mistake
        may_hold = page.locator("[data-decision=hold][aria-disabled=false]").count()
        stand(page)
        ply = page.evaluate("document.querySelector('dw-game').view.ply")
        page.keyboard.press("h" if may_hold else "r")
        page.wait_for_function(MOVED, arg=ply)
    playwright.expect(page.locator("#result")).to_have_text("Optimal wins.")
    summary = page.locator(".summary")
    playwright.expect(summary).to_contain_text("a decision; the dice")
    playwright.expect(summary).to_contain_text("banking 3 does not help enough")  # why, in one sentence
    tab_to(page, "[data-fix=begin]")
    page.keyboard.press("Enter")
    while page.locator(".fix .actions").count():
        page.locator(".fix .actions [aria-disabled=false]").first.wait_for()
        tab_to(page, "[data-fix=roll]")
        page.keyboard.press("Enter")
        playwright.expect(page.locator(".fix .told")).to_contain_text("Right.")
        playwright.expect(page.locator(".fix .told")).to_contain_text("In the game, holding:")
        playwright.expect(page.locator("[data-fix=next]")).to_be_focused()
        page.keyboard.press("Enter")
    playwright.expect(page.locator(".fix-begin strong")).to_contain_text("right.")

    tab_to(page, "nav a[href='/you']")
    page.keyboard.press("Enter")
    page.locator("#name").wait_for()
    tab_to(page, "#name")
    page.keyboard.type("Bea")
    page.keyboard.press("Enter")
    playwright.expect(page.locator(".summing .lead")).to_contain_text("a decision, in 1 game")
    tab_to(page, "nav a[href='/games']")
    page.keyboard.press("Enter")
    playwright.expect(page.locator(".card")).to_have_count(1)
    day.write_text("2026-11-19")
    tab_to(page, "nav a[href='/you']")
    page.keyboard.press("Enter")
    due = page.locator(".today a.main")
    playwright.expect(due).to_contain_text("Practise: Pig, ")
    assert axe(page) == []
    tab_to(page, ".today a.main")
    page.keyboard.press("Enter")
    for number in range(5):
        page.locator("[data-decision=roll][aria-disabled=false]").wait_for()
        stand(page)
        page.keyboard.press("r")
        page.locator(".verdict-of .told").wait_for()
        playwright.expect(page.locator("[data-drill=on]")).to_be_focused()
        if number < 4:
            page.keyboard.press("Enter")
    playwright.expect(page.locator(".verdict-of")).to_contain_text("A round is done.")


def test_a_lost_game_of_mia_to_the_next_day_by_touch_on_a_phone(sit, axe, day):
    day.write_text("2026-11-18")
    page = sit("mia", width=390, height=844, touch=True)
    call = page.locator("[data-bid='21'][aria-disabled=false]")
    call.wait_for()
    stand(page)
    call.tap()  # a lie, and nobody believes it
    playwright.expect(page.locator("#result")).to_have_text("Optimal wins.")
    summary = page.locator(".summary")
    playwright.expect(summary).to_contain_text("21 is a lie")  # why, in one sentence
    page.locator("[data-fix=begin]").tap()
    offered = page.locator(".fix .actions button").evaluate_all("(all) => all.map((one) => one.dataset.fix)")
    assert offered == [rank for rank in RANKS if rank in offered]
    best = page.evaluate("document.querySelector('dw-fix').all[0].best")
    page.locator(f"[data-fix='{best}']").tap()
    playwright.expect(page.locator(".fix .told")).to_contain_text("Right.")
    page.locator("[data-fix=next]").tap()
    playwright.expect(page.locator(".fix-begin strong")).to_have_text("1 of 1 right.")

    page.locator("nav >> text=You").tap()
    page.locator("#name").fill("Cid")
    page.locator("#name").press("Enter")
    playwright.expect(page.locator(".summing .lead")).to_contain_text("a decision, in 1 game")
    page.locator("nav >> text=Shelf").tap()
    playwright.expect(page.locator(".card")).to_have_count(1)
    day.write_text("2026-11-19")
    page.locator("nav >> text=You").tap()
    due = page.locator(".today a.main")
    playwright.expect(due).to_have_text("Practise: Mia, the first call")
    assert axe(page) == []
    due.tap()
    for number in range(5):
        cell = page.locator(".decision .cell[aria-disabled=false]").first
        cell.wait_for()
        stand(page)
        cell.tap()
        page.locator(".verdict-of .told").wait_for()
        if number < 4:
            page.locator("[data-drill=on]").tap()
    playwright.expect(page.locator(".verdict-of")).to_contain_text("A round is done.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_position_of_the_day_is_found_and_shared(visit, axe):
    page = visit("/drill?day", width=390, height=844)
    page.locator(".decision [data-decision]").first.wait_for()
    assert axe(page) == []
    stand(page)
    page.locator(".decision [data-decision]").first.click()
    playwright.expect(page.locator(".line")).to_contain_text("dicewright 2026-11-")
    assert page.locator(".verdict-of .told").inner_text()
    assert axe(page) == []


def test_a_code_carries_the_name_to_another_device_and_asks_before_it_takes_its_place(visit, axe):
    one = visit("/you")
    one.fill("#name", "Bob")
    one.press("#name", "Enter")
    one.locator("summary", has_text="On another device").click()
    code = one.locator(".code").inner_text()
    two = visit(f"/you#code={code}", width=320)
    playwright.expect(two.locator("h1")).to_have_text("Bob")
    assert two.url.endswith("/you")  # the address has forgotten it
    assert two.evaluate("document.documentElement.scrollWidth") <= 320
    three = visit("/you")
    three.fill("#name", "B0b")
    three.press("#name", "Enter")
    playwright.expect(three.locator("[role=alert]")).to_contain_text("is called 'Bob' already")
    three.fill("#name", "Cleo")
    three.press("#name", "Enter")
    playwright.expect(three.locator("h1")).to_have_text("Cleo")
    three.goto(three.url + f"?again#code={code}")
    playwright.expect(three.locator("[role=alert]")).to_contain_text(
        "This code is Bob’s, and this browser plays as Cleo"
    )
    assert axe(three) == []
    three.click("text=Play as Bob")
    playwright.expect(three.locator("h1")).to_have_text("Bob")
    three.locator("summary", has_text="My data").click()
    three.click("text=Delete it …")
    three.click("text=Delete everything")
    playwright.expect(three.locator("#name")).to_be_visible()
    two.reload()  # the other device has a code of nobody now
    playwright.expect(two.locator("[role=alert]").first).to_contain_text("Nobody has this code here")
    playwright.expect(two.locator("#name")).to_have_value("Bob")  # and may begin anew
    refused(visit, 2)
