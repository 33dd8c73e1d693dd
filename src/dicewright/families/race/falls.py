"""Duels in which a ruin comes so often that sweeps do not come to rest: the falls as a chain of their own.

A ruin lands on few states, the *entries*: one score is 0. All else follows from what the quantities are there, by one
sweep. So with A(e, f) the chance that the first fall after e lands on f, and c(e) what is gained before it, the entries
are X = c + A X. The chance that a game ends before its next fall may be one in a million: it is added up, never 1 minus
the rest, and elimination without subtraction keeps its digits (Grassmann, Taksar and Heyman, Oper. Res. 33, 1985).
"""

import numpy as np

from . import duel_kernels as kernels
from .duel_kernels import FIRST_WINS, SECOND_WINS
from .kernels import Floats, Rules
from .tabled import RaceTable

MOST_ENTRIES = 1000
NEVER_ENDS = 1e-9  # chances that miss 1 by more do not miss it by rounding


def settle(rules: Rules, a: RaceTable, b: RaceTable, x: Floats, y: Floats) -> bool:
    """Fill the quantities of A against B at all seats; False for too many entries, or where play may stand still."""
    entries_x = x[:, :: rules.goal].shape[:2]
    entries_y = y[:, :: rules.goal].shape[:2]
    size = entries_x[0] * entries_x[1] + entries_y[0] * entries_y[1]
    if size > MOST_ENTRIES:
        return False

    def swept(entries: Floats) -> Floats:
        """The entries after a sweep that began with these."""
        x[:], y[:] = 0.0, 0.0
        part = entries_x[0] * entries_x[1]
        x[:, :: rules.goal] = entries[:part].reshape(*entries_x, 4)
        y[:, :: rules.goal] = entries[part:].reshape(*entries_y, 4)
        kernels.duel(rules, a, b, x, y)
        return np.concatenate([x[:, :: rules.goal].reshape(-1, 4), y[:, :: rules.goal].reshape(-1, 4)])

    gained = swept(np.zeros((size, 4)))
    if not np.isfinite(gained).all():
        return False
    falls = np.empty((size, size))
    for place in range(size):
        entries = np.zeros((size, 4))
        entries[place, FIRST_WINS] = 1.0
        falls[:, place] = swept(entries)[:, FIRST_WINS] - gained[:, FIRST_WINS]
    ends = gained[:, FIRST_WINS] + gained[:, SECOND_WINS]
    if np.abs(1.0 - falls.sum(axis=1) - ends).max() > NEVER_ENDS:
        return False
    swept(_solved(np.maximum(falls, 0.0), ends, gained))
    return True


def _solved(falls: Floats, ends: Floats, gained: Floats) -> Floats:
    """X = gained + falls X, where `ends` is what the rows of `falls` miss to 1; nothing positive is subtracted."""
    leaves = np.empty(len(ends))
    for k in range(len(ends) - 1, -1, -1):
        leaves[k] = ends[k] + falls[k, :k].sum()
        share = falls[:k, k] / leaves[k]
        falls[:k, :k] += np.outer(share, falls[k, :k])
        ends[:k] += share * ends[k]
        gained[:k] += np.outer(share, gained[k])
    found = np.empty_like(gained)
    for k in range(len(ends)):
        found[k] = (gained[k] + falls[k, :k] @ found[:k]) / leaves[k]
    return found
