"""The unexploitable weights nearest to weights that are nearly so, in fractions.

Regret minimisation ends near an equilibrium, with its support. In the terms of program.py let x0 be such weights and v0
what the rival's best response to them is worth, so that s = A' x0 - F' v0 >= 0 is what each action of the rival loses.
Moves d of the weights and the changes w that they make to v0 solve

    maximise f' w - c |d|   subject to   F' w - A' d <= s,   E d = 0,   x0 + d >= 0.

d = 0 and w = 0 are allowed, and the price c of moving weight (in sum of absolute values) is so small that the value
comes first; it keeps the weights where they are wherever the value does not ask for more. That makes the program small:

* the rival gets rows only for sequences whose actions lose little, all together, against x0. The others lose still
  against weights nearby. After each program the rival responds with all sequences; if that is worth more to the rival
  than the program says, what loses little against the new weights gets rows too;
* the player gets columns only for sequences that x0 has, and that meet those rows.

Weights may be so few that the optimum over them is not the value of the game. Then what the best responses to both
players' nearest weights prove is a bracket. Walks cost a few steps for each entry of the constraints; the program of
two dice against one (1.3 million sequences) has some 9,000 rows for the one player and 12,000 for the other.
"""

from typing import Any, NamedTuple

import highspy
import numpy as np
from scipy.sparse import bmat, csc_matrix, csr_matrix

from ..compiled import njit
from .arrays import Floats, Ints
from .basis import Exact, Flags, Square, times
from .program import SHARES, LinearProgram, linear_program, optimise

LEAST = 1e-7  # weights below this part of all rolls are dropped
LITTLE = 1e-3 * SHARES  # what a sequence of the rival may lose to get a row
PRICE = 1e-6  # of moving a weight, in payoff
UNIT = 1e-5 * SHARES  # moves are small: one of this size is 1 in the program
CLOSE = (
    1e-12  # of all there is to win: a response that gets so little more than the program says is no better
)
ROUNDS = 30


class Side(NamedTuple):
    """One player's information sets in an order in which weight is carried to later ones.

    Set r has the sequences starts[r] to starts[r + 1] - 1 and gets totals[r], and the weights of the sequences
    carriers[begins[r]] to carriers[begins[r + 1] - 1].
    """

    starts: Ints
    begins: Ints
    carriers: Ints
    totals: Ints


def side_of(constraints: csr_matrix, totals: Ints) -> Side:
    """The information sets that these constraints tell of."""
    sets = np.repeat(np.arange(constraints.shape[0]), np.diff(constraints.indptr))
    carried = constraints.data < 0
    starts, begins = (
        np.concatenate([[0], np.cumsum(np.bincount(sets[part], minlength=constraints.shape[0]))])
        for part in (~carried, carried)
    )
    return Side(starts, begins, constraints.indices[carried].astype(np.int64), totals)


def nearest(program: LinearProgram, weights: Floats) -> Exact:
    """The player's best weights near these, on any scale: whole numbers if they are exact, else floats, rounded."""
    player, rival = (
        side_of(csr_matrix(c), t) for c, t in zip(program.constraints, program.totals, strict=True)
    )
    payoffs = csr_matrix(program.payoffs)
    across = csr_matrix(payoffs.T)
    start = carry(player, _without_least(player, weights), float(SHARES), True)
    used, meant = start > 0, np.repeat(np.arange(len(rival.totals)), np.diff(rival.starts))
    everything = np.ones(payoffs.shape[1], np.bool_)
    live = matter(rival, everything, _touched(payoffs, used))[meant]  # else x0 never comes there
    worth, values = respond(rival, -(across @ start))
    slack = values[meant] - worth
    rows = live & (lost(rival, worth, values) < LITTLE)
    scale = SHARES * float(player.totals.sum()) * float(rival.totals.sum())
    for _ in range(ROUNDS):
        part = _Part(program, player, used, rival, rows, _touched(across, rows), start, slack)
        moved = carry(player, part.moved(), float(SHARES), False)
        worth, after = respond(rival, -(across @ moved))
        if part.gain + rival.totals @ (after - values) <= CLOSE * scale:
            break
        rows |= live & (lost(rival, worth, after) < LITTLE)
    return part.exact()


def _without_least(side: Side, weights: Floats) -> Floats:
    """The weights but for the least, of which an information set's largest always stays."""
    largest = np.repeat(np.maximum.reduceat(weights, side.starts[:-1]), np.diff(side.starts))
    return np.where((weights >= LEAST * side.totals.sum()) | (weights == largest), weights, 0.0)


def _touched(payoffs: csr_matrix, rows: Flags) -> Flags:
    """The columns that have a payoff in one of these rows."""
    found: Flags = np.bincount(payoffs[np.flatnonzero(rows)].indices, minlength=payoffs.shape[1]) > 0
    return found


class _Part:
    """The program of the moves for some of the rival's sequences, solved."""

    def __init__(
        self,
        program: LinearProgram,
        player: Side,
        used: Flags,
        rival: Side,
        rows: Flags,
        met: Flags,
        start: Floats,
        slack: Floats,
    ) -> None:
        sets = matter(player, used, met)
        self.start = start
        self.sequences = np.flatnonzero(used & np.repeat(sets, np.diff(player.starts)))
        own = csr_matrix(program.constraints[0])[np.flatnonzero(sets)][:, self.sequences]
        theirs, chosen = csr_matrix(program.constraints[1]), np.flatnonzero(rows)
        seen = np.flatnonzero(np.add.reduceat(rows.astype(np.int64), rival.starts[:-1]))
        pays = csr_matrix(program.payoffs)[self.sequences][:, chosen]
        values = theirs[seen][:, chosen]
        self.matrix = csr_matrix(bmat([[-pays.T, values.T], [own, None]]))
        self.right = np.concatenate([np.zeros(len(chosen), np.int64), SHARES * player.totals[sets]])
        self.rows = len(chosen)
        moves, free, inf = 2 * len(self.sequences), len(seen), highspy.kHighsInf
        limits = np.concatenate([np.maximum(slack[chosen], 0.0) / UNIT, np.zeros(own.shape[0])])
        self.highs = linear_program(
            csc_matrix(bmat([[-pays.T, pays.T, values.T], [own, -own, None]])),
            (np.where(np.arange(len(limits)) < self.rows, -inf, limits), limits),
            np.concatenate([np.full(moves, -PRICE), rival.totals[seen]]),
            (
                np.concatenate([np.zeros(moves), np.full(free, -inf)]),
                np.concatenate([np.full(moves // 2, inf), start[self.sequences] / UNIT, np.full(free, inf)]),
            ),
        )
        optimise(self.highs)
        self.solved = np.array(self.highs.getSolution().col_value) * UNIT
        self.gain = float(rival.totals[seen] @ self.solved[moves:])

    def moved(self) -> Floats:
        """The weights after the moves."""
        up, down, _ = np.split(self.solved, [len(self.sequences), 2 * len(self.sequences)])
        weights = self.start.copy()
        weights[self.sequences] += up - down
        return np.where(weights > UNIT * 1e-6, weights, 0.0)

    def exact(self) -> Exact:
        """The weights from the basis in whole numbers; if they need too many digits, or some are negative, floats."""
        count, status = len(self.sequences), highspy.HighsBasisStatus
        basis = self.highs.getBasis()
        columns = np.array([int(one) for one in basis.col_status])
        up, down, values = np.split(columns, [count, 2 * count])
        basic = int(status.kBasic)
        unknown = np.flatnonzero(np.concatenate([(up == basic) | (down == basic), values == basic]))
        tight = np.flatnonzero(np.array([one != status.kBasic for one in basis.row_status]))
        fixed = np.zeros(self.matrix.shape[1], object)
        fixed[:count] = [int(weight) for weight in self.start[self.sequences]]
        fixed[:count][down == int(status.kUpper)] = 0
        fixed[unknown] = 0
        floats = np.array([int(weight) for weight in np.rint(self.moved())], object)
        try:
            square = Square(csc_matrix(self.matrix[tight][:, unknown]))
        except ValueError:
            return floats
        if (found := square.solve((self.right - times(self.matrix, fixed))[tight])) is None:
            return floats
        common, numerators = found
        fixed *= common
        fixed[unknown] = numerators
        over = (times(self.matrix, fixed) - self.right * common)[: self.rows]
        if min(fixed[:count]) < 0 or max(over) > 0:
            return floats
        weights = np.array([int(weight) for weight in self.start], object) * common
        weights[self.sequences] = fixed[:count]
        return weights


def compiled(function: Any) -> Any:
    """Compile, sums in the order in which they are written."""
    return njit(cache=True)(function)


@compiled
def carry(side: Side, shares: Floats, roll: float, whole: bool) -> Any:
    """The weights that split what comes to each information set like these shares; in whole numbers if so asked.

    Where there are no shares all goes to the last sequence.
    """
    weights = np.zeros(len(shares))
    for r in range(len(side.totals)):
        brought, total = side.totals[r] * roll, 0.0
        for k in range(side.begins[r], side.begins[r + 1]):
            brought += weights[side.carriers[k]]
        for c in range(side.starts[r], side.starts[r + 1]):
            total += shares[c]
        if total == 0.0:
            weights[side.starts[r + 1] - 1] = brought
            continue
        done, given = 0.0, 0.0
        for c in range(side.starts[r], side.starts[r + 1]):
            done += shares[c]
            upto = np.rint(done / total * brought) if whole else done / total * brought
            weights[c] = upto - given
            given = upto
    return weights


@compiled
def respond(side: Side, gains: Floats) -> Any:
    """What each sequence and each information set is worth if all that follows is best; gains are of sequences."""
    worth, values = gains.copy(), np.zeros(len(side.totals))
    for r in range(len(side.totals) - 1, -1, -1):
        values[r] = worth[side.starts[r] : side.starts[r + 1]].max()
        for k in range(side.begins[r], side.begins[r + 1]):
            worth[side.carriers[k]] += values[r]
    return worth, values


@compiled
def lost(side: Side, worth: Floats, values: Floats) -> Any:
    """What each sequence's actions lose, all together."""
    losses = np.zeros(len(worth))
    for r in range(len(side.totals)):
        before = 0.0 if side.totals[r] else np.inf
        for k in range(side.begins[r], side.begins[r + 1]):
            before = min(before, losses[side.carriers[k]])
        for c in range(side.starts[r], side.starts[r + 1]):
            losses[c] = before + values[r] - worth[c]
    return losses


@compiled
def matter(side: Side, used: Flags, touched: Flags) -> Any:
    """The information sets with a used sequence that is touched, or that carries to such a set."""
    hit, sets = touched.copy(), np.zeros(len(side.totals), np.bool_)
    for r in range(len(side.totals) - 1, -1, -1):
        for c in range(side.starts[r], side.starts[r + 1]):
            sets[r] |= used[c] and hit[c]
        if sets[r]:
            for k in range(side.begins[r], side.begins[r + 1]):
                hit[side.carriers[k]] = True
    return sets
