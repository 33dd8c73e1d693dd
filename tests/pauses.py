"""Run a command while its processes are stopped at random, as a busy machine stops them: what depends on time shows.

    python -m tests.pauses SEED COMMAND ...

Every 60 ms on average one of the processes that the command has started stands still, 0.25 s on average and at most
1.5 s, but never more than half of them. The seed gives the same lengths again, not the same course.
"""

import heapq
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

TICK, CHANCE = 0.05, 0.8  # seconds between two looks, and how likely one is to stop somebody
MEAN, MOST = 0.25, 1.5  # seconds that a process stands still
MARK = "DICEWRIGHT_PAUSES"


def started(mark: bytes, spared: set[int]) -> list[int]:
    """The processes with this mark in their environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in place.read_bytes() and (process := int(place.parent.name)) not in spared:
                found.append(process)
    return found


def tell(process: int, what: signal.Signals) -> None:
    with suppress(OSError):
        os.kill(process, what)


def main(seed: str, *command: str) -> int:
    """The command's exit code."""
    dice, mark = random.Random(seed), f"{MARK}={os.getpid()}\0"
    child = subprocess.Popen(command, env={**os.environ, MARK: str(os.getpid())})
    still: list[tuple[float, int]] = []
    stops = 0
    try:
        while child.poll() is None:
            now = time.monotonic()
            while still and still[0][0] <= now:
                tell(heapq.heappop(still)[1], signal.SIGCONT)
            moving = started(mark.encode(), {child.pid, *(process for _, process in still)})
            if len(moving) > len(still) and dice.random() < CHANCE:
                process = dice.choice(moving)
                heapq.heappush(still, (now + min(MOST, dice.expovariate(1 / MEAN)), process))
                tell(process, signal.SIGSTOP)
                stops += 1
            time.sleep(TICK)
    finally:
        for _, process in still:
            tell(process, signal.SIGCONT)
    print(f"{stops} stops", file=sys.stderr)
    return child.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
