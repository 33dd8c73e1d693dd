"""How things are timed: warm, the best of several runs, on the clock of the process (one core)."""

import time
from collections.abc import Callable
from typing import Any


def best_of(runs: int, work: Callable[[], Any]) -> float:
    """The least processor time of several runs, after one to warm up."""
    work()
    return min(once(work) for _ in range(runs))


def once(work: Callable[[], Any]) -> float:
    """The processor time of one run."""
    started = time.process_time()
    work()
    return time.process_time() - started


def line(what: str, seconds: float, limit: float | None, baseline: float | None = None) -> bool:
    """Print one measurement; whether it is within its limit."""
    kept = limit is None or seconds <= limit
    parts = [f"{what:<58}", f"{seconds:>10.4f} s"]
    parts.append(f"limit {limit:>8g} s {'ok' if kept else 'MISSED'}" if limit is not None else " " * 22)
    if baseline is not None:
        parts.append(f"{baseline / seconds:>10,.0f} times faster than the baseline")
    print("  ".join(parts), flush=True)
    return kept
