"""Strategies against each other by the million, with totals that depend on the seed alone."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from ..core.effort import Engine
from ..core.errors import RulesError
from ..core.game import WrittenGame
from .engines import engine_of, play_block
from .tally import Tally

Progress = Callable[[int, int], object]
WINDOW = 4  # blocks that wait for each worker


def simulate(
    game: WrittenGame,
    a: Any,
    b: Any,
    games: int,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Tally:
    """Play games between strategies A and B, every other one started by A.

    Race games with strategies that fit a table, rounds of Bluff and calling games are compiled (see `engines`); any
    other game is played by `play_match`. The games are cut into blocks of fixed size, and block n takes its random
    numbers from child n of the SeedSequence of the seed: the same seed gives the same totals with any number of
    workers (threads; games in Python do not get faster by them). `progress(played, games)` is told after each block.
    Ctrl-C returns what has been played, marked `interrupted`.

    >>> from dicewright.families.race.pig import pig
    >>> from dicewright.families.race.strategies import HoldAt
    >>> tally = simulate(pig(), HoldAt(20), HoldAt(25), games=100_000, seed=1)
    >>> tally.games, round(tally.a_rate, 2)
    (100000, 0.49)
    """
    check_counts(games=games, workers=workers)
    check_counts(0, seed=seed)
    return play_blocks(engine_of(game, a, b), games, np.random.SeedSequence(seed), workers, progress)


def play_blocks(
    engine: Engine,
    games: int,
    seed: np.random.SeedSequence,
    workers: int = 1,
    progress: Progress | None = None,
) -> Tally:
    """The totals of so many games; blocks are added in order, so that sums of floats do not depend on workers."""
    total = Tally()
    try:
        for part in _parts(engine, games, seed, workers):
            total = total + part
            if progress is not None:
                progress(total.games, games)
    except KeyboardInterrupt:
        return total.stopped()
    return total


def child(seed: np.random.SeedSequence, number: int) -> np.random.SeedSequence:
    """The seed of block `number`: the child that `spawn` would give, without counting."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, number))


def _parts(engine: Engine, games: int, seed: np.random.SeedSequence, workers: int) -> Iterator[Tally]:
    sizes = (min(engine.block, games - start) for start in range(0, games, engine.block))
    if workers == 1:
        for number, size in enumerate(sizes):
            yield play_block(engine, child(seed, number), size)
        return
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[Tally]] = deque()
    try:
        for number, size in enumerate(sizes):
            waiting.append(pool.submit(play_block, engine, child(seed, number), size))
            if len(waiting) >= WINDOW * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def check_counts(least: int = 1, **counts: int) -> None:
    """RulesError for a count below the least that is allowed."""
    for name, number in counts.items():
        if number < least:
            raise RulesError(f"{name} is {number}; a whole number from {least} on is allowed")
