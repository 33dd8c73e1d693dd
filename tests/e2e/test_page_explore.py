"""Explore and the shelf in a real browser."""

import json


def readout(page):
    return page.inner_text(".readout")


def test_the_map_tells_both_chances_where_one_points(visit):
    page = visit("/explore?view=map&game=pig:goal=20&yours=5")
    page.wait_for_selector("canvas.map")
    page.locator("canvas.map").focus()
    page.keyboard.press("ArrowRight")
    first = page.inner_text(".readout .where")
    page.keyboard.press("ArrowUp")
    assert page.inner_text(".readout .where") != first
    assert "Roll" in readout(page)
    assert "Hold" in readout(page)
    box = page.locator("canvas.map").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] - 50)
    page.wait_for_function("() => document.querySelector('.readout .where').textContent.startsWith('0-5')")
    page.locator("#yours").focus()
    page.keyboard.press("End")
    page.wait_for_function("() => location.search.includes('yours=19')")
    page.wait_for_function("() => document.querySelector('.readout .where').textContent.includes('-19')")
    page.locator("summary", has_text="As a table").click()
    assert page.locator(".decisions tbody tr").count() == 20


def test_the_surface_turns(visit):
    page = visit("/explore?view=surface&game=pig:goal=20")
    canvas = page.locator("canvas.surface")
    canvas.focus()
    before = canvas.screenshot()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('dw-explore-surface').turnAngle !== 3.75")
    assert canvas.screenshot() != before
    box = canvas.bounding_box()
    turned = page.evaluate("document.querySelector('dw-explore-surface').turnAngle")
    page.mouse.move(box["x"] + 200, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 120, steps=3)
    page.mouse.up()
    assert page.evaluate("document.querySelector('dw-explore-surface').turnAngle") != turned


def test_two_strategies_side_by_side(visit):
    page = visit("/explore?view=compare&game=pig:goal=20&other=hold:5")
    page.wait_for_selector(".pair figure >> nth=1")
    assert "the hold-at-5 player" in page.inner_text(".pair")
    page.get_by_role("button", name="Other strategy").click()
    page.get_by_role("option", name="the optimal player").click()
    page.get_by_text("They differ in 0 of").wait_for()


def test_ranges_of_bluff_and_the_answer_to_a_bid(visit):
    page = visit("/explore?view=ranges&game=bluff")
    page.wait_for_selector(".heat-table")
    rows = page.locator(".heat-table tbody tr")
    assert rows.count() == 6
    page.get_by_role("button", name="3", exact=True).click()
    assert "How often" in readout(page)
    page.get_by_role("button", name="After 1×5").click()
    page.wait_for_function("() => location.search.includes('said=1x5')")
    page.locator(".heat-table th", has_text="call").wait_for()
    page.get_by_role("button", name="Opening").click()
    page.wait_for_function("() => !location.search.includes('said=')")


def test_ranges_of_mia(visit):
    page = visit("/explore?view=ranges&game=mia")
    page.wait_for_selector(".heat-table")
    assert page.locator(".heat-table tbody tr").count() == 21


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
    page.locator(".heat-table tbody tr").nth(3).wait_for()
    assert "mixer" not in page.inner_text(".heat-table")  # its table would be too large
    assert page.locator(".heat-table tbody tr").count() == 4


def test_points_on_the_map_and_in_the_tournament(visit):
    page = visit("/explore?view=map&game=pig:goal=20,payoff=difference")
    page.wait_for_selector("canvas.map")
    assert "points" in readout(page)
    assert "%" not in page.inner_text(".sight")
    page = visit("/explore?view=tournament&game=pig:goal=20,payoff=margin")
    page.wait_for_selector(".heat-table tbody tr")
    assert "−" in page.inner_text(".heat-table")


def test_hog_has_no_map(visit):
    page = visit("/explore?view=map&game=hog")
    page.wait_for_selector(".error")
    assert "no turn total" in page.inner_text(".error")
    visit.faults.clear()


def test_unknown_rules_are_refused_in_words(visit):
    page = visit("/explore?view=map&game=pig:goal=1")
    page.wait_for_selector(".error")
    assert "goal" in page.inner_text(".error")
    visit.faults.clear()


def test_the_shelf_finds_replays_and_downloads(sit, served):
    page = sit("piglet:goal=2", opponent="optimal")
    for _ in range(60):
        page.wait_for_selector("[data-decision=roll][aria-disabled=false], #result")
        if page.query_selector("#result"):
            break
        ply = page.evaluate("document.querySelector('dw-game').view.ply")
        page.keyboard.press("h" if page.query_selector("[data-decision=hold][aria-disabled=false]") else "r")
        page.wait_for_function("ply => document.querySelector('dw-game').view.ply > ply", arg=ply)
    page.get_by_role("link", name="Shelf").click()
    page.get_by_label("Search").fill("piglet")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.card .what')].every((e) => /Piglet/.test(e.textContent))"
    )
    page.wait_for_selector(".card")
    for kind, sign in (("Text", "[Game"), ("JSONL", "{"), ("CSV", "game")):
        with page.expect_download() as saved:
            page.locator(".card").first.get_by_role("link", name=kind).click()
        text = saved.value.path().read_text(encoding="utf-8")
        assert sign in text
        if kind == "JSONL":
            assert json.loads(text.splitlines()[0])
    page.locator(".card .replay").first.click()
    page.wait_for_selector("dw-curve")
