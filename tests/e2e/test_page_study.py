"""A study in real browsers: two participants from consent to thanks, through reloads and a killed server."""

import os
import re
import signal
import subprocess
import sys

import pytest
from benchmarks.web import free_port

from .conftest import SERVER, stand

playwright = pytest.importorskip("playwright.sync_api")

PLAN = """title = "Dice at school"
game = "pig:goal=8"
games = 1
participants = ["A1", "B2"]
[[questions]]
name = "attitude"
ask = "Which are you?"
type = "choice"
options = ["risk averse", "risk loving"]
[[questions]]
name = "luck"
ask = "How lucky are you?"
type = "scale"
most = 5
[[questions]]
name = "why"
ask = "Why?"
type = "text"
optional = true
"""
READY = "[data-decision=roll][aria-disabled=false]"
HOLD = "[data-decision=hold][aria-disabled=false]"


class Held:
    """`dicewright study serve` on a free port; it can be killed and started again."""

    def __init__(self, folder):
        self.file, self.port = folder / "study.toml", free_port()
        self.file.write_text(PLAN, encoding="utf-8")
        self.start()
        page = (folder / "study.links.html").read_text(encoding="utf-8")
        self.links = [link.split("/", 3)[3] for link in re.findall(r'href="([^"]+)"', page)]

    def start(self):
        words = ["study", "serve", str(self.file), "--port", str(self.port)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, *words], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        lines = [self.process.stdout.readline() for _ in range(2)]
        assert "serves" in lines[1], lines

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def told(self, *words):
        ran = subprocess.run(
            [sys.executable, "-m", "dicewright", "study", *words], capture_output=True, text=True, check=True
        )
        return ran.stdout


@pytest.fixture
def held(tmp_path, served, monkeypatch):
    found = Held(tmp_path)
    monkeypatch.setattr(served, "port", found.port, raising=False)
    yield found
    found.kill()


def agree(page, attitude):
    page.get_by_role("button", name="I agree to take part").click()
    page.get_by_label(attitude).check()
    page.get_by_label("4", exact=True).check()
    page.get_by_role("button", name="Send the answers").click()
    page.get_by_role("heading", name="Game 1 of 1").wait_for()


def test_two_browsers_go_from_consent_to_thanks(held, visit, axe):
    ada, bo = (visit(f"/{link}") for link in held.links)
    ada.get_by_role("button", name="I agree to take part").wait_for()
    assert axe(ada) == []
    agree(ada, "risk averse")
    bo.get_by_role("button", name="I agree to take part").click()
    bo.reload()  # the consent is kept
    bo.get_by_label("risk loving").wait_for()
    assert axe(bo) == []
    bo.get_by_label("risk loving").check()
    bo.get_by_label("2", exact=True).check()
    bo.get_by_label("Why?").fill("so")
    bo.get_by_role("button", name="Send the answers").click()
    ada.get_by_role("button", name="Play").click()
    ada.locator("#room").get_by_text("Waiting for another participant").wait_for()
    bo.get_by_role("button", name="Play").click()
    bo.wait_for_selector("dw-game .turnline")
    ada.clock.fast_forward(2500)
    ada.wait_for_selector("dw-game .turnline")
    for page in (ada, bo):
        playwright.expect(page.locator("nav[aria-label=Rooms]")).to_have_count(0)
        playwright.expect(page.locator("#room").get_by_text("Let others watch")).to_have_count(0)
        assert "A1" not in page.inner_text("body")
        assert "risk" not in page.inner_text("body")
    held.kill()
    held.start()
    ada.reload()
    play(ada, bo)
    assert axe(ada) == []
    playwright.expect(ada.locator("dw-analysis")).to_have_count(0)
    for page in (ada, bo):
        stand(page)
        page.get_by_role("button", name="Go on").click()
        page.get_by_role("heading", name="Thank you").wait_for()
    assert "2 done" in held.told("status", str(held.file))
    folder = held.file.parent / "out"
    held.told("export", str(held.file), "-o", str(folder), "--format", "jsonl")
    answers = (folder / "answers.jsonl").read_text(encoding="utf-8")
    assert answers.count("\n") == 6
    decisions = (folder / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    assert decisions
    assert all('"time":null' not in line for line in decisions)
    visit.faults[:] = [fault for fault in visit.faults if "WebSocket" not in fault]


def play(ada, bo):
    """To the end of the game, each rolling once and holding then."""
    for _ in range(200):
        for page in (ada, bo):
            page.wait_for_selector("dw-game .turnline, #result")
        if all(page.query_selector("#result") for page in (ada, bo)):
            return
        seat = ada.evaluate("document.querySelector('dw-game').view.seat")
        mover = ada if ada.evaluate("document.querySelector('dw-game').view.to_move") == seat else bo
        mover.wait_for_selector(f"{READY}, #result")
        if mover.query_selector("#result"):
            continue
        ply = mover.evaluate("document.querySelector('dw-game').view.ply")
        stand(mover)
        mover.click(HOLD if mover.query_selector(HOLD) else READY)
        for page in (ada, bo):
            page.wait_for_function("ply => document.querySelector('dw-game').view.ply > ply", arg=ply)


def test_a_participant_withdraws(held, visit):
    page = visit(f"/{held.links[0]}")
    agree(page, "risk averse")
    page.get_by_role("button", name="Withdraw").click()
    page.locator("#room").get_by_text("are deleted for good").wait_for()
    page.get_by_role("button", name="Yes, withdraw").click()
    page.get_by_role("heading", name="Withdrawn").wait_for()
    page.reload()
    page.get_by_role("heading", name="Withdrawn").wait_for()
    assert "1 withdrawn" in held.told("status", str(held.file))


def test_a_wrong_link_is_told(held, visit):
    page = visit("/study#nonsense")
    page.locator("#room").get_by_text("this link is not of this study").wait_for()
    visit.faults.clear()
