"""Compiled functions for two race strategies against each other, nothing else.

A turn is a distribution over the mover's next score: a bust leaves the score, a ruin makes it 0, and every
score from the goal on is a win. Two seats (score and memory of either player) are linked only by turns that
leave the score, so each pair of seats is a 2x2 linear system, solved highest scores first.
"""

import numpy as np

from ..compiled import njit
from .kernels import MINE, PASSES, YOURS, A, B, goal_worth, turn_line

FIRST_WINS, SECOND_WINS, PAYOFF, TURNS = 0, 1, 2, 3  # of the player called first, A, and their opponent B


@njit(cache=True, nogil=True)
def turn_scores(rules, mixes, first, starts, rows, n, i, reach, out):
    """The distribution of the score after one turn from score i with the choices of entry n of a table.

    Fills out[s] for s up to the score returned.
    Forward over the turn totals that can occur; one multiplication a face and turn total. `reach` is all zero
    before and after.
    """
    goal, rolls = rules.goal, rules.bust.size
    run, last = first[n], first[n + 1] - 1
    for s in range(out.size):
        out[s] = 0.0
    reach[0] = 1.0
    k = highest = 0
    far = i
    while k <= highest:
        mass = reach[k]
        reach[k] = 0.0
        if mass > 0.0:
            s = i + k
            if s >= goal:
                out[s] += mass
                far = max(far, s)
            else:
                while run < last and starts[run + 1] <= k:
                    run += 1
                row = rows[run]
                if mixes[row, 0] > 0.0:
                    out[s] += mass * mixes[row, 0]
                    far = max(far, s)
                for r in range(rolls):
                    p = mass * mixes[row, r + 1]
                    if p > 0.0:
                        out[i] += p * rules.bust[r]
                        out[0] += p * rules.ruin[r]
                        for f in range(rules.first[r], rules.first[r + 1]):
                            m = k + rules.points[f]
                            if rules.exact and i + m > goal:
                                out[i] += p * rules.chance[f]
                            else:
                                reach[m] += p * rules.chance[f]
                                highest = max(highest, m)
                        for f in range(rules.bank_first[r], rules.bank_first[r + 1]):
                            s = i + rules.bank_points[f]
                            if rules.exact and s > goal:
                                s = i
                            out[s] += p * rules.bank_chance[f]
                            far = max(far, s)
        k += 1
    return far


@njit(cache=True, nogil=True)
def changes(out, i, far):
    """The chance that a turn changes the score i, added up without the rest so that tiny ones survive."""
    chance = out[0] if i > 0 else 0.0
    for s in range(i + 1, far + 1):
        chance += out[s]
    return chance


@njit(cache=True, nogil=True)
def turn_constants(rules, out, far, seat, i, j, sign, remember, after, constants):
    """What a turn from seat (score i) against score j contributes when it does not leave the score.

    `after[seat]` holds the quantities once the turn is over; the winner is A if sign is +1.
    """
    goal, memory = rules.goal, seat // rules.goal
    constants[:TURNS] = 0.0
    constants[TURNS] = 1.0
    for s in range(i + 1, min(far, goal - 1) + 1):
        if out[s] > 0.0:
            then = after[remember[memory, s - i] * goal + s]
            for z in range(4):
                constants[z] += out[s] * then[z]
    for s in range(goal, far + 1):
        constants[FIRST_WINS if sign > 0.0 else SECOND_WINS] += out[s]
        constants[PAYOFF] += out[s] * goal_worth(False, rules.payoff, goal, s, j, sign)
    if i > 0 and out[0] > 0.0:
        for z in range(4):
            constants[z] += out[0] * after[seat - i, z]


@njit(cache=True, nogil=True)
def duel(rules, table_a, table_b, X, Y):
    """The four quantities of A against B: X[a, b] with A to move, Y[b, a] with B to move, a and b the seats.

    A table may tell the opponent's memories apart (it then has a column for each of their seats).
    For the pair of seats, with p and q the chances that a turn leaves the score,
        x = c + p y,   y = d + q x,   1 - p q = (1 - p) + p (1 - q)
    where c and d come from solved seats (and from the ruined ones of the last sweep). If neither turn can
    change anything play never ends: all chances are 0 and the number of turns is infinite. Returns the
    largest change of a chance, which is what a sweep with ruin must make vanish. Costs one forward turn for
    either player and pair of seats, or only one a seat for a player who ignores the opponent.
    """
    goal = rules.goal
    mixes_a, first_a, starts_a, rows_a, remember_a, solo_a = table_a
    mixes_b, first_b, starts_b, rows_b, remember_b, solo_b = table_b
    seats_a, seats_b = remember_a.shape[0] * goal, remember_b.shape[0] * goal
    knows_a, knows_b = first_a.size > seats_a * goal + 1, first_b.size > seats_b * goal + 1
    size = goal + rules.reach + 1
    outs_a, fars_a = np.zeros((seats_a if solo_a else 1, size)), np.zeros(seats_a, np.int64)
    outs_b, fars_b = np.zeros((seats_b if solo_b else 1, size)), np.zeros(seats_b, np.int64)
    reach, c, d = np.zeros(size), np.zeros(4), np.zeros(4)
    change = 0.0
    for i in range(goal - 1, -1, -1):
        for j in range(goal - 1, -1, -1):
            for m in range(remember_a.shape[0]):
                for n in range(remember_b.shape[0]):
                    u, v = m * goal + i, n * goal + j
                    row_a, row_b = u if solo_a else 0, v if solo_b else 0
                    out_a, out_b = outs_a[row_a], outs_b[row_b]
                    if not solo_a or fars_a[row_a] == 0:
                        entry = u * seats_b + v if knows_a else u * goal + j
                        far = turn_scores(rules, mixes_a, first_a, starts_a, rows_a, entry, i, reach, out_a)
                        fars_a[row_a] = far
                    if not solo_b or fars_b[row_b] == 0:
                        entry = v * seats_a + u if knows_b else v * goal + i
                        far = turn_scores(rules, mixes_b, first_b, starts_b, rows_b, entry, j, reach, out_b)
                        fars_b[row_b] = far
                    p, q = out_a[i], out_b[j]
                    turn_constants(rules, out_a, fars_a[row_a], u, i, j, 1.0, remember_a, Y[v], c)
                    turn_constants(rules, out_b, fars_b[row_b], v, j, i, -1.0, remember_b, X[u], d)
                    ends = changes(out_a, i, fars_a[row_a]) + p * changes(out_b, j, fars_b[row_b])
                    for z in range(4):
                        if ends > 0.0:
                            x = (c[z] + (p * d[z] if p > 0.0 else 0.0)) / ends
                            y = (d[z] + (q * c[z] if q > 0.0 else 0.0)) / ends
                        else:
                            x = y = np.inf if z == TURNS else 0.0
                        if z != TURNS:
                            change = max(change, abs(x - X[u, v, z]), abs(y - Y[v, u, z]))
                        X[u, v, z], Y[v, u, z] = x, y
    return change


@njit(cache=True, nogil=True)
def finish_turns(rules, table, tail, most, finish):
    """finish[n], the chance that a player who ignores the opponent reaches the goal in turn n + 1.

    Ends when no more than `tail` is still to come, or after `most` turns; mass that is stuck for ever is left out.
    Returns the number of turns and the mass still under way. Costs goal times the outcomes of a turn, each turn.
    """
    goal = rules.goal
    mixes, first, starts, rows, remember, _ = table
    seats = remember.shape[0] * goal
    size = goal + rules.reach + 1
    outs, reach = np.zeros((seats, size)), np.zeros(size)
    fars, stuck = np.zeros(seats, np.int64), np.zeros(seats, np.bool_)
    for seat in range(seats):
        fars[seat] = turn_scores(
            rules, mixes, first, starts, rows, seat * goal, seat % goal, reach, outs[seat]
        )
        stuck[seat] = changes(outs[seat], seat % goal, fars[seat]) == 0.0
    mass, after = np.zeros(seats), np.zeros(seats)
    mass[0] = 1.0
    under_way, turns = 1.0, 0
    while turns < most and under_way > tail:
        after[:] = 0.0
        won = 0.0
        for seat in range(seats):
            here = mass[seat]
            if here == 0.0 or stuck[seat]:
                continue
            i, m = seat % goal, seat // goal
            after[seat] += here * outs[seat, i]
            if i > 0:
                after[m * goal] += here * outs[seat, 0]
            for s in range(i + 1, min(fars[seat], goal - 1) + 1):
                after[remember[m, s - i] * goal + s] += here * outs[seat, s]
            for s in range(goal, fars[seat] + 1):
                won += here * outs[seat, s]
        finish[turns] = won
        mass, after = after, mass
        under_way = mass.sum()
        turns += 1
    return turns, under_way


@njit(cache=True, nogil=True)
def respond(rules, table_b, V, X):
    """The best response to B: V[YOURS, b, i] is its worth with B to move, V[MINE, b, i] that to B, and X[i, b]
    its worth with the responder to move.

    B's turn is fixed, so its worth is y = d + q x; the responder's turn is the line of `turn_line` in y, and
    strategy iteration on this pair stops when x stands. Returns the largest change, which a sweep with ruin must
    make vanish. Costs goal^3 / 2 sums over the faces, three times or so.
    """
    goal = rules.goal
    size = goal + rules.reach + rules.bust.size + 1
    out, reach = np.zeros(size), np.zeros(size)
    turn = np.zeros((5, size))
    no_stop = np.zeros((1, 1, 1))
    mixes, first, starts, rows, remember, _ = table_b
    total = 1.0 if rules.decisive else 0.0
    change = 0.0
    for i in range(goal - 1, -1, -1):
        for j in range(goal - 1, -1, -1):
            for n in range(remember.shape[0]):
                v = n * goal + j
                far = turn_scores(rules, mixes, first, starts, rows, v * goal + i, j, reach, out)
                q, d = out[j], 0.0
                for s in range(j + 1, min(far, goal - 1) + 1):
                    if out[s] > 0.0:
                        d += out[s] * X[i, remember[n, s - j] * goal + s]
                for s in range(goal, far + 1):
                    d += out[s] * goal_worth(rules.decisive, rules.payoff, goal, s, i, -1.0)
                if j > 0:
                    d += out[0] * X[i, n * goal]
                x = X[i, v]
                for _ in range(PASSES):
                    turn_line(rules, i, j, v, 1.0, V, V[:, :, 0], no_stop, d + q * x, turn)
                    a, b = turn[A, 0], turn[B, 0]
                    before = x
                    x = (a + b * d) / (1.0 - b * q) if b * q < 1.0 else 0.0
                    if x == before:
                        break
                change = max(change, abs(x - X[i, v]), abs(d + q * x - V[YOURS, v, i]))
                X[i, v], V[YOURS, v, i] = x, d + q * x
                V[MINE, v, i] = total - V[YOURS, v, i]
    return change
