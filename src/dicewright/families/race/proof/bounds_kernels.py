"""@njit functions of the interval proof of race games, nothing else.

A game arrives as `Faces`, its chances rounded to the nearest float. The mean over n
faces of numbers of size at most M, with its shift by `slop`, is off by less than slop = (n + 2) 2^-53 M, up
to terms of order 2^-106.
"""

from typing import Any, NamedTuple

import numpy as np

from ...compiled import njit

ADD, BUST, RUIN, BANK = 0, 1, 2, 3
WIN, MARGIN, DIFFERENCE = 0, 1, 2


class Faces(NamedTuple):
    """The rules as arrays; the faces of roll r are first[r] to first[r + 1] - 1, likewise those that add alone."""

    goal: int
    payoff: int
    exact: bool
    skip: bool
    first: Any
    chances: Any
    effects: Any
    points: Any
    add_first: Any
    add_chances: Any
    add_points: Any  # unsigned: a place is not looked at for whether it counts from the end
    most: int  # the most points one face can bring


class Runs(NamedTuple):
    """A strategy: at scores (i, j), n = i * goal + j, the runs first[n] to first[n + 1] - 1.

    From turn total starts[r] on the choice is rows[r]: 0 to hold, or the number of a roll.
    """

    first: Any
    starts: Any
    rows: Any


class Next(NamedTuple):
    """What a turn leads to: sign times the table at [the other's score, mine], or `pays` times the winnings."""

    passed: Any
    sign: float
    pays: float


@njit(cache=True, nogil=True)
def banked(faces, j, score, bust, after):
    """What a banked `score` is worth against j."""
    if score < faces.goal:
        return after.sign * after.passed[j, score]
    if faces.exact and score > faces.goal:
        return bust
    if faces.payoff == WIN:
        return after.pays
    return after.pays * ((faces.goal if faces.payoff == MARGIN else score) - j)


@njit(cache=True, nogil=True)
def ending(faces, r, i, j, bust, after):
    """The part of the faces of roll r that end the turn."""
    total = 0.0
    for f in range(faces.first[r], faces.first[r + 1]):
        if faces.effects[f] != ADD:
            score = i
            if faces.effects[f] == RUIN:
                score = 0
            elif faces.effects[f] == BANK:
                score = i + faces.points[f]
            worth = bust if score == i else banked(faces, j, score, bust, after)
            total += faces.chances[f] * worth
    return total


@njit(cache=True, nogil=True)
def mean(faces, r, k, worth, rest):
    """rest + sum of chance * worth[k + points] over the faces of roll r that add."""
    for f in range(faces.add_first[r], faces.add_first[r + 1]):
        rest += faces.add_chances[f] * worth[np.uint64(k) + faces.add_points[f]]
    return rest


@njit(cache=True, nogil=True)
def follow(faces, runs, i, j, bust, after, slop, worth):
    """What following the strategy through a turn at (i, j) is worth at least, by backward induction."""
    n = i * faces.goal + j
    last = runs.first[n + 1] - 1
    end = runs.starts[last] if runs.rows[last] == 0 else faces.goal - i
    for k in range(end, end + faces.most + 1):
        worth[k] = banked(faces, j, i + k, bust, after)
    for run in range(last, runs.first[n] - 1, -1):
        r = runs.rows[run] - 1
        rest = ending(faces, r, i, j, bust, after) if r >= 0 else 0.0
        for k in range(end - 1, runs.starts[run] - 1, -1):
            if r >= 0:
                worth[k] = mean(faces, r, k, worth, rest) - slop
            else:
                worth[k] = after.sign * after.passed[j, i + k] if k > 0 else bust
        end = min(end, runs.starts[run])
    return worth[0]


@njit(cache=True, nogil=True)
def hold_margins(faces, j, after, slop, margins):
    """margins[r, s]: the least of  hold(s') - sum of chance * banked(s' + points)  over all scores s' >= s.

    Where it is at least the part of roll r that ends the turn, holding is best from s on.
    """
    for r in range(len(faces.first) - 1):
        # An overshoot is worth a bust, which differs by i: never known.
        least = -np.inf if faces.exact else np.inf
        for s in range(faces.goal - 1, -1, -1):
            margin = banked(faces, j, s, 0.0, after)
            for f in range(faces.first[r], faces.first[r + 1]):
                if faces.effects[f] == ADD:
                    margin -= faces.chances[f] * banked(faces, j, s + faces.points[f], 0.0, after)
            least = min(least, margin - 2.0 * slop)  # sums of two numbers up to M
            margins[r, s] = least


@njit(cache=True, nogil=True)
def best(faces, i, j, after, slop, margins, worth, rests):
    """What a turn at (i, j) is worth at most, over all actions, by backward induction."""
    bust = after.sign * after.passed[j, i]
    rolls = len(faces.first) - 1
    end = 1
    for r in range(rolls):
        rests[r] = ending(faces, r, i, j, bust, after)
        while i + end < faces.goal and margins[r, i + end] < rests[r] + slop:
            end += 1
    for k in range(end, end + faces.most + 1):
        worth[k] = banked(faces, j, i + k, bust, after)
    for k in range(end - 1, -1, -1):
        worth[k] = after.sign * after.passed[j, i + k] if k > 0 or faces.skip else -np.inf
        for r in range(rolls):
            worth[k] = max(worth[k], mean(faces, r, k, worth, rests[r]) + slop)
    return worth[0]


@njit(cache=True, nogil=True)
def widen(faces, runs, lower, upper, largest, slop, extra):
    """Check  lower <= the strategy's turn with -upper next  and  upper >= the best turn with -lower next.

    Where a bound fails it is moved, by `extra` more than needed, and counted: tables that pass with none
    moved are proved. Answers the count, the largest move and where it was.
    """
    goal = faces.goal
    worth = np.empty(goal + faces.most + 2)
    margins = np.empty((len(faces.first) - 1, goal))
    rests = np.empty(len(faces.first) - 1)
    count, largest_move, move_i, move_j = 0, 0.0, 0, 0
    high, low = Next(upper, -1.0, 1.0), Next(lower, -1.0, 1.0)
    for j in range(goal - 1, -1, -1):
        hold_margins(faces, j, low, slop, margins)
        for i in range(goal - 1, -1, -1):
            least = max(follow(faces, runs, i, j, -upper[j, i], high, slop, worth), -largest)
            most = min(best(faces, i, j, low, slop, margins, worth, rests), largest)
            move = max(lower[i, j] - least, most - upper[i, j])
            if move > 0.0:
                count += 1
                lower[i, j] = max(min(lower[i, j], least - extra), -largest)
                upper[i, j] = min(max(upper[i, j], most + extra), largest)
            if not move <= largest_move:
                largest_move, move_i, move_j = move, i, j
    return count, largest_move, move_i, move_j


@njit(cache=True, nogil=True)
def turns_left(faces, runs, turns):
    """One sweep of  N(i,j) = 1 + mean of N over the next turn  under the strategy; the largest change.

    The pair {(i,j), (j,i)} is solved at once: a turn is a line in the value of a bust.
    """
    goal = faces.goal
    worth, left = np.empty(goal + faces.most + 2), Next(turns, 1.0, 0.0)
    change = 0.0
    for total in range(2 * goal - 2, -1, -1):
        for i in range((total + 1) // 2, min(goal - 1, total) + 1):
            j = total - i
            a = 1.0 + follow(faces, runs, i, j, 0.0, left, 0.0, worth)
            b = 1.0 + follow(faces, runs, i, j, 1.0, left, 0.0, worth) - a
            c = 1.0 + follow(faces, runs, j, i, 0.0, left, 0.0, worth)
            d = 1.0 + follow(faces, runs, j, i, 1.0, left, 0.0, worth) - c
            mine = (a + b * c) / max(1.0 - b * d, 1e-300)
            yours = c + d * mine
            change = max(change, abs(mine - turns[i, j]), abs(yours - turns[j, i]))
            turns[i, j], turns[j, i] = mine, yours
    return change


@njit(cache=True, nogil=True)
def may_stall(faces, runs):
    """The number i * goal + j of a pair where the strategy may never bank a point, or -1.

    Every roll taken must have a face that adds or banks points, and no hold may come at turn total 0: then
    rolling on, a player banks points or reaches the goal with some chance.
    """
    useful = np.zeros(len(faces.first), np.bool_)
    for r in range(len(faces.first) - 1):
        for f in range(faces.first[r], faces.first[r + 1]):
            useful[r + 1] |= faces.points[f] > 0 and (faces.effects[f] == ADD or faces.effects[f] == BANK)
    for n in range(len(runs.first) - 1):
        for run in range(runs.first[n], runs.first[n + 1]):
            if not useful[runs.rows[run]] and (runs.rows[run] > 0 or runs.starts[run] == 0):
                return n
    return -1


@njit(cache=True, nogil=True)
def meet_itself(faces, runs, value, turns):
    """One sweep of the worth to the mover and the turns to come, if both players follow the strategy.

        V(i,j) = mean of -V over the mover's turn,   N(i,j) = 1 + mean of N

    The pair {(i,j), (j,i)} is solved at once, as in `turns_left`; where neither player's turn can change a
    score, play never ends, pays 0 and no turn counts. Returns the largest change of a worth.
    """
    goal = faces.goal
    worth = np.empty(goal + faces.most + 2)
    then, left, nothing = Next(value, -1.0, 1.0), Next(turns, 1.0, 0.0), Next(turns, 0.0, 0.0)
    change = 0.0
    for total in range(2 * goal - 2, -1, -1):
        for i in range((total + 1) // 2, min(goal - 1, total) + 1):
            j = total - i
            b = follow(faces, runs, i, j, 1.0, nothing, 0.0, worth)
            d = follow(faces, runs, j, i, 1.0, nothing, 0.0, worth)
            ends = 1.0 - b * d
            if ends > 0.0:
                a = follow(faces, runs, i, j, 0.0, then, 0.0, worth)
                c = follow(faces, runs, j, i, 0.0, then, 0.0, worth)
                mine, yours = (a - b * c) / ends, (c - d * a) / ends
                e = 1.0 + follow(faces, runs, i, j, 0.0, left, 0.0, worth)
                f = 1.0 + follow(faces, runs, j, i, 0.0, left, 0.0, worth)
                turns[i, j], turns[j, i] = (e + b * f) / ends, (f + d * e) / ends
            else:
                mine = yours = turns[i, j] = turns[j, i] = 0.0
            change = max(change, abs(mine - value[i, j]), abs(yours - value[j, i]))
            value[i, j], value[j, i] = mine, yours
    return change
