"""Compiled functions that follow two race strategies forward, nothing else."""

import numpy as np

from ..compiled import njit
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
