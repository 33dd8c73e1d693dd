"""Compiled functions for what a pair of race strategies makes of every position, nothing else."""

import numpy as np

from ..compiled import njit
from .visit_kernels import turn_choices


@njit(cache=True, nogil=True)
def turn_outlook(rules, table, n, i, after, won, worth):
    """worth[k]: a quantity at turn total k of a turn from score i with the choices of entry n of a table.

        P(k) = hold(k) after[i + k] + sum_r roll_r(k) (p_bust after[i] + p_ruin after[0] + sum_f p_f P(k + f)),

    after[s] being the quantity once the turn has ended with score s, and won[m] once it has with goal + m; worth has
    room for the points of one face beyond the goal. Highest turn total first; one multiplication a face.
    """
    goal, left, mixes = rules.goal, rules.goal - i, table.mixes
    choice = np.zeros(left, np.int64)
    turn_choices(table, n, left, choice)
    for m in range(rules.reach + 1):
        worth[left + m] = won[m]
    for k in range(left - 1, -1, -1):
        hold = mixes[choice[k], 0]
        here = hold * after[i + k] if hold > 0.0 else 0.0
        for r in range(rules.bust.size):
            p = mixes[choice[k], r + 1]
            if p == 0.0:
                continue
            roll = 0.0
            if rules.bust[r] > 0.0:
                roll += rules.bust[r] * after[i]
            if rules.ruin[r] > 0.0:
                roll += rules.ruin[r] * after[0]
            for f in range(rules.bank_first[r], rules.bank_first[r + 1]):
                s = i + rules.bank_points[f]
                if rules.exact and s > goal:
                    s = i
                roll += rules.bank_chance[f] * (after[s] if s < goal else won[s - goal])
            for f in range(rules.first[r], rules.first[r + 1]):
                m = k + rules.points[f]
                roll += rules.chance[f] * (after[i] if rules.exact and m > left else worth[m])
            here += p * roll
        worth[k] = here


@njit(cache=True, nogil=True)
def all_outlooks(rules, table, after, won, cube):
    """cube[mine, yours, turn]: the quantity of `turn_outlook` for a mover without memory, at every position.

    after[yours, s] and won[yours, m] as there. Costs goal^3 / 2 sums over the faces.
    """
    goal = rules.goal
    worth = np.zeros(goal + rules.reach + 1)
    for i in range(goal):
        for j in range(goal):
            turn_outlook(rules, table, i * goal + j, i, after[j], won[j], worth)
            for k in range(goal - i):
                cube[i, j, k] = worth[k]
