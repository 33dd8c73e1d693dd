"""A Python strategy of a stranger, run in a process of its own and asked for its whole table once.

Only JSON lines come back, and each is checked: whatever the entry does, the worst it can hand over is a bad
strategy of its own. Time, memory, output and processes are limited (sandbox_child.py). It may use some
modules of Python's library. A fence for a class or a club; strangers of the internet belong in a container.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from ....core.effort import Limits
from ....core.errors import StrategyError
from ..rules import RaceGame
from ..tabled import TableStrategy, check_one_roll, table_of_rolls

CHILD = Path(__file__).with_name("sandbox_child.py")
LONGEST_SOURCE = 1_000_000


def from_python(name: str, source: str, game: RaceGame, limits: Limits, seed: int = 0) -> TableStrategy:
    """The strategy of a Python source, asked for its table in a process of its own."""
    check_one_roll(game, "it")
    return TableStrategy(game, table_of_rolls(game, ask_table(source, game, limits, seed)), name)


def ask_table(source: str, game: RaceGame, limits: Limits, seed: int) -> npt.NDArray[np.bool_]:
    """rolls[mine, yours, turn] of the function `strategy` in this source; StrategyError says what went wrong.

    The same source and seed draw the same random numbers, and sets of words keep their order.
    """
    if len(source) > LONGEST_SOURCE:
        raise StrategyError(f"its source has {len(source):,} characters; {LONGEST_SOURCE:,} is allowed")
    request = {"source": source, "goal": game.goal, "skip": game.skip, "seed": seed, **vars(limits)}
    process = subprocess.Popen(
        [sys.executable, "-P", "-s", "-S", "-B", str(CHILD)],  # not -I, under which no hash seed is read
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PYTHONHASHSEED": "0"},
        cwd="/",
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.close()
        answer = _read(process.stdout, limits, most=60 * game.goal**2 + game.goal**3 + 10_000)
    except BrokenPipeError:
        answer = b""
    finally:
        _end(process)
    return _table(answer, game, process.returncode, limits)


def _read(pipe: IO[bytes], limits: Limits, most: int) -> bytes:
    """All that comes until the pipe closes; StrategyError when it takes too long or is too much."""
    deadline = time.monotonic() + 1.5 * limits.seconds + 1.0  # the processor's time is limited by the child
    parts, size = list[bytes](), 0
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0 and size <= most:
            if selector.select(left):
                part = os.read(pipe.fileno(), 1 << 16)
                if not part:
                    return b"".join(parts)
                parts.append(part)
                size += len(part)
    raise StrategyError(
        f"it sent more than {most:,} bytes" if size > most else f"it took longer than {limits.seconds:g} s"
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process and whatever it may have started in its session.

    It gets a moment to end by itself, unreaped so that its number is not given away, for its exit code tells.
    """
    for _ in range(50):
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            break
        time.sleep(0.01)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _table(answer: bytes, game: RaceGame, code: int, limits: Limits) -> npt.NDArray[np.bool_]:
    """The table in the answer, every line of it checked."""
    goal = game.goal
    rolls = np.zeros((goal, goal, goal), np.bool_)
    lines = [_json(line) for line in answer.splitlines()]
    if lines and set(lines[-1]) == {"error"}:
        raise StrategyError(str(lines[-1]["error"])[:300])
    if code in (-signal.SIGXCPU, -signal.SIGALRM):
        raise StrategyError(f"it took longer than {limits.seconds:g} s")
    if not lines or lines[-1] != {"done": True}:
        how = f"ended by signal {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        raise StrategyError(f"it {how} before it had answered for all scores")
    asked = [(mine, yours) for mine in range(goal) for yours in range(goal)]
    if len(lines) != len(asked) + 1:
        raise StrategyError(f"it sent {len(lines) - 1} rows of answers, not {len(asked)}")
    for (mine, yours), line in zip(asked, lines, strict=False):
        text = line.get("rolls")
        fits = isinstance(text, str) and len(text) == goal - mine and set(text) <= {"0", "1"}
        if not fits or (line.get("mine"), line.get("yours")) != (mine, yours):
            raise StrategyError(f"its row for {mine}-{yours} is nonsense: {str(line)[:80]}")
        rolls[mine, yours, : goal - mine] = np.frombuffer(str(text).encode(), np.uint8) == ord("1")
    return rolls


def _json(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise StrategyError(f"it answered nonsense: {line[:60]!r}")
    return found
