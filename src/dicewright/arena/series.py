"""Series of games between known strategies, drawn from their exact chances instead of played.

A game between fixed strategies is one biased coin, so the number of wins in a series is a binomial draw: the same
distribution as playing with dice, a million times faster. No game is played here; `simulate` does that.
"""

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Floats


def sample_shares(chances: Sequence[float], games: int, series: int, rng: np.random.Generator) -> Floats:
    """The share of `games` won in each of `series` series, the games dealt evenly to the given chances.

    One chance is one starter; two, such as (A starts, B starts), take turns.

    >>> sample_shares([1.0, 0.0], 4, 2, np.random.default_rng(0)).tolist()
    [0.5, 0.5]
    """
    won = np.zeros(series)
    for n, chance in enumerate(chances):
        part = (games + len(chances) - 1 - n) // len(chances)
        won += rng.binomial(part, min(1.0, max(0.0, chance)), series)
    return won / games


def spread_of_shares(
    chances: Sequence[float], lengths: Sequence[int], series: int, rng: np.random.Generator
) -> Floats:
    """shares[n, s]: series s of lengths[n] games (Exeter figure 15)."""
    return np.array([sample_shares(chances, games, series, rng) for games in lengths])


def fair_tests(
    chances: Sequence[float], tests: int, rng: np.random.Generator, games: int = 3000, series: int = 100
) -> Floats:
    """The result of each fair test as Exeter 3.3.1 defines it: the mean of 100 series of 3000 games."""
    return np.array([sample_shares(chances, games, series, rng).mean() for _ in range(tests)])
