"""`play` in a real terminal, through tmux: keys in, what the pane shows out, at 80 and at 40 columns."""

import fcntl
import os
import re
import select
import shlex
import shutil
import subprocess
import sys
import termios
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

import dicewright
from dicewright.storage.shelf.shelf import Shelf

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
NUMBERS = count()  # a server of its own for each pane
LIMIT = 150.0  # seconds; machines may be slow, and no test depends on the time things take


class Pane:
    """A terminal of its own in which the command runs."""

    def __init__(self, folder, size, *words, **changes):
        self.socket, self.size = str(folder / f"tmux{next(NUMBERS)}"), size
        source = str(Path(dicewright.__file__).parents[1])
        settings = {"PYTHONPATH": source, "DICEWRIGHT_DATABASE": str(folder / "games.sqlite"), **changes}
        settings["DICEWRIGHT_STORE"] = os.environ["DICEWRIGHT_STORE"]
        run = shlex.join([sys.executable, "-m", "dicewright", "play", *map(str, words)])
        unset = "env -u COLUMNS -u LINES"  # pytest's workers set them
        line = " ".join(f"{name}={shlex.quote(value)}" for name, value in settings.items())
        self(
            "new-session",
            "-d",
            "-x",
            str(size[0]),
            "-y",
            str(size[1]),
            f"{line} {unset} {run}; echo left with $?; cat",
        )
        self.group = int(self("display-message", "-p", "#{pane_pid}"))

    def __call__(self, *words):
        done = subprocess.run(
            ["tmux", "-S", self.socket, "-f", "/dev/null", *words], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def press(self, *keys):
        self("send-keys", *keys)

    def shown(self):
        return self("capture-pane", "-p")

    def until(self, pattern, *keys):
        """What is shown once it matches; these keys are pressed until then."""
        limit = time.monotonic() + LIMIT
        while not re.search(pattern, shown := self.shown()):
            assert time.monotonic() < limit, shown
            if keys:
                self.press(*keys)
            time.sleep(0.1)
        return shown

    def close(self):
        """Close the terminal; the command notices and ends."""
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, timeout=60)
        limit = time.monotonic() + LIMIT
        while running(self.group):
            assert time.monotonic() < limit, "the command runs on without a terminal"
            time.sleep(0.1)


def running(group):
    """Whether a process of the group is alive; those that ended and were not fetched are not."""
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, of = place.read_text(encoding="utf-8").rpartition(")")[2].split()[:3]
            if int(of) == group and state not in "ZX":
                return True
    return False


@pytest.fixture
def pane(tmp_path):
    made = []

    def make(size, *words, **changes):
        made.append(Pane(tmp_path, size, *words, **changes))
        return made[-1]

    yield make
    for one in made:
        one.close()


def whole(shown, size):
    """Nothing is wider or higher than the window, and no control is missing."""
    lines = shown.splitlines()
    assert len(lines) <= size[1]
    assert all(len(line) <= size[0] for line in lines)
    assert re.search(r"Q quit *$", shown, re.MULTILINE)
    return shown


QUESTION = r"Enter says: |The game is over"


@pytest.mark.parametrize("size", [(80, 24), (40, 24)])
def test_a_whole_game_of_pig_by_keys(pane, size, tmp_path):
    window = pane(size, "pig:goal=20", "--against", "hold:8", "--first", "--seed", 3)
    shown = whole(window.until("Enter says: roll"), size)
    for word in ("Pig to 20", "R Roll", "? hint", "I rules", "U undo", "against hold:8"):
        assert word in shown
    for _ in range(400):
        if "The game is over" in (shown := window.until(QUESTION)):
            break
        whole(shown, size)
        window.press("h" if re.search(r"H Hold (1\d|2\d|[89])\b", shown) else "r")
        window.until(r"plays\. Any key|" + QUESTION)
        if "Any key" in window.shown():
            window.press("Space")
    whole(window.until(r"from your\W+seat"), size)
    window.until("Your chance", "PPage")  # few rows: it stands above
    window.press("q")
    assert "Saved as" in window.until("left with 0")
    assert len(Shelf.open(str(tmp_path / "games.sqlite")).find(ended="over")) == 1


@pytest.mark.parametrize("size", [(80, 24), (40, 24)])
def test_a_whole_game_of_bluff_by_keys(pane, size):
    window = pane(size, "bluff:dice=2v2,sides=2", "--against", "call-below:0.3", "--first", "--seed", 4)
    shown = whole(window.until("Enter says: a single one"), size)
    for word in ("[1x1]", "1x2", "4x2", "your dice", "two dice hidden"):
        assert word in shown
    window.press("1", "2")
    window.until("Enter says: one two")
    window.press("Enter")
    window.until("You bid one two")
    for _ in range(50):
        if "The game is over" in (shown := window.until(r"C Call|The game is over")):
            break
        whole(shown, size)
        window.press("c")
        window.until("You call|You had|The game is over")
        if "The game is over" not in window.shown():
            window.press("Space")
    shown = window.until(r"from your\W+seat")
    assert "dice hidden" not in shown
    window.press("q")
    window.until("left with 0")


def test_a_whole_match_of_perudo_is_played_and_understood(pane, tmp_path):
    """Issue 21: five dice each; whatever may be called is called."""
    size = (80, 30)
    window = pane(size, "perudo", "--against", "trained", "--first", "--seed", 5)
    window.until("Enter says: ")
    window.press("?")
    whole(window.until(r": about \d+\.\d %[^:]*, by\s+your\s+dice\s+right"), size)
    window.until("Estimates by a trained player", "PPage")
    for _ in range(400):
        if "The game is over" in (shown := window.until(QUESTION)):
            break
        window.press("c" if re.search(r"C Call", shown) else "Enter")
        window.until(r"plays\. Any key|" + QUESTION)
        if "Any key" in window.shown():
            window.press("Space")
    shown = whole(window.until(r"from your\W+seat"), size)
    assert re.search(r"(You win|Trained wins)\.", shown)
    assert re.search(r"an\s+estimate:", shown)
    assert "in rounds small enough to be checked" in re.sub(r"\s+", " ", shown)
    window.press("q")
    saved = re.search(r"Saved as (\S+)\.", window.until("left with 0"))[1]
    database = str(tmp_path / "games.sqlite")
    done = subprocess.run(
        [sys.executable, "-m", "dicewright", "analyse", saved, "--database", database],
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"an estimate: +\d", done.stdout)
    assert " v " not in done.stdout


@pytest.mark.parametrize("key", ["q", "C-c"])
def test_leaving_in_the_middle_and_going_on(pane, key, tmp_path):
    window = pane((80, 24), "pig:goal=60", "--against", "hold:8", "--first", "--seed", 3)
    window.until("Enter says: roll")
    window.press("r")
    window.until(r"\+3; turn total 3")
    window.press(key)
    shown = window.until("left with 0")
    assert "Go on with: dicewright play --resume" in shown
    window.close()
    again = pane((40, 24), "--resume")
    shown = again.until("Enter says: roll")
    assert "turn total 3" in shown
    assert "H Hold 3" in shown
    again("resize-window", "-x", "80", "-y", "30")
    again.until(r"Pig to 60 {20,}against hold:8")


def test_a_closed_terminal_leaves_the_game_saved(pane, tmp_path):
    window = pane((80, 24), "pig:goal=60", "--against", "hold:8", "--first", "--seed", 3, NO_COLOR="1")
    window.until("Enter says: roll")
    window.press("r")
    window.until(r"\+3; turn total 3")
    window.close()
    [kept] = Shelf.open(str(tmp_path / "games.sqlite")).find(ended="unfinished")
    assert kept.choices == "roll +3"


def own_terminal(folder, *command):
    """A process that plays in a terminal of its own, and the other end of that, once it asks for the first move."""
    near, far = os.openpty()
    termios.tcsetwinsize(far, (40, 120))
    process = subprocess.Popen(
        [sys.executable, *command, "play", "pig:goal=60", "--against", "hold:8", "--first"],
        stdin=far,
        stdout=far,
        stderr=far,
        env={**os.environ, "TERM": "xterm", "DICEWRIGHT_DATABASE": str(folder / "games.sqlite")},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(far, termios.TIOCSCTTY, 0),
    )
    os.close(far)
    shown = b""
    while b"Enter says" not in shown:
        shown += os.read(near, 65536)
    return process, near


def ended(process):
    """Its exit code; nothing is left of it in any case."""
    try:
        return process.wait(LIMIT)
    finally:
        process.kill()
        process.wait()


def test_a_terminal_that_takes_nothing_and_closes_holds_nobody(tmp_path):
    """What is drawn fills all that may wait before the terminal goes away."""
    process, near = own_terminal(tmp_path, "-m", "dicewright")
    os.set_blocking(near, False)
    main, worked, held = Path(f"/proc/{process.pid}/task/{process.pid}/stat"), None, 0
    while held < 50:  # keys one after another at which its main thread sleeps on
        with suppress(BlockingIOError):
            os.write(near, b"?")
        time.sleep(0.04)
        state, *_, user, system = main.read_text(encoding="utf-8").rpartition(")")[2].split()[:13]
        held = held + 1 if (state, user, system) == worked else 0
        worked = "S", user, system
    os.close(near)
    ended(process)


# The main thread gets none of these signals, nor do the threads that it starts later.
DEAF = """import signal, threading
from dicewright.__main__ import main
if {another}:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP, signal.SIGCONT])
main()"""


@pytest.mark.parametrize("another", [True, False], ids=["another thread hears", "nobody hears"])
def test_a_terminal_that_closes_unheard_by_the_main_thread_holds_nobody(another, tmp_path):
    """Which thread gets a signal, and whether the main thread waits already, the system decides."""
    process, near = own_terminal(tmp_path, "-c", DEAF.format(another=another))
    while select.select([near], [], [], 1)[0]:  # until nothing more is drawn
        os.read(near, 65536)
    os.close(near)
    assert ended(process) == 0


def test_rules_and_hints_in_forty_columns(pane):
    size = (40, 24)
    window = pane(size, "mia", "--first", "--seed", 2)
    window.until("Enter says: 31")
    window.press("i")
    shown = window.until("Esc: back")
    assert "accepts it loses" in " ".join(shown.replace("│", " ").split())
    window.press("Escape")
    window.until("Enter says: 31")
    window.press("?")
    assert re.search(r"\d\.\d %", whole(window.until(r"\d %"), size))
