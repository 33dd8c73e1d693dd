"""Rules of thumb for race games: one frozen class each, with its source; and what a single player may aim at.

A rule that compares the turn total with a number gives that number as `hold_at(mine, yours)`, on whole arrays
of scores; its answer in a single view follows from it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from ...core.errors import RulesError, StrategyError
from ...core.notation import Named, build, notation
from ...core.strategy import AnyAction, Mix
from . import kernels, tabled
from .duel import swept
from .expressed import RaceRule, race_rule
from .kernels import ACT, MINE, Floats
from .rules import HOLD, ROLL, Effect, RaceGame, RaceView
from .solution import RaceValues, solve_values
from .tabled import RaceTable, TableStrategy, pure_mixes, pure_table, runs_in, solo_table, tabulate

NEVER = 10**6  # a turn total no game reaches


class Threshold(Named, ABC):
    """Roll below a turn total that depends on the scores, hold from it on; all fields are numbers from 1 on."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(vars(self).values(), default=1) < 1:
            raise RulesError(f"{self} has a field below 1; whole numbers from 1 on are allowed")

    @abstractmethod
    def hold_at(self, mine: Any, yours: Any) -> Any:
        """The turn total from which to hold, for arrays of scores."""

    def __call__(self, view: RaceView, *memory: int) -> Mix:
        hold = int(np.asarray(self.hold_at(np.array(view.mine), np.array(view.yours), *memory)))
        return {HOLD: 1.0} if view.turn >= hold else {ROLL: 1.0}


@dataclass(frozen=True)
class HoldAt(Threshold):
    """Roll until the turn total reaches n (Knizia 1999 for n = 20; Exeter 2.3.2; Neller & Presser 2004)."""

    n: int
    key: ClassVar[str] = "hold"

    def __post_init__(self) -> None:
        Named.__post_init__(self)
        if not 1 <= self.n <= NEVER:
            raise RulesError(f"n is {self.n} in hold:{self.n}; 1 to {NEVER} is allowed")

    def hold_at(self, mine: Any, yours: Any) -> Any:
        """n, whatever the scores."""
        return np.full(np.shape(mine), self.n)


@dataclass(frozen=True)
class Turtle(HoldAt):
    """Bank a little every turn: hold at 5 (Exeter 3.3.6; the report gives no number, 5 gives its figures)."""

    n: int = 5
    key: ClassVar[str] = "turtle"


@dataclass(frozen=True)
class RollToWin(Threshold):
    """Never hold before the goal is reached (Exeter 2.2.4 and 3.3.6)."""

    key: ClassVar[str] = "roll-to-win"

    def hold_at(self, mine: Any, yours: Any) -> Any:
        """Never."""
        return np.full(np.shape(mine), NEVER)


@dataclass(frozen=True)
class RollAndWait(Threshold):
    """Get to 80, skip turns until the opponent is there too, then roll to win (Exeter 3.3.6).

    The report does not say how 80 is reached nor when the opponent has caught up; its 0.7106 against the turtle
    depends on that. Here: hold at `hold`, or as soon as `target` is reached; wait while the opponent is
    below `target`. The cycle turtle > roll-to-win > roll-and-wait > turtle does not depend on the details.
    """

    target: int = 80
    hold: int = 20
    key: ClassVar[str] = "roll-and-wait"

    def hold_at(self, mine: Any, yours: Any) -> Any:
        """Up to the target, then 0 or never."""
        climb = np.minimum(self.hold, self.target - mine)
        return np.where(mine < self.target, climb, np.where(yours < self.target, 0, NEVER))


@dataclass(frozen=True)
class RandomRace(AnyAction):
    """Any allowed action with equal chance: Norvig's `clueless`."""

    def table(self, game: RaceGame) -> RaceTable:
        """One mix for the start of a turn and one for the rest of it."""
        column = (HOLD, *(name for name, _ in game.rolls))
        mixes = np.zeros((2, len(column)))
        for row, view in zip(mixes, (RaceView(0, 0), RaceView(0, 0, 1)), strict=True):
            for action, chance in self(view).items():
                row[column.index(str(action))] = chance
        return solo_table(mixes, ([0, *[1] * (game.goal - mine - 1)] for mine in range(game.goal)))


@dataclass(frozen=True)
class ScoringTurns(Threshold):
    """Win in so many scoring turns: hold at an equal share of what is left (Neller & Presser 2010).

    With n scoring turns done, hold at floor((goal - mine) / (turns - n)); it remembers n.
    """

    game: RaceGame
    turns: int = 4
    key: ClassVar[str] = "four-scoring-turns"

    def __post_init__(self) -> None:
        Named.__post_init__(self)
        if not 1 <= self.turns <= 20:
            raise RulesError(f"turns is {self.turns} in {self.key}; 1 to 20 is allowed")

    @property
    def memories(self) -> int:
        """The number of scoring turns done, the last of which wins."""
        return self.turns

    def remember(self, memory: int, gained: int) -> int:
        """One more scoring turn."""
        return min(memory + 1, self.turns - 1)

    def hold_at(self, mine: Any, yours: Any, memory: int = 0) -> Any:
        """The share of what is left for this turn."""
        return np.maximum(1, (self.game.goal - mine) // (self.turns - memory)) + 0 * yours


@dataclass(frozen=True)
class KeepPace(Threshold):
    """Keep pace and end race (Neller & Presser 2010): in sight of the goal roll to win, else follow the lead.

    Roll out if either score is at least `race`, else hold at base + round((yours - mine) / share), halves up.
    """

    base: int = 21
    share: int = 8
    race: int = 71
    key: ClassVar[str] = "keep-pace"

    def hold_at(self, mine: Any, yours: Any) -> Any:
        """The base, moved by a share of the lead."""
        pace = np.maximum(1, self.base + np.floor((yours - mine) / self.share + 0.5).astype(int))
        return np.where(np.maximum(mine, yours) >= self.race, NEVER, pace)


@dataclass(frozen=True)
class EndRace(Threshold):
    """Hold at a fixed number until either score is in sight of the goal, then roll to win.

    The end-race half of Neller & Presser's (2010) rule on its own.
    """

    hold: int = 21
    race: int = 71
    key: ClassVar[str] = "end-race"

    def hold_at(self, mine: Any, yours: Any) -> Any:
        """A number, or never."""
        return np.where(np.maximum(mine, yours) >= self.race, NEVER, self.hold)


def rewrite_base(text: str, check: Callable[[str], str]) -> str | None:
    """The text of `skip-when-equal` with its base as `check` has it; None for another strategy."""
    name = "skip-when-equal"

    def base_of(base: str = "hold:20") -> str:
        """Its field."""
        return base

    if text.partition(":")[0] != name:
        return None
    return notation(name, base_of, {"base": check(build("strategy", text, {name: base_of}))})


def skip_when_equal(game: RaceGame, base: str = "hold:20") -> TableStrategy:
    """Skip the turn whenever the scores are equal, except at 0-0; else play `base` (Exeter 2.3.4)."""
    name = notation("skip-when-equal", skip_when_equal, {"base": base})
    if not game.skip:
        raise StrategyError(f"{name} holds without a turn total; that is allowed in pig:skip=yes")
    from .characters import CHARACTERS

    table, goal = tabulate(game, build("strategy", base, RACE | CHARACTERS, game=game)), game.goal
    if table.memories > 1 or not np.array_equal(table.mixes, pure_mixes(game)):
        raise StrategyError(f"{base} in {name} remembers or mixes; a pure rule without memory is allowed")
    pairs = np.repeat(np.arange(goal**2), np.diff(table.first))
    equal = (pairs % (goal + 1) == 0) & (pairs > 0)
    kept = ~equal | (table.starts == 0)
    first = np.concatenate([[0], np.cumsum(np.bincount(pairs[kept]))])
    rows = np.where(equal, 0, table.rows)[kept].astype(np.int32)
    table = table._replace(first=first, starts=table.starts[kept], rows=rows, solo=False)
    return TableStrategy(game, table, name)


def optimal(game: RaceGame) -> RaceValues:
    """The solution of the game itself: nobody does better against a perfect opponent."""
    return solve_values(game)


def fewest(game: RaceGame) -> TableStrategy:
    """Minimise the expected number of turns to the goal (Haigh & Roters 2000; Crocce & Mordecki section 3)."""
    return TableStrategy(game, fewest_turns(game)[1], "fewest-turns")


def max_difference(game: RaceGame, course: bool = False) -> TableStrategy:
    """Maximise the expected difference of the final scores (Norvig's `max_diffs`).

    `course=yes` keeps the misprint of the course's listing (see `course_difference`).
    """
    if not course:
        values = solve_values(replace(game, payoff_rule="difference"))
        return TableStrategy(game, values.table(game), "max-difference")
    table = pure_table(game, runs_in(map(np.array, course_difference(game))))
    return TableStrategy(game, table, "max-difference:course=yes")


def best_turn(game: RaceGame) -> tuple[int, Fraction]:
    """The hold number that maximises the expected points of one turn, and that expectation (Roters 1998).

    One more roll at turn total k gains  sum_add p (points) - (chance to lose the turn) k + sum_bank p points,
    which falls in k, so the first total where it is not positive is where to hold. The goal is ignored.
    """
    if len(game.rolls) > 1:
        raise RulesError(f"{game.name} has {len(game.rolls)} rolls; the best turn is defined for one")
    roll = game.rolls[0][1]
    gain = sum((p * points for p, effect, points in roll if effect is Effect.ADD), Fraction(0))
    banked = sum((p * points for p, effect, points in roll if effect is Effect.BANK), Fraction(0))
    lost = sum((p for p, effect, _ in roll if effect is not Effect.ADD), Fraction(0))
    if lost == 0:
        raise RulesError(f"no face of {game.name} ends a turn, so a turn can be worth any number of points")
    hold = max(1, -((gain + banked) // -lost))
    most = max((points for _, effect, points in roll if effect is Effect.ADD), default=0)
    worth = {k: Fraction(k) for k in range(hold, hold + most + 1)}
    for k in range(hold - 1, -1, -1):
        worth[k] = banked + sum(p * worth[k + points] for p, effect, points in roll if effect is Effect.ADD)
    return hold, worth[0]


@lru_cache(maxsize=8)
def fewest_turns(game: RaceGame) -> tuple[Floats, RaceTable]:
    """The least expected number of turns from each score, and the strategy that needs them (Haigh & Roters)."""
    rules = tabled.rules_of(game)._replace(decisive=True, skip=False)
    worth = np.zeros((2, 1, game.goal))
    swept(game, "the fewest turns", lambda: kernels.fewest_turns(rules, worth))
    turn, worths = tabled.room_of_turn(rules), tabled.worths_of(worth)
    turns = []
    for i in range(game.goal):
        kernels.turn_line(rules, i, 0, -1.0, worths, worth[MINE, 0, i], turn)
        turns.append(turn[ACT, : game.goal - i].astype(int).tolist())
    return worth[MINE, 0].copy(), solo_table(pure_mixes(game), turns)


def course_difference(game: RaceGame) -> list[list[list[int]]]:
    """The choices of the course's `max_diffs` as printed, 1 - U and all: [mine][yours][turn] -> 1 roll, 0 hold.

    Norvig's listing reuses the winning-chance recursion, where the opponent's U counts 1 - U; a difference
    needs -U. Kept, under this label, to compare with the course's answers. Scores only rise where a 1 scores,
    so one pass over falling scores does it; goal^3 / 2 steps.
    """
    if game.has(Effect.BUST, Effect.RUIN):
        raise RulesError(
            f"{game.name} can leave a score as it was; the course's listing is for pig:one=scores"
        )
    goal, faces = game.goal, game.rolls[0][1]
    worth: dict[tuple[int, int], float] = {}

    def start(mine: int, yours: int) -> float:
        return float(mine - yours) if max(mine, yours) >= goal else worth[mine, yours]

    choices: list[list[list[int]]] = [[[] for _ in range(goal)] for _ in range(goal)]
    for total in range(2 * goal - 2, -1, -1):
        for mine in range(max(0, total - goal + 1), min(goal, total + 1)):
            yours = total - mine
            reach = max(points for _, _, points in faces)
            turn = [float(mine + k - yours) for k in range(goal - mine + reach)]
            picks = [0] * (goal - mine)
            for k in range(goal - mine - 1, -1, -1):
                roll = sum(
                    float(p)
                    * (turn[k + points] if effect is Effect.ADD else 1.0 - start(yours, mine + points))
                    for p, effect, points in faces
                )
                hold = 1.0 - start(yours, mine + k) if k > 0 else -np.inf
                turn[k], picks[k] = max(roll, hold), int(roll > hold)
            worth[mine, yours], choices[mine][yours] = turn[0], picks
    return choices


@dataclass(frozen=True)
class Function:
    """A Python function (mine, yours, turn) -> whether to roll; asked once in every view and checked."""

    rolls: Callable[[int, int, int], bool]

    def __call__(self, view: RaceView) -> Mix:
        answer = self.rolls(view.mine, view.yours, view.turn)
        if not isinstance(answer, (bool, np.bool_)):
            raise TypeError(f"it answered {answer!r}; True (roll) or False (hold) is allowed")
        return {ROLL: 1.0} if answer else {HOLD: 1.0}

    def __str__(self) -> str:
        return getattr(self.rolls, "__name__", "function")


RULES = (HoldAt, Turtle, RollToWin, RollAndWait, RandomRace, ScoringTurns, KeepPace, EndRace)
RACE: dict[str, Callable[..., Any]] = {
    "optimal": optimal,
    **{rule.key: rule for rule in RULES},
    "skip-when-equal": skip_when_equal,
    "fewest-turns": fewest,
    "max-difference": max_difference,
    RaceRule.key: race_rule,
}
