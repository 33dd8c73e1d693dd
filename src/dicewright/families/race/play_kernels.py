"""Compiled functions that play race games by whole turns or die by die, and weigh the luck of the dice.

Games are added to `count`, the totals of one starter: WINS and LOSSES of the player who starts, STALEMATES, CUT_OFFS,
and the sums of the starter's payoff and of its square (and of the luck-adjusted payoff).
"""

import numpy as np

from ...core.effort import ADJUSTED, ADJUSTED_SQUARES, CUT_OFFS, STALEMATES
from ..compiled import njit
from ..random_kernels import note, step, uniform
from .duel_kernels import changes, turn_scores
from .kernels import YOURS, rebuild_worths, roll_worth, winnings

CUT, BELOW, ABOVE = 0, 1, 2
PATIENCE = 256  # turns without a change of score, after which it is checked whether one can come
WHOLE = float(1 << 32)
LOW_BITS = np.uint64((1 << 32) - 1)


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
def fill_turns(rules, table, columns, most, place, rows, stuck):
    """Whole turns as alias tables: entry n has 2^b rows from place[n] >> 8 on; place[n] & 255 is 64 - b.

    A value is the seat after the turn, or the number of seats + s - goal for a winning score s. stuck[n] says that
    the turn can change nothing. At least two rows: a shift by all 64 bits is undefined. Returns the number of rows;
    those beyond the room given are only counted, up to `most`.
    """
    goal, remember, seats = rules.goal, table.remember, table.remember.shape[0] * rules.goal
    stride = (table.first.size - 1) // seats
    size = goal + rules.reach + 1
    out, reach = np.zeros(size), np.zeros(size)
    chances, values = np.zeros(2 * size), np.zeros(2 * size, np.int64)
    n = base = 0
    for seat in range(seats):
        i, memory = seat % goal, seat // goal
        for column in range(columns):
            far = turn_scores(rules, table, seat * stride + column, i, reach, out)
            found, bits = 0, 1
            for s in range(far + 1):
                if out[s] > 0.0:
                    chances[found] = out[s]
                    if s >= goal:
                        values[found] = seats + s - goal
                    else:
                        values[found] = (remember[memory, s - i] if s > i else memory) * goal + s
                    found += 1
            while (1 << bits) < found:
                bits += 1
            stuck[n] = changes(out, i) == 0.0
            place[n] = base << 8 | 64 - bits
            after = base + (1 << bits)
            if after <= len(rows):
                chances[found : 1 << bits] = 0.0
                values[found : 1 << bits] = values[0]
                fill_alias(chances, values, 1 << bits, rows[base:after])
            elif after > most:
                return after
            base = after
            n += 1
    return base


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
    goal = rules.goal
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
                note(count, winnings(rules, a - seats_a + goal, b % goal, 1.0))
                break
            number, s0, s1, s2, s3 = step(s0, s1, s2, s3)
            b = draw(number, place_b[b * columns_b + sees_b[a]], rows_b)
            if b >= seats_b:
                note(count, winnings(rules, b - seats_b + goal, a % goal, -1.0))
                break
            turns += 2
    words[0], words[1], words[2], words[3] = s0, s1, s2, s3


@njit(inline="always")
def choose(words, mixes, row):
    """Draw an action from a mix; a pure one takes no random number."""
    action, last = 0, mixes.shape[1] - 1
    while action < last and mixes[row, action] == 0.0:
        action += 1
    if mixes[row, action] < 1.0:
        left = uniform(words) - mixes[row, action]
        while left >= 0.0 and action < last:
            action += 1
            left -= mixes[row, action]
    return action


@njit(inline="always")
def roll_turn(words, die, table, n, i, j, losses):
    """One turn from score i with the choices of entry n, die by die; returns the new score and what choices cost.

    `die` is what it needs of the rules, unpacked once: reading arrays out of the rules at every roll would cost more
    than the roll. `losses[i, j, k, action]` is what an action gives away; without any
    (size 0) nothing is added up.
    """
    goal, exact, adds, points, chance, banks, banked, bank_chance, ruin = die
    mixes, first, starts, rows = table
    run, last = first[n], first[n + 1] - 1
    k, lost = 0, 0.0
    while i + k < goal:
        while run < last and starts[run + 1] <= k:
            run += 1
        action = choose(words, mixes, rows[run])
        if losses.size > 0:
            lost += losses[i, j, k, action]
        if action == 0:
            break
        r, u = action - 1, uniform(words)
        f, end = adds[r], adds[r + 1]
        while f < end and u >= chance[f]:
            u -= chance[f]
            f += 1
        if f < end:
            k += points[f]
            if exact and i + k > goal:
                return i, lost
            continue
        f, end = banks[r], banks[r + 1]
        while f < end and u >= bank_chance[f]:
            u -= bank_chance[f]
            f += 1
        if f < end:
            s = i + banked[f]
            return i if exact and s > goal else s, lost
        return 0 if u < ruin[r] else i, lost
    return i + k, lost


@njit(cache=True, nogil=True)
def never_changes(rules, table, n, i):
    """Whether a turn from score i with the choices of entry n can only leave the score."""
    out, reach = np.zeros(rules.goal + rules.reach + 1), np.zeros(rules.goal + rules.reach + 1)
    turn_scores(rules, table, n, i, reach, out)
    return changes(out, i) == 0.0


@njit(cache=True, nogil=True)
def by_rolls(words, games, rules, tables, losses, value, most, count):
    """Play die by die: for tables too large to be turned into whole turns, and for the luck-adjusted payoff.

    That is value - (what the starter's choices cost) + (what the other's cost), with `value` the starter's worth of
    the game: by telescoping, the payoff less all changes of the value made by dice.
    """
    goal, (table_a, table_b) = rules.goal, tables
    adds, points, chance = rules.first, rules.points, rules.chance
    banks, banked, bank_chance = rules.bank_first, rules.bank_points, rules.bank_chance
    die = (goal, rules.exact, adds, points, chance, banks, banked, bank_chance, rules.ruin)
    mixes_a, first_a, starts_a, runs_a, remember_a, _ = table_a
    mixes_b, first_b, starts_b, runs_b, remember_b, _ = table_b
    choices_a, choices_b = (mixes_a, first_a, starts_a, runs_a), (mixes_b, first_b, starts_b, runs_b)
    seats_a, seats_b = remember_a.shape[0] * goal, remember_b.shape[0] * goal
    columns_a, columns_b = (first_a.size - 1) // seats_a, (first_b.size - 1) // seats_b
    for _ in range(games):
        i = j = memory_a = memory_b = turns = still = np.int64(0)
        cost = 0.0
        while True:
            a, b = memory_a * goal + i, memory_b * goal + j
            n = a * columns_a + (j if columns_a == goal else b)
            if still >= PATIENCE:
                m = b * columns_b + (i if columns_b == goal else a)
                if never_changes(rules, table_a, n, i) and never_changes(rules, table_b, m, j):
                    count[STALEMATES] += 1
                    break
                still = 0
            if turns >= most:
                count[CUT_OFFS] += 1
                break
            s, lost = roll_turn(words, die, choices_a, n, i, j, losses)
            cost += lost
            if s >= goal:
                note_adjusted(count, winnings(rules, s, j, 1.0), value - cost)
                break
            still = 0 if s != i else still + 1
            if s > i:
                memory_a = remember_a[memory_a, s - i]
            i = s
            m = b * columns_b + (i if columns_b == goal else memory_a * goal + i)
            s, lost = roll_turn(words, die, choices_b, m, j, i, losses)
            cost -= lost
            if s >= goal:
                note_adjusted(count, winnings(rules, s, i, -1.0), value - cost)
                break
            still = 0 if s != j else still + 1
            if s > j:
                memory_b = remember_b[memory_b, s - j]
            j = s
            turns += 2


@njit(cache=True, nogil=True)
def note_adjusted(count, payoff, adjusted):
    """Add one finished game and its luck-adjusted payoff."""
    note(count, payoff)
    count[ADJUSTED] += adjusted
    count[ADJUSTED_SQUARES] += adjusted * adjusted


@njit(cache=True)
def fill_losses(rules, worths, losses):
    """losses[i, j, k, action]: what an action at turn total k gives away of the solution's worth V, in payoff."""
    goal, rolls, V = rules.goal, rules.bust.size, worths.V
    turn, worth = np.zeros((5, goal + rules.reach + rolls + 1)), np.zeros(goal + rules.reach + 1)
    scale = 2.0 if rules.decisive else 1.0
    for i in range(goal):
        for j in range(goal):
            rebuild_worths(rules, i, j, worths, turn, worth)
            for k in range(goal - i):
                losses[i, j, k, 0] = scale * (worth[k] - V[YOURS, j, i + k])
                for r in range(rolls):
                    losses[i, j, k, r + 1] = scale * (worth[k] - roll_worth(rules, V, worth, r, i, j, k))
