"""How many games and players find an effect: studies made up, and fitted by the model that will judge the real one."""

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from scipy import stats

from ..arena.statistics import interval
from ..core.crowd import Crowd
from ..core.errors import PrecisionError, RulesError
from ..core.game import WrittenGame
from .findings import hypotheses
from .fit import CONFIDENCE, fit
from .games import crowds_of, meetings, play_crowd

CHUNK = 8  # trials sent to a worker at once
LEAST_SLOPE, MOST_SLOPE, SLOPES = 1e-4, 10.0, 20_001  # of power, that are tried


@dataclass(frozen=True)
class Design:
    """A study: players who meet at random for so many games each, what they are like, and the effect looked for.

    bias, precision    mean and spread over players
    weights            of terms, the same for all players
    gap                the hold bias of a careful half of the players above that of the others, stated before play
    An effect is found if the p-value of its terms is below `level` in the model that has all terms of the family,
    corrected by Holm for all hypotheses as in the analysis where the terms are one of these; the stated half, `stated`,
    in a model that has no other term.
    """

    game: WrittenGame
    players: int
    games: int = 1
    bias: tuple[float, float] = (0.0, 0.5)
    precision: tuple[float, float] = (100.0, 25.0)
    weights: Mapping[str, float] = field(default_factory=dict)
    gap: float = 0.0
    tested: tuple[str, ...] = ()
    level: float = 0.05


class Power(NamedTuple):
    """The share of studies that found the effect, with its 95 % interval."""

    share: float
    low: float
    high: float
    trials: int
    decisions: float  # in a study, on average


STATED = "stated"


def trial(design: Design, seed: int) -> tuple[float, int]:
    """A study made up: the p-value of its test, and its number of decisions; a model that never settles finds none."""
    crowds = crowds_of(design.game)
    rng, terms, beliefs = np.random.default_rng(seed), crowds.TERMS, crowds.HYPOTHESES
    careful = np.arange(design.players) % 2 == 1
    weights = np.array([design.weights.get(name, 0.0) for name in terms])
    crowd = Crowd(
        rng.normal(*design.bias, design.players) + design.gap * careful,
        np.maximum(0.0, rng.normal(*design.precision, design.players)),
        np.tile(weights, (design.players, 1)),
        np.zeros(design.players, np.int64),
    )
    pairs = meetings(design.players, design.games, rng)
    choices = play_crowd(design.game, crowd, pairs, seed).choices.by_player(**{STATED: careful.tolist()})
    model = design.tested if STATED in design.tested else terms
    try:
        found = fit(choices, model)
        if design.tested not in beliefs.values():
            return found.test(design.tested), len(choices)
        corrected = {each.terms: each.corrected for each in hypotheses(found, beliefs)}
        return corrected[design.tested], len(choices)
    except PrecisionError:
        return 1.0, len(choices)


class Needed(NamedTuple):
    """How many find the effect in a share of studies, with the 95 % interval that the simulation leaves."""

    number: float
    low: float
    high: float


def needed(found: Mapping[int, Power], share: float = 0.8, level: float = 0.05, tests: int = 1) -> Needed:
    """How many players (or games) find the effect in this share of studies, from the powers at some numbers of them.

    An estimate with a standard error as 1 / sqrt(n) is found with chance Phi(c sqrt(n) - z), z of the level shared by
    so many tests; c is the likeliest for the studies simulated, and its interval has likelihoods down to exp(-1.92).
    """
    if not 0.0 < level < share < 1.0:
        raise RulesError(f"share is {share}; more than {level} and less than 1 is allowed")
    z = float(stats.norm.isf(level / (2 * tests)))
    sizes, trials = np.sqrt(np.array(list(found), float)), np.array([each.trials for each in found.values()])
    hits = np.array([each.share for each in found.values()]) * trials
    slopes = np.geomspace(LEAST_SLOPE, MOST_SLOPE, SLOPES)
    reach = np.outer(slopes, sizes) - z
    logs = (hits * stats.norm.logcdf(reach) + (trials - hits) * stats.norm.logsf(reach)).sum(axis=1)
    likely = slopes[logs >= logs.max() - stats.chi2.ppf(CONFIDENCE, 1) / 2]
    way = float(stats.norm.ppf(share) + z)
    of = [(way / float(slope)) ** 2 for slope in (slopes[int(np.argmax(logs))], likely[-1], likely[0])]
    return Needed(*of)


@contextmanager
def all_cores() -> Iterator[Executor | None]:
    """An executor with a process for each core; none where there is one core only."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores < 2:
        yield None
        return
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        yield pool


def power(design: Design, trials: int = 200, seed: int = 0, executor: Executor | None = None) -> Power:
    """The chance that a study of this design finds its effect, by simulation; the same with any number of workers.

    >>> from dicewright.families.race.named import pig
    >>> found = power(Design(pig(), players=30, games=2, weights={"lead": 0.5}, tested=("lead",)), trials=5)
    >>> found.share
    1.0
    """
    terms = crowds_of(design.game).TERMS
    for what, names, allowed in (
        ("weights", tuple(design.weights), terms),
        ("tested", design.tested, (*terms, STATED)),
    ):
        unknown = [name for name in names if name not in allowed]
        if unknown or not (names or what == "weights"):
            raise RulesError(f"{what} are {', '.join(unknown) or 'none'}; {', '.join(allowed)} are allowed")
    if trials < 1:
        raise RulesError(f"trials is {trials}; 1 or more is allowed")
    seeds = np.random.SeedSequence(seed).generate_state(trials, np.uint32).tolist()
    one = partial(trial, design)
    found = list(map(one, seeds)) if executor is None else list(executor.map(one, seeds, chunksize=CHUNK))
    hits = sum(p < design.level for p, _ in found)
    around = interval(hits, trials)
    return Power(hits / trials, around.low, around.high, trials, sum(rows for _, rows in found) / trials)
