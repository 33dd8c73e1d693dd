"""Compiled functions that play race games die by die, and weigh the luck of the dice, nothing else."""

import numpy as np
from numba import njit

from ...core.effort import ADJUSTED, ADJUSTED_SQUARES, CUT_OFFS, STALEMATES
from ..random_kernels import note, uniform
from .duel_kernels import turn_scores
from .kernels import MINE, YOURS, A, B, goal_worth, rebuild_turn

PATIENCE = 256  # turns without a change of score, after which it is checked whether one can come


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
    mixes, first, starts, rows, _, _ = table
    out, reach = np.zeros(rules.goal + rules.reach + 1), np.zeros(rules.goal + rules.reach + 1)
    turn_scores(rules, mixes, first, starts, rows, n, i, reach, out)
    return out[i] == 1.0


@njit(cache=True, nogil=True)
def by_rolls(words, games, rules, table_a, table_b, losses, value, most, count):
    """Play die by die: for tables too large to be turned into whole turns, and for the luck-adjusted payoff.

    That is value - (what the starter's choices cost) + (what the other's cost), with `value` the starter's worth of
    the game: by telescoping, the payoff less all changes of the value made by dice.
    """
    goal, pay = rules.goal, rules.payoff
    adds, points, chance = rules.first, rules.points, rules.chance
    banks, banked, bank_chance = rules.bank_first, rules.bank_points, rules.bank_chance
    die = (goal, rules.exact, adds, points, chance, banks, banked, bank_chance, rules.ruin)
    choices_a, choices_b = table_a[:4], table_b[:4]
    remember_a, remember_b = table_a[4], table_b[4]
    seats_a, seats_b = remember_a.shape[0] * goal, remember_b.shape[0] * goal
    columns_a, columns_b = (table_a[1].size - 1) // seats_a, (table_b[1].size - 1) // seats_b
    for _ in range(games):
        i = j = memory_a = memory_b = turns = still = 0
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
                note_adjusted(count, goal_worth(False, pay, goal, s, j, 1.0), value - cost)
                break
            still = 0 if s != i else still + 1
            if s > i:
                memory_a = remember_a[memory_a, s - i]
            i = s
            m = b * columns_b + (i if columns_b == goal else memory_a * goal + i)
            s, lost = roll_turn(words, die, choices_b, m, j, i, losses)
            cost -= lost
            if s >= goal:
                note_adjusted(count, goal_worth(False, pay, goal, s, i, -1.0), value - cost)
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
def fill_losses(rules, V, losses):
    """losses[i, j, k, action]: what an action at turn total k gives away of the solution's worth V, in payoff."""
    goal, rolls = rules.goal, rules.bust.size
    turn = np.zeros((5, goal + rules.reach + rolls + 1))
    worth, no_stop = np.zeros(goal + rules.reach + 1), np.zeros((1, 1, 1))
    ruin = V[:, :, 0].copy()
    scale, total = (2.0, 1.0) if rules.decisive else (1.0, 0.0)
    for i in range(goal):
        for j in range(goal):
            sign, _ = rebuild_turn(rules, i, j, V, ruin, no_stop, turn)
            x = V[YOURS if sign > 0.0 else MINE, j, i]
            for k in range(goal - i + rules.reach):
                w = turn[A, k] + turn[B, k] * x
                worth[k] = w if sign > 0.0 else total - w
            for k in range(goal - i):
                losses[i, j, k, 0] = scale * (worth[k] - V[YOURS, j, i + k])
                for r in range(rolls):
                    w = rules.bust[r] * V[YOURS, j, i] + rules.ruin[r] * V[YOURS, j, 0]
                    for f in range(rules.first[r], rules.first[r + 1]):
                        m = k + rules.points[f]
                        w += rules.chance[f] * (V[YOURS, j, i] if rules.exact and i + m > goal else worth[m])
                    for f in range(rules.bank_first[r], rules.bank_first[r + 1]):
                        s = i + rules.bank_points[f]
                        if s >= goal and not (rules.exact and s > goal):
                            w += rules.bank_chance[f] * goal_worth(
                                rules.decisive, rules.payoff, goal, s, j, 1.0
                            )
                        else:
                            w += rules.bank_chance[f] * V[YOURS, j, i if s > goal else s]
                    losses[i, j, k, r + 1] = scale * (worth[k] - w)
