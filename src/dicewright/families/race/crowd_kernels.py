"""Compiled games between people who differ: what moved each choice, and the turns as a paper form shows them."""

import numpy as np

from ..compiled import njit
from ..random_kernels import uniform

# Columns of a step and of a turn; the scores are those of the mover, before the choice or the turn.
MATCH, SEAT, MINE, YOURS, TURN, LAST, SCORED, BUSTED, ROLLED = range(9)
NUMBER, ROLLS, GAINED = TURN, LAST, SCORED  # of a turn
STEP, PLAYED = 9, 7
TEN = 10.0  # points


@njit(cache=True)
def terms(step, out):
    """What may move a choice beyond its worth, of one step.

    lead      the other's lead in tens of points
    last      the points of the other's latest turn in tens, 0 if there is none or it was lost
    mirror    1 while the turn total is below the other's latest scoring turn, -1 from it on, 0 if there is none
    bust      1 if one's own latest turn was lost
    behind    1 if the other has more points
    turn      the turn total in tens: the habit of who holds at a number, whatever it is worth
    """
    out[0] = (step[YOURS] - step[MINE]) / TEN
    out[1] = step[LAST] / TEN
    out[2] = 0.0
    if step[SCORED] > 0:
        out[2] = 1.0 if step[TURN] < step[SCORED] else -1.0
    out[3] = step[BUSTED]
    out[4] = 1.0 if step[YOURS] > step[MINE] else 0.0
    out[5] = step[TURN] / TEN


@njit(cache=True)
def all_terms(steps, out):
    """The terms of many steps, a row each."""
    for n in range(len(steps)):
        terms(steps[n], out[n])


@njit(cache=True)
def watch_games(goal, codes, first, positions, steps, plies, turns):
    """The same rows from games that were replayed (`replay.Replay`); returns their numbers."""
    made = done = 0
    for game in range(len(first) - 1):
        lasts, scored = np.zeros(2, np.int64), np.zeros(2, np.int64)
        busted, number = np.zeros(2, np.int64), np.zeros(2, np.int64)
        rolls = 0
        for ply in range(first[game + 1] - first[game]):
            at, choice = first[game] + game + ply, codes[first[game] + ply]
            seat, mine, yours, k, rolling = positions[at]
            if rolling < 0:
                if k > 0 and mine + k < goal:
                    row = steps[made]
                    row[MATCH], row[SEAT], row[MINE], row[YOURS], row[TURN] = game, seat, mine, yours, k
                    row[LAST], row[SCORED], row[BUSTED] = lasts[1 - seat], scored[1 - seat], busted[seat]
                    row[ROLLED] = choice > 0
                    plies[made] = ply
                    made += 1
                if choice > 0:
                    rolls += 1
            if positions[at + 1, 0] != seat:
                gained = positions[at + 1, 2] - mine
                row = turns[done]
                row[MATCH], row[SEAT], row[MINE], row[YOURS] = game, seat, mine, yours
                row[NUMBER], row[ROLLS], row[GAINED] = number[seat], rolls, gained
                done += 1
                number[seat] += 1
                lasts[seat], busted[seat], rolls = gained, gained == 0, 0
                if gained > 0:
                    scored[seat] = gained
    return made, done


@njit(cache=True)
def before_turns(turns, steps):
    """steps[turn, k]: the columns of a step at turn total k of each turn, from the turns of games in order."""
    lasts, scored, busted = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    for t in range(len(turns)):
        if t == 0 or turns[t, MATCH] != turns[t - 1, MATCH]:
            lasts[:], scored[:], busted[:] = 0, 0, 0
        seat, gained = turns[t, SEAT], turns[t, GAINED]
        for k in range(steps.shape[1]):
            row = steps[t, k]
            row[MATCH], row[SEAT], row[MINE], row[YOURS] = turns[t, 0], seat, turns[t, MINE], turns[t, YOURS]
            row[TURN], row[LAST], row[SCORED], row[BUSTED] = (
                k,
                lasts[1 - seat],
                scored[1 - seat],
                busted[seat],
            )
        lasts[seat], busted[seat] = gained, gained == 0
        if gained > 0:
            scored[seat] = gained


@njit(cache=True, nogil=True)
def play_crowd(rules, odds, crowd, pairs, words, steps, turns):
    """Play the games `pairs` [match, seat] of players; returns the numbers of steps and turns.

    A crowd is its kinds, minds and weights. Player p rolls with chance 1 / (1 + exp(-x)),
    x = odds[kinds[p], mine, yours, turn] minds[p, 1] - minds[p, 0] + weights[p] terms. What does not fit into the room
    given is counted only, so that it can be made and filled.
    """
    (kinds, minds, weights), goal, made, done = crowd, rules.goal, 0, 0
    step, found = np.zeros(STEP, np.int32), np.zeros(weights.shape[1])
    for match in range(len(pairs)):
        scores, lasts = np.zeros(2, np.int64), np.zeros(2, np.int64)
        scored, busted, number = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
        seat = 0
        while max(scores[0], scores[1]) < goal:
            p, mine, yours = pairs[match, seat], scores[seat], scores[1 - seat]
            k = rolls = 0
            after = -1  # the score once the turn is over
            while after < 0:
                rolled = True
                if k > 0:
                    step[MATCH], step[SEAT], step[MINE], step[YOURS] = (
                        match,
                        seat,
                        mine,
                        yours,
                    )
                    step[TURN], step[LAST], step[SCORED] = k, lasts[1 - seat], scored[1 - seat]
                    step[BUSTED] = busted[seat]
                    terms(step, found)
                    x = odds[kinds[p], mine, yours, k] * minds[p, 1] - minds[p, 0]
                    for t in range(len(found)):
                        x += weights[p, t] * found[t]
                    rolled = uniform(words) < 1.0 / (1.0 + np.exp(-x))
                    step[ROLLED] = rolled
                    if made < len(steps):
                        steps[made] = step
                    made += 1
                if not rolled:
                    after = mine + k
                    break
                rolls += 1
                u = uniform(words)
                for f in range(rules.points.size):
                    u -= rules.chance[f]
                    if u < 0.0:
                        k += rules.points[f]
                        break
                if u >= 0.0:
                    after, k = mine, 0
                elif mine + k >= goal:
                    after = mine + k
            gained = after - mine
            if done < len(turns):
                turns[done, MATCH], turns[done, SEAT], turns[done, MINE] = match, seat, mine
                turns[done, YOURS], turns[done, NUMBER] = yours, number[seat]
                turns[done, ROLLS], turns[done, GAINED] = rolls, gained
            done += 1
            number[seat] += 1
            scores[seat], lasts[seat], busted[seat] = after, gained, gained == 0
            if gained > 0:
                scored[seat] = gained
            seat = 1 - seat
    return made, done
