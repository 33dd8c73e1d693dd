"""Compiled functions that meet many threshold rules with one rival, nothing else.

A rule that holds from turn total n on ends a turn from score i with a bust or one of a few scores from i + n on. So the
ends of its turns are tabled once for all rules, as are the rival's; a rule is one sweep of 2x2 systems as in `duel`.
"""

import numpy as np

from ..compiled import njit
from .duel_kernels import turn_scores


@njit(cache=True, nogil=True)
def rule_turns(rules, ends, busts):
    """ends[i, n, m]: the chance that a turn from score i that holds from n on ends m points beyond n.

    busts[i, n] is the chance that it leaves the score. Scores beyond the goal count as the goal; n is at most goal - i,
    and then all of them are in m = 0. Costs goal^2 / 2 turns forward, one multiplication a face.
    """
    goal = rules.goal
    reach = np.zeros(goal + rules.reach + 1)
    for i in range(goal):
        left = goal - i
        for n in range(1, left + 1):
            reach[:] = 0.0
            reach[0] = 1.0
            for k in range(n):
                if reach[k] > 0.0:
                    busts[i, n] += reach[k] * rules.bust[0]
                    for f in range(rules.first[0], rules.first[1]):
                        reach[k + rules.points[f]] += reach[k] * rules.chance[f]
            for k in range(n, n + rules.reach):
                ends[i, n, min(k, left) - n] += reach[k]


@njit(cache=True, nogil=True)
def rival_turns(rules, table, scores, span):
    """scores[j, i, s]: the chance that the rival's turn from score j against i ends with score s; span: which s occur.

    Reaching the goal is left out: the rule has lost then.
    """
    goal = rules.goal
    out, reach = np.zeros(goal + rules.reach + 1), np.zeros(goal + rules.reach + 1)
    for j in range(goal):
        for i in range(goal):
            far = turn_scores(rules, table, j * goal + i, j, reach, out)
            span[j, i, 0], span[j, i, 1] = goal, 0
            for s in range(j + 1, min(far, goal - 1) + 1):
                if out[s] > 0.0:
                    span[j, i, 0] = min(span[j, i, 0], s)
                    span[j, i, 1] = s + 1
            for s in range(goal):
                scores[j, i, s] = out[s]


@njit(cache=True, nogil=True)
def meet_rules(turns, rival, holds, X, Y, wins):
    """wins[r]: the chance that rule r wins against the rival, either starting equally often.

    Rule r holds from holds[r, i, j] on at scores i against j, at the latest at the goal. With X its chances on the move
    and Y those with the rival on the move,

        x = c + p y,   y = d + q x,

    highest scores first: goal^2 pairs, each with the points of one face and the span of a rival's turn.
    """
    (ends, busts), (scores, span) = turns, rival
    goal = busts.shape[0]
    for r in range(holds.shape[0]):
        for i in range(goal - 1, -1, -1):
            for j in range(goal - 1, -1, -1):
                n = min(holds[r, i, j], goal - i)
                c = 0.0
                for m in range(min(ends.shape[2], goal - i - n)):
                    c += ends[i, n, m] * Y[j, i + n + m]
                if goal - i - n < ends.shape[2]:
                    c += ends[i, n, goal - i - n]
                d = 0.0
                for s in range(span[j, i, 0], span[j, i, 1]):
                    d += scores[j, i, s] * X[i, s]
                p, q = busts[i, n], scores[j, i, j]
                x = (c + p * d) / (1.0 - p * q)
                X[i, j], Y[j, i] = x, d + q * x
        wins[r] = 0.5 * (X[0, 0] + Y[0, 0])
