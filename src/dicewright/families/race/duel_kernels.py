"""Compiled functions for two race strategies against each other, nothing else.

A turn is a distribution over the mover's next score: a bust leaves the score, a ruin makes it 0, and every
score from the goal on is a win. Two seats (score and memory of either player) are linked only by turns that
leave the score, so each pair of seats is a 2x2 linear system, solved highest scores first.
"""

import numpy as np

from ..compiled import njit
from .kernels import MINE, PASSES, YOURS, A, B, Worths, goal_worth, turn_line, winnings

FIRST_WINS, SECOND_WINS, PAYOFF, TURNS = 0, 1, 2, 3  # of the player called first, A, and their opponent B


@njit(cache=True, nogil=True)
def turn_scores(rules, table, n, i, reach, out):
    """The distribution of the score after one turn from score i with the choices of entry n of a table.

    Fills out[s] for s up to the score returned, and reach[k], the chance that the turn stands at turn total k. Forward
    over the turn totals that can occur; one multiplication a face and turn total.
    """
    goal, rolls = rules.goal, rules.bust.size
    mixes, first, starts, rows, _, _ = table
    run, last = first[n], first[n + 1] - 1
    out[:] = 0.0
    reach[:] = 0.0
    reach[0] = 1.0
    k = highest = 0
    far = i
    while k <= highest:
        mass = reach[k]
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
def changes(out, i):
    """The chance that a turn changes the score i, added up without the rest so that tiny ones survive."""
    chance = out[0] if i > 0 else 0.0
    for s in range(i + 1, out.size):
        chance += out[s]
    return chance


@njit(inline="always")
def entry_of(table, goal, seat, other, other_seats):
    """Where a table keeps its choices for this seat against that one; it may tell the opponent's memories apart."""
    if table.first.size > table.remember.shape[0] * goal * goal + 1:
        return seat * other_seats + other
    return seat * goal + other % goal


@njit(cache=True, nogil=True)
def turn_constants(rules, out, seat, j, sign, remember, after, constants):
    """What a turn from this seat against score j contributes when it does not leave the score.

    `after[seat]` holds the quantities once the turn is over; the winner is A if sign is +1.
    """
    goal, i, memory = rules.goal, seat % rules.goal, seat // rules.goal
    constants[:TURNS] = 0.0
    constants[TURNS] = 1.0
    for s in range(i + 1, min(out.size, goal)):
        if out[s] > 0.0:
            then = after[remember[memory, s - i] * goal + s]
            for z in range(4):
                constants[z] += out[s] * then[z]
    for s in range(goal, out.size):
        constants[FIRST_WINS if sign > 0.0 else SECOND_WINS] += out[s]
        constants[PAYOFF] += out[s] * winnings(rules, s, j, sign)
    if i > 0 and out[0] > 0.0:
        for z in range(4):
            constants[z] += out[0] * after[seat - i, z]


@njit(cache=True, nogil=True)
def duel(rules, table_a, table_b, X, Y):
    """The four quantities of A against B: X[a, b] with A to move, Y[b, a] with B to move, a and b the seats.

    For the pair of seats, with p and q the chances that a turn leaves the score,
        x = c + p y,   y = d + q x,   1 - p q = (1 - p) + p (1 - q)
    where c and d come from solved seats (and from the ruined ones of the last sweep). If neither turn can
    change anything play never ends: all chances are 0 and the number of turns is infinite. Returns the
    largest change of a chance, which is what a sweep with ruin must make vanish. Costs one forward turn for
    either player and pair of seats, or only one a seat for a player who ignores the opponent.
    """
    goal, remember_a, remember_b = rules.goal, table_a.remember, table_b.remember
    seats_a, seats_b = remember_a.shape[0] * goal, remember_b.shape[0] * goal
    size = goal + rules.reach + 1
    outs_a, fars_a = np.zeros((seats_a if table_a.solo else 1, size)), np.zeros(seats_a, np.int64)
    outs_b, fars_b = np.zeros((seats_b if table_b.solo else 1, size)), np.zeros(seats_b, np.int64)
    reach, c, d = np.zeros(size), np.zeros(4), np.zeros(4)
    change = 0.0
    for i in range(goal - 1, -1, -1):
        for j in range(goal - 1, -1, -1):
            for m in range(remember_a.shape[0]):
                for n in range(remember_b.shape[0]):
                    u, v = m * goal + i, n * goal + j
                    row_a, row_b = u if table_a.solo else 0, v if table_b.solo else 0
                    if not table_a.solo or fars_a[row_a] == 0:
                        entry = entry_of(table_a, goal, u, v, seats_b)
                        fars_a[row_a] = turn_scores(rules, table_a, entry, i, reach, outs_a[row_a])
                    if not table_b.solo or fars_b[row_b] == 0:
                        entry = entry_of(table_b, goal, v, u, seats_a)
                        fars_b[row_b] = turn_scores(rules, table_b, entry, j, reach, outs_b[row_b])
                    out_a, out_b = outs_a[row_a][: fars_a[row_a] + 1], outs_b[row_b][: fars_b[row_b] + 1]
                    p, q = out_a[i], out_b[j]
                    turn_constants(rules, out_a, u, j, 1.0, remember_a, Y[v], c)
                    turn_constants(rules, out_b, v, i, -1.0, remember_b, X[u], d)
                    ends = changes(out_a, i) + p * changes(out_b, j)
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
    goal, remember = rules.goal, table.remember
    seats = remember.shape[0] * goal
    size = goal + rules.reach + 1
    outs, reach = np.zeros((seats, size)), np.zeros(size)
    fars, stuck = np.zeros(seats, np.int64), np.zeros(seats, np.bool_)
    for seat in range(seats):
        fars[seat] = turn_scores(rules, table, seat * goal, seat % goal, reach, outs[seat])
        stuck[seat] = changes(outs[seat], seat % goal) == 0.0
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
    turn, remember = np.zeros((5, size)), table_b.remember
    worths = Worths(V, V[:, :, 0], np.zeros((1, 1, 1)))
    total = 1.0 if rules.decisive else 0.0
    change = 0.0
    for i in range(goal - 1, -1, -1):
        for j in range(goal - 1, -1, -1):
            for n in range(remember.shape[0]):
                v = n * goal + j
                far = turn_scores(rules, table_b, v * goal + i, j, reach, out)
                q, d = out[j], 0.0
                for s in range(j + 1, min(far, goal - 1) + 1):
                    if out[s] > 0.0:
                        d += out[s] * X[i, remember[n, s - j] * goal + s]
                for s in range(goal, far + 1):
                    d += out[s] * goal_worth(rules, s, i, -1.0)
                if j > 0:
                    d += out[0] * X[i, n * goal]
                x = X[i, v]
                for _ in range(PASSES):
                    turn_line(rules, i, v, 1.0, worths, d + q * x, turn)
                    a, b = turn[A, 0], turn[B, 0]
                    before = x
                    x = (a + b * d) / (1.0 - b * q) if b * q < 1.0 else 0.0
                    if x == before:
                        break
                change = max(change, abs(x - X[i, v]), abs(d + q * x - V[YOURS, v, i]))
                X[i, v], V[YOURS, v, i] = x, d + q * x
                V[MINE, v, i] = total - V[YOURS, v, i]
    return change
