"""The files that one action visits: those of which a function runs, in any thread; importing a file is no visit.

    python -m tests.walks NAME ...

prints them, a line for each walk: its name, a colon, its files; a name is one of WALKS. Each is walked in a process of
its own, forked from one that has loaded the libraries: what was asked before is remembered nowhere. The test beside it
(unit/test_walks.py) counts them.
"""

import os
import re
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import dicewright
from tests import forked

ROOT = Path(dicewright.__file__).parent
FOLDER = str(ROOT)
STATIC = ROOT / "web" / "static"
ANEW = (ROOT / "families").is_dir()  # what is kept or shipped must be left alone; the base knew no such thing


def imports(caller):
    """Whether it is Python's own search for a module that calls."""
    return caller is not None and caller.f_code.co_filename.startswith("<frozen importlib")


class Visits:
    """What a profiler sees while `on`; what a module does when it is loaded does not count."""

    def __init__(self):
        self.seen, self.on, self.loading = set(), False, threading.local()

    def __call__(self, frame, event, arg):
        if event not in ("call", "return"):  # the most are calls of C
            return
        code = frame.f_code
        if not code.co_filename.startswith(FOLDER):
            return
        if code.co_name == "<module>":
            step = 1 if event == "call" else -1
            self.loading.depth = getattr(self.loading, "depth", 0) + step
        elif (
            self.on
            and event == "call"
            and not getattr(self.loading, "depth", 0)
            and not imports(frame.f_back)
        ):
            self.seen.add(code.co_filename)

    @contextmanager
    def watched(self):
        """Only what is done within is seen."""
        self.on = True
        yield
        self.on = False


def command(*words):
    """Run a command line in this process."""
    from dicewright.cli import main

    sys.argv = ["dicewright", *words]
    with redirect_stdout(StringIO()), pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0


def fresh(visits):
    """The value of Pig, solved."""
    with visits.watched():
        command("value", "pig", *["--fresh"] * ANEW)


def kept(visits):
    """The value of Pig, once it is kept."""
    command("value", "pig")
    with visits.watched():
        command("value", "pig")


def page(visits):
    """A bid on the page with its hint, and the analysis of the finished game: the server's side."""
    from dicewright.web import app
    from tests.reference.web_client import make, play_out, serving, sit

    app.BUSY_SECONDS = (
        3600.0  # what is prepared by the way, on a slow machine while this is watched, is no part of it
    )
    with serving() as client:
        made = make(client, "bluff", "optimal", hints=True)
        while not (told := client.get("/api/rules?game=bluff").json())["ready"] or told["progress"]:
            time.sleep(0.05)  # as on a quick machine, where the solution is read before the first choice
        with sit(client, made) as table:
            table.say(type="begin", seed="s")
            table.first = table.until(lambda now: now["begun"] and now["actions"])
            with visits.watched():
                while True:
                    table.say(type="hint")
                    if table.hear("hint", "error")["type"] == "hint":
                        break
                    time.sleep(0.05)
                play_out(table)
                while client.get(f"/api/games/{made['id']}/analysis").status_code == 202:
                    time.sleep(0.05)


def scripts():
    """The scripts that the page loads for it, without those of others."""
    waiting = [STATIC / "app.js", STATIC / "rooms" / "game.js", STATIC / "rooms" / "analysis.js"]
    waiting += [path for path in [STATIC / "families" / "bluff.js"] if path.exists()]
    found = set()
    while waiting:
        path = waiting.pop().resolve()
        if path in found or "vendor" in path.parts:
            continue
        found.add(path)
        names = re.findall(r"""(?:from|import)\s+"(\.[^"]+)\"""", path.read_text(encoding="utf-8"))
        waiting += [path.parent / name for name in names]
    return found


def entry(visits):
    """A tournament with a rule from a file."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rule.txt").write_text("turn < 21 + (yours - mine) / 8\n", encoding="utf-8")
        with visits.watched():
            command("tournament", "pig", "hold:20", "hold:25", "--folder", folder)


def bluff(visits):
    """Bluff with a die each, solved and asked for advice."""
    import dicewright as dw

    game = dw.game("bluff")
    with visits.watched():
        solution = dw.solve(game, **{"fresh": True} if ANEW else {})
        dw.advise(game, game.read_view("3|"), solution)


WALKS = {walk.__name__: walk for walk in (fresh, kept, page, entry, bluff)}


def visited(name):
    """The files, of the package's folder, that a walk visits."""
    if name == "scripts":
        return sorted(path.relative_to(STATIC).as_posix() for path in scripts())
    visits = Visits()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DICEWRIGHT_STORE"] = folder
        os.environ["DICEWRIGHT_DATABASE"] = f"{folder}/games.sqlite"
        threading.setprofile(visits)
        sys.setprofile(visits)
        try:
            WALKS[name](visits)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return sorted(Path(path).relative_to(ROOT).as_posix() for path in visits.seen)


if __name__ == "__main__":
    for library in forked.LOADED:  # no visit, and a profiler that looks on makes loading many times as slow
        __import__(library)
    for name in sys.argv[1:]:
        if not (child := os.fork()):
            print(f"{name}:", *visited(name), flush=True)
            os._exit(0)
        if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            sys.exit(code)
