"""The arena: games a second on one core, beside plain Python and OpenSpiel in the same run."""

import random
import subprocess
import sys
import time

import numpy as np

from dicewright.arena.simulate import engine_of, play_blocks
from dicewright.arena.statistics import luck_adjusted
from dicewright.families.catalog import parse as game
from dicewright.families.catalog import strategy

from .timing import best_of, once

PIG_LIMIT = 3_000_000  # games a second, hold:20 against hold:25
CASES = [
    ("pig", "hold:20", "hold:25", PIG_LIMIT),
    ("pig", "optimal", "hold:25", None),
    ("pig", "optimal", "keep-pace", None),
    ("pig", "random", "random", None),
    ("two-dice-pig", "optimal", "hold:20", None),
    ("bluff", "optimal", "truthful", None),
    ("mia", "optimal", "tree", None),
]
GAMES = 1_000_000


def plain_games(games: int, first: int, second: int, goal: int = 100) -> int:
    """Pig in plain Python, as anyone would write it: how often hold-at-`first` wins moving first."""
    draw, won = random.Random(1).random, 0
    for _ in range(games):
        scores, holds, mover = [0, 0], (first, second), 0
        while True:
            turn, left = 0, goal - scores[mover]
            hold = min(holds[mover], left)
            while turn < hold:
                face = int(draw() * 6) + 1
                if face == 1:
                    turn = 0
                    break
                turn += face
            scores[mover] += turn
            if scores[mover] >= goal:
                won += mover == 0
                break
            mover = 1 - mover
    return won


OPEN_SPIEL = """
import random, time, pyspiel
pig = pyspiel.load_game("pig(players=2,winscore=100,horizon=100000)")
draw, games = random.Random(1), 300
started = time.process_time()
for _ in range(games):
    state = pig.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            faces, chances = zip(*state.chance_outcomes())
            state.apply_action(draw.choices(faces, chances)[0])
        else:
            state.apply_action(draw.choice(state.legal_actions()))
print(games / (time.process_time() - started))
"""
PATIENCE = 60.0


def open_spiel_rate() -> float | None:
    """Random games of Pig a second in OpenSpiel, driven from Python; None if it is not installed."""
    command = [sys.executable, "-c", OPEN_SPIEL]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    return float(done.stdout) if done.returncode == 0 else None


def rate_of(text: str, a: str, b: str) -> float:
    """Games a second of one core, warm, tables made."""
    rules = game(text)
    engine = engine_of(rules, strategy(a, rules), strategy(b, rules))
    return GAMES / best_of(3, lambda: play_blocks(engine, GAMES, np.random.SeedSequence(1)))


def run() -> bool:
    """Print all lines; whether every limit was kept."""
    kept = True
    plain = 2000 / once(lambda: plain_games(2000, 20, 25))
    _line("plain Python, pig hold:20 v hold:25 (baseline)", plain, None, None)
    other = open_spiel_rate()
    if other is not None:
        _line("OpenSpiel from Python, pig random v random (baseline)", other, None, None)
    for text, a, b, limit in CASES:
        same = {"hold:20": plain, "random": other}.get(a) if text == "pig" else None
        kept &= _line(f"{text} {a} v {b}", rate_of(text, a, b), limit, same)
    rules = game("pig")
    engine = engine_of(rules, strategy("hold:20", rules), strategy("hold:25", rules))
    for workers in (1, 2):
        started = time.perf_counter()
        play_blocks(engine, 4 * GAMES, np.random.SeedSequence(1), workers)
        spent = time.perf_counter() - started
        _line(f"the same on the clock, {workers} workers", 4 * GAMES / spent, None, None)
    pair = (strategy("keep-pace", rules), strategy("optimal", rules))
    luck = 50_000 / best_of(2, lambda: luck_adjusted(rules, *pair, 50_000))
    _line("luck-adjusted, keep-pace v optimal", luck, None, None)
    return kept


def _line(what: str, rate: float, limit: float | None, baseline: float | None) -> bool:
    kept = limit is None or rate >= limit
    parts = [f"{what:<58}", f"{rate:>12,.0f} games/s"]
    parts.append(f"limit {limit:>12,.0f} {'ok' if kept else 'MISSED'}" if limit is not None else " " * 21)
    if baseline is not None:
        parts.append(f"{rate / baseline:>10,.0f} times the baseline")
    print("  ".join(parts), flush=True)
    return kept
