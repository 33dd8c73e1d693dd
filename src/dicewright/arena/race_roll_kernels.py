"""Compiled functions that play race games die by die, and weigh the luck of the dice, nothing else."""

import numpy as np
from numba import njit

from ..solvers.duel_kernels import turn_scores
from ..solvers.race_kernels import MINE, YOURS, A, B, goal_worth, rebuild_turn
from .race_play_kernels import ADJUSTED, ADJUSTED_SQUARES, CUT_OFFS, STALEMATES, note
from .random_kernels import uniform

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
def roll_turn(words, rules, table, n, i, j, losses):
    """One turn from score i with the choices of entry n, die by die; returns the new score and what choices cost.

    `losses[i, j, k, action]` is what an action gives away; without any (size 0) nothing is added up.
    """
    mixes, first, starts, rows, _, _ = table
    run, last = first[n], first[n + 1] - 1
    k, lost = 0, 0.0
    while i + k < rules.goal:
        while run < last and starts[run + 1] <= k:
            run += 1
        action = choose(words, mixes, rows[run])
        if losses.size > 0:
            lost += losses[i, j, k, action]
        if action == 0:
            return i + k, lost
        k, s = roll_once(rules, action - 1, uniform(words), i, k)
        if s >= 0:
            return s, lost
    return i + k, lost


@njit(inline="always")
def roll_once(rules, r, u, i, k):
    """Roll r with a random number u: the turn total after it, and the score if that ended the turn (else -1)."""
    for f in range(rules.first[r], rules.first[r + 1]):
        u -= rules.chance[f]
        if u < 0.0:
            m = k + rules.points[f]
            return m, i if rules.exact and i + m > rules.goal else -1
    for f in range(rules.bank_first[r], rules.bank_first[r + 1]):
        u -= rules.bank_chance[f]
        if u < 0.0:
            s = i + rules.bank_points[f]
            return k, i if rules.exact and s > rules.goal else s
    return k, 0 if u < rules.ruin[r] else i


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
    remember_a, remember_b = table_a[4], table_b[4]
    seats_a, seats_b = remember_a.shape[0] * goal, remember_b.shape[0] * goal
    columns_a, columns_b = (table_a[1].size - 1) // seats_a, (table_b[1].size - 1) // seats_b
    for _ in range(games):
        a = b = turns = still = 0
        cost = 0.0
        while True:
            i, j = a % goal, b % goal
            n, m = a * columns_a + b % columns_a, b * columns_b + a % columns_b
            if still >= PATIENCE:
                if never_changes(rules, table_a, n, i) and never_changes(rules, table_b, m, j):
                    count[STALEMATES] += 1
                    break
                still = 0
            if turns >= most:
                count[CUT_OFFS] += 1
                break
            s, lost = roll_turn(words, rules, table_a, n, i, j, losses)
            cost += lost
            if s >= goal:
                note_adjusted(count, goal_worth(False, pay, goal, s, j, 1.0), value - cost)
                break
            still = 0 if s != i else still + 1
            a = (remember_a[a // goal, s - i] if s > i else a // goal) * goal + s
            m = b * columns_b + a % columns_b
            t, lost = roll_turn(words, rules, table_b, m, j, s, losses)
            cost -= lost
            if t >= goal:
                note_adjusted(count, goal_worth(False, pay, goal, t, s, -1.0), value - cost)
                break
            still = 0 if t != j else still + 1
            b = (remember_b[b // goal, t - j] if t > j else b // goal) * goal + t
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
    worth = np.zeros(goal + rules.reach + 1)
    scale, total = (2.0, 1.0) if rules.decisive else (1.0, 0.0)
    for i in range(goal):
        for j in range(goal):
            sign = rebuild_turn(rules, i, j, V, turn)
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
