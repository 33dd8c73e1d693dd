"""Compiled functions for race games, nothing else.

The table V is indexed [whose, mine, yours] at the start of a turn: V[MINE] is what the game is worth to the mover
and V[YOURS] what it is worth to the opponent. In a decisive game these are winning chances that sum to 1, and
both are kept because 1 - x is rounded to 1 long before x underflows; otherwise they are expected payoffs that
sum to 0. Holding at score s gives the opponent the move at (j, s), so the mover then owns V[YOURS, j, s].

A kernel follows one player's worth only: the mover makes it large if `sign` is +1, that is if the mover is
followed, and small if the other is (-1). Following the weaker player keeps tiny chances precise.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..compiled import njit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MINE, YOURS = 0, 1
WIN, MARGIN, DIFFERENCE = 0, 1, 2
BLOCK = 8  # stopping sets are kept in blocks of this many scores
PASSES = 200
TIE = 1e-13  # worths this close (relatively) may differ by rounding alone
A, B, ROLL_A, ROLL_B, ACT = 0, 1, 2, 3, 4  # rows of a turn


class Rules(NamedTuple):
    """A race game as arrays. The adding faces of roll r are at [first[r], first[r + 1]), likewise the banks."""

    goal: int
    exact: bool
    payoff: int
    skip: bool
    endless: bool  # play may never end: a turn can be skipped or wasted, or a score be too high to win
    decisive: bool  # somebody always wins, and only that counts
    reach: int  # most points one face can give
    first: Ints
    points: Ints
    chance: Floats
    bank_first: Ints
    bank_points: Ints
    bank_chance: Floats
    bust: Floats
    ruin: Floats


class Worths(NamedTuple):
    """What is known while turns are solved: V, the worth of a ruin V[:, :, 0] (as it was), and the stopping sets."""

    V: Floats
    ruin: Floats
    stop: Floats


@njit(inline="always")
def winnings(rules, score, other, sign):
    """The followed player's payoff when the mover reaches the goal with this score."""
    if rules.payoff == WIN:
        return sign
    return sign * (rules.goal - other if rules.payoff == MARGIN else score - other)


@njit(inline="always")
def goal_worth(rules, score, other, sign):
    """What the followed player gets when the mover reaches the goal with this score."""
    if rules.decisive:
        return 1.0 if sign > 0.0 else 0.0
    return winnings(rules, score, other, sign)


@njit(cache=True, nogil=True)
def turn_line(rules, i, row, sign, worths, x, turn):
    """One turn at scores (i, j), as a line in the worth x of a bust (Crocce & Mordecki 2018).

    Holding at s is worth V[.., row, s]; the row is j, and more if the opponent remembers more than a score.

        V(k) = max{ sum_f p_f V(k + f) + p_bust x,  hold(i + k) },   V = worth of the goal at i + k >= goal

    On the choices that are best at this x, V(k) = turn[A, k] + turn[B, k] x; the best roll alone is worth
    turn[ROLL_A, k] + turn[ROLL_B, k] x; turn[ACT, k] is 0 for hold, r + 1 for roll r. Between rolls of equal
    worth, and between a roll and a skipped turn, the one that rather changes something is taken (smaller B):
    waiting for a sure win would never bring it. Returns the score from which holding is known to be best (see
    `note_hold`). Costs that score minus i sums over the faces.
    """
    V, ruin, stop = worths
    goal, exact, rolls, j = rules.goal, rules.exact, rules.bust.size, row % rules.goal
    points, chance = rules.points, rules.chance
    own = YOURS if sign > 0.0 else MINE
    for r in range(rolls):  # the turn-ending faces of roll r: turn[ROLL_A, -1 - r] + turn[ROLL_B, -1 - r] x
        a, b = 0.0, rules.bust[r]
        if i == 0:
            b += rules.ruin[r]
        else:
            a += rules.ruin[r] * ruin[own, row]
        for f in range(rules.bank_first[r], rules.bank_first[r + 1]):
            s = i + rules.bank_points[f]
            if s == i or (exact and s > goal):
                b += rules.bank_chance[f]
            elif s >= goal:
                a += rules.bank_chance[f] * goal_worth(rules, s, j, sign)
            else:
                a += rules.bank_chance[f] * V[own, row, s]
        turn[ROLL_A, turn.shape[1] - 1 - r], turn[ROLL_B, turn.shape[1] - 1 - r] = a, b
    edge = goal
    if stop.size > 1:
        for block in range(i // BLOCK + 1, (goal - 1) // BLOCK + 1):
            if stop[own, row, block] >= sign * (a + b * x):
                edge = block * BLOCK
                break
    top = edge - i
    for k in range(top, top + rules.reach):
        if i + k >= goal:
            turn[A, k] = goal_worth(rules, i + k, j, sign)
        else:
            turn[A, k] = V[own, row, i + k]
        turn[B, k] = 0.0
    line_a, line_b = turn[A], turn[B]  # read by unsigned places: no check whether one counts from the end
    for k in range(top - 1, -1, -1):
        best, best_a, best_b, best_r = 0.0, 0.0, 0.0, -1
        for r in range(rolls):
            a, b = turn[ROLL_A, turn.shape[1] - 1 - r], turn[ROLL_B, turn.shape[1] - 1 - r]
            for f in range(rules.first[r], rules.first[r + 1]):
                m = k + points[f]
                if exact and i + m > goal:
                    b += chance[f]
                else:
                    a += chance[f] * line_a[np.uint64(m)]
                    b += chance[f] * line_b[np.uint64(m)]
            worth = sign * (a + b * x)
            tie = TIE * abs(best)
            if best_r < 0 or worth > best + tie or (worth >= best - tie and b < best_b):
                best, best_a, best_b, best_r = worth, a, b, r
        turn[ROLL_A, k], turn[ROLL_B, k] = best_a, best_b
        if k > 0 and sign * V[own, row, i + k] >= best:
            best_a, best_b, best_r = V[own, row, i + k], 0.0, -1
        elif k == 0 and rules.skip and sign * x > best + TIE * abs(best):
            best_a, best_b, best_r = 0.0, 1.0, -1
        turn[A, k], turn[B, k], turn[ACT, k] = best_a, best_b, best_r + 1
    return edge


@njit(cache=True, nogil=True)
def choices_stand(i, j, sign, worths, x, edge, turn):
    """Whether the choices of `turn_line` in a game with one roll are still the best ones at another x."""
    V, _, stop = worths
    own, last = YOURS if sign > 0.0 else MINE, turn.shape[1] - 1
    if stop.size > 1 and edge < V.shape[1]:
        if stop[own, j, edge // BLOCK] < sign * (turn[ROLL_A, last] + turn[ROLL_B, last] * x):
            return False
    for k in range(1, edge - i):
        hold = sign * V[own, j, i + k] >= sign * (turn[ROLL_A, k] + turn[ROLL_B, k] * x)
        if hold != (turn[ACT, k] == 0.0):
            return False
    return True


@njit(cache=True, nogil=True)
def note_hold(rules, j, s, V, stop):
    """Extend the stopping sets of opponent score j by the score s, after all higher ones.

    One step of look-ahead says hold at s if D(s) = hold(s) - sum_f p_f hold(s + f) is at least what the
    turn-ending faces are worth. If that is so at every score from s on, the set is closed and holding is
    optimal on all of it; so a running minimum of D (in the mover's favour) is enough.
    """
    goal, block = rules.goal, s // BLOCK
    for own in range(2):
        sign = 1.0 if own == YOURS else -1.0
        worth = V[own, j, s]
        for f in range(rules.points.size):
            m = s + rules.points[f]
            if m >= goal:
                worth -= rules.chance[f] * goal_worth(rules, m, j, sign)
            else:
                worth -= rules.chance[f] * V[own, j, m]
        worth *= sign
        if s < goal - 1:
            worth = min(worth, stop[own, j, block + 1 if s % BLOCK == BLOCK - 1 else block])
        stop[own, j, block] = worth


@njit(cache=True, nogil=True)
def stopping_sets(rules, V, stop):
    """The stopping sets of a solved game, from its values: goal^2 sums over the faces."""
    for j in range(rules.goal):
        for s in range(rules.goal - 1, -1, -1):
            note_hold(rules, j, s, V, stop)


@njit(cache=True, nogil=True)
def solve_pairs(rules, worths, turns, edges):
    """Solve every pair {(i, j), (j, i)}, highest scores first, for given worths of a ruin.

    A pair has two unknown numbers: the followed player's worth u when the player at i moves and v when the
    player at j moves. With v the best reply's worth at u, the best worth at v is a rising function of u whose
    slope is below 1, so it meets u once. Newton's method finds where: with the lines u = a1 + b1 v and
    v = a2 + b2 u of the choices that are best now, solve this 2x2 system, until the choices stand; a step out of
    the bracket known so far is replaced by halving it. Mostly the first choices stand, because the plane through
    three solved neighbours predicts them. Where both may wait for ever, a range of u solves the equations;
    endless play pays 0, so the solution nearest to 0 is the right one. Returns how many pairs did not settle.

    About 40 turn totals a pair need work, so all takes about 50 goal^2 sums over the faces; memory 2 goal^2
    floats for V, and goal^2 / 4 for `stop`. Without stopping sets (exact finish) goal^3 / 2 sums. `turns` (two
    turns) and `edges` (two numbers) are room to work in: arrays made here would take longer to compile.
    """
    V, _, stop = worths
    goal = rules.goal
    plain = rules.bust.size == 1 and not rules.skip
    total = 1.0 if rules.decisive else 0.0
    most = 1.0 if rules.payoff == WIN else float(goal + rules.reach)
    unsettled = 0
    for i in range(goal - 1, -1, -1):
        for j in range(i, -1, -1):
            near_i, near_j = min(i + 1, goal - 1), min(j + 1, goal - 1)
            sign, followed, left = 1.0, MINE, YOURS
            if rules.decisive and V[MINE, near_i, j] > 0.5:  # follow the player at j, the weaker one
                sign, followed, left = -1.0, YOURS, MINE
            if rules.endless:
                u = 0.0  # what endless play pays: where that is a solution, it is the right one
            elif i > j and near_i > i:
                u = V[followed, near_i, j] + V[followed, i, near_j] - V[followed, near_i, near_j]
            else:
                u = V[followed, near_i, near_j]
            low, high = 0.0 if rules.decisive else -most, most
            settled = False
            for _ in range(PASSES):
                x = u
                for side in range(2):  # one call site: the compiler copies the callee into each
                    mine, yours, own = (i, j, sign) if side else (j, i, -sign)
                    edges[side] = turn_line(rules, mine, yours, own, worths, x, turns[side])
                    x = turns[side, A, 0] + turns[side, B, 0] * x
                a2, b2, a1, b1 = turns[0, A, 0], turns[0, B, 0], turns[1, A, 0], turns[1, B, 0]
                v = a2 + b2 * u
                before, ends = u, 1.0 - b1 * b2
                if ends <= 0.0:  # neither turn changes anything: right only if endless play, which pays 0, is
                    if u == 0.0:
                        settled = True
                        break
                    low, high = (u, high) if u < 0.0 else (low, u)
                    u = 0.0 if low < 0.0 < high and abs(u) > TIE * most else 0.5 * (low + high)
                    continue
                if a1 + b1 * v > u:
                    low = u
                else:
                    high = u
                u = (a1 + b1 * a2) / ends
                v = a2 + b2 * u
                settled = abs(u - before) <= 4e-16 * abs(u)
                if plain and not settled:
                    settled = True
                    for side in range(2):
                        mine, yours, own = (i, j, sign) if side else (j, i, -sign)
                        bust = v if side else u
                        if settled:
                            settled = choices_stand(mine, yours, own, worths, bust, edges[side], turns[side])
                if settled:
                    break
                if not low <= u <= high:
                    u = 0.5 * (low + high)
            unsettled += not settled and high - low > TIE * most
            V[followed, i, j], V[left, i, j] = u, total - u
            V[left, j, i], V[followed, j, i] = v, total - v
            if stop.size > 1:
                note_hold(rules, j, i, V, stop)
                if i != j:
                    note_hold(rules, i, j, V, stop)
    return unsettled


@njit(cache=True, nogil=True)
def rebuild_turn(rules, i, row, worths, turn):
    """One turn of a solution from its values: choices turn[ACT, k], worths turn[A, k] + turn[B, k] x.

    V[.., row, i] is the worth with the opponent to move. The weaker player is followed; returns the sign, +1 for the
    mover and -1 for the other, x, and the score from which all is hold.
    """
    V = worths.V
    sign = -1.0 if rules.decisive and V[YOURS, row, i] > 0.5 else 1.0
    x = V[YOURS if sign > 0.0 else MINE, row, i]
    return sign, x, turn_line(rules, i, row, sign, worths, x, turn)


@njit(cache=True, nogil=True)
def rebuild_worths(rules, i, row, worths, turn, worth):
    """worth[k]: what turn total k of a solution's turn is worth to the mover; `turn` as `rebuild_turn` leaves it."""
    sign, x, _ = rebuild_turn(rules, i, row, worths, turn)
    total = 1.0 if rules.decisive else 0.0
    for k in range(rules.goal - i + rules.reach):
        w = turn[A, k] + turn[B, k] * x
        worth[k] = w if sign > 0.0 else total - w


@njit(inline="always")
def banked(rules, V, score, j):
    """What banking up to this score is worth to the player who does, against the seat j."""
    if score >= rules.goal:
        return goal_worth(rules, score, j % rules.goal, 1.0)
    return V[YOURS, j, score]


@njit(inline="always")
def roll_worth(rules, V, worth, r, i, j, k):
    """What roll r is worth to the mover at turn total k."""
    w = rules.bust[r] * V[YOURS, j, i] + rules.ruin[r] * V[YOURS, j, 0]
    for f in range(rules.first[r], rules.first[r + 1]):
        m = k + rules.points[f]
        w += rules.chance[f] * (V[YOURS, j, i] if rules.exact and i + m > rules.goal else worth[m])
    for f in range(rules.bank_first[r], rules.bank_first[r + 1]):
        s = i + rules.bank_points[f]
        w += rules.bank_chance[f] * banked(rules, V, i if rules.exact and s > rules.goal else s, j)
    return w


@njit(cache=True, nogil=True)
def rebuild_choices(rules, worths, turn, starts, choices, first):
    """All choices of a solution (or a best response) as runs: from turn total starts[n] on, take choices[n].

    The runs at score i against the opponent's seat `row` are at [first[n], first[n + 1]), n = i * seats + row.
    `turn` is room for one turn. Turn totals that no rolls add up to, because all points have a common divisor, go with
    the run below: else a game of even points would have a run for each of its turn totals. Returns the number of
    runs; those beyond the room given are only counted.
    """
    goal, seats = rules.goal, worths.V.shape[1]
    stride, count = 0, 0
    for points in rules.points:
        rest = points
        while rest:
            stride, rest = rest, stride % rest
    stride = max(stride, 1)
    for i in range(goal):
        for row in range(seats):
            first[i * seats + row] = count
            edge = rebuild_turn(rules, i, row, worths, turn)[2]
            before = -1
            for k in range(min(edge + 1, goal) - i):
                choice = int(turn[ACT, k]) if i + k < edge else 0
                if k % stride and i + k < edge:
                    choice = before
                if choice != before:
                    if count < starts.size:
                        starts[count], choices[count] = k, choice
                    count += 1
                    before = choice
    first[goal * seats] = count
    return count


@njit(cache=True, nogil=True)
def fewest_turns(rules, V):
    """The least expected number of turns to the goal, V[MINE, 0, i], by one sweep (for given V[MINE, 0, 0]).

        E(i) = 1 + min over turns of E(score after the turn),   E = 0 at the goal

    A turn is a line in the unknown E(i), as in `turn_line` with the mover making it small; then
    E(i) = (1 + a) / (1 - b) until the choices stand (Haigh & Roters 2000). Returns the change of E(0).
    """
    goal = rules.goal
    turn = np.zeros((5, goal + rules.reach + rules.bust.size + 1))
    worths = Worths(V, V[:, :, 0], np.zeros((1, 1, 1)))
    before = V[MINE, 0, 0]
    for i in range(goal - 1, -1, -1):
        x = V[MINE, 0, min(i + 1, goal - 1)] + 1.0
        for _ in range(PASSES):
            turn_line(rules, i, np.int64(0), -1.0, worths, x, turn)
            last, x = x, (1.0 + turn[A, 0]) / (1.0 - turn[B, 0])
            if x == last:
                break
        V[MINE, 0, i] = x
    return abs(V[MINE, 0, 0] - before)
