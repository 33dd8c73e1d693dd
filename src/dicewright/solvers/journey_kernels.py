"""Compiled functions that follow two race strategies forward, nothing else."""

import numpy as np
from numba import njit

from .duel_kernels import turn_scores


@njit(cache=True, nogil=True)
def entry_of(table_first, goal, seat, seats, other_seat, other_seats):
    """Where a table keeps its choices for this seat against that one (see `duel_kernels.duel`)."""
    if table_first.size > seats * goal + 1:
        return seat * other_seats + other_seat
    return seat * goal + other_seat % goal


@njit(cache=True, nogil=True)
def all_turns(rules, table, other_seats, first, scores, chances):
    """Every turn as a list of (next score, chance), at [first[n], first[n + 1]), n = seat * other_seats + other.

    Scores from the goal on are one. Returns how many there are and keeps as many as there is room for.
    """
    goal = rules.goal
    mixes, table_first, starts, rows, remember, _ = table
    seats = remember.shape[0] * goal
    out, reach = np.zeros(goal + rules.reach + 1), np.zeros(goal + rules.reach + 1)
    count = 0
    for seat in range(seats):
        for other in range(other_seats):
            first[seat * other_seats + other] = count
            n = entry_of(table_first, goal, seat, seats, other, other_seats)
            far = turn_scores(rules, mixes, table_first, starts, rows, n, seat % goal, reach, out)
            won = 0.0
            for s in range(far + 1):
                if s >= goal:
                    won += out[s]
                if out[s] > 0.0 and (s < goal or s == far):
                    if count < scores.size:
                        scores[count], chances[count] = min(s, goal), out[s] if s < goal else won
                    count += 1
    first[seats * other_seats] = count
    return count


@njit(cache=True, nogil=True)
def lengths(goal, turns_a, turns_b, remember_a, remember_b, tail, finish):
    """finish[n], the chance that the game ends with turn n + 1, A starting.

    Pushes the mass on all pairs of seats one turn on, until no more than `tail` is under way, `finish` is full, or
    a whole round of turns has moved nothing (what is left never ends). Returns the number of turns, the mass under
    way and whether it is stuck. Costs the listed outcomes of one player a turn.
    """
    seats_a, seats_b = remember_a.shape[0] * goal, remember_b.shape[0] * goal
    mass, after = np.zeros((seats_a, seats_b)), np.zeros((seats_a, seats_b))
    mass[0, 0] = 1.0
    under_way, turns, idle = 1.0, 0, 0
    while turns < finish.size and under_way > tail and idle < 2:
        after[:] = 0.0
        won = moved = 0.0
        a_moves = turns % 2 == 0
        first, scores, chances = turns_a if a_moves else turns_b
        remember = remember_a if a_moves else remember_b
        for u in range(seats_a):
            for v in range(seats_b):
                here = mass[u, v]
                if here == 0.0:
                    continue
                seat = u if a_moves else v
                n = u * seats_b + v if a_moves else v * seats_a + u
                i, memory = seat % goal, seat // goal
                for f in range(first[n], first[n + 1]):
                    s = scores[f]
                    if s == goal:
                        won += here * chances[f]
                        continue
                    then = remember[memory, s - i] * goal + s if s > i else memory * goal + s
                    if s != i:
                        moved += here * chances[f]
                    after[then if a_moves else u, v if a_moves else then] += here * chances[f]
        finish[turns] = won
        mass, after = after, mass
        under_way = mass.sum()
        idle = idle + 1 if won + moved == 0.0 else 0
        turns += 1
    return turns, under_way, idle == 2


@njit(cache=True, nogil=True)
def turn_visits(rules, mixes, first, starts, rows, n, i, reach, stay):
    """For one turn: reach[k], the chance to stand at turn total k, and stay[k], that from k the score is left."""
    goal, rolls = rules.goal, rules.bust.size
    left = goal - i
    reach[:] = 0.0
    reach[0] = 1.0
    for forward in (True, False):
        run = first[n] if forward else first[n + 1] - 1
        for step in range(left):
            k = step if forward else left - 1 - step
            while run < first[n + 1] - 1 and starts[run + 1] <= k:
                run += 1
            while run > first[n] and starts[run] > k:
                run -= 1
            row = rows[run]
            if not forward:
                stay[k] = mixes[row, 0] if k == 0 else 0.0
            for r in range(rolls):
                p = mixes[row, r + 1]
                if p == 0.0:
                    continue
                lost = rules.bust[r]
                for f in range(rules.bank_first[r], rules.bank_first[r + 1]):
                    s = i + rules.bank_points[f]
                    if s == i or (rules.exact and s > goal):
                        lost += rules.bank_chance[f]
                for f in range(rules.first[r], rules.first[r + 1]):
                    m = k + rules.points[f]
                    if rules.exact and i + m > goal:
                        lost += rules.chance[f]
                    elif forward:
                        reach[m] += reach[k] * p * rules.chance[f]
                    elif m < left:
                        lost += rules.chance[f] * stay[m]
                if not forward:
                    stay[k] += p * lost


@njit(cache=True, nogil=True)
def visits(rules, table_a, table_b, cube):
    """cube[mover, mine, yours, turn]: the chance that the state occurs at least once, A (mover 0) starting.

    Scores never fall, so each pair of seats is entered at most once, with A to move (chance e) or B (g), and
    left when a turn changes a score. With p, q the chances that A's, B's turn leaves the score, A moves there
    (e + g q) / (1 - p q) times on average, which gives the chances to enter higher pairs. A turn visits total
    k with chance r and leaves the score without it with c = p - r stay(k), so A is at k at least once with
    (e + g q) r / (1 - c q).
    """
    goal = rules.goal
    mixes_a, first_a, starts_a, rows_a, remember_a, _ = table_a
    mixes_b, first_b, starts_b, rows_b, remember_b, _ = table_b
    seats_a, seats_b = remember_a.shape[0] * goal, remember_b.shape[0] * goal
    size = goal + rules.reach + 1
    out_a, out_b, scratch = np.zeros(size), np.zeros(size), np.zeros(size)
    reach, stay = np.zeros(size), np.zeros(size)
    enter = np.zeros((2, seats_a, seats_b))
    enter[0, 0, 0] = 1.0
    for i in range(goal):
        for j in range(goal):
            for memory_a in range(remember_a.shape[0]):
                for memory_b in range(remember_b.shape[0]):
                    u, v = memory_a * goal + i, memory_b * goal + j
                    e, g = enter[0, u, v], enter[1, u, v]
                    if e + g == 0.0:
                        continue
                    n_a = entry_of(first_a, goal, u, seats_a, v, seats_b)
                    n_b = entry_of(first_b, goal, v, seats_b, u, seats_a)
                    far_a = turn_scores(rules, mixes_a, first_a, starts_a, rows_a, n_a, i, scratch, out_a)
                    far_b = turn_scores(rules, mixes_b, first_b, starts_b, rows_b, n_b, j, scratch, out_b)
                    p, q = out_a[i], out_b[j]
                    a_moves, b_moves = e + g * q, g + e * p
                    turn_visits(rules, mixes_a, first_a, starts_a, rows_a, n_a, i, reach, stay)
                    for k in range(goal - i):
                        if reach[k] > 0.0:
                            cube[0, i, j, k] += a_moves * reach[k] / (1.0 - (p - reach[k] * stay[k]) * q)
                    turn_visits(rules, mixes_b, first_b, starts_b, rows_b, n_b, j, reach, stay)
                    for k in range(goal - j):
                        if reach[k] > 0.0:
                            cube[1, j, i, k] += b_moves * reach[k] / (1.0 - (q - reach[k] * stay[k]) * p)
                    if p * q >= 1.0:
                        continue
                    for s in range(i + 1, min(far_a, goal - 1) + 1):
                        then = remember_a[memory_a, s - i] * goal + s
                        enter[1, then, v] += a_moves / (1.0 - p * q) * out_a[s]
                    for s in range(j + 1, min(far_b, goal - 1) + 1):
                        then = remember_b[memory_b, s - j] * goal + s
                        enter[0, u, then] += b_moves / (1.0 - p * q) * out_b[s]
