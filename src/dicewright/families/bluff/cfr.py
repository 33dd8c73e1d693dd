"""Counterfactual regret minimisation for a round of Bluff: one loop, and rules that are three numbers.

Each iteration sweeps the public tree once for each player, the second against the first's new strategy
(alternating updates). What is shown and what stops the run is the bracket of the value from exact best
responses, never a sum of regrets.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice, product
from math import inf, log2
from typing import NamedTuple, Protocol

import numpy as np

from ...core.effort import free_memory
from ...core.errors import NotationError, RulesError, TooLarge
from ...core.game import FIRST, SECOND, other
from . import cfr_kernels as kernels
from .cfr_kernels import DOWN, UP, WHOLE, Edges, Learned, Part, Scratch
from .packed_shares import blank
from .people import Population, players_of
from .public_kernels import Ints, Row, Side
from .public_tree import LARGE, PublicTree, RowsStrategy
from .rules import DICE, SIDES, Bluff
from .solution import BluffSolution

TOP = 6  # in a large tree the histories of the first TOP bids are swept by one thread, parts below by all
SINGLE_GAP = 2e-5  # wider brackets are found with float32, narrower ones with float64
SKIP_GAP = 1e-5  # narrower brackets are kept open by what is skipped: 2v1 of five sides to 1e-6 took 3.7 times as long
WHOLE_SWEEP = 8  # every so many iterations bids that no hand makes are walked too


class Iteration(NamedTuple):
    """The numbers of an iteration; the kernels read them in this order."""

    keep: float  # what is kept of negative regrets
    gain: float  # of new regrets
    weight: float  # in the average strategy
    skip: float = 0.0  # where the other player comes with at most this chance nothing is walked
    slip: float = 0.0  # the chance, at each turn, that the other player takes any action alike
    quick: bool = False  # whether own bids that no hand makes are not walked
    chance: float = 0.0  # of the population


@dataclass(frozen=True)
class Rule:
    """An update rule (Brown & Sandholm 2019, section 3): discounts of positive and negative regrets, weights.

    After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), negative ones by
    t^beta / (t^beta + 1) - here only where the history is visited again -, and iteration t counts
    t^gamma in the average strategy. Infinite alpha keeps regrets, minus infinite beta drops negative ones.
    """

    alpha: float
    beta: float
    gamma: float

    def steps(self) -> Iterator[Iteration]:
        """For iterations 1, 2, ...: what is kept of negative regrets, the gain of new ones, the weight.

        Positive regrets are the unit: instead of shrinking old ones the new ones grow.
        """
        keep, gain, t = 0.0, 1.0, 1
        while True:
            yield Iteration(keep, gain, float(t) ** self.gamma, quick=t % WHOLE_SWEEP != 0)
            keep = _discount(self.beta, t) / _discount(self.alpha, t)
            gain /= _discount(self.alpha, t)
            t += 1


def _discount(power: float, t: int) -> float:
    return float(power > 0) if abs(power) == inf else t**power / (t**power + 1)


RULES = {
    "cfr": Rule(inf, inf, 0),  # Zinkevich et al. 2007
    "cfr+": Rule(inf, -inf, 1),  # Tammelin 2014
    "quadratic": Rule(inf, -inf, 2),  # cfr+ with later iterations counting more
    "linear": Rule(1, 1, 1),  # Brown & Sandholm 2019
    "discounted": Rule(1.5, 0, 2),  # Brown & Sandholm 2019, their recommended discounts
}


class Progress(NamedTuple):
    """How far a run has come."""

    iteration: int
    lower: float
    upper: float
    seconds: float  # since this run started or was resumed


class Keeper(Protocol):
    """Keeps the state of a run, so that it can be resumed; storage/checkpoints.py has one for files."""

    def load(self, about: Mapping[str, str], arrays: tuple[Row, ...]) -> int:
        """Fill the arrays from what was kept about this run; the iterations done, 0 if nothing was kept."""

    def due(self) -> bool:
        """Whether it is time to save."""

    def save(self, about: Mapping[str, str], iteration: int, arrays: tuple[Row, ...]) -> None:
        """Keep the arrays as they are after this iteration."""


def scratch(tree: PublicTree, player: int, dtype: type[np.floating], others: int = 1) -> Scratch:
    """Rows for the sweeps of a player, against so many who may be there."""
    depths, rows = len(tree.game.bids) + 2, len(tree.game.bids) + tree.ends
    mine, theirs = tree.hands[player], tree.hands[other(player)]
    return Scratch(
        stack=np.zeros((depths, 6), np.int64),
        here=np.zeros((depths, others, theirs), dtype),
        felt=np.zeros((depths, theirs), dtype),
        branch=np.zeros((depths, rows, theirs), dtype),
        met=np.zeros((depths, rows, theirs), dtype),
        value=np.zeros((depths, rows, mine), dtype),
        worth=np.zeros((depths, mine), dtype),
        norm=np.zeros(max(mine, theirs), dtype),
        tail=np.zeros(max(tree.game.dice) + 3, dtype),
        idle=np.zeros((depths, rows), np.bool_),
    )


@dataclass(eq=False)
class Run:
    """The arrays of a run: regrets and average strategies of both players, changed in place by `iterate`."""

    tree: PublicTree
    dtype: type[np.floating]
    threads: int
    population: Population | None = None
    regrets: tuple[Row, Row] = field(init=False)
    averages: tuple[Row, Row] = field(init=False)
    sides: tuple[Side, Side] = field(init=False)
    works: list[tuple[Scratch, Scratch]] = field(init=False)  # of each thread
    takes: tuple[Ints, Ints] = field(init=False)  # by the population in each seat
    edges: tuple[Edges, Edges] = field(init=False)

    def __post_init__(self) -> None:
        tree, dtype, bids = self.tree, self.dtype, len(self.tree.game.bids)
        self.regrets, self.averages = (
            (blank(tree.sizes[FIRST], dtype), blank(tree.sizes[SECOND], dtype)) for _ in range(2)
        )
        self.sides = tree.side(FIRST, dtype), tree.side(SECOND, dtype)
        one, two = (players_of(tree.game, player, self.population) for player in (FIRST, SECOND))
        self.takes = one, two
        ones, twos = 1 + len(two), 1 + len(one)
        self.works = [
            (scratch(tree, FIRST, dtype, ones), scratch(tree, SECOND, dtype, twos))
            for _ in range(self.threads)
        ]
        shape = (1 << TOP, bids - TOP) if self.split else (1, 1)
        self.edges = tuple(  # type: ignore[assignment]
            Edges(
                np.zeros((*shape, 2), np.int64),
                np.zeros((*shape, 1 + len(self.takes[other(player)]), tree.hands[other(player)]), dtype),
                np.zeros((*shape, tree.hands[player]), dtype),
            )
            for player in (FIRST, SECOND)
        )

    @property
    def split(self) -> bool:
        """Whether the tree is large; it depends on the rules alone, so results do not depend on threads."""
        return len(self.tree.game.bids) >= LARGE

    def iterate(self, step: Iteration, pool: ThreadPoolExecutor) -> None:
        """One iteration of both players, O((H1 + H2) 2^bids) steps less what is skipped."""
        for player in (FIRST, SECOND):
            self._sweep(player, step, pool)

    def _sweep(self, player: int, step: Iteration, pool: ThreadPoolExecutor) -> None:
        side, edges, bids = self.sides[player], self.edges[player], len(self.tree.game.bids)
        rival = other(player)
        takes = self.takes[rival] if step.chance else self.takes[rival][:0]
        numbers = np.array(step, self.dtype)
        learned = Learned(self.regrets[player], self.regrets[rival], self.averages[rival], numbers, takes)
        others = [step.chance / len(takes) for _ in takes]
        deal = np.outer([1.0, *others], side.deal).astype(self.dtype)
        root, cut = Part(0, bids, player == FIRST, 0, 0), bids - TOP - 1
        first_work = self.works[0][player]
        if not self.split:
            kernels.sweep(side, root, deal, WHOLE, cut, edges, first_work, learned)
            return
        edges.here.fill(0)
        edges.worth.fill(0)
        kernels.sweep(side, root, deal, DOWN, cut, edges, first_work, learned)
        tops = iter(range(1 << TOP))

        def sweep_parts(works: tuple[Scratch, Scratch]) -> None:
            for top in tops:
                kernels.sweep_parts(side, top, cut, edges, works[player], player == FIRST, learned)

        try:
            list(pool.map(sweep_parts, self.works))
        finally:
            for _ in tops:  # after an interrupt the threads find nothing left to do
                pass
        kernels.sweep(side, root, deal, UP, cut, edges, first_work, learned)


def solve_cfr(  # noqa: PLR0913 (public)
    game: Bluff,
    gap: float = 1e-3,
    iterations: int | None = None,
    rule: str = "discounted",
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Keeper | None = None,
    threads: int | None = None,
    memory: int | None = None,
    population: Population | None = None,
) -> BluffSolution:
    """Solve a round of Bluff until its bracket is at most `gap` wide, or for a number of iterations.

    Memory: two numbers for each action and hand, 4 bytes each (8 if the gap is below SINGLE_GAP); more than
    `memory` bytes (default: what is free) raises TooLarge before anything is allocated. The result does not
    depend on `threads`, nor on being interrupted and resumed from a checkpoint. With a `population` the strategies also
    win from those who err; without one they are solved against each other alone.

    >>> solution = solve_cfr(Bluff(dice=(1, 1), sides=3), gap=1e-4)
    >>> abs(solution.certificate.value - 1 / 9) < 1e-4
    True
    """
    if rule not in RULES:
        raise NotationError(f"unknown rule {rule!r}; allowed are {', '.join(RULES)}")
    if not gap > 0 or (iterations is not None and iterations < 1):
        raise RulesError(f"gap is {gap} and iterations is {iterations}; both must be more than 0")
    dtype = np.float32 if gap >= SINGLE_GAP else np.float64
    tree = PublicTree(game)
    if iterations is None and gap <= (least := 2 * tree.rounding):
        raise RulesError(f"gap is {gap} and float64 proves no less than {float(least):.1g}; more is allowed")
    check_memory(game, dtype, free_memory() if memory is None else memory)
    run = Run(tree, dtype, threads or cores(), population)
    about = {"game": game.name, "rule": rule, "dtype": np.dtype(dtype).name}
    arrays = (*run.regrets, *run.averages)
    resumed = t = checkpoint.load(about, arrays) if checkpoint else 0
    steps = islice(RULES[rule].steps(), t, None)
    started = time.monotonic()
    with ThreadPoolExecutor(run.threads) as pool:
        while True:
            last = iterations is not None and t >= iterations
            if is_check(t) or last:
                certificate = run.tree.certificate(run.averages, run.threads)
                if progress:
                    bounds = float(certificate.lower), float(certificate.upper)
                    progress(Progress(t, *bounds, time.monotonic() - started))
                if last or (certificate.gap <= gap and t >= (population.until if population else 0)):
                    break
            if checkpoint and t > resumed and checkpoint.due():
                checkpoint.save(about, t, arrays)
            t += 1
            skip = gap / (100 + t / 10) if gap >= SKIP_GAP else 0.0  # to 0, so that the run converges
            step = next(steps)._replace(skip=skip)
            if population and t > population.after:
                step = step._replace(**{key: getattr(population, key) for key in ("chance", "slip", "skip")})
            run.iterate(step, pool)
    if checkpoint and t > resumed:
        checkpoint.save(about, t, arrays)
    first, second = (RowsStrategy(run.tree, player, run.averages[player]) for player in (FIRST, SECOND))
    return BluffSolution(game, f"cfr:{rule}", (first, second), certificate)


def is_check(t: int) -> bool:
    """Whether the bracket is computed after iteration t: from 20 on, eight times while t doubles."""
    return t >= 20 and int(8 * log2(t)) > int(8 * log2(t - 1))


def bytes_needed(game: Bluff, dtype: type[np.floating]) -> int:
    """Bytes of the regrets and average strategies of both players."""
    return 2 * sum(PublicTree(game).sizes) * np.dtype(dtype).itemsize


def cores() -> int:
    """Processors this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_memory(game: Bluff, dtype: type[np.floating], memory: int) -> None:
    """Raise TooLarge if the arrays do not fit, with the bytes needed and the largest rounds that fit."""
    needed = bytes_needed(game, dtype)
    if needed <= memory:
        return
    fewer_dice = [replace(game, dice=dice) for dice in product(DICE, DICE) if max(dice) <= max(game.dice)]
    fewer_sides = [replace(game, sides=sides) for sides in SIDES if sides < game.sides]
    fits = []
    for smaller in (fewer_dice, fewer_sides):
        sized = [(size, other.name) for other in smaller if (size := bytes_needed(other, dtype)) <= memory]
        fits += [max(sized)[1]] if sized else []
    raise TooLarge(
        f"{game.name} needs {needed:,} bytes for its regrets and strategies and {memory:,} are free; "
        f"{' and '.join(fits) or 'no smaller round'} would fit"
    )
