"""Compiled functions that play race games by whole turns, nothing else.

Games are added to `count`, the totals of one starter: WINS and LOSSES of the player who starts, STALEMATES, CUT_OFFS,
and the sums of the starter's payoff and of its square (`race_roll_kernels` adds those of the luck-adjusted payoff).
"""

import numpy as np
from numba import njit

from ...core.effort import CUT_OFFS, STALEMATES
from ..random_kernels import note, step
from .duel_kernels import turn_scores
from .kernels import goal_worth

CUT, BELOW, ABOVE = 0, 1, 2
WHOLE = float(1 << 32)
LOW_BITS = np.uint64((1 << 32) - 1)


@njit(cache=True)
def count_columns(rules, table, columns, most, bits):
    """Raise bits[n] until 2^bits rows hold the outcomes of entry n; returns the number of all rows.

    Stops as soon as there are more than `most`.
    """
    mixes, first, starts, rows, remember, _ = table
    goal, seats = rules.goal, remember.shape[0] * rules.goal
    stride = (first.size - 1) // seats
    out, reach = np.zeros(goal + rules.reach + 1), np.zeros(goal + rules.reach + 1)
    total = n = 0
    for seat in range(seats):
        for column in range(columns):
            entry = seat * stride + column
            far = turn_scores(rules, mixes, first, starts, rows, entry, seat % goal, reach, out)
            found = 0
            for s in range(far + 1):
                found += out[s] > 0.0
            while (1 << bits[n]) < found:
                bits[n] += 1
            total += 1 << bits[n]
            n += 1
            if total > most:
                return total
    return total


@njit(cache=True)
def fill_alias(chances, values, size, rows):
    """Walker's alias table (Vose 1991) in `size` rows: below the cut of a row one value, above it another.

    Every row is drawn alike, so a value's chance is the sum of its parts of the rows divided by their number. Cuts
    are rounded to 32 bits. What is left at the end is full but for rounding, and keeps its own value.
    """
    small, large = np.empty(size, np.int64), np.empty(size, np.int64)
    smalls = larges = 0
    for c in range(size):
        chances[c] *= size
        rows[c, BELOW] = rows[c, ABOVE] = values[c]
        rows[c, CUT] = 0
        if chances[c] < 1.0:
            small[smalls] = c
            smalls += 1
        else:
            large[larges] = c
            larges += 1
    while smalls > 0 and larges > 0:
        smalls -= 1
        c, rich = small[smalls], large[larges - 1]
        rows[c, CUT] = min(int(chances[c] * WHOLE + 0.5), (1 << 32) - 1)
        rows[c, ABOVE] = values[rich]
        chances[rich] -= 1.0 - chances[c]
        if chances[rich] < 1.0:
            larges -= 1
            small[smalls] = rich
            smalls += 1


@njit(cache=True)
def fill_turns(rules, table, columns, bits, place, rows, stuck):
    """Whole turns as alias tables: entry n has 2^bits[n] rows from place[n] >> 8 on; place[n] & 255 is 64 - bits.

    A value is the seat after the turn, or the number of seats + s - goal for a winning score s. stuck[n] says that
    the turn can change nothing.
    """
    mixes, first, starts, runs, remember, _ = table
    goal, seats = rules.goal, remember.shape[0] * rules.goal
    stride = (first.size - 1) // seats
    size = goal + rules.reach + 1
    out, reach = np.zeros(size), np.zeros(size)
    chances, values = np.zeros(2 * size), np.zeros(2 * size, np.int64)
    n = base = 0
    for seat in range(seats):
        i, memory = seat % goal, seat // goal
        for column in range(columns):
            entry = seat * stride + column
            far = turn_scores(rules, mixes, first, starts, runs, entry, i, reach, out)
            found, rows_here = 0, 1 << bits[n]
            chances[:rows_here] = 0.0
            for s in range(far + 1):
                if out[s] > 0.0:
                    chances[found] = out[s]
                    if s >= goal:
                        values[found] = seats + s - goal
                    else:
                        values[found] = (remember[memory, s - i] if s > i else memory) * goal + s
                    found += 1
            values[found:rows_here] = values[0]
            stuck[n] = found == 1 and values[0] == seat
            fill_alias(chances, values, rows_here, rows[base : base + rows_here])
            place[n] = base << 8 | 64 - bits[n]
            base += rows_here
            n += 1


@njit(cache=True, nogil=True)
def draw(number, place, rows):
    """The value that a random number draws from the rows at `place`: its high bits a row, its low bits the cut."""
    row = rows[(place >> 8) + np.int64(number >> np.uint64(place & 255))]
    below, above = row[BELOW], row[ABOVE]
    return np.int64(below if np.uint32(number & LOW_BITS) < row[CUT] else above)


@njit(cache=True, nogil=True)
def by_turns(words, games, rules, one, two, most, count):
    """Play turn by turn, one random number for each, looked up in the tables of `fill_turns`.

    A player is (place, rows, stuck, stalls, seats, columns, sees): sees[the opponent's seat] is the column. `stalls`
    says that both may be stuck. Games of `most` turns are cut off.
    """
    goal, pay = rules.goal, rules.payoff
    place_a, rows_a, stuck_a, stalls, seats_a, columns_a, sees_a = one
    place_b, rows_b, stuck_b, _, seats_b, columns_b, sees_b = two
    s0, s1, s2, s3 = words[0], words[1], words[2], words[3]
    for _ in range(games):
        a = b = turns = 0
        while True:
            if stalls and stuck_a[a * columns_a + sees_a[b]] and stuck_b[b * columns_b + sees_b[a]]:
                count[STALEMATES] += 1
                break
            if turns >= most:
                count[CUT_OFFS] += 1
                break
            number, s0, s1, s2, s3 = step(s0, s1, s2, s3)
            a = draw(number, place_a[a * columns_a + sees_a[b]], rows_a)
            if a >= seats_a:
                note(count, goal_worth(False, pay, goal, a - seats_a + goal, b % goal, 1.0))
                break
            number, s0, s1, s2, s3 = step(s0, s1, s2, s3)
            b = draw(number, place_b[b * columns_b + sees_b[a]], rows_b)
            if b >= seats_b:
                note(count, goal_worth(False, pay, goal, b - seats_b + goal, a % goal, -1.0))
                break
            turns += 2
    words[0], words[1], words[2], words[3] = s0, s1, s2, s3
