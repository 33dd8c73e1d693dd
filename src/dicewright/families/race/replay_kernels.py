"""Compiled functions that replay recorded race games and weigh every ply, nothing else.

A game is a row of codes: 0 holds, 1 + r takes roll r up, 1 + rolls + f shows face f of the list of all faces.
"""

import numpy as np

from ..compiled import njit
from .kernels import YOURS, banked, rebuild_worths, roll_worth

ADD, BUST, RUIN, BANK = 0, 1, 2, 3  # effects of faces
LOSS, STAKE, DECISIONS, DEAREST, DEAREST_PLY = 0, 1, 2, 3, 4  # columns of a player
BEST, BEST_PLY, WORST, WORST_PLY = 5, 6, 7, 8  # what helped and hurt most
COUNTS = 9  # decisions by judgement, to the end


@njit(cache=True, nogil=True)
def replay(rules, effects, points, shows, codes, first, plies, illegal):
    """Every ply of every game: plies[n] = (mover, mine, yours, turn) before it; illegal[g] the first that is.

    The plies of game g are at [first[g], first[g + 1]). illegal[g] counts from the game's start and is -1 if all
    may be. Returns nothing; the state after the last ply of game g is in plies[first[g + 1] + g], so plies has
    one row more for each game. A few steps a ply.
    """
    goal, rolls = rules.goal, rules.bust.size
    for g in range(first.size - 1):
        mover = mine = yours = turn = 0
        rolling = -1
        illegal[g] = -1
        for n in range(first[g], first[g + 1]):
            row = plies[n + g]
            row[0], row[1], row[2], row[3], row[4] = mover, mine, yours, turn, rolling
            code = codes[n]
            if rolling < 0:
                full = mine + turn >= goal
                allowed = full or turn > 0 or rules.skip if code == 0 else not full
                if yours >= goal or code > rolls or code < 0 or not allowed:
                    illegal[g] = n - first[g]
                    break
                if code == 0:
                    mover, mine, yours, turn = 1 - mover, yours, mine + turn, 0
                else:
                    rolling = code - 1
                continue
            face = code - 1 - rolls
            if face < 0 or face >= points.size or not shows[rolling, face]:
                illegal[g] = n - first[g]
                break
            rolling = -1
            if effects[face] == ADD and not (rules.exact and mine + turn + points[face] > goal):
                turn += points[face]
                continue
            score = mine
            if effects[face] == RUIN:
                score = 0
            elif effects[face] == BANK and not (rules.exact and mine + points[face] > goal):
                score = mine + points[face]
            mover, mine, yours, turn = 1 - mover, yours, score, 0
        row = plies[first[g + 1] + g]
        row[0], row[1], row[2], row[3], row[4] = mover, mine, yours, turn, rolling


@njit(inline="always")
def gain_of_roll(rules, V, worth, before, after):
    """What a roll gave the mover: worth after - Q(roll)."""
    mover, i, j, k, rolling = before
    passed, _, s, m, _ = after
    now = worth[m] if passed == mover else banked(rules, V, s, j)
    return now - roll_worth(rules, V, worth, rolling, i, j, k)


@njit(cache=True, nogil=True)
def weigh(rules, worths, games, scale, thresholds, figures, luck):
    """What each decision lost and what luck the dice had: figures[g, player], luck[g] in FIRST's favour.

        loss = max_a Q(a) - Q(taken),     luck of a roll = worth after - Q(roll)

    `scale` turns worths of V into the unit shown; `thresholds` rise, and a loss counts for the highest it reaches.
    A turn is rebuilt where it begins: goal sums over the faces
    for each turn, one for each roll.
    """
    codes, first, plies = games
    goal, rolls, V = rules.goal, rules.bust.size, worths.V
    turn, worth = np.zeros((5, goal + rules.reach + rolls + 1)), np.zeros(goal + rules.reach + 1)
    for g in range(first.size - 1):
        known_i = known_j = -1
        for n in range(first[g], first[g + 1]):
            mover, i, j, k, rolling = plies[n + g]
            if i + k >= goal:
                continue
            if i != known_i or j != known_j:
                known_i, known_j = i, j
                rebuild_worths(rules, np.int64(i), np.int64(j), worths, turn, worth)
            if rolling >= 0:
                gain = scale * gain_of_roll(rules, V, worth, plies[n + g], plies[n + 1 + g])
                luck[g] += gain if mover == 0 else -gain
                swing(figures[g], mover, gain, n - first[g])
                continue
            may_hold = k > 0 or rules.skip
            if rolls == 1 and not may_hold:
                continue
            best, worst, taken = -np.inf, np.inf, 0.0
            for action in range(0 if may_hold else 1, rolls + 1):
                w = V[YOURS, j, i + k] if action == 0 else roll_worth(rules, V, worth, action - 1, i, j, k)
                best, worst = max(best, w), min(worst, w)
                if action == codes[n]:
                    taken = w
            loss = scale * (best - taken)
            note(figures[g, mover], loss, scale * (best - worst), n - first[g], thresholds)
            swing(figures[g], mover, -loss, n - first[g])


@njit(cache=True, nogil=True)
def weigh_plies(rules, worths, games, scale, shift, actions, luck):
    """What each action was worth at each decision, and the luck of the dice so far.

        actions[n, a] = shift + scale Q(a) to the mover of ply n, a = 0 to hold and r the r-th roll,
        luck[n + g]   = the luck in FIRST's favour before ply n of game g (as `weigh` adds it up), and after the last

    What may not be done, and plies that decide nothing, stay as they are in `actions`. Steps as for `weigh`.
    """
    _, first, plies = games
    goal, rolls, V = rules.goal, rules.bust.size, worths.V
    turn, worth = np.zeros((5, goal + rules.reach + rolls + 1)), np.zeros(goal + rules.reach + 1)
    for g in range(first.size - 1):
        known_i = known_j = -1
        total = 0.0
        for n in range(first[g], first[g + 1]):
            luck[n + g] = total
            mover, i, j, k, rolling = plies[n + g]
            if i + k >= goal:
                continue
            if i != known_i or j != known_j:
                known_i, known_j = i, j
                rebuild_worths(rules, np.int64(i), np.int64(j), worths, turn, worth)
            if rolling >= 0:
                gain = scale * gain_of_roll(rules, V, worth, plies[n + g], plies[n + 1 + g])
                total += gain if mover == 0 else -gain
                continue
            may_hold = k > 0 or rules.skip
            if rolls == 1 and not may_hold:
                continue
            if may_hold:
                actions[n, 0] = shift + scale * V[YOURS, j, i + k]
            for r in range(rolls):
                actions[n, 1 + r] = shift + scale * roll_worth(rules, V, worth, r, i, j, k)
        luck[first[g + 1] + g] = total


@njit(cache=True, nogil=True)
def swing(figures, mover, gain, ply):
    """Note what a ply gave the mover, if nothing gave or cost more before."""
    for player in range(2):
        mine = figures[player]
        change = gain if player == mover else -gain
        if change > mine[BEST]:
            mine[BEST], mine[BEST_PLY] = change, ply
        if change < mine[WORST]:
            mine[WORST], mine[WORST_PLY] = change, ply


@njit(cache=True, nogil=True)
def note(figures, loss, stake, ply, thresholds):
    """Add one decision to a player's figures."""
    figures[LOSS] += loss
    figures[STAKE] += stake
    figures[DECISIONS] += 1
    if loss > figures[DEAREST]:
        figures[DEAREST], figures[DEAREST_PLY] = loss, ply
    level = 0
    while level + 1 < thresholds.size and loss >= thresholds[level + 1]:
        level += 1
    figures[COUNTS + level] += 1
