"""A cup as two small linear programs in sequence form: the caller's, and the answerer's.

With the accepted call c, the kept dice h and W(k, r) the chance of who accepts k and sees r, the caller has a sequence
for each roll r and call k, the weights of a roll's calls adding up to its ways; the answerer has one to accept and one
to challenge each call, adding up to 1. The caller gets 1 - W(k, r) if accepted, and 1 if challenged with a true call.

In the caller's program the answerer has a third sequence for each call: to accept it and then play on like people. That
pays the caller 1 - U(k, r), never less than 1 - W(k, r), so no perfect answerer has it; but what people give away later
counts. In the answerer's program a slip is a call, played on perfectly: what is believed of a slip is which dice it
hides, and nothing else. The answerer never accepts the highest call, which to challenge weakly dominates.

With n ranks there are up to n^2 columns and 3 n rows, or n^2 rows and 2 n columns.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix

from ...core.errors import PrecisionError
from ..tree.arrays import Floats, Ints
from ..tree.basis import Exact
from ..tree.program import LinearProgram, Search, punish_people
from .people import CupPlay
from .rules import CallingGame

ROUNDING = 10**15
UNIT, MOST = 2**50, 2**60  # the scale of payoffs, which is a multiple of their denominators if they are exact
# what people pay is rounded to such steps: ties closer than the linear program's tolerance could not be told apart
FINE = 2**20


class CupProgram:
    """One cup: its columns (roll, call), and what each call of a roll pays the caller, in whole numbers."""

    def __init__(self, game: CallingGame, accepted: int, kept: str, lifted: Any) -> None:
        self.game = game
        chances = game.rolls(kept)
        common = lcm(*(chance.denominator for chance in chances.values()))
        self.rolls = list(chances)
        self.ways = np.array([int(chance * common) for chance in chances.values()])
        self.columns = [
            (roll, call)
            for roll in self.rolls
            for call in range(game.lowest_call(accepted, roll), game.top + 1)
        ]
        self.calls = sorted({call for _, call in self.columns})
        worths = [1 - Fraction(lifted(call, roll)) for roll, call in self.columns]
        common = 1 if game.keep else lcm(*(worth.denominator for worth in worths))
        self.unit = common * max(1, UNIT // common)
        if self.unit > MOST:
            raise PrecisionError(f"the worths of {game.name} have more digits than a linear program holds")
        self.accepted = np.array([round(worth * self.unit) for worth in worths])
        self.true = np.array([game.true(*column) for column in self.columns]) * self.unit
        place = {roll: number for number, roll in enumerate(self.rolls)}
        order = {call: number for number, call in enumerate(self.calls)}
        self.row = np.array([place[roll] for roll, _ in self.columns])
        self.order = np.array([order[call] for _, call in self.columns])

    def caller(self, weights: Sequence[float], people: Sequence[CupPlay], lifted: Sequence[Floats]) -> Search:
        """The best calls that win most from these people, `lifted` being their chances once they accept a roll."""
        size = len(self.calls)
        yes = np.array([turn.accepts[self.calls] for turn in people]) * np.array(weights)[:, None]
        total = yes.sum(axis=0)
        paid = np.zeros(len(self.columns))
        rolls, calls = np.array(self.columns).T
        for share, theirs in zip(yes, lifted, strict=True):
            paid += share[self.order] * (1 - theirs[calls, rolls])
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(total[self.order] > 0, paid / total[self.order], 1.0)
        later = np.maximum(np.rint(mean * FINE).astype(np.int64) * max(1, self.unit // FINE), self.accepted)
        entries = np.concatenate([self.accepted, self.true, later])
        rows = np.tile(np.arange(len(self.columns)), 3)
        answers = np.concatenate([self.order + part * size for part in range(3)])
        payoffs = csr_matrix(coo_matrix((entries, (rows, answers)), (len(self.columns), 3 * size)))
        search = Search(
            LinearProgram(payoffs, (self._calls(), _blocks(size, 3)), (self.ways, np.ones(size, int)))
        )
        no = sum(weights) - total
        punish_people(search, np.concatenate([np.zeros(size), no, total]))
        return search

    def answerer(self, weights: Sequence[float], people: Sequence[CupPlay]) -> Search:
        """The best answers that win most from these people."""
        size, top = len(self.calls), self.order[np.array(self.columns)[:, 1] == self.game.top]
        entries = np.concatenate([-self.accepted, -self.true])
        answers = np.concatenate([self.order, self.order + size])
        columns = np.tile(np.arange(len(self.columns)), 2)
        payoffs = coo_matrix((entries, (answers, columns)), (2 * size, len(self.columns)))
        answering = np.delete(np.arange(2 * size), top[:1])
        own = csr_matrix(_blocks(size, 2)[:, answering])
        program = LinearProgram(
            csr_matrix(csr_matrix(payoffs)[answering]),
            (own, self._calls()),
            (np.ones(size, int), self.ways),
        )
        search = Search(program)
        rolls, calls = np.array(self.columns).T
        made = sum(weight * turn.calls[rolls, calls] for weight, turn in zip(weights, people, strict=True))
        punish_people(search, np.asarray(made) * self.ways[self.row])
        return search

    def _calls(self) -> csr_matrix:
        """The weights of a roll's calls add up to its ways."""
        entries = np.ones(len(self.columns), np.int64)
        places = (self.row, np.arange(len(self.columns)))
        return csr_matrix(coo_matrix((entries, places), (len(self.rolls), len(self.columns))))


def _blocks(size: int, parts: int) -> csr_matrix:
    """The answers to a call add up to 1; accepts stand before challenges, and those before what people do."""
    columns = np.arange(parts * size)
    entries: Ints = np.ones(parts * size, np.int64)
    return csr_matrix(coo_matrix((entries, (columns % size, columns)), (size, parts * size)))


def answer(search: Search, exact: bool) -> tuple[Exact, tuple[Exact, ...]]:
    """Weights and beliefs: fractions of the basis if they are asked for, else floats to all their digits."""
    choice = search.choice(exact, ROUNDING)
    if exact and not choice.exact:
        raise PrecisionError("the basis of a linear program is not optimal in fractions")
    return choice.weights, choice.beliefs
