"""Race games solved exactly: pairs of scores, highest first (swept until still when a die can ruin)."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from ...core.errors import PrecisionError
from ...core.notation import check_heir
from ...core.strategy import Mix
from . import kernels
from .kernels import ACT, MINE, YOURS, Floats, Ints, Rules, Worths
from .rules import HOLD, Effect, RaceGame, RaceView, Roll
from .runs import Runs
from .tabled import RaceTable, pure_table

SWEEPS = 2000
STILL = 4e-16  # a sweep that moves no worth by more than this times the stakes is the last
PLAIN_STEP = 1e-5  # seconds for a turn total, where nothing is compiled
KEPT_TURNS = 1024  # of some 16 bytes for each point of the goal

Turn = tuple[list[int], "array[float]"]  # the choice at each turn total, and its worth to the mover


@lru_cache(maxsize=64)
def rules_of(game: RaceGame) -> Rules:
    """The rule table as arrays for the kernels."""
    check_heir(game, RaceGame)

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
        endless := game.skip or game.finish == "exact" or not _progresses(game),
        game.payoff_rule == "win" and not endless,
        max(points for _, roll in game.rolls for _, _, points in roll),
        *column(Effect.ADD),
        *column(Effect.BANK),
        chance(Effect.BUST),
        chance(Effect.RUIN),
    )


def _progresses(game: RaceGame) -> bool:
    """Whether every roll can raise a score, so that play ends whatever is chosen."""
    gains = (Effect.ADD, Effect.BANK)
    return all(any(e in gains and points > 0 for _, e, points in roll) for _, roll in game.rolls)


def stop_table(rules: Rules) -> Floats:
    """Room for stopping sets, in games that have them: one roll, and any score from the goal on wins."""
    truncate = rules.bust.size == 1 and not rules.exact and rules.points.size > 0
    return np.zeros((2, rules.goal, (rules.goal - 1) // kernels.BLOCK + 2) if truncate else (1, 1, 1))


def room_of_turn(rules: Rules) -> Floats:
    """Room for one turn: its lines, its rolls and its choices at every turn total."""
    return np.zeros((5, rules.goal + rules.reach + rules.bust.size + 1))


def worths_of(worth: Floats) -> Worths:
    """What is known of a solved game, but for its stopping sets."""
    return Worths(worth, worth[:, :, 0].copy(), np.zeros((1, 1, 1)))


@dataclass(frozen=True, eq=False)
class RaceValues:
    """The solved game as its values at the start of each turn; a turn is rebuilt from them when asked.

    `worth[MINE, i, j]` is the mover's winning chance where somebody always wins, else the expected payoff.
    As a strategy it takes the best action of a view.
    """

    game: RaceGame
    worth: Floats = field(repr=False)
    stop: Floats | None = field(default=None, repr=False)  # the stopping sets, if they are at hand
    runs: Runs | None = field(default=None, repr=False)  # its choices, likewise

    def __call__(self, view: RaceView) -> Mix:
        if view.mine + view.turn >= self.game.goal:
            return {HOLD: 1.0}
        choice = self.turn(view.mine, view.yours)[0][view.turn]
        return {(HOLD, *(name for name, _ in self.game.rolls))[choice]: 1.0}

    def __str__(self) -> str:
        return "optimal"

    @cached_property
    def _rules(self) -> Rules:
        return rules_of(self.game)

    @cached_property
    def turn(self) -> Callable[[int, int], Turn]:
        """`turn(mine, yours)`: the choice at each turn total (0 hold, r the r-th roll), and its worth to the mover.

        The latest turns are remembered: a turn is asked about again at each of its rolls. O(goal) otherwise.
        """
        return lru_cache(maxsize=KEPT_TURNS)(self._rebuilt)

    def _rebuilt(self, mine: int, yours: int) -> Turn:
        rules, left = self._rules, self.game.goal - mine
        turn, worth = room_of_turn(rules), np.zeros(left + rules.reach)
        kernel = kernels.rebuild_worths
        rebuild = kernel if kernel.pays(PLAIN_STEP * rules.goal) else kernel.plain
        rebuild(rules, mine, yours, worths_of(self.worth), turn, worth)
        return turn[ACT, :left].astype(int).tolist(), array("d", worth.tobytes())

    def warm(self) -> None:
        """Rebuild turns by compiled code from now on, and one at once, so that it is loaded."""
        kernels.rebuild_worths.prefer()
        self._rebuilt(0, 0)

    def best_worth(self, view: RaceView) -> float:
        """What the best action is worth to the mover: the largest of `action_worths`."""
        mine, yours, k = view[:3]
        if mine + k < self.game.goal:
            return self._shown(self.turn(mine, yours)[1][k])
        return self._shown(self._goal_worth(mine + k, yours))

    def action_worths(self, view: RaceView) -> dict[str, float]:
        """What each allowed action is worth to the mover: a winning chance, or points in a game for points."""
        game, (mine, yours, k) = self.game, view[:3]
        later = self.turn(mine, yours)[1] if mine + k < game.goal else ()

        def banked(score: int) -> float:
            won = score >= game.goal
            return self._goal_worth(score, yours) if won else float(self.worth[YOURS, yours, score])

        worths = {
            name: mean_of_roll(game, roll, mine, k, later, banked)
            for name, roll in (game.rolls if later else ())
        } | {HOLD: banked(mine + k)}
        return {action: self._shown(worths[action]) for action in game.actions(view)}

    def _goal_worth(self, score: int, other: int) -> float:
        return 1.0 if self._rules.decisive else self.game.winnings(score, other)

    def _shown(self, worth: float) -> float:
        if self.game.payoff_rule == "win" and not self._rules.decisive:
            return (1.0 + worth) / 2.0
        return worth

    def payoff(self, mine: int = 0, yours: int = 0) -> float:
        """The expected payoff to the mover at the start of a turn."""
        mover, other = self.worth[MINE, mine, yours], self.worth[YOURS, mine, yours]
        return float(mover - other) if self._rules.decisive else float(mover)

    @cached_property
    def _table(self) -> RaceTable:
        if self.runs is not None:
            return pure_table(self.game, self.runs[1:])
        rules, stop = self._rules, self.stop
        if stop is None:
            stop = stop_table(rules)
            if stop.size > 1:
                kernels.stopping_sets(rules, self.worth, stop)
        return table_of_runs(self.game, self.worth, stop)

    def table(self, game: RaceGame) -> RaceTable:
        """All choices as a table, made once."""
        return self._table


def mean_of_roll(
    game: RaceGame, roll: Roll, score: int, k: int, later: Sequence[float], banked: Callable[[int], float]
) -> float:
    """What a roll is worth at turn total k, from what higher ones and the scores after the turn are worth."""
    total = 0.0
    for chance, effect, points in roll:
        if effect is Effect.ADD and not game.overshoots(score + k + points):
            worth = later[k + points]
        elif effect is Effect.BANK and not game.overshoots(score + points):
            worth = banked(score + points)
        else:
            worth = banked(0 if effect is Effect.RUIN else score)
        total += float(chance) * worth
    return total


def table_of_runs(game: RaceGame, worth: Floats, stop: Floats) -> RaceTable:
    """The table of the choices that are best at these values, with a column for each seat of the opponent."""
    rules, worths = rules_of(game), worths_of(worth)._replace(stop=stop)
    pairs = game.goal * worth.shape[1]
    first, count = np.zeros(pairs + 1, np.int64), 2 * pairs
    while True:
        starts, rows = np.zeros(count, np.int32), np.zeros(count, np.int32)
        count = kernels.rebuild_choices(rules, worths, room_of_turn(rules), starts, rows, first)
        if count <= len(starts):
            return pure_table(game, (first, starts[:count], rows[:count]))


def solve_values(game: RaceGame) -> RaceValues:
    """Solve the game in floats; how near the values are is what a certificate says."""
    rules, goal = rules_of(game), game.goal
    worth, stop = np.zeros((2, goal, goal)), stop_table(rules)
    ruin = np.full((2, goal), 0.5 if rules.decisive else 0.0)
    stakes = 1.0 if rules.payoff == kernels.WIN else float(goal)
    sweeps = SWEEPS if rules.ruin.any() else 1
    turns, edges = np.stack([room_of_turn(rules)] * 2), np.zeros(2, np.int64)
    for _ in range(sweeps):
        unsettled = kernels.solve_pairs(rules, Worths(worth, ruin, stop), turns, edges)
        change = abs(worth[:, :, 0] - ruin).max()
        ruin = worth[:, :, 0].copy()
        if change <= STILL * stakes or sweeps == 1:
            break
    else:
        unsettled = goal
    if unsettled:
        raise PrecisionError(f"{game.name} did not settle: {unsettled} pairs of scores after {sweeps} sweeps")
    return RaceValues(game, worth, stop)
