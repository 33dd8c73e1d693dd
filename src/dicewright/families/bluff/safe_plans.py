"""The best of all safe answers to a model of the rival, in a round of Bluff: one linear program for each seat.

With x the own weights, A the payoffs, y the model's weights, and F v the rival's best answer, all of the sequence form
(program.py),

    most A y x     where  E x = e,  x >= 0,  F' v <= A' x,  f v >= value - bound:

no strategy that loses at most the bound to anybody gets more of the model. It is the restricted Nash response to a
rival who is the model with a chance that the multiplier of the bound tells (Johanson, Zinkevich & Bowling 2007).
"""

from typing import Any

import highspy
import numpy as np
from scipy.sparse import bmat, csc_matrix, csr_matrix

from ...core.game import FIRST, SECOND, other
from ...core.solution import Pair, seats
from ..safe import Safe, Scale
from ..tree.arrays import Floats
from ..tree.program import LinearProgram, linear_program, optimise
from .exact import win_or_lose
from .plans import PlanStrategy, plan_of, seat_of
from .program import gather, round_program, spread
from .solution import BluffSolution

SPARE = 1e-7  # of payoff, kept below the bound for what the solver rounds
SHORTENED = 0.5  # of the way back to perfect play, where rounding passed the bound all the same
MOST_SHORTENED = 20


def answer_within(kin: Any, solution: BluffSolution, model: Any, most: float) -> Safe:
    """The best answer to the model that loses at most so much to anybody."""
    game, scale = solution.game, Scale(kin, solution, model)
    perfect, whole = seats(solution), round_program(win_or_lose(game))
    players = []
    for seat, rival in enumerate(seats(model)[::-1]):
        theirs = gather(whole, other(seat), plan_of(game, other(seat), rival))
        value = solution.certificate.lower if seat == FIRST else -solution.certificate.upper
        weights = _weights(whole.of(seat), theirs, (float(value) - most + SPARE) * whole.game.rolls)
        plan, last = spread(whole, seat, weights), perfect[seat]
        reply = getattr(last, "reply", None)
        calls = np.full(plan.reach.shape, -1, np.int8)
        players.append(PlanStrategy(game, seat, plan, calls if reply is None else reply))
    answer: Any = Pair(players[FIRST], players[SECOND], seat_of, "a safe answer")
    for _ in range(MOST_SHORTENED):
        if (loss := scale.loss(answer)) <= most:
            found = scale.safe(answer, loss)
            return found if found.gain > 0.0 else Safe(solution.player, scale.loss(solution.player), 0.0)
        answer = kin.blended(game, answer, solution.player, SHORTENED)
    return Safe(solution.player, scale.loss(solution.player), 0.0)


def _weights(program: LinearProgram, theirs: Floats, least: float) -> Floats:
    """The own weights that get most of the rival's, and `least` of any rival, in the units of the program."""
    own, rival = program.constraints
    (_, columns), (rows, _) = own.shape, rival.shape
    floor = csr_matrix(program.totals[1].astype(np.float64))
    matrix = csc_matrix(bmat([[-program.payoffs.T, rival.T], [own, None], [None, floor]]))
    free, none = highspy.kHighsInf, np.zeros(rival.shape[1])
    right = program.totals[0].astype(np.float64)
    lower = np.concatenate([np.full(len(none), -free), right, [least]])
    upper = np.concatenate([none, right, [free]])
    cost = np.concatenate([program.payoffs @ theirs, np.zeros(rows)])
    begin = np.where(np.arange(columns + rows) < columns, 0.0, -free)
    highs = linear_program(matrix, (lower, upper), cost, (begin, np.full(columns + rows, free)))
    optimise(highs)
    return np.array(highs.getSolution().col_value)[:columns]
