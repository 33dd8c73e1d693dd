"""Compiled functions for the chance that a state is visited, nothing else: from the chain of turns into a turn."""

import numpy as np

from ..compiled import njit
from .chain_kernels import OVER
from .journey_kernels import entry_of


@njit(cache=True, nogil=True)
def turn_choices(first, starts, rows, n, left, choice):
    """choice[k], the row of mixes at each turn total k of entry n."""
    run = first[n]
    for k in range(left):
        if run < first[n + 1] - 1 and starts[run + 1] <= k:
            run += 1
        choice[k] = rows[run]


@njit(cache=True, nogil=True)
def turn_reach(rules, mixes, choice, i, reach):
    """reach[k]: the chance that a turn from score i stands at turn total k, lowest first."""
    left = rules.goal - i
    reach[:] = 0.0
    reach[0] = 1.0
    for k in range(left):
        if reach[k] > 0.0:
            for r in range(rules.bust.size):
                p = reach[k] * mixes[choice[k], r + 1]
                for f in range(rules.first[r], rules.first[r + 1]):
                    m = k + rules.points[f]
                    if m < left:
                        reach[m] += p * rules.chance[f]


@njit(cache=True, nogil=True)
def turn_worth(rules, mixes, choice, i, after, worth):
    """worth[k]: the mean of after[score] over the scores that end a turn from score i at turn total k.

    Scores from the goal on count 0. Highest turn total first.
    """
    goal, left = rules.goal, rules.goal - i
    for k in range(left - 1, -1, -1):
        worth[k] = mixes[choice[k], 0] * after[i + k]
        for r in range(rules.bust.size):
            p = mixes[choice[k], r + 1]
            if p == 0.0:
                continue
            roll = rules.bust[r] * after[i] + rules.ruin[r] * after[0]
            for f in range(rules.bank_first[r], rules.bank_first[r + 1]):
                s = i + rules.bank_points[f]
                if s < goal:
                    roll += rules.bank_chance[f] * after[s]
                elif rules.exact and s > goal:
                    roll += rules.bank_chance[f] * after[i]
            for f in range(rules.first[r], rules.first[r + 1]):
                m = k + rules.points[f]
                if m < left:
                    roll += rules.chance[f] * worth[m]
                elif rules.exact and m > left:
                    roll += rules.chance[f] * after[i]
            worth[k] += p * roll


@njit(cache=True, nogil=True)
def visits_after(chain, ends, entry, land, visits, x, target, after):
    """after[score]: how often `target` is visited on average once the turn from x has ended with that score.

    From a state t that is the visits of its first fall's landings; from the other state of the target's own
    pair also those without a fall, q / (1 - p q). Where nothing ever changes nothing is counted.
    """
    begin, end, then, score, _, bust, _ = chain
    after[:] = 0.0
    if ends[x >> 1] == 0.0:
        return
    for f in range(begin[x], end[x]):
        t = then[f]
        if t == OVER:
            continue
        if t >> 1 < x >> 1:
            after[score[f]] = visits[target, entry[t]]
            continue
        mean = 0.0
        for e in range(visits.shape[1]):
            mean += land[t, e] * visits[target, e]
        if t == target ^ 1:
            mean += bust[t] / ends[t >> 1]
        after[score[f]] = mean


@njit(cache=True, nogil=True)
def met_at_least_once(count, visits, again):
    """The chance w_1 + ... + w_n that one of n states is visited, w_s that s is the first of them.

    visits[t] = sum_s w_s again[s, t], again[s, t] the mean visits to t of play that stands at s (1 or more if s = t).
    By elimination, which needs no pivots: `again` is the inverse of an M-matrix. Overwrites both.
    """
    for s in range(count):
        for t in range(s + 1, count):
            factor = again[s, t] / again[s, s]
            visits[t] -= factor * visits[s]
            for r in range(s + 1, count):
                again[r, t] -= factor * again[r, s]
    total = 0.0
    for s in range(count - 1, -1, -1):
        for r in range(s + 1, count):
            visits[s] -= visits[r] * again[r, s]
        visits[s] /= again[s, s]
        total += visits[s]
    return total


@njit(cache=True, nogil=True)
def chances(rules, table, mover, place, most, chain, ends, entry, land, visits, cube):
    """cube[mine, yours, turn]: the chance that the mover's state is visited at least once.

    At most `most` pairs of memories meet at a pair of scores; entry 0 is the start of the game. Costs one sum over
    the entries for each step of the chain (and pair of memories at its scores), and goal^3 / 2 over the faces.
    """
    goal = rules.goal
    begin, end = chain[0], chain[1]
    mixes, first, starts, rows, _, _ = table
    seats, other_seats = place.shape[mover], place.shape[1 - mover]
    choice, after = np.zeros((most, goal), np.int64), np.zeros(goal)
    found, reach, worth = np.zeros(most, np.int64), np.zeros((most, goal)), np.zeros((most, most, goal))
    once, again = np.zeros(most), np.zeros((most, most))
    for i in range(goal):
        for j in range(goal):
            count = 0
            for m in range(seats // goal):
                for n in range(other_seats // goal):
                    seat, other = m * goal + i, n * goal + j
                    pair = place[seat, other] if mover == 0 else place[other, seat]
                    if pair < 0 or begin[2 * pair + mover] == end[2 * pair + mover]:
                        continue
                    row = entry_of(first, goal, seat, seats, other, other_seats)
                    turn_choices(first, starts, rows, row, goal - i, choice[count])
                    turn_reach(rules, mixes, choice[count], i, reach[count])
                    if ends[pair] == 0.0:  # turns without end: what one of them can visit is visited
                        reach[count] = np.ceil(reach[count])
                    found[count] = 2 * pair + mover
                    count += 1
            for s in range(count):
                for t in range(count):
                    visits_after(chain, ends, entry, land, visits, found[s], found[t], after)
                    turn_worth(rules, mixes, choice[s], i, after, worth[s, t])
            for k in range(goal - i):
                for s in range(count):
                    once[s] = visits[found[s], 0] * reach[s, k]
                    for t in range(count):
                        again[s, t] = (1.0 if s == t else 0.0) + worth[s, t, k] * reach[t, k]
                if once[:count].any():
                    cube[i, j, k] = met_at_least_once(count, once, again)
