"""Compiled search for a slip: which hands of the other player bid what they never do, and how both go on from there."""

from typing import NamedTuple

import numpy as np

from .cfr_kernels import WHOLE, Edges, Learned, Part, Scratch, sweep
from .public_kernels import Row, Side, compiled

ALPHA, KEEP = 1.5, 0.5  # discounted CFR, as in cfr.RULES
WHOLE_SWEEP = 8  # as in cfr.py


class Entry(NamedTuple):
    """Which hands slip: regrets, the chances of now, their sum so far, and the gain of new regrets."""

    regret: Row
    chance: Row
    total: Row
    gain: Row  # one number


class Seat(NamedTuple):
    """One player of the search."""

    side: Side
    edges: Edges
    work: Scratch
    regrets: Row
    averages: Row


class Slip(NamedTuple):
    """A bid that is never made."""

    left: int  # bids that are higher
    reach: Row  # my chances to come there with each hand, which add up to 1
    worths: Row  # of each of their hands without the bid


@compiled
def learn_slip(
    mine: Seat, theirs: Seat, slip: Slip, entry: Entry, begin: int, steps: int, skip: float
) -> None:
    """Some iterations of discounted CFR below a bid of theirs, and of who makes it.

    They choose the hand that bids so, by regret matching: it gets what it is worth there less what it had without the
    bid (Moravcik et al. 2016: the largest margin). O(steps (H1 + H2) 2^left) less what is skipped.
    """
    left, reach, worths = slip
    hands, bids = len(worths), mine.side.sets.shape[1]
    nobody = np.zeros((0, bids + 1, hands), np.int64)
    none_of_mine = np.zeros((0, bids + 1, len(reach)), np.int64)
    deal, come = np.zeros((1, hands), reach.dtype), np.zeros((1, len(reach)), reach.dtype)
    come[0, :] = reach
    step = np.zeros(7, reach.dtype)
    below = Part(1 << left, left, True, 0, 0), Part(1 << left, left, False, 0, 0)
    for t in range(begin + 1, begin + steps + 1):
        shrink = 1.0
        if t > 1:
            power = (t - 1.0) ** ALPHA
            shrink = power / (power + 1.0)
        keep = KEEP / shrink if t > 1 else 0.0
        entry.gain[0] /= shrink
        weight = float(t) * t
        step[0], step[1], step[2] = keep, entry.gain[0], weight
        step[3], step[5] = skip / (100.0 + t / 10.0), 0.0 if t % WHOLE_SWEEP == 0 else 1.0
        for h in range(hands):
            deal[0, h] = entry.chance[h]
            entry.total[h] += weight * entry.chance[h]
        learned = Learned(mine.regrets, theirs.regrets, theirs.averages, step, nobody)
        sweep(mine.side, below[0], deal, WHOLE, 0, mine.edges, mine.work, learned)
        learned = Learned(theirs.regrets, mine.regrets, mine.averages, step, none_of_mine)
        sweep(theirs.side, below[1], come, WHOLE, 0, theirs.edges, theirs.work, learned)
        worth, mean, total = theirs.work.worth[0], 0.0, 0.0
        for h in range(hands):
            mean += entry.chance[h] * (worth[h] - worths[h])
        for h in range(hands):
            old = entry.regret[h]
            kept = old if old > 0.0 else keep * old
            entry.regret[h] = kept + entry.gain[0] * (worth[h] - worths[h] - mean)
            total += max(entry.regret[h], 0.0)
        for h in range(hands):
            entry.chance[h] = max(entry.regret[h], 0.0) / total if total > 0.0 else 1.0 / hands
