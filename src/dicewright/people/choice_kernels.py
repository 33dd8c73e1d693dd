"""Compiled likelihood of choices: one pass over the decisions."""

import numpy as np

from ..families.compiled import njit


@njit(cache=True, nogil=True)
def add_choices(choices, x, minds, weights, value, score, information):
    """Add each decision to its player's log-likelihood, score and, as far as it has room, information.

    A decision d with actions a has utilities u_a = precision worth_a + (bias - weights x_d) [a stops]. With P the
    chance to stop and W the expected worth the score is (stopped - P)(1, 0, -x) + (worth chosen - W)(0, 1, 0), and
    the information has the variances and covariance of both: P (1 - P) (1, 0, -x)^2 and so on. A player has a bias
    where minds have two columns. O(actions + terms) a decision, terms^2 with the information.
    """
    player, first, worth, stop, chosen = choices
    own, terms, room = minds.shape[1], x.shape[1], information.shape[1]
    row = np.zeros(own + terms)  # what a stop does to the score
    if own > 1:
        row[0] = 1.0
    for d in range(len(player)):
        p = player[d]
        lean, precision = (minds[p, 0] if own > 1 else 0.0), minds[p, own - 1]
        for t in range(terms):
            lean -= weights[t] * x[d, t]
            row[own + t] = -x[d, t]
        top = -np.inf
        for a in range(first[d], first[d + 1]):
            top = max(top, precision * worth[a] + lean * stop[a])
        total = stops = mean = both = square = 0.0
        for a in range(first[d], first[d + 1]):
            share = np.exp(precision * worth[a] + lean * stop[a] - top)
            total += share
            mean += share * worth[a]
            square += share * worth[a] * worth[a]
            if stop[a]:
                stops += share
                both += share * worth[a]
        stops, mean, both, square = stops / total, mean / total, both / total, square / total
        taken = chosen[d]
        value[p] += precision * worth[taken] + lean * stop[taken] - top - np.log(total)
        careful = stop[taken] - stops
        for t in range(own + terms):
            score[p, t] += careful * row[t]
        score[p, own - 1] += worth[taken] - mean
        if room > 0:
            spread, cross = stops * (1.0 - stops), both - stops * mean
            for s in range(room):
                for t in range(s, room):
                    information[p, s, t] += spread * row[s] * row[t]
            for t in range(room):
                information[p, min(t, own - 1), max(t, own - 1)] += cross * row[t]
            information[p, own - 1, own - 1] += square - mean * mean
