"""A full disk and a kill while games are saved: nothing is lost that was acknowledged."""

import os
import random
import signal
import subprocess
import sys
import threading
from itertools import takewhile
from pathlib import Path

import dicewright
from dicewright.storage.shelf.shelf import Shelf


def child(code, path, **options):
    """A process that runs this code on the database."""
    head = "import sys, secrets\nfrom dicewright import SavedGame, Shelf, StorageError\n"
    source = str(Path(dicewright.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", head + code, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
        **options,
    )


FILL = """
shelf = Shelf.open(sys.argv[1])
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
for number in range(10_000):
    try:
        shelf.save([SavedGame(f"g{number}", "pig", choices="roll " * 2000)])
    except StorageError as error:
        print("said", error)
        break
    print("kept", f"g{number}")
"""


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path):
    path = tmp_path / "games.sqlite"
    shown, said = child(FILL, path).communicate(timeout=100)
    *kept, last = shown.splitlines()
    assert "Traceback" not in said
    assert "full; what was saved before is still there" in last
    assert len(kept) > 3
    with Shelf.open(str(path)) as opened:
        for line in kept:
            assert len(opened.get(line.removeprefix("kept ")).choices) == 10_000


# Each line asks for a process that saves until it is killed: forked, so that 20 of them load the libraries once.
SAVE = """
import os
Shelf.open("sqlite://").close()
for _ in sys.stdin:
    process = os.fork()
    if process == 0:
        shelf = Shelf.open(sys.argv[1])
        print(os.getpid(), flush=True)
        while True:
            games = [SavedGame(secrets.token_hex(8), "pig", choices="roll +5 hold") for _ in range(20)]
            shelf.save(games)
            print(*(game.id for game in games), flush=True)
    print("\\nended", os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


def test_a_kill_in_the_middle_of_saving_loses_nothing_that_was_acknowledged(tmp_path):
    """20 rounds on one database, each killed at another moment; ids are acknowledged on stdout."""
    path = tmp_path / "games.sqlite"
    rng = random.Random(2)
    acknowledged = []
    with child(SAVE, path, stdin=subprocess.PIPE) as running:
        for _ in range(20):
            print(file=running.stdin, flush=True)
            saving = int(running.stdout.readline())
            killer = threading.Timer(rng.uniform(0.0, 0.15), os.kill, [saving, signal.SIGKILL])
            killer.start()
            shown = list(takewhile(lambda line: not line.startswith("ended"), running.stdout))
            killer.join()
            acknowledged += " ".join(shown[:-1]).split()  # the last line is empty, or was cut off
        running.stdin.close()
        assert running.stderr.read() == ""
    assert len(acknowledged) > 200
    with Shelf.open(str(path)) as opened:
        kept = {game.id: game.choices for game in opened.all()}
        assert {kept.get(id) for id in acknowledged} == {"roll +5 hold"}
        assert len(kept) % 20 == 0
