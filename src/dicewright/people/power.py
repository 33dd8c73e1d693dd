"""How many games and players find an effect: studies made up, and fitted by the model that will judge the real one."""

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats

from ..arena.statistics import interval
from ..core.crowd import Crowd
from ..core.errors import PrecisionError, RulesError
from ..core.game import WrittenGame
from .fit import fit
from .games import crowds_of, meetings, play_crowd

CHUNK = 8  # trials sent to a worker at once


@dataclass(frozen=True)
class Design:
    """A study: players who meet at random for so many games each, what they are like, and the effect looked for.

    bias, precision    mean and spread over players
    weights            of terms, the same for all players
    gap                the hold bias of a careful half of the players above that of the others, stated before play
    An effect is found if the test of its terms is below `level`, in the model that has all terms of the family (the
    stated half, `stated`, in one that has no other).
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
    rng, terms = np.random.default_rng(seed), crowds_of(design.game).TERMS
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
        return fit(choices, model).test(design.tested), len(choices)
    except PrecisionError:
        return 1.0, len(choices)


def players_needed(found: Mapping[int, Power], share: float = 0.8, level: float = 0.05) -> float:
    """How many players find the effect in this share of studies, from the powers at some numbers of players.

    An estimate with a standard error as 1 / sqrt(n) is found with chance Phi(c sqrt(n) - z); c is the likeliest for the
    studies simulated.
    """
    if not 0.0 < level < share < 1.0:
        raise RulesError(f"share is {share}; more than {level} and less than 1 is allowed")
    z = float(stats.norm.isf(level / 2))
    sizes, trials = np.sqrt(np.array(list(found), float)), np.array([each.trials for each in found.values()])
    hits = np.array([each.share for each in found.values()]) * trials

    def against(slope: float) -> float:
        """Less the log-likelihood of the studies that found it."""
        reach = slope * sizes - z
        return -float((hits * stats.norm.logcdf(reach) + (trials - hits) * stats.norm.logsf(reach)).sum())

    slope = optimize.minimize_scalar(against, bounds=(1e-6, 10.0), method="bounded").x
    return float(((stats.norm.ppf(share) + z) / slope) ** 2)


def power(design: Design, trials: int = 200, seed: int = 0, executor: Executor | None = None) -> Power:
    """The chance that a study of this design finds its effect, by simulation; the same with any number of workers.

    >>> from dicewright.families.race.rules import pig
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
