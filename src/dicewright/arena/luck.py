"""How a match would have ended with average luck: exact values of the solved game as control variate."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.engine import ADJUSTED, BLOCK, PAYOFF
from ..families import family
from .engines import words_of
from .margin import LEVEL, check_chance
from .simulate import check_counts, child
from .statistics import Interval, mean_interval


@dataclass(frozen=True)
class LuckAdjusted:
    """A's mean payoff over games with either starter, as it came and with the luck of the dice taken out."""

    plain: Interval
    adjusted: Interval
    reduction: float  # variance of a plain payoff over that of an adjusted one; infinite if nothing was left

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.plain.games


def luck_adjusted(game: Any, a: Any, b: Any, games: int, seed: int = 0, level: float = LEVEL) -> LuckAdjusted:
    """Play games between A and B, half of them started by either, and estimate A's payoff with little noise.

    Let V be the value of the game between perfect players. A roll changes V by an amount of mean 0, whoever plays, so

        adjusted = payoff - sum over rolls of (V after - V before)
                 = V at the start - what A's choices gave away + what B's choices gave away

    has the mean of the payoff. It is exact for perfect players, and the better both play, the less noise is left
    (the idea of backgammon's luck adjustment; AIVAT, Burch et al. 2018). The second line is what is computed.
    """
    check_luck(game, games, seed, level)
    engine = family(game).adjusted_engine(game, a, b)
    numbers = ((games + 1) // 2, games // 2)
    counts = [np.zeros(8), np.zeros(8)]
    for starter in (0, 1):
        for block, start in enumerate(range(0, numbers[starter], BLOCK)):
            words = words_of(child(np.random.SeedSequence(seed), 2 * block + starter))
            engine.play(words, min(BLOCK, numbers[starter] - start), starter, counts[starter])
    plain, noise = _estimate(counts, numbers, PAYOFF, level)
    adjusted, left = _estimate(counts, numbers, ADJUSTED, level)
    return LuckAdjusted(plain, adjusted, noise / left if left > 0.0 else float("inf"))


def check_luck(game: Any, games: int, seed: int = 0, level: float = LEVEL) -> None:
    """RulesError or TooLarge for what `luck_adjusted` cannot do."""
    check_counts(2, games=games)
    check_counts(0, seed=seed)
    check_chance("level", level)
    family(game).check_luck(game)


def _estimate(
    counts: list[npt.NDArray[np.float64]], numbers: tuple[int, int], place: int, level: float
) -> tuple[Interval, float]:
    """A's mean over both starters with its interval, and the variance of one game with a given starter."""
    means = [float(count[place]) / n for count, n in zip(counts, numbers, strict=True)]
    squares = [float(count[place + 1]) / n for count, n in zip(counts, numbers, strict=True)]
    spreads = [max(0.0, square - mean**2) for square, mean in zip(squares, means, strict=True)]
    error = sqrt(sum(spread / n for spread, n in zip(spreads, numbers, strict=True))) / 2
    return mean_interval((means[0] - means[1]) / 2, error, sum(numbers), level), sum(spreads) / 2
