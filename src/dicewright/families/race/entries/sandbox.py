"""A Python strategy of a stranger, run in a process of its own and asked for its whole table once.

Only JSON lines come back, and each is checked: whatever the entry does, the worst it can hand over is a bad
strategy of its own. Time, memory, output and processes are limited (sandbox_child.py). It may use some
modules of Python's library. A fence for a class or a club; strangers of the internet belong in a container.
"""

import json
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.child import Child, how_it_ended
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
    child = Child(
        [sys.executable, "-P", "-s", "-S", "-B", str(CHILD)],  # not -I, under which no hash seed is read
        env={"PYTHONHASHSEED": "0"},
        cwd="/",
    )
    most, answer, code = 60 * game.goal**2 + game.goal**3 + 10_000, b"", 0
    try:
        child.send(json.dumps(request).encode() + b"\n")
        child.close_input()
        # the processor's time is limited by the child
        answer = b"".join(child.arriving(1.5 * limits.seconds + 1.0, most, allowed=limits.seconds))
    except BrokenPipeError:
        pass
    finally:
        code = child.end()
    return _table(answer, game, code, limits)


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
        raise StrategyError(f"it {how_it_ended(code)} before it had answered for all scores")
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
