"""What every compiled engine uses: its random numbers, one place drawn, one finished game noted.

The random numbers are those of xoshiro256++ (Blackman & Vigna 2021).

Its four words are kept in local variables of a kernel, which is faster than a call into numpy for every number. They
come from a numpy SeedSequence, one child for each block of games, so that streams are independent.
"""

import numpy as np
import numpy.typing as npt

from ..core.effort import LOSSES, PAYOFF, SQUARES, STALEMATES, WINS
from .compiled import njit

Floats = npt.NDArray[np.float64]
PER_UNIT = 1.0 / (1 << 53)


@njit(cache=True, nogil=True)
def turn_left(x, k):
    """The 64 bits of x turned left by k."""
    return (x << np.uint64(k)) | (x >> np.uint64(64 - k))


@njit(cache=True, nogil=True)
def step(s0, s1, s2, s3):
    """One number of 64 random bits, and the words after it."""
    number = turn_left(s0 + s3, 23) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    return number, s0, s1, s2, turn_left(s3, 45)


@njit(cache=True, nogil=True)
def uniform(words):
    """A random number in [0, 1) with 53 bits; steps the array of four words."""
    number, words[0], words[1], words[2], words[3] = step(words[0], words[1], words[2], words[3])
    return (number >> np.uint64(11)) * PER_UNIT


@njit(cache=True, nogil=True)
def note(count, payoff):
    """Add one finished game."""
    if payoff > 0.0:
        count[WINS] += 1
    elif payoff < 0.0:
        count[LOSSES] += 1
    else:
        count[STALEMATES] += 1
    count[PAYOFF] += payoff
    count[SQUARES] += payoff * payoff


@njit(cache=True, nogil=True)
def pick(words, sums):
    """Draw a place by inversion of cumulative chances, whose last is above 1."""
    u = uniform(words)
    place = 0
    while u >= sums[place]:
        place += 1
    return place


def cumulative(chances: Floats) -> Floats:
    """Cumulative chances along the last axis; from the last possible place on they are above any random number."""
    sums = np.cumsum(chances, axis=-1)
    later = np.cumsum(chances[..., ::-1], axis=-1)[..., ::-1]
    sums[later - chances <= 0.0] = 2.0
    return sums
