"""A real `dicewright serve` and a real chromium, for the tests of the page."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dicewright.core.errors import how_to_install

# The shell is chromium without the windows around a page: the same page for a third of the processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = os.environ.get("DICEWRIGHT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
STEADY = 400  # milliseconds: lib/press.js
PATIENCE = 60_000  # the first game of some rules is solved first
# Server and page draw their shares of the dice from here, so that every run plays the same games.
SERVER = """import secrets
secrets.token_hex = lambda size: "5e" * size
from dicewright.cli import main
main()"""
PAGE = """const draw = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (array) => (array instanceof Uint8Array ? array.fill(%d) : draw(array));"""


class Served:
    """One server on a free port, with a database of its own; it can be killed and started again."""

    def __init__(self, folder, port=0, before=""):
        self.folder, self.port, self.process, self.before = folder, port, None, before
        self.start()

    def start(self):
        words = [
            "serve",
            "--no-browser",
            "--port",
            str(self.port),
            "--database",
            str(self.folder / "games.db"),
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.before + SERVER, *words],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://[^ ]*:(\d+)", line)
        assert found, f"the server said {line!r}"
        self.port = int(found[1])

    @property
    def url(self):
        return f"http://localhost:{self.port}"

    def kill(self):
        """SIGKILL to the server and the processes it has started: nobody gets to tidy up."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    for name in ("fastapi", "uvicorn"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed: {how_to_install('web')}")
    server = Served(tmp_path_factory.mktemp("served"))
    yield server
    server.kill()


@pytest.fixture(scope="module")
def chromium():
    """A browser of this module; closed after it, for its event loop stands in the way of asyncio.run."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium; DICEWRIGHT_CHROMIUM names one")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, served):
    """visit("/games", width=320) opens a page like a person's own browser: with nothing remembered.

    Its `share` of the dice, a number below 256, is theirs to choose: with the server's it fixes all that is rolled.

    Its clock runs by itself, and can be put forward or stopped by the test.
    What every page must keep is checked at the end: no error in the console, nothing against the content security
    policy, no request to anybody else.
    """
    contexts, faults = [], []

    def open_page(path="/", width=1280, height=800, still=True, touch=False, share=7):
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            has_touch=touch,
            color_scheme="light",
            reduced_motion="reduce" if still else "no-preference",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.clock.install()
        context.add_init_script(PAGE % share)
        context.on("request", foreign)
        page = context.new_page()
        page.on("console", lambda said: said.type in ("error", "warning") and faults.append(said.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(served.url + path)
        if still:  # and in no need of pauses
            page.evaluate("import('/static/lib/memory.js').then(({ remember }) => remember('pace', 0))")
        return page

    def foreign(request):
        if not request.url.startswith((served.url, "data:", "blob:")):
            faults.append(f"a request to {request.url}")

    open_page.faults = faults
    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def sit(visit, served):
    """sit("pig:goal=20", opponent="hold:20") makes a game as the table does and opens it."""

    def make(game, opponent="optimal", seat="first", hints=False, **window):
        page = visit(**window)
        page.wait_for_selector(".rules li")
        made = page.evaluate(
            """async (choice) => {
                const { newGame } = await import("/static/lib/api.js");
                const { sitAt } = await import("/static/lib/memory.js");
                const made = await newGame(choice);
                sitAt(made.id, made);
                return made;
            }""",
            {"game": game, "opponent": opponent, "seat": seat, "hints": hints, "name": "Ada"},
        )
        page.goto(f"{served.url}/g/{made['id']}")
        return page

    return make


def stand(page):
    """Let what is on the screen have stood long enough for a press to count; the page's clock is put forward."""
    page.clock.fast_forward(STEADY)


def violations(page):
    """What axe finds wrong with a page in either colour, one line each."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    lines = []
    for colour in ("light", "dark"):
        page.emulate_media(color_scheme=colour)
        found = page.evaluate("async () => (await axe.run()).violations")
        lines += [
            f"{colour}: {fault['id']}: {node['target']} {node['failureSummary']}"
            for fault in found
            for node in fault["nodes"]
        ]
    return lines


@pytest.fixture
def axe():
    return violations
