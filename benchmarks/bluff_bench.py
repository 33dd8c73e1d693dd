"""CFR on Bluff: an iteration beside OpenSpiel's C++ CFR+ in the same run, time and memory to a bracket.

    python -m benchmarks.bluff_bench            one die each, two against one
    python -m benchmarks.bluff_bench --large    two dice each as well: minutes, and 4.2 GB
"""

import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from dicewright.games import catalog
from dicewright.solvers.cfr import RULES, Progress, Run, solve_cfr
from dicewright.solvers.public_tree import PublicTree

BRACKETS = {
    "bluff": 1e-3,
    "bluff:dice=2v1": 1e-3,
    "bluff:dice=1v2": 1e-3,
    "bluff:dice=2v1,sides=5": 1e-6,
}
LARGE = {"bluff:dice=2v2": 1e-2}


def best_seconds(work: Callable[[], None], times: int) -> float:
    """The shortest of several runs: other programs only ever make it longer."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def iteration_seconds(times: int = 300) -> float:
    """One iteration of CFR+ for both players, one die each."""
    run = Run(PublicTree(catalog.parse("bluff")), np.float32, 1)
    steps = RULES["cfr+"].steps()
    with ThreadPoolExecutor(1) as pool:
        run.iterate(next(steps), pool)
        return best_seconds(lambda: run.iterate(next(steps), pool), times)


def openspiel_seconds(times: int = 5) -> float | None:
    """The same iteration by OpenSpiel, whose liars_dice has the same rules; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game("liars_dice(numdice=1)"))
    return best_seconds(solver.evaluate_and_update_policy, times)


def print_bracket(name: str, gap: float) -> None:
    """Solve to a bracket and print what it took."""
    seen: list[Progress] = []
    start, processor = time.perf_counter(), time.process_time()
    lower, upper = solve_cfr(catalog.parse(name), gap, progress=seen.append).certificate.decimals()
    wall, processor = time.perf_counter() - start, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{name}: {lower} <= value <= {upper} after {seen[-1].iteration} iterations, {wall:.1f} s "
        f"({processor:.1f} s of processor), peak {peak} MB",
        flush=True,
    )


def main(large: bool) -> None:
    """Print every figure."""
    ours, theirs = iteration_seconds(), openspiel_seconds()
    print(f"one CFR+ iteration, one die each: {ours * 1e3:.2f} ms", end="")
    print("; OpenSpiel is not installed" if theirs is None else f"; OpenSpiel {theirs * 1e3:.0f} ms", end="")
    print("" if theirs is None else f", {theirs / ours:.0f} times as long", flush=True)
    for name, gap in (BRACKETS | (LARGE if large else {})).items():
        print_bracket(name, gap)


if __name__ == "__main__":
    main("--large" in sys.argv[1:])
