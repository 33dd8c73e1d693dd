"""Bluff: one die each exactly; CFR beside OpenSpiel's C++ CFR+ in the same run, seconds and memory to a bracket."""

import importlib.util
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np

from dicewright import best_response, solve, to_efg
from dicewright.core.game import FIRST, SECOND
from dicewright.core.solution import Solution
from dicewright.families import catalog
from dicewright.families.bluff.cfr import RULES, Progress, Run, solve_cfr
from dicewright.families.bluff.exact import win_or_lose
from dicewright.families.bluff.program import round_program
from dicewright.families.bluff.public_tree import PublicTree
from dicewright.families.bluff.solve import _chosen
from dicewright.families.tree.program import Search
from dicewright.storage.solution_file import load_bluff, save_bluff

from .timing import best_of, line, once

LEAST_RATIO = 80  # to OpenSpiel
PATIENCE = 20.0  # seconds for Gambit, whose rational program took 200 s for three sides
GAMBIT = """
import sys
import pygambit
print(pygambit.nash.lp_solve(pygambit.read_efg(sys.argv[1]), rational=True).equilibrium.payoffs["first"])
"""


def run() -> bool:
    """One die each, two against one: every figure, and whether all limits were kept."""
    kept = line("value bluff --fresh: refined, in fractions, proved, kept", anew_seconds("bluff"), 3.0)
    kept &= line("  what its refinement adds", refinement_seconds(), None)
    ours, theirs = iteration_seconds(), openspiel_seconds()
    kept &= line("one CFR+ iteration, one die each", ours, 1e-3, theirs)
    kept &= theirs is None or theirs >= LEAST_RATIO * ours
    for name in ("bluff:sides=2", "bluff:sides=3"):
        kept &= beside_gambit(name)
    for name, gap, limit in (
        ("bluff", 1e-3, 1.0),
        ("bluff:dice=2v1", 1e-4, 300.0),
        ("bluff:dice=1v2", 1e-4, 300.0),
        ("bluff:dice=2v1,sides=5", 1e-6, 120.0),
    ):
        kept &= bracket(name, gap, limit, 500)[0]
    return kept


def beside_gambit(name: str) -> bool:
    """The exact value of a small round, beside Gambit's rational program on the same tree; within a second."""
    game = catalog.parse(name)
    ours = best_of(3, lambda: solve(game, fresh=True))
    if importlib.util.find_spec("pygambit") is None:
        return line(f"{name} in fractions (no pygambit here)", ours, 1.0)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.efg"
        file.write_text(to_efg(game), encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        try:
            command = [sys.executable, "-c", GAMBIT, file]
            found = subprocess.run(
                command, check=True, capture_output=True, text=True, timeout=PATIENCE
            ).stdout
        except subprocess.TimeoutExpired:
            found = ""
        theirs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert not found or Fraction(found.strip()) == solve(game).certificate.exact
    beside = "beside Gambit's" if found else f"Gambit was stopped at {PATIENCE:g} s:"
    return line(f"{name} in fractions, {beside}", ours, 1.0, theirs)


def run_large() -> bool:
    """Two dice each: a best response in place, first, for it must need little memory; then minutes on two cores, and
    4.2 GB; then the strategies in a file, measured again.
    """
    kept = streamed("bluff:dice=2v2", 300.0, 4000)
    within, solution = bracket("bluff:dice=2v2", 1e-3, 3600.0, 8000)
    return stored(solution, 200) and within and kept


def anew_seconds(name: str) -> float:
    """The least processor time of three commands that solve a game anew in a store of their own, start included."""
    least = inf
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [sys.executable, "-m", "dicewright", "value", name, "--fresh"]
            environment = os.environ | {"DICEWRIGHT_STORE": folder}
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            least = min(least, used)
    return least


def refinement_seconds() -> float:
    """One die each: both players' choices among their best plans, from the basis that they begin at."""
    rules = catalog.parse("bluff")
    model = round_program(win_or_lose(rules), True)
    least = Search(model.least())
    return once(lambda: [_chosen(rules, model, player, least.basis, None) for player in (FIRST, SECOND)])


def streamed(name: str, limit: float, megabytes: int) -> bool:
    """Best responses to a strategy that takes every action, walked in place."""
    seconds = once(lambda: best_response(name, "random"))
    kept = line(f"{name}: best responses to random, in place", seconds, limit)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"    peak {peak} MB (limit {megabytes} MB)")
    return kept and peak <= megabytes


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


def bracket(name: str, gap: float, limit: float, megabytes: int) -> tuple[bool, Solution]:
    """Solve to a bracket on all cores (the best of five if short); seconds of the wall, compiling not counted."""
    solve_cfr(catalog.parse("bluff:sides=2"), gap, iterations=1)
    seen: list[Progress] = []
    wall = processor = inf
    for _ in range(5 if limit <= 1 else 1):
        started, used = time.perf_counter(), time.process_time()
        solution = solve_cfr(catalog.parse(name), gap, progress=seen.append)
        wall, processor = min(wall, time.perf_counter() - started), min(processor, time.process_time() - used)
    kept = line(f"{name} to {gap:g}", wall, limit)
    lower, upper = solution.certificate.decimals()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"    {lower} <= value <= {upper}, {seen[-1].iteration} iterations, "
        f"{processor:.1f} s of processor, peak {peak} MB (limit {megabytes} MB)"
    )
    return kept and peak <= megabytes, solution


def stored(solution: Solution, megabytes: int) -> bool:
    """Save the strategies, read them back, and print the file's size and what best responses say of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "strategies"
        save_bluff(path, solution)
        size = path.stat().st_size / 1e6
        lower, upper = load_bluff(path, threads=2).certificate.decimals()
    print(f"    stored in {size:.1f} MB (limit {megabytes} MB); as read back {lower} <= value <= {upper}")
    return size <= megabytes
