"""Two people, watchers, and connections that break."""

import re

import pytest
from benchmarks.web import free_port

from .conftest import Served, stand

playwright = pytest.importorskip("playwright.sync_api")

READY = "[data-decision=roll][aria-disabled=false]"


@pytest.fixture
def two(sit, visit):
    """A game of two people in two browsers."""

    def begin(game):
        ada = sit(game, opponent="person")
        link = ada.locator(".invite input").first.input_value()
        bo = visit("/" + link.split("/", 3)[3])
        bo.get_by_label("My name").fill("Bo")
        bo.get_by_role("button", name="Sit down").click()
        return ada, bo

    return begin


def test_a_double_click_sits_down_once(sit, visit):
    ada = sit("pig:goal=8", opponent="person")
    bo = visit("/" + ada.locator(".invite input").first.input_value().split("/", 3)[3])
    asked = []
    bo.on("request", lambda request: request.method == "POST" and asked.append(request.url))
    bo.get_by_role("button", name="Sit down").dblclick()
    bo.locator(".turnline").wait_for()
    assert len(asked) == 1
    playwright.expect(bo.locator(".error")).to_have_count(0)


def test_two_browsers_play_each_other(two):
    ada, bo = two("pig:goal=8")
    ada.wait_for_selector(READY)
    for _ in range(200):
        mover = ada if ada.evaluate("document.querySelector('dw-game').view.to_move") == "first" else bo
        mover.wait_for_selector(f"{READY}, #result")
        if mover.query_selector("#result"):
            break
        ply = mover.evaluate("document.querySelector('dw-game').view.ply")
        hold = "[data-decision=hold][aria-disabled=false]"
        stand(mover)
        mover.click(hold if mover.query_selector(hold) else READY)
        for page in (ada, bo):
            page.wait_for_function("ply => document.querySelector('dw-game').view.ply > ply", arg=ply)
    for page in (ada, bo):
        page.wait_for_selector("#result")
    results = {ada.inner_text("#result"), bo.inner_text("#result")}
    assert results in ({"You win.", "Bo wins."}, {"You win.", "Ada wins."})
    bo.wait_for_selector("dw-curve")


def test_an_invitation_is_for_one(two, visit):
    ada, bo = two("pig:goal=12")
    ada.wait_for_selector(READY)
    invite = ada.evaluate("Object.values(JSON.parse(localStorage.dicewright).seats)[0].invite")
    third = visit(f"/g/{ada.url.rsplit('/', 1)[1]}#join={invite}")
    third.locator("#room").get_by_text("This invitation has been used.").wait_for()
    playwright.expect(third.get_by_role("button", name="Sit down")).to_have_count(0)
    third.get_by_role("button", name="Watch the game").click()
    third.locator("#room").get_by_text("you are watching").wait_for()
    playwright.expect(bo.locator(".turnline")).to_have_text(re.compile(r"^\s*Ada"))


def test_a_watcher_sees_the_bids_but_no_dice(two, visit):
    ada, bo = two("bluff:dice=2v2,sides=2")
    ada.wait_for_selector("[data-bid]")
    watcher = visit(f"/g/{ada.url.rsplit('/', 1)[1]}")
    playwright.expect(watcher.locator("h1")).to_contain_text("you are watching")
    stand(ada)
    ada.get_by_role("button", name="bid two twos").click()
    watcher.wait_for_selector(".talk li")
    told = watcher.evaluate("document.querySelector('dw-game').view")
    assert all(event["dice"] == [] for event in told["events"] if event["who"] == "dice")
    playwright.expect(watcher.locator(".near .die:not(.unknown), .across .die:not(.unknown)")).to_have_count(
        0
    )
    playwright.expect(watcher.locator(".decision button")).to_have_count(0)
    bo.wait_for_selector("[data-decision=call]")
    stand(bo)
    bo.click("[data-decision=call]")
    watcher.wait_for_selector(".verdict")
    playwright.expect(watcher.locator(".across .die:not(.unknown)")).to_have_count(2)
    summary = watcher.locator(".summary")
    playwright.expect(summary).to_contain_text("Ada gave away")
    playwright.expect(summary).to_contain_text("Bo gave away")
    playwright.expect(summary).not_to_have_text(re.compile(r"\b[Yy]our?\b"))
    watcher.evaluate("document.querySelector('dw-analysis').pick(2)")
    playwright.expect(watcher.locator(".board .hand .die:not(.unknown)")).to_have_count(4)
    watcher.wait_for_function(
        "() => document.querySelector('.board').innerText.split('hidden then').length === 3"
    )
    asked = []
    told = {"id": None, "by": "second", "accepted": False}  # the new game is the players' own
    watcher.route("**/rematch", lambda route: route.fulfill(json=told) if asked else route.continue_())
    bo.on("request", lambda request: request.method == "POST" and asked.append(request.url))
    stand(bo)
    bo.get_by_role("button", name="Rematch").dblclick()
    link = bo.locator(".invite input").first.input_value()
    assert "#join=" in link
    for page in (ada, watcher):
        page.locator(".notice", has_text="Bo offers a rematch.").wait_for()
    assert len(asked) == 1, "a double click asks once"
    assert "/g/null" not in watcher.inner_html(".ending")
    playwright.expect(watcher.get_by_role("link", name="Watch it")).to_have_count(0)
    stand(ada)
    ada.get_by_role("button", name="Accept the rematch").click()
    bo.wait_for_selector("[data-bid]")  # the seats are swapped: Bo opens
    ada.locator(".turnline", has_text="Bo to move").wait_for()
    playwright.expect(ada).to_have_url(bo.url)


def test_nothing_is_lost_on_reload(sit):
    page = sit("bluff:dice=2v1,sides=3", opponent="truthful")
    page.wait_for_selector("[data-bid]")
    dice = page.get_attribute(".near .hand", "aria-label")
    page.reload()
    page.wait_for_selector("[data-bid]")
    playwright.expect(page.locator(".near .hand")).to_have_attribute("aria-label", dice)
    assert page.evaluate("document.querySelector('dw-game').view.seat") == "first"


def test_a_killed_server_costs_no_move(tmp_path, visit, served, monkeypatch):
    """SIGKILL in the middle of a game, a move made while it is away, and the game goes on where it stood."""
    own = Served(tmp_path, free_port())
    try:
        monkeypatch.setattr(served, "port", own.port, raising=False)
        page = visit("/")
        page.wait_for_selector(".rules li")
        page.get_by_role("button", name="Opponent").click()
        page.get_by_role("option", name="the hold-at-20 player").click()
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_selector(READY)
        stand(page)
        page.click("[data-decision=roll]")
        page.wait_for_function("() => document.querySelector('dw-game').view.ply >= 2")
        before = page.evaluate("document.querySelector('dw-game').view.events")
        own.kill()
        page.wait_for_selector(".notice")
        page.wait_for_selector(READY)
        stand(page)
        page.click("[data-decision=roll]")
        own.start()
        page.wait_for_function(
            "n => document.querySelector('dw-game').view.events.length > n", arg=len(before)
        )
        after = page.evaluate("document.querySelector('dw-game').view.events")
        assert after[: len(before)] == before
        assert next(event["choice"] for event in after[len(before) :] if event["who"] == "first") == "roll"
        page.wait_for_selector(READY)
        playwright.expect(page.locator(".notice")).to_have_count(0)
        visit.faults[:] = [fault for fault in visit.faults if "WebSocket" not in fault]
    finally:
        own.kill()


def test_a_seed_that_is_not_ones_own_is_told(sit):
    page = sit("pig:goal=12")
    page.wait_for_selector(READY)
    page.locator("summary", has_text="Fair dice").click()
    page.locator("#room").get_by_text("The seed that this browser sent is in it.").wait_for()
    page.evaluate(
        """() => {
            const all = JSON.parse(localStorage.dicewright);
            for (const seat of Object.values(all.seats)) seat.seed = "another";
            localStorage.dicewright = JSON.stringify(all);
        }"""
    )
    page.reload()
    page.wait_for_selector(READY)
    page.locator("summary", has_text="Fair dice").click()
    page.locator("#room").get_by_text("is not the one this browser sent").wait_for()


def test_a_game_that_is_not_found_keeps_its_seat(visit, served):
    page = visit()
    page.wait_for_selector(".rules li")
    page.evaluate(
        """async () => {
            const { sitAt } = await import("/static/lib/memory.js");
            sitAt("nowhere", { token: "kept", title: "Pig" });
        }"""
    )
    page.goto(f"{served.url}/g/nowhere")
    page.locator("#room").get_by_text("There is no such game here").wait_for()
    assert page.evaluate("JSON.parse(localStorage.dicewright).seats.nowhere.token") == "kept"
    visit.faults.clear()
