"""Sweeps: 1,000 race games measured; and what giving a task to another process costs."""

import time
from concurrent.futures import Executor
from itertools import combinations

from dicewright.core.spread import Processes, spread, workers
from dicewright.sweeps.measures import Measuring, measure

from .timing import line, once

GAMES, LIMIT = 1000, 120.0  # seconds of processor time: 60 s on two cores
TASKS = 2000


def games(number: int) -> list[str]:
    """So many dice of six faces, one of which loses the turn, for a race to 100."""
    faces = (
        f"race:{'/'.join(f'+{face}' for face in five)}/bust,goal=100"
        for five in combinations(range(1, 15), 5)
    )
    return [line for line, _ in zip(faces, range(number), strict=False)]


def run() -> bool:
    """Print all lines; whether every limit was kept."""
    tasks = [Measuring(game, ("advantage", "length"), 2, 0, False) for game in games(GAMES)]
    measure(tasks[0])  # compiles
    widest = 0.0

    def all_of_them() -> None:
        nonlocal widest
        for task in tasks:
            found = measure(task)[0]
            assert found.low is not None
            assert found.high is not None
            widest = max(widest, found.high - found.low)

    kept = line(f"{GAMES:,} race games to 100 swept: value and length", once(all_of_them), LIMIT)
    print(f"  the widest bounds are {widest:.1e} (1e-9 is asked)")
    return kept and widest <= 1e-9


def run_overhead() -> bool:
    """What a task that does nothing costs, by process and by Dask, on the clock."""
    with Processes(2) as processes:
        list(spread(abs, range(-4, 0), processes))
        processes.submit(abs, 1).result()
        _tell("processes of this machine", processes)
    try:
        from distributed import LocalCluster
    except ImportError:
        print("Dask is not installed")
        return True
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(**options) as cluster, workers(cluster=cluster.scheduler_address) as executor:
        assert executor is not None
        executor.submit(abs, 1).result()
        _tell("a Dask cluster of two workers on this machine", executor)
    return True


def _tell(name: str, executor: Executor) -> None:
    started = time.perf_counter()
    found = sum(1 for _ in spread(abs, range(TASKS), executor))
    print(f"{name}: {(time.perf_counter() - started) / found * 1e3:.2f} ms a task")
