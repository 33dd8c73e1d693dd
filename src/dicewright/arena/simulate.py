"""Strategies against each other by the million, with totals that depend on the seed alone."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import astuple, dataclass, replace
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.effort import CUT_OFFS, LOSSES, PAYOFF, SQUARES, STALEMATES, WINS, Engine
from ..core.errors import RulesError
from ..core.game import FIRST, SECOND, WrittenGame
from ..core.solution import seats
from ..core.spread import ordered, portable, spread
from ..core.strategy import only_plays
from ..core.table import Grid, Tabled
from ..families import admit, family
from .table import play_game

Progress = Callable[[int, int], object]
WINDOW = 4  # blocks that wait for each worker
COUNTED = ("games", "a_wins", "b_wins", "stalemates", "cut_offs", "payoffs_of_a")
SLOW_BLOCK = 64  # games in Python
PROGRAM_BLOCK = 2  # games of a program: one with either starter, for each may take long
MOST_WHY = 5  # reasons of forfeits that are told


@dataclass(frozen=True)
class Series:
    """Games with one and the same starter, counted for A."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    stalemates: int = 0  # play that never ends, or a draw
    cut_offs: int = 0  # stopped for their length
    payoff: float = 0.0  # sum of A's payoffs
    squares: float = 0.0  # and of their squares

    def __add__(self, other: "Series") -> "Series":
        return Series(*(x + y for x, y in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Forfeits:
    """Games that programs lost because they did not answer as they may, by A and by B; and the first few reasons."""

    a: int = 0
    b: int = 0
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tally(Tabled):
    """Games between A and B, by starter; `interrupted` says that more were asked for."""

    a_first: Series = Series()
    b_first: Series = Series()
    interrupted: bool = False
    forfeits: Forfeits = Forfeits()

    def __repr__(self) -> str:
        won, lost = self.both.wins, self.both.losses
        stopped = ", interrupted" if self.interrupted else ""
        return f"<Tally of {self.games:,} games: A won {won:,}, B {lost:,}{stopped}>"

    def table(self) -> Grid:
        """How the games ended, by who started them."""
        parts = {"A": self.a_first, "B": self.b_first, "either": self.both}
        return Grid(("starts", *COUNTED), [(name, *astuple(part)[:6]) for name, part in parts.items()])

    @property
    def both(self) -> Series:
        """All games, whoever started."""
        return self.a_first + self.b_first

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.both.games

    @property
    def a_rate(self) -> float:
        """The share of the games that A won; stalemates and cut-offs are won by nobody."""
        return self.both.wins / self.games

    @property
    def b_rate(self) -> float:
        """The share of the games that B won."""
        return self.both.losses / self.games

    @property
    def payoff(self) -> float:
        """A's mean payoff."""
        return self.both.payoff / self.games

    @property
    def payoff_error(self) -> float:
        """The standard error of A's mean payoff."""
        both = self.both
        variance = max(0.0, both.squares / both.games - self.payoff**2)
        return sqrt(variance / max(1, both.games - 1))

    def stopped(self) -> "Tally":
        """The same games, marked as interrupted."""
        return Tally(self.a_first, self.b_first, True, self.forfeits)

    def __add__(self, other: "Tally") -> "Tally":
        stopped = self.interrupted or other.interrupted
        one, two = self.forfeits, other.forfeits
        why = tuple(dict.fromkeys(one.why + two.why))[:MOST_WHY]
        forfeits = Forfeits(one.a + two.a, one.b + two.b, why)
        return Tally(self.a_first + other.a_first, self.b_first + other.b_first, stopped, forfeits)


def simulate(
    game: WrittenGame,
    a: Any,
    b: Any,
    games: int,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Tally:
    """Play games between strategies A and B, every other one started by A.

    Where the family has an engine for these strategies they are played by compiled code, else by `play_game`. The
    games are cut into blocks of fixed size, and block n takes its random
    numbers from child n of the SeedSequence of the seed: the same seed gives the same totals with any number of
    workers (threads, for compiled code) and any executor (for games in Python, which threads make no faster).
    `progress(played, games)` is told after each block.
    Ctrl-C returns what has been played, marked `interrupted`.

    >>> from dicewright.families.race.named import pig
    >>> from dicewright.families.race.strategies import HoldAt
    >>> tally = simulate(pig(), HoldAt(20), HoldAt(25), games=100_000, seed=1)
    >>> tally.games, round(tally.a_rate, 2)
    (100000, 0.49)
    """
    check_counts(games=games, workers=workers)
    check_counts(0, seed=seed)
    return play_blocks(
        engine_of(game, a, b), games, np.random.SeedSequence(seed), workers, progress, executor
    )


def play_blocks(
    engine: Engine,
    games: int,
    seed: np.random.SeedSequence,
    workers: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Tally:
    """The totals of so many games; blocks are added in order, so that sums of floats do not depend on workers."""
    total = Tally()
    try:
        for part in _parts(engine, games, seed, workers, executor):
            total = total + part
            if progress is not None:
                progress(total.games, games)
    except KeyboardInterrupt:
        return total.stopped()
    return total


def child(seed: np.random.SeedSequence, number: int) -> np.random.SeedSequence:
    """The seed of block `number`: the child that `spawn` would give, without counting."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, number))


class Block(NamedTuple):
    """Games in Python that another process plays."""

    game: WrittenGame
    a: Any
    b: Any
    seed: np.random.SeedSequence
    games: int


def _play_sent(block: Block) -> Tally:
    return play_block(_python(block.game, block.a, block.b), block.seed, block.games)


def _parts(
    engine: Engine, games: int, seed: np.random.SeedSequence, workers: int, executor: Executor | None
) -> Iterator[Tally]:
    sizes = (min(engine.block, games - start) for start in range(0, games, engine.block))
    if executor is not None and engine.sent is not None and portable(engine.sent):
        blocks = (Block(*engine.sent, child(seed, number), size) for number, size in enumerate(sizes))
        yield from ordered(spread(_play_sent, blocks, executor))
        return
    if workers == 1 or engine.alone:
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


def engine_of(game: WrittenGame, a: Any, b: Any) -> Engine:
    """The fastest engine for these players; any Game that no kernel plays is played by `play_game`."""
    admit(game)
    if only_plays(a) or only_plays(b):
        return replace(_python(game, a, b), block=PROGRAM_BLOCK, sent=None, alone=True)
    return family(game).engine(game, a, b) or _python(game, a, b)


def play_block(engine: Engine, seed: np.random.SeedSequence, games: int) -> Tally:
    """A block of games, every other one started by A, the first one too."""
    words = words_of(seed)
    forfeited: list[tuple[int, str]] = []

    def series(starter: int, number: int) -> Series:
        count = np.zeros(8)
        faults = engine.play(words, number, starter, count) or ()  # which counts for the player who starts
        forfeited.extend((starter ^ player, why) for player, why in faults)
        won, lost, stalemates, cut_offs = map(int, count[:4])
        payoff, squares = float(count[PAYOFF]), float(count[SQUARES])
        if starter == 1:
            won, lost, payoff = lost, won, 0.0 - payoff
        return Series(number, won, lost, stalemates, cut_offs, payoff, squares)

    played = series(0, (games + 1) // 2), series(1, games // 2)
    by_a, reasons = sum(player == 0 for player, _ in forfeited), tuple(why for _, why in forfeited[:MOST_WHY])
    return Tally(*played, forfeits=Forfeits(by_a, len(forfeited) - by_a, reasons))


def words_of(seed: np.random.SeedSequence) -> npt.NDArray[np.uint64]:
    """The four words that start the random numbers of a block."""
    return seed.generate_state(4, np.uint64).astype(np.uint64)


def _python(game: WrittenGame, a: Any, b: Any) -> Engine:
    def play(
        words: npt.NDArray[np.uint64], games: int, starter: int, count: Any
    ) -> Sequence[tuple[int, str]]:
        lost: list[tuple[int, str]] = []
        rng = Random(int.from_bytes(words.tobytes(), "little") + starter)
        first, second = (a, b) if starter == 0 else (b, a)
        pair = seats(first)[FIRST], seats(second)[SECOND]
        for _ in range(games):
            record = play_game(game, pair, rng)
            if record.forfeit is not None:
                lost.append((record.forfeit.player, record.forfeit.why))
            if record.ended == "cut-off":
                count[CUT_OFFS] += 1
                continue
            payoff = record.payoff
            count[WINS if payoff > 0 else LOSSES if payoff < 0 else STALEMATES] += 1
            count[PAYOFF] += payoff
            count[SQUARES] += payoff * payoff
        return lost

    return Engine("matches in Python", SLOW_BLOCK, play, (game, a, b))
