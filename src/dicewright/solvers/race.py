"""Race games solved exactly: pairs of scores, highest first (swept until still when a die can ruin)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ..core.errors import PrecisionError
from ..core.strategy import Mix
from ..games.race import HOLD, Effect, RaceGame, RaceView
from . import race_kernels as kernels
from .race_kernels import ACT, MINE, YOURS, Floats, Ints, Rules
from .race_table import RaceTable, no_memory, pure_mixes

SWEEPS = 2000
STILL = 4e-16  # a sweep that moves no worth by more than this times the stakes is the last


@lru_cache(maxsize=64)
def rules_of(game: RaceGame) -> Rules:
    """The rule table as arrays for the kernels."""

    def column(effect: Effect) -> tuple[Ints, Ints, Floats]:
        rolls = [[(chance, points) for chance, e, points in roll if e is effect] for _, roll in game.rolls]
        faces = [face for roll in rolls for face in roll]
        first = np.cumsum([0] + [len(roll) for roll in rolls])
        points = np.array([points for _, points in faces], np.int64)
        return first, points, np.array([float(chance) for chance, _ in faces])

    def chance(effect: Effect) -> Floats:
        return np.array([float(sum(c for c, e, _ in roll if e is effect)) for _, roll in game.rolls])

    return Rules(
        game.goal,
        game.finish == "exact",
        ("win", "margin", "difference").index(game.payoff_rule),
        game.skip,
        game.payoff_rule == "win" and game.finish == "reach" and not game.skip,
        max(points for _, roll in game.rolls for _, _, points in roll),
        *column(Effect.ADD),
        *column(Effect.BANK),
        chance(Effect.BUST),
        chance(Effect.RUIN),
    )


@dataclass(frozen=True, eq=False)
class RaceValues:
    """The solved game as its values at the start of each turn; a turn is rebuilt from them when asked.

    `worth[MINE, i, j]` is the mover's winning chance where somebody always wins, else the expected payoff.
    As a strategy it takes the best action of a view.
    """

    game: RaceGame
    worth: Floats = field(repr=False)

    def __call__(self, view: RaceView) -> Mix:
        action = self.actions[self.turn(view.mine, view.yours)[0][view.turn]]
        return {action: 1.0}

    def __str__(self) -> str:
        return "optimal"

    @property
    def actions(self) -> tuple[str, ...]:
        """What the numbers of choices mean: 0 is hold, r is the r-th roll."""
        return (HOLD, *(name for name, _ in self.game.rolls))

    def turn(self, mine: int, yours: int) -> tuple[list[int], Floats]:
        """The choice at each turn total, and what the best roll is worth there (as `worth` counts)."""
        rules = rules_of(self.game)
        turn = np.zeros((5, self.game.goal + rules.reach + len(self.game.rolls) + 1))
        sign = kernels.rebuild_turn(rules, mine, yours, self.worth, turn)
        bust = self.worth[YOURS if sign > 0 else MINE, yours, mine]
        left = self.game.goal - mine
        rolling = turn[kernels.ROLL_A, :left] + turn[kernels.ROLL_B, :left] * bust
        total = 1.0 if rules.decisive else 0.0
        return turn[ACT, :left].astype(int).tolist(), rolling if sign > 0 else total - rolling

    def payoff(self, mine: int = 0, yours: int = 0) -> float:
        """The expected payoff to the mover at the start of a turn."""
        mover, other = self.worth[MINE, mine, yours], self.worth[YOURS, mine, yours]
        return float(mover - other) if rules_of(self.game).decisive else float(mover)

    def table(self, game: RaceGame) -> RaceTable:
        """All choices as a table."""
        return table_of_runs(self.game, kernels.rebuild_choices, self.worth, self.game.goal)


def table_of_runs(game: RaceGame, rebuild: Callable[..., int], worth: Floats, columns: int) -> RaceTable:
    """The table that a kernel rebuilds from values, given the room it turns out to need."""
    first = np.zeros(game.goal * columns + 1, np.int64)
    count = 2 * game.goal * columns
    while True:
        starts, rows = np.zeros(count, np.int32), np.zeros(count, np.int32)
        count = rebuild(rules_of(game), worth, starts, rows, first)
        if count <= len(starts):
            mixes, remember = pure_mixes(game), no_memory(game.goal)
            return RaceTable(mixes, first, starts[:count], rows[:count], remember, solo=False)


def solve_values(game: RaceGame) -> RaceValues:
    """Solve the game; its values are right to rounding, their proof is a certificate's business."""
    rules, goal = rules_of(game), game.goal
    worth = np.zeros((2, goal, goal))
    truncate = len(game.rolls) == 1 and not rules.exact and rules.points.size > 0
    stop = np.zeros((2, goal, (goal - 1) // kernels.BLOCK + 2) if truncate else (1, 1, 1))
    ruin = np.full((2, goal), 0.5 if rules.decisive else 0.0)
    stakes = 1.0 if rules.payoff == kernels.WIN else float(goal)
    for _ in range(SWEEPS if rules.ruin.any() else 1):
        kernels.solve_pairs(rules, worth, ruin, stop)
        change = abs(worth[:, :, 0] - ruin).max()
        ruin = worth[:, :, 0].copy()
        if change <= STILL * stakes:
            break
    else:
        if rules.ruin.any():
            raise PrecisionError(f"{game.name} still moved by {change} after {SWEEPS} sweeps")
    return RaceValues(game, worth)
