"""Compiled functions for the chain of turns that two race strategies play, and the visits to its states.

The chain: a pair of seats (score and memory of either player) has a number, higher scores later, and
state 2 * pair + mover is the start of a turn there. A step of the chain is one turn. It rises to a later pair,
busts to the other state of its own pair, falls (a ruin) to an earlier pair, or is OVER. The steps of state x are
at [begin[x], end[x]); a state that is not met has none.
"""

from typing import Any, NamedTuple

import numpy as np

from ..compiled import njit
from .duel_kernels import entry_of, turn_scores

OVER = -1
MET, FALLEN, FOLLOWED = 1, 2, 4  # marks of a turn start: it can occur, after a fall, and its steps are marked


class Chain(NamedTuple):
    """The steps with their chances, the score they lead to, and of each state the chance of a bust and of all else."""

    begin: Any
    end: Any
    then: Any
    score: Any
    chance: Any
    bust: Any
    leaves: Any


class Visits(NamedTuple):
    """The chain with what is known of it: see `falls` and `rises`."""

    chain: Chain
    ends: Any
    entry: Any
    land: Any
    visits: Any


@njit(cache=True, nogil=True)
def meet(rules, table, mover, met):
    """Mark the turn starts met[mover, a's seat, b's seat] that one turn of the mover leads to.

    Returns how many steps that are, OVER not counted, from turn starts not followed before.
    """
    goal, remember = rules.goal, table.remember
    seats, other_seats = met.shape[1 + mover], met.shape[2 - mover]
    out, reach = np.zeros(goal + rules.reach + 1), np.zeros(goal + rules.reach + 1)
    count = 0
    for seat in range(seats):
        for other in range(other_seats):
            u, v = (seat, other) if mover == 0 else (other, seat)
            if met[mover, u, v] == 0 or met[mover, u, v] & FOLLOWED:
                continue
            met[mover, u, v] |= FOLLOWED
            i, memory = seat % goal, seat // goal
            n = entry_of(table, goal, seat, other, other_seats)
            far = turn_scores(rules, table, n, i, reach, out)
            for s in range(min(far, goal - 1) + 1):
                if out[s] > 0.0:
                    then = (remember[memory, s - i] if s > i else memory) * goal + s
                    met[1 - mover, then if mover == 0 else u, v if mover == 0 else then] |= (
                        MET if s >= i else MET | FALLEN
                    )
                    count += 1
    return count


@njit(cache=True, nogil=True)
def follow(rules, table, mover, met, place, count, chain):
    """Fill in the steps of the mover's turns, from step `count` on; returns the number of steps then.

    place[a's seat, b's seat] is the number of the pair. bust[x] is the chance of a bust and leaves[x] that of all
    else, added up on its own so that tiny ones survive.
    """
    goal, remember = rules.goal, table.remember
    begin, end, then, score, chance, bust, leaves = chain
    seats, other_seats = met.shape[1 + mover], met.shape[2 - mover]
    out, reach = np.zeros(goal + rules.reach + 1), np.zeros(goal + rules.reach + 1)
    for seat in range(seats):
        for other in range(other_seats):
            u, v = (seat, other) if mover == 0 else (other, seat)
            if met[mover, u, v] == 0:
                continue
            x = 2 * place[u, v] + mover
            i, memory = seat % goal, seat // goal
            n = entry_of(table, goal, seat, other, other_seats)
            far = turn_scores(rules, table, n, i, reach, out)
            begin[x], leaves[x], won = count, 0.0, 0.0
            for s in range(far + 1):
                if s == i:
                    bust[x] = out[s]
                else:
                    leaves[x] += out[s]
                if s >= goal:
                    won += out[s]
                elif out[s] > 0.0:
                    seat_then = (remember[memory, s - i] if s > i else memory) * goal + s
                    pair = place[seat_then, v] if mover == 0 else place[u, seat_then]
                    then[count], score[count], chance[count] = 2 * pair + 1 - mover, s, out[s]
                    count += 1
            if won > 0.0:
                then[count], score[count], chance[count] = OVER, goal, won
                count += 1
            end[x] = count
    return count


@njit(cache=True, nogil=True)
def falls(chain, ends, entry, land):
    """land[x, e]: the chance that the first fall after x lands on entry e; the last column: that none follows.

    Highest pair first. With c and d what the steps other than busts give the two states of a pair, and p, q
    their busts,
        land(x) = (c + p d) / (1 - p q),   land(y) = (d + q c) / (1 - p q).
    A pair that is never left (1 - p q = 0) has no fall. Costs one sum over the entries for each step.
    """
    begin, end, then, _, chance, bust, _ = chain
    last = land.shape[1] - 1
    for x in range(land.shape[0] - 2, -1, -2):
        if ends[x >> 1] == 0.0:
            land[x, last] = land[x + 1, last] = 1.0
            continue
        for z in range(x, x + 2):
            for f in range(begin[z], end[z]):
                t = then[f]
                if t == OVER:
                    land[z, last] += chance[f]
                elif t > x + 1:
                    for e in range(last + 1):
                        land[z, e] += chance[f] * land[t, e]
                elif t < x:
                    land[z, entry[t]] += chance[f]
        for e in range(last + 1):
            c, d = land[x, e], land[x + 1, e]
            land[x, e] = (c + bust[x] * d) / ends[x >> 1]
            land[x + 1, e] = (d + bust[x + 1] * c) / ends[x >> 1]


@njit(cache=True, nogil=True)
def rises(chain, ends, visits):
    """visits[x, e]: how often x is visited on average before the first fall, play starting at entry e.

    Given as 1 at the entries and 0 elsewhere. Lowest pair first; with e and g the chances to enter a pair,
        visits(x) = (e + q g) / (1 - p q),   visits(y) = (g + p e) / (1 - p q).
    In a pair that is never left both states are sure to come, and count as visited once.
    """
    begin, end, then, _, chance, bust, _ = chain
    for x in range(0, visits.shape[0], 2):
        stuck = ends[x >> 1] == 0.0
        for e in range(visits.shape[1]):
            g, h = visits[x, e], visits[x + 1, e]
            visits[x, e] = g + h if stuck else (g + bust[x + 1] * h) / ends[x >> 1]
            visits[x + 1, e] = g + h if stuck else (h + bust[x] * g) / ends[x >> 1]
        for z in range(x, x + 2):
            for f in range(begin[z], end[z]):
                if then[f] > x + 1:
                    for e in range(visits.shape[1]):
                        visits[then[f], e] += chance[f] * visits[z, e]


@njit(cache=True, nogil=True)
def lengths(chain, place, tail, finish):
    """finish[n], the chance that the game ends with turn n + 1.

    Pushes the mass on all states one turn on, until no more than `tail` is under way, `finish` is full, or a whole
    round of turns has moved nothing (what is left never ends). Returns the number of turns, the mass under way and
    whether it is stuck. Costs the steps of one player a turn.
    """
    begin, end, then, _, chance, _, _ = chain
    mass, after = np.zeros(begin.size), np.zeros(begin.size)
    mass[0] = 1.0
    under_way, turns, idle = 1.0, 0, 0
    while turns < finish.size and under_way > tail and idle < 2:
        after[:] = 0.0
        won = moved = 0.0
        for pair in place.ravel():
            x = 2 * pair + turns % 2
            if pair < 0 or mass[x] == 0.0:
                continue
            for f in range(begin[x], end[x]):
                t, share = then[f], mass[x] * chance[f]
                if t == OVER:
                    won += share
                    continue
                if t >> 1 != pair:
                    moved += share
                after[t] += share
        finish[turns] = won
        mass, after = after, mass
        under_way = mass.sum()
        idle = idle + 1 if won + moved == 0.0 else 0
        turns += 1
    return turns, under_way, idle == 2


@njit(cache=True, nogil=True)
def turn_choices(table, n, left, choice):
    """choice[k], the row of mixes at each turn total k of entry n."""
    _, first, starts, rows, _, _ = table
    run = first[n]
    for k in range(left):
        if run < first[n + 1] - 1 and starts[run + 1] <= k:
            run += 1
        choice[k] = rows[run]


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
def visits_after(known, x, target, after):
    """after[score]: how often `target` is visited on average once the turn from x has ended with that score.

    From a state t that is the visits of its first fall's landings; from the other state of the target's own
    pair also those without a fall, q / (1 - p q). Where nothing ever changes nothing is counted.
    """
    (begin, end, then, score, _, bust, _), ends, entry, land, visits = known
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
def chances(rules, table, mover, place, most, known, cube):
    """cube[mine, yours, turn]: the chance that the mover's state is visited at least once.

    At most `most` pairs of memories meet at a pair of scores; entry 0 is the start of the game. Costs one sum over
    the entries for each step of the chain (and pair of memories at its scores), and goal^3 / 2 over the faces.
    """
    goal, mixes, visits = rules.goal, table.mixes, known.visits
    begin, end = known.chain.begin, known.chain.end
    seats, other_seats = place.shape[mover], place.shape[1 - mover]
    choice, after = np.zeros((most, goal), np.int64), np.zeros(goal)
    out, reach = np.zeros(goal + rules.reach + 1), np.zeros((most, goal + rules.reach + 1))
    found, worth = np.zeros(most, np.int64), np.zeros((most, most, goal))
    once, again = np.zeros(most), np.zeros((most, most))
    for i in range(goal):
        for j in range(goal):
            count = np.int64(0)
            for m in range(seats // goal):
                for n in range(other_seats // goal):
                    seat, other = m * goal + i, n * goal + j
                    pair = place[seat, other] if mover == 0 else place[other, seat]
                    if pair < 0 or begin[2 * pair + mover] == end[2 * pair + mover]:
                        continue
                    row = entry_of(table, goal, seat, other, other_seats)
                    turn_choices(table, row, goal - i, choice[count])
                    turn_scores(rules, table, row, i, reach[count], out)
                    if known.ends[pair] == 0.0:  # turns without end: what one of them can visit is visited
                        reach[count] = np.ceil(reach[count])
                    found[count] = 2 * pair + mover
                    count += 1
            for s in range(count):
                for t in range(count):
                    visits_after(known, found[s], found[t], after)
                    turn_worth(rules, mixes, choice[s], i, after, worth[s, t])
            for k in range(goal - i):
                for s in range(count):
                    once[s] = visits[found[s], 0] * reach[s, k]
                    for t in range(count):
                        again[s, t] = (1.0 if s == t else 0.0) + worth[s, t, k] * reach[t, k]
                if once[:count].any():
                    cube[i, j, k] = met_at_least_once(count, once, again)
