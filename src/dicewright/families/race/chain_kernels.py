"""Compiled functions for the chain of turns that two race strategies play, nothing else.

The chain: a pair of seats (score and memory of either player) has a number, higher scores later, and
state 2 * pair + mover is the start of a turn there. A step of the chain is one turn. It rises to a later pair,
busts to the other state of its own pair, falls (a ruin) to an earlier pair, or is OVER. The steps of state x are
at [begin[x], end[x]); a state that is not met has none.
"""

import numpy as np

from ..compiled import njit
from .duel_kernels import turn_scores
from .journey_kernels import entry_of

OVER = -1
MET, FALLEN, FOLLOWED = 1, 2, 4  # marks of a turn start: it can occur, after a fall, and its steps are marked


@njit(cache=True, nogil=True)
def meet(rules, table, mover, met):
    """Mark the turn starts met[mover, a's seat, b's seat] that one turn of the mover leads to.

    Returns how many steps that are, OVER not counted, from turn starts not followed before.
    """
    goal = rules.goal
    mixes, first, starts, rows, remember, _ = table
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
            n = entry_of(first, goal, seat, seats, other, other_seats)
            far = turn_scores(rules, mixes, first, starts, rows, n, i, reach, out)
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
    goal = rules.goal
    begin, end, then, score, chance, bust, leaves = chain
    mixes, first, starts, rows, remember, _ = table
    seats, other_seats = met.shape[1 + mover], met.shape[2 - mover]
    out, reach = np.zeros(goal + rules.reach + 1), np.zeros(goal + rules.reach + 1)
    for seat in range(seats):
        for other in range(other_seats):
            u, v = (seat, other) if mover == 0 else (other, seat)
            if met[mover, u, v] == 0:
                continue
            x = 2 * place[u, v] + mover
            i, memory = seat % goal, seat // goal
            n = entry_of(first, goal, seat, seats, other, other_seats)
            far = turn_scores(rules, mixes, first, starts, rows, n, i, reach, out)
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
