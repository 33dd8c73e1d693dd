"""Safe answers in calling games: at each decision the rival is the model with a chance p, and else whoever hurts most.

Dice are rolled anew before each call, so every decision is a small game of its own between what follows. With H(c)
and F(c) the own winning chance where the cup is one's own, and the rival's, after c was accepted, and with the
rival's mixes as the model has them (a_k accepts; M_k, T_k: calls k, and truly),

    H(c) = max over calls of    p sum_k (a_k m_k F(k) + (1 - a_k) t_k)        + (1 - p) sum_k min(m_k F(k), t_k)
    F(c) = max over answers of  p sum_k (y_k M_k H(k) + (1 - y_k)(M_k - T_k)) + (1 - p) sum_r p_r min_k (...)

both linear programs (data biased response; Johanson & Bowling 2009). The p that is taken is the highest found whose
strategy loses no more than the bound to a best response.
"""

from collections.abc import Mapping
from typing import Any

import highspy
import numpy as np
from scipy.sparse import coo_matrix, csc_matrix

from ...core.game import View
from ...core.solution import Solution, one_of
from ...core.strategy import Mix
from ..safe import Safe, Scale
from ..tree.arrays import Floats
from ..tree.program import linear_program, optimise
from ..view_table import ViewTable
from .response import Asker
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingView

TRIED = 8  # confidences
NEAR = 0.95  # of the bound
LEAST = 1e-9  # of a chance; less is the solver's rounding


def answer_within(kin: Any, solution: Solution, model: Any, most: float) -> Safe:
    """The answer of the highest confidence that loses at most so much to anybody; perfect play if none gains."""
    game: Any = solution.game
    scale, perfect = Scale(kin, solution, model), solution.player
    best, low, high = Safe(perfect, scale.loss(perfect), 0.0), 0.0, 1.0
    for step in range(TRIED):
        confidence = high if step == 0 else (low + high) / 2
        answer = restricted(game, one_of(model), confidence)
        if (loss := scale.loss(answer)) > most:
            high = confidence
            continue
        found = scale.safe(answer, loss)
        best, low = max(best, found, key=lambda safe: safe.gain), confidence
        if loss >= NEAR * most or low == high:
            break
    return best


def restricted(game: CallingGame, model: Any, confidence: float) -> ViewTable:
    """The best answer to a rival who at each decision is the model with this chance."""
    asker = Asker(game, model, exact=False)
    held, faced = {game.top: 0.0}, {game.top: 1.0}
    mixes: dict[View, Mix] = {}
    for accepted in range(game.top - 1, NOTHING - 1, -1):
        stage = _Stage(game, accepted, confidence)
        held[accepted], calls = stage.call(asker.accepts(model, accepted), faced)
        faced[accepted], answers = stage.answer(asker.calls(model, accepted), held)
        mixes |= {CallingView(accepted, roll): mix for roll, mix in calls.items()}
        mixes |= {CallingView(accepted, None, call): mix for call, mix in answers.items()}
    return ViewTable(game, mixes, "a safe answer")


class _Stage:
    """One call and its answer after a call that was accepted."""

    def __init__(self, game: CallingGame, accepted: int, confidence: float) -> None:
        self.confidence, self.chances = confidence, np.array([float(chance) for chance in game.chances])
        self.calls = range(accepted + 1, game.top + 1)
        low = [game.lowest_call(accepted, roll) for roll in range(len(self.chances))]
        self.pairs = [(roll, call) for roll in range(len(low)) for call in self.calls if call >= low[roll]]
        self.true = np.array([game.true(roll, call) for roll, call in self.pairs], float)
        self.rolls, called = np.array(self.pairs).T
        self.places = called - self.calls.start

    def call(self, accepts: Mapping[int, float], faced: Mapping[int, float]) -> tuple[float, dict[int, Mix]]:
        """The own calls, and what they are worth: columns are the chance of each roll with its call, then z by call."""
        yes, after = (np.array([each[call] for call in self.calls]) for each in (accepts, faced))
        here, size, many = self.places, len(self.pairs), len(self.calls)
        known = yes[here] * after[here] + (1.0 - yes[here]) * self.true
        columns, every = np.arange(size), np.arange(many)
        none = np.zeros(many)
        matrix = _matrix(
            (self.rolls, columns, np.ones(size)),
            (len(self.chances) + here, columns, -after[here]),
            (len(self.chances) + every, size + every, np.ones(many)),
            (len(self.chances) + many + here, columns, -self.true),
            (len(self.chances) + many + every, size + every, np.ones(many)),
        )
        cost = np.concatenate([self.confidence * known, np.full(many, 1.0 - self.confidence)])
        upper = np.concatenate([self.chances, none, none])
        lower = np.concatenate([self.chances, np.full(2 * many, -highspy.kHighsInf)])
        begin = np.concatenate([np.zeros(size), np.full(many, -highspy.kHighsInf)])
        weights = _solved(matrix, (lower, upper), cost, (begin, np.full(size + many, highspy.kHighsInf)))
        found: dict[int, dict[Any, float]] = {roll: {} for roll in range(len(self.chances))}
        for (roll, call), weight in zip(self.pairs, weights[:size].tolist(), strict=True):
            if weight > LEAST * self.chances[roll]:
                found[roll][call] = weight
        return float(cost @ weights), {roll: _scaled(mix) for roll, mix in found.items()}

    def answer(
        self, made: Mapping[int, tuple[float, float]], held: Mapping[int, float]
    ) -> tuple[float, dict[int, Mix]]:
        """The own answers, and what they are worth: columns are the chance to accept each call, then w by roll."""
        here, many, hands = self.places, len(self.calls), len(self.chances)
        after = np.array([held[call] for call in self.calls])
        calls, truly = np.array([made[call] for call in self.calls]).T
        size, lie = len(self.pairs), 1.0 - self.true
        rows = np.arange(size)
        matrix = _matrix((rows, many + self.rolls, np.ones(size)), (rows, here, lie - after[here]))
        gained = calls * after - (calls - truly)
        cost = np.concatenate([self.confidence * gained, (1.0 - self.confidence) * self.chances])
        begin = np.concatenate([np.zeros(many), np.full(hands, -highspy.kHighsInf)])
        end = np.concatenate([np.ones(many), np.full(hands, highspy.kHighsInf)])
        weights = _solved(matrix, (np.full(size, -highspy.kHighsInf), lie), cost, (begin, end))
        worth = float(cost @ weights) + self.confidence * float((calls - truly).sum())
        shares = np.clip(weights[:many], 0.0, 1.0).tolist()
        return worth, {
            call: _scaled({ACCEPT: share, CHALLENGE: 1.0 - share})
            for call, share in zip(self.calls, shares, strict=True)
        }


def _matrix(*parts: tuple[Any, Any, Floats]) -> csc_matrix:
    rows, columns, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    return csc_matrix(coo_matrix((values, (rows, columns))))


def _solved(
    matrix: csc_matrix, rows: tuple[Floats, Floats], cost: Floats, columns: tuple[Floats, Floats]
) -> Floats:
    highs = linear_program(matrix, rows, cost, columns)
    optimise(highs)
    return np.array(highs.getSolution().col_value)


def _scaled(mix: Mapping[Any, float]) -> Mix:
    kept = {action: share for action, share in mix.items() if share > LEAST}
    total = sum(kept.values())
    return {action: share / total for action, share in kept.items()}
