"""Race games: solving, evaluating, tournaments, proofs, and the cold command line."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from dicewright.families.catalog import parse as game
from dicewright.families.catalog import strategy
from dicewright.families.race.critic import RaceCritic
from dicewright.families.race.duel import evaluate_tables, win_matrix
from dicewright.families.race.outlook import outlook_columns, outlooks
from dicewright.families.race.solution import solve_race, solve_values
from dicewright.families.race.tabled import tabulate
from dicewright.storage.columns import save_columns

from .timing import best_of, line, once


def numpy_value_iteration(goal: int, change: float = 1e-6) -> float:
    """The plain way: sweep the whole cube of states until little changes (not an error bound)."""
    starts = np.full((goal, goal), 0.5)
    while True:
        before = starts.copy()
        worth = np.ones((goal, goal, goal + 7))
        for k in range(goal - 1, -1, -1):
            roll = ((1 - starts.T) + sum(worth[:, :, k + face] for face in range(2, 7))) / 6
            held = np.zeros((goal, goal))
            held[: goal - k] = 1 - starts.T[k:] if k else 0.0
            over = np.arange(goal)[:, None] + k >= goal
            worth[:, :, k] = np.where(over, 1.0, np.maximum(roll, held))
        starts = worth[:, :, 0]
        if abs(starts - before).max() < change:
            return float(starts[0, 0])


OPEN_SPIEL = """
import sys, time, pyspiel
from open_spiel.python.algorithms import value_iteration
sys.setrecursionlimit(20000)
pig = pyspiel.load_game("pig(players=2,winscore={goal},horizon=1000)")
started = time.process_time()
value_iteration.value_iteration(pig, depth_limit=-1, threshold=1e-6)
print(time.process_time() - started)
"""
PATIENCE = 60.0


def open_spiel_seconds(goal: int) -> float | None:
    """OpenSpiel's value iteration on Pig: its seconds, or how long it was waited for; None if not installed."""
    command = [sys.executable, "-c", OPEN_SPIEL.format(goal=goal)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return PATIENCE
    return float(done.stdout) if done.returncode == 0 else None


def run() -> bool:
    """Print all lines; whether every limit was kept."""
    pig = game("pig")
    kept = True
    plain = once(lambda: numpy_value_iteration(100))
    line("plain numpy value iteration, Pig-100, to 1e-6 (baseline)", plain, None)
    kept &= line("solve Pig-100", best_of(100, lambda: solve_values(pig)), 0.010, plain)
    kept &= line("solve goal 1000", best_of(2, lambda: solve_values(game("pig:goal=1000"))), 1.5)

    other = open_spiel_seconds(8)
    if other is not None:
        stopped = ", stopped unfinished" if other == PATIENCE else ""
        line(f"OpenSpiel value iteration, goal 8 (baseline{stopped})", other, None)
        line("solve goal 8", best_of(20, lambda: solve_values(game("pig:goal=8"))), None, other)

    tables = [tabulate(pig, strategy(name, pig)) for name in ("optimal", "hold:25")]
    kept &= line("evaluate optimal v hold:25", best_of(10, lambda: evaluate_tables(pig, *tables)), 0.015)
    pair = [strategy(name, pig) for name in ("optimal", "hold:25")]
    kept &= line("P(i, j, k) of optimal v hold:25", best_of(10, lambda: outlooks(pig, *pair)), 0.050)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "chances.parquet"
        saved = best_of(3, lambda: save_columns(file, outlook_columns(pig, *pair)))
    kept &= line("the same as Parquet, a million rows", saved, 1.0)
    critic = RaceCritic(pig, pair[0])
    kept &= line("grade keep-pace", best_of(5, lambda: critic(strategy("keep-pace", pig))), 0.2)
    holds = [strategy(f"hold:{n}", pig) for n in range(1, 101)]
    kept &= line(
        "tournament of 100 hold-at strategies, exact", best_of(3, lambda: win_matrix(pig, holds)), 2.0
    )
    kept &= line("solve and prove Pig-100", best_of(1, lambda: solve_race(pig)), 10.0)
    kept &= line("solve and prove goal 200", once(lambda: solve_race(game("pig:goal=200"))), 90.0)

    with tempfile.TemporaryDirectory() as store:
        first, again = _cold(store, "--fresh"), _cold(store)
    kept &= line("dicewright value pig --fresh, cold shell (compiled code kept)", first, 10.0)
    kept &= line("dicewright value pig, cold shell", again, 1.0)

    for goal, seconds, megabytes in ((1000, 1.5, 100), (5000, 120.0, 1000)):
        spent, used = _memory(goal)
        kept &= line(f"solve goal {goal}, alone in a process", spent, seconds)
        print(f"    most memory in arrays: {used:.0f} MB (limit {megabytes} MB)")
        kept &= used <= megabytes
    return kept


def _cold(store: str, *more: str) -> float:
    """Seconds on the wall for `dicewright value pig` in a new process."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "dicewright", "value", "pig", "--json", *more],
        check=True,
        capture_output=True,
        env={**os.environ, "DICEWRIGHT_STORE": store},
    )
    return time.perf_counter() - started


MEASURE = """
import time, tracemalloc
from dicewright.families.catalog import parse
from dicewright.families.race.solution import solve_values
solve_values(parse("pig:goal=10"))
tracemalloc.start()
started = time.process_time()
solve_values(parse("pig:goal={goal}"))
print(time.process_time() - started, tracemalloc.get_traced_memory()[1] / 1e6)
"""


def _memory(goal: int) -> tuple[float, float]:
    """Processor seconds and most megabytes of arrays of one solve in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE.format(goal=goal)], check=True, capture_output=True, text=True
    )
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)
