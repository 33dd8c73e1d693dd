"""The room where a race is drawn up, in a real browser."""

import re

import pytest

playwright = pytest.importorskip("playwright.sync_api")
START = "/design?game=race:%2B2/%2B3/bust,goal=12"


@pytest.fixture
def design(visit):
    """The room with a small game, once its advantage is known."""
    page = visit(START)
    page.wait_for_selector(".readout .where >> nth=0")
    return page


def line(page):
    return page.get_by_label("In one line")


def settled(page, text):
    """The line as the server writes it, and its advantage."""
    playwright.expect(line(page)).to_have_value(text)
    playwright.expect(page.locator(".follows .where")).to_contain_text("%")


def test_weights_faces_and_fields_are_followed_by_rules_advantage_length_and_map(design):
    page = design
    settled(page, "race:+2/+3/bust,goal=12")
    before = page.locator(".follows .where").inner_text()
    page.get_by_role("button", name="bust, the turn total is lost: more often").click()
    settled(page, "race:+2/+3/bust.2,goal=12")
    assert page.locator(".follows .where").inner_text() != before
    playwright.expect(page.locator(".follows .rules")).to_contain_text("One roll in two loses the turn total")
    playwright.expect(page.locator(".follows dl")).to_contain_text(re.compile(r"Turns in a game\s*\d+\.\d"))
    page.get_by_role("button", name="plus 3: less often").click()
    page.get_by_role("button", name="Add a face").click()
    page.get_by_role("option", name="bank 2").click()
    settled(page, "race:+2/bank2/bust.2,goal=12")
    page.get_by_role("button", name="Add a face").click()
    page.get_by_role("option", name="another number").click()
    page.get_by_label("Points, 1 to 1000").fill("17")
    page.keyboard.press("Enter")
    settled(page, "race:+2/+17/bank2/bust.2,goal=12")
    page.get_by_role("button", name="Payoff").click()
    page.get_by_role("option", name="playing for points").click()
    playwright.expect(page.locator(".follows .readout")).to_contain_text("points on average")
    page.get_by_label("Title").fill("Grandma's pig")
    page.keyboard.press("Enter")
    playwright.expect(line(page)).to_have_value(re.compile("title=Grandma’s_pig$"))
    playwright.expect(page.locator(".follows h2")).to_have_text("Grandma’s pig to 12, for points")
    page.wait_for_selector("canvas.map")
    page.reload()
    playwright.expect(line(page)).to_have_value(re.compile("title=Grandma’s_pig$"))


def test_any_spelling_of_a_line_is_taken_and_a_wrong_one_told(design, visit):
    page = design
    line(page).fill("race:bust*2|3|2|2, goal=10")
    page.keyboard.press("Enter")
    settled(page, "race:+2.2/+3/bust.2,goal=10")
    line(page).fill("race:+2/bost")
    page.keyboard.press("Enter")
    playwright.expect(page.get_by_role("alert")).to_contain_text("Face 2 of the roll 'roll' is 'bost'")
    visit.faults.clear()  # the browser notes the refusal
    assert page.get_by_role("button", name=re.compile("more often")).count() == 3  # the last good one stands
    page.get_by_role("button", name="Let the player choose between two rolls").click()
    settled(page, "race:bold:+2.2/+3/bust.2,safe:+2/+3/+4/+5/+6/bust,goal=10")
    page.get_by_label("Roll", exact=True).nth(1).fill("Calm 2!")
    page.keyboard.press("Tab")
    settled(page, "race:bold:+2.2/+3/bust.2,calm2:+2/+3/+4/+5/+6/bust,goal=10")


def test_it_is_played_at_once(design):
    page = design
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url(re.compile(r"/g/"))
    page.wait_for_selector(".rails, dw-game")
    playwright.expect(page.locator("h1")).to_contain_text("A race to 12")


def oppose(page, rule):
    page.get_by_role("button", name="Opponent").click()
    page.get_by_role("option", name="a rule of my own").click()
    page.get_by_label(re.compile("A rule, such as")).fill(rule)
    page.keyboard.press("Enter")


def test_a_rule_of_ones_own_stands_beside_perfect_play_and_is_the_opponent(design, visit):
    page = design
    playwright.expect(page.get_by_role("heading", name="What perfect play does")).to_be_visible()
    oppose(page, "trun < 4")
    playwright.expect(page.get_by_role("alert")).to_contain_text("did you mean 'turn'?")
    visit.faults.clear()  # the browser notes the refusal
    oppose(page, "turn < 4")
    playwright.expect(page.locator(".met")).to_contain_text(re.compile(r"it wins \d\d\.\d+ % of the games"))
    playwright.expect(page.locator(".pair figure")).to_have_count(2)
    playwright.expect(page.locator(".pair")).to_contain_text("the “turn < 4” player")
    playwright.expect(page.locator("#readout .where")).to_have_text(
        "0-0+10"
    )  # the highest that the maps show
    page.get_by_role("button", name="bust, the turn total is lost: more often").click()
    settled(page, "race:+2/+3/bust.2,goal=12")
    playwright.expect(page.locator(".pair figure")).to_have_count(2)  # the rule stays while the game changes
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url(re.compile(r"/g/"))
    playwright.expect(page.locator("dw-game")).to_contain_text("“turn < 4”")


def test_a_rule_chooses_among_several_rolls(visit):
    page = visit("/design?game=race:bold:%2B5/bust,safe:%2B1/%2B2/bust,goal=9")
    page.wait_for_selector(".readout .where >> nth=0")
    playwright.expect(page.locator(".legend.kinds > span")).to_have_text(["hold", "bold", "safe"])
    oppose(page, "safe if turn < 3 else hold")
    playwright.expect(page.locator(".met")).to_contain_text("Against perfect play it wins")
