"""Compiled search for a slip: which hands of the other player bid what they never do, and how both go on from there."""

from typing import NamedTuple

import numpy as np

from .cfr_kernels import WHOLE, Edges, Learned, Part, Scratch, sweep
from .public_kernels import LEFT, NEXT, PLACE, Ints, Row, Side, compiled

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
    people: Row  # [who, their hand]: the chances of people who bid so, beside one slip in all
    takes: Ints  # [who, last bid + 1, their hand]: what they do, as `people.players_of` says


@compiled
def learn_slip(
    mine: Seat, theirs: Seat, slip: Slip, entry: Entry, begin: int, steps: int, skip: float
) -> None:
    """Some iterations of discounted CFR below a bid of theirs, and of who makes it.

    They choose the hand that bids so, by regret matching: it gets what it is worth there less what it had without the
    bid (Moravcik et al. 2016: the largest margin). People come beside them. O(steps (H1 + H2) 2^left) less what is
    skipped.
    """
    left, reach, worths, people, takes = slip
    hands, bids = len(worths), mine.side.sets.shape[1]
    none_of_mine = np.zeros((0, bids + 1, len(reach)), np.int64)
    deal, come = np.zeros((1 + len(people), hands), reach.dtype), np.zeros((1, len(reach)), reach.dtype)
    deal[1:] = people
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
        step[3] = skip / (100.0 + t / 10.0)
        step[5] = 0.0 if len(people) or t % WHOLE_SWEEP == 0 else 1.0  # people weigh alike wherever I go
        for h in range(hands):
            deal[0, h] = entry.chance[h]
            entry.total[h] += weight * entry.chance[h]
        learned = Learned(mine.regrets, theirs.regrets, theirs.averages, step, takes)
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


@compiled
def join_people(side: Side, slip: Slip, weight: float, least: float, average: Row) -> None:
    """Add what people do after a slip, as often as all slips weigh, to their average: then it is the mix of both.

    One walk over the histories to which some of them come with a chance above `least`.
    """
    ends, bids = side.sets.shape
    fewest = 1 if ends == 1 else 0
    many, hands = slip.people.shape
    reach = np.zeros((bids + 2, many, hands))
    stack = np.zeros((bids + 2, 3), np.int64)
    stack[0, LEFT], stack[0, NEXT] = slip.left, -1
    reach[0] = slip.people
    depth = 0
    while True:
        left, action = stack[depth, LEFT], stack[depth, NEXT]
        theirs, rows = depth % 2 == 1, left + ends
        takes, here = slip.takes[:, bids - left], reach[depth]
        if action < 0:
            action = 0
            if theirs:
                block = average[stack[depth, PLACE] : stack[depth, PLACE] + rows * hands].reshape(rows, hands)
                for k in range(many):
                    for h in range(hands):
                        if takes[k, h] >= 0:
                            block[takes[k, h], h] += weight * here[k, h]
                        elif here[k, h] > 0.0:
                            for a in range(rows):
                                block[a, h] += weight * here[k, h] / rows
                stack[depth, PLACE] += rows * hands
        child = left - 1 - action
        if child >= fewest:
            stack[depth, NEXT] = action + 1
            place = stack[depth, PLACE]
            stack[depth, PLACE] += side.span[1, child, 1 if theirs else 0]
            after = reach[depth + 1]
            after[:] = here
            if theirs:
                for k in range(many):
                    for h in range(hands):
                        if takes[k, h] < 0:
                            after[k, h] /= rows
                        elif takes[k, h] != action:
                            after[k, h] = 0.0
            if after.sum() > least:
                depth += 1
                stack[depth, LEFT], stack[depth, NEXT], stack[depth, PLACE] = child, -1, place
            continue
        if depth == 0:
            return
        depth -= 1
