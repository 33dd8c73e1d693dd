"""What a race strategy gives away to a rival, position by position; perfect play is a rival like any other."""

from typing import Any

import numpy as np

from ...core.losses import Grouping, Losses, Mistake
from ...core.solution import one_of
from . import critic_kernels as kernels
from .critic_kernels import BEST, DID, EACH, MINE, THEIRS, TIMES
from .duel import answer_values, duel_tables
from .duel_kernels import FIRST_WINS, PAYOFF
from .kernels import YOURS, Floats, Ints, Worths
from .rules import HOLD, RaceGame, RaceView
from .tabled import RaceTable, rules_of, tabulate, worths_of
from .visits import MeanVisits, mean_visits

ROUNDING = 2e-15  # times the stakes: what a choice may lose by rounding alone
ROOM = 1 << 17  # rows, to begin with
HABITS = ("holding too early", "rolling too long", "taking the wrong roll")
PARTS = 10  # of a goal


class RaceCritic:
    """Knows the best answer to one rival: made once, asked about many strategies.

    The answer takes goal^3 / 2 sums over the faces three times or so, a strategy two chains of turns and a turn back at
    each pair of scores that is met.
    """

    def __init__(self, game: RaceGame, rival: Any) -> None:
        self.game, self.rival = game, one_of(rival)
        self.table = tabulate(game, self.rival)
        worth, mover = answer_values(game, self.table, self.rival)
        self.worths: Worths = worths_of(worth)
        self.mover = mover  # with the answerer to move
        decisive, wins = rules_of(game).decisive, game.payoff_rule == "win"
        self.scale, self.shift = (0.5, 0.5) if wins and not decisive else (1.0, 0.0)
        self.least = ROUNDING * (1.0 if wins else game.goal)

    def __call__(self, strategy: Any) -> Losses:
        """Both seats, each half of the time."""
        game, strategy = self.game, one_of(strategy)
        table = tabulate(game, strategy)
        x, y = duel_tables(game, table, self.table)
        parts, decisions, standstill = [], 0.0, 0.0
        for seat in (0, 1):
            tables = (table, self.table) if seat == 0 else (self.table, table)
            names = (strategy, self.rival) if seat == 0 else (self.rival, strategy)
            visited = mean_visits(game, tables, names)
            rows, count = self._slips(table, seat, visited)
            rows[:, TIMES] /= 2
            parts.append(rows)
            decisions += count / 2
            standstill += self._standstill(seat, visited) / 2
        got = (self._got(x[0, 0]) + self._got(y[0, 0])) / 2
        best = float(self.mover[0, 0] + self.worths.V[YOURS, 0, 0]) / 2
        return self._losses(_merged(game, np.concatenate(parts)), best, got, decisions, standstill)

    def _got(self, quantities: Floats) -> float:
        """What the strategy gets, in the unit of the solver."""
        return float(quantities[FIRST_WINS] if rules_of(self.game).decisive else quantities[PAYOFF])

    def _slips(self, table: RaceTable, seat: int, visited: MeanVisits) -> tuple[Floats, float]:
        room = ROOM
        while True:
            rows = np.zeros((room, EACH + 1))
            count, decisions = kernels.slips(
                rules_of(self.game), table, seat, visited, self.worths, self.least, rows
            )
            if count <= room:
                return rows[:count], decisions
            room = count

    def _standstill(self, seat: int, visited: MeanVisits) -> float:
        """What the answerer would still get where the two come to a stand: the rival's turn changes nothing there."""
        place, turns, ends = visited
        u, v = np.nonzero(place >= 0)
        stuck = ends[place[u, v]] == 0.0
        u, v = u[stuck], v[stuck]
        mine, rival = (u, v) if seat == 0 else (v, u)
        return float((turns[2 * place[u, v]] * self.mover[mine % self.game.goal, rival]).sum())

    def _losses(self, rows: Floats, best: float, got: float, decisions: float, standstill: float) -> Losses:
        game, numbers = self.game, rows[:, : BEST + 1].astype(np.int64)
        actions = (HOLD, *(name for name, _ in game.rolls))

        def slip(place: int) -> Mistake:
            mine, theirs, turn, did, right = numbers[place].tolist()
            return Mistake(RaceView(mine, theirs, turn), actions[did], actions[right])

        habit = np.where(numbers[:, DID] == 0, 0, np.where(numbers[:, BEST] == 0, 1, 2))
        groups = {
            "habit": Grouping(HABITS[: 2 + (len(game.rolls) > 1)], habit),
            "the other's score": _zones(game, numbers[:, THEIRS], "with the other at"),
            "the own score": _zones(game, numbers[:, MINE], "with an own score of"),
        }
        scale, shift = self.scale, self.shift
        each, told = scale * rows[:, EACH], (shift + scale * best, shift + scale * got)
        return Losses(*told, decisions, rows[:, TIMES].copy(), each, slip, groups, scale * standstill)


def _merged(game: RaceGame, rows: Floats) -> Floats:
    """Rows of one position, choice and best choice added up: seats and memories are not told apart."""
    sides = (game.goal, game.goal, game.goal, len(game.rolls) + 1, len(game.rolls) + 1)
    keys = np.ravel_multi_index(tuple(rows[:, : BEST + 1].astype(np.int64).T), sides)
    found, first, which = np.unique(keys, return_index=True, return_inverse=True)
    merged = rows[first]
    merged[:, TIMES] = np.bincount(which, rows[:, TIMES], len(found))
    lost = np.bincount(which, rows[:, TIMES] * rows[:, EACH], len(found))
    met = merged[:, TIMES] > 0.0  # chances may be too small for a number
    merged[met, EACH] = lost[met] / merged[met, TIMES]
    return merged[met]


def _zones(game: RaceGame, scores: Ints, where: str) -> Grouping:
    """Scores in ten parts of the goal, or one by one below ten."""
    wide = max(1, game.goal // PARTS)
    names = []
    for low in range(0, game.goal, wide):
        high = min(low + wide, game.goal) - 1
        names.append(f"{where} {low} to {high}" if high > low else f"{where} {low}")
    return Grouping(tuple(names), scores // wide)


def loss_map(game: RaceGame, losses: Losses) -> Floats:
    """[mine, yours]: what is lost in turns that begin at these scores."""
    lost, found = losses.lost, np.zeros((game.goal, game.goal))
    views = [losses.slip(place).view for place in range(len(lost))]
    for view, loss in zip(views, lost.tolist(), strict=True):
        found[view.mine, view.yours] += loss
    return found
