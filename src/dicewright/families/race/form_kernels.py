"""Compiled sums over the dice that a paper form does not show: a turn with its number of rolls and its points."""

import numpy as np

from ..compiled import njit


@njit(cache=True)
def turn_chances(rules, odds, left, rolls, gained, logs, slopes):
    """The log-chance of each turn, and its slope in the log-odds [turn, total] of rolling at each turn total.

    With b_i(k) the chance of total k after i rolls, a_i(k) = b_i(k) P(k) the chance to roll on from there:

        b_i(k) = sum_f p_f a_(i-1)(k - f),   a_0 = b_0 = [k = 0],
        L = b_n(g) (1 - P(g))   if g points were banked (no last factor if they win),
        L = q sum_k a_(n-1)(k)  if the n-th roll lost the turn, with chance q.

    Slopes by going back through the same sums. O(rolls totals faces) a turn.
    """
    reach, lost = rules.reach, 1.0 - rules.chance.sum()
    for t in range(len(rolls)):
        n, size = rolls[t], rolls[t] * reach + 1
        b, a, back = np.zeros((n + 1, size)), np.zeros((n + 1, size)), np.zeros((n + 1, size))
        a[0, 0] = b[0, 0] = 1.0
        on = 1.0 / (1.0 + np.exp(-odds[t, : min(size, left[t])]))
        for i in range(1, n + 1):
            for k in range(size):
                if a[i - 1, k] > 0.0:
                    for f in range(rules.points.size):
                        if k + rules.points[f] < size:
                            b[i, k + rules.points[f]] += rules.chance[f] * a[i - 1, k]
            for k in range(1, len(on)):
                a[i, k] = b[i, k] * on[k]
        g, chance = gained[t], 0.0
        if g > 0:
            rolled_on = on[g] if g < len(on) else 0.0
            chance = b[n, g] * (1.0 - rolled_on) if g < size else 0.0
            if chance > 0.0:
                if g < left[t]:  # a turn that wins may end beyond the table
                    slopes[t, g] -= rolled_on
                for k in range(size):
                    for f in range(rules.points.size):
                        if k + rules.points[f] == g:
                            back[n - 1, k] += rules.chance[f] * (1.0 - rolled_on)
        else:
            for k in range(size):
                chance += lost * a[n - 1, k]
                back[n - 1, k] = lost
        logs[t] = np.log(chance) if chance > 0.0 else -np.inf
        for i in range(n - 1, 0, -1):
            for k in range(size):
                if a[i, k] > 0.0:
                    p = on[k]
                    slopes[t, k] += back[i, k] * b[i, k] * p * (1.0 - p) / chance if chance > 0.0 else 0.0
                    for f in range(rules.points.size):
                        if k >= rules.points[f]:
                            back[i - 1, k - rules.points[f]] += rules.chance[f] * p * back[i, k]
