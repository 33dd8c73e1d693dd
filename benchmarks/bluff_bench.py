"""CFR on Bluff: an iteration beside OpenSpiel's C++ CFR+ in the same run, seconds and memory to a bracket."""

import resource
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from dicewright.games import catalog
from dicewright.solvers.cfr import RULES, Progress, Run, solve_cfr
from dicewright.solvers.public_tree import PublicTree

from .timing import best_of, line

LEAST_RATIO = 80  # to OpenSpiel


def run() -> bool:
    """One die each, two against one: every figure, and whether all limits were kept."""
    ours, theirs = iteration_seconds(), openspiel_seconds()
    kept = line("one CFR+ iteration, one die each", ours, 1e-3, theirs)
    kept &= theirs is None or theirs >= LEAST_RATIO * ours
    kept &= bracket("bluff", 1e-3, 1.0, 500)
    kept &= bracket("bluff:dice=2v1", 1e-3, 60.0, 500)
    kept &= bracket("bluff:dice=1v2", 1e-3, 60.0, 500)
    return kept & bracket("bluff:dice=2v1,sides=5", 1e-6, 120.0, 500)


def run_large() -> bool:
    """Two dice each: minutes on two cores, and 4.2 GB."""
    return bracket("bluff:dice=2v2", 1e-2, 1200.0, 8000)


def iteration_seconds() -> float:
    """One iteration of CFR+ for both players."""
    arrays = Run(PublicTree(catalog.parse("bluff")), np.float32, 1)
    steps = RULES["cfr+"].steps()
    with ThreadPoolExecutor(1) as pool:
        return best_of(300, lambda: arrays.iterate(next(steps), pool))


def openspiel_seconds() -> float | None:
    """The same iteration by OpenSpiel, whose liars_dice has the same rules; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game("liars_dice(numdice=1)"))
    return best_of(5, solver.evaluate_and_update_policy)


def bracket(name: str, gap: float, limit: float, megabytes: int) -> bool:
    """Solve to a bracket on all cores; seconds are those of the wall, compiling not counted."""
    solve_cfr(catalog.parse("bluff:sides=2"), gap, iterations=1)
    seen: list[Progress] = []
    started, processor = time.perf_counter(), time.process_time()
    lower, upper = solve_cfr(catalog.parse(name), gap, progress=seen.append).certificate.decimals()
    kept = line(f"{name} to {gap:g}", time.perf_counter() - started, limit)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"    {lower} <= value <= {upper}, {seen[-1].iteration} iterations, "
        f"{time.process_time() - processor:.1f} s of processor, peak {peak} MB (limit {megabytes} MB)"
    )
    return kept and peak <= megabytes
