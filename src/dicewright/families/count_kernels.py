"""Compiled functions that every engine uses: one finished game noted, one place drawn."""

from ..core.engine import LOSSES, PAYOFF, SQUARES, STALEMATES, WINS
from .compiled import njit
from .random_kernels import uniform


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
