"""A strategy for a race game as a table: the same few arrays for every rule of thumb, solution or file.

The choices at one pair of scores are runs over the turn total: "roll from 0, hold from 22, roll from 27". A run
names a row of `mixes`, so mixed strategies fit too, and the table takes O(goal^2) numbers, never a cube.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import StrategyError, TooLarge
from ...core.strategy import MemoryStrategy, Mix, Strategy, checked_mix, line_of, patience
from .rules import HOLD, RaceGame, RaceView
from .runs import Runs

Floats = npt.NDArray[np.float64]  # as in race_kernels, whose compiler takes a while to load
Ints = npt.NDArray[np.int64]

MOST_QUESTIONS = 5_000_000  # views a Python strategy is asked about at the most
PATIENCE = 60  # seconds a Python strategy may take to answer all of them


@dataclass(frozen=True, eq=False)
class RaceTable:
    """Runs of mixes for every (seat, yours); a seat is memory * goal + mine.

    mixes[m]          chances of hold and of each roll
    first             the runs of (seat, yours) are at [first[n], first[n + 1]), n = seat * goal + yours
    starts, rows      from turn total starts[r] on, the mix is mixes[rows[r]]
    remember          [memory, gained] -> the memory after a turn that gained so many points
    """

    mixes: Floats
    first: Ints
    starts: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int32]
    remember: Ints
    solo: bool  # whether the opponent's score is ignored

    @property
    def memories(self) -> int:
        """How many memories the strategy tells apart; 1 for most."""
        return len(self.remember)

    @property
    def columns(self) -> int:
        """The opponent's seats it tells apart: their scores, or their scores and memories."""
        return (len(self.first) - 1) // (self.memories * self._goal)

    def runs(self, seat: int, yours: int) -> Iterator[tuple[int, int]]:
        """The runs (turn total, row of mixes) of one seat against one score."""
        n = seat * self._goal + yours
        part = slice(self.first[n], self.first[n + 1])
        return zip(self.starts[part].tolist(), self.rows[part].tolist(), strict=True)

    def choices(self, seat: int, yours: int) -> npt.NDArray[np.int32]:
        """The row of mixes at each turn total 0, 1, ... below the goal."""
        n = seat * self._goal + yours
        starts = self.starts[self.first[n] : self.first[n + 1]]
        ends = np.append(starts[1:], self._goal - seat % self._goal)
        return np.repeat(self.rows[self.first[n] : self.first[n + 1]], ends - starts)

    @property
    def _goal(self) -> int:
        return int(self.remember.shape[1])

    def same_choices(self, other: "RaceTable") -> bool:
        """Whether both tables give the same mix everywhere."""
        return (
            np.array_equal(self.first, other.first)
            and np.array_equal(self.starts, other.starts)
            and np.array_equal(self.mixes[self.rows], other.mixes[other.rows])
        )


@dataclass(frozen=True, eq=False)
class TableStrategy:
    """A strategy read off a table."""

    game: RaceGame
    runs: RaceTable = field(repr=False)
    name: str

    def __call__(self, view: RaceView) -> Mix:
        if view.mine + view.turn >= self.game.goal:
            return {HOLD: 1.0}
        if self.runs.columns != self.game.goal:
            raise StrategyError(f"{self} reads the memory of its opponent, which no view shows")
        chances = self.runs.mixes[self.runs.choices(view.mine, view.yours)[view.turn]]
        actions = (HOLD, *(name for name, _ in self.game.rolls))
        return {action: float(p) for action, p in zip(actions, chances, strict=True) if p > 0.0}

    def __str__(self) -> str:
        return self.name

    def table(self, game: RaceGame) -> RaceTable:
        """The table itself."""
        return self.runs

    @property
    def digest(self) -> bytes:
        """The same for tables that give the same mix everywhere and remember the same."""
        runs = self.runs
        arrays = (runs.first, runs.starts, runs.mixes[runs.rows], runs.remember)
        return sha256(b"".join(array.tobytes() for array in arrays)).digest()


def no_memory(goal: int) -> Ints:
    """The `remember` of a strategy without memory."""
    return np.zeros((1, goal), np.int64)


def pure_mixes(game: RaceGame) -> Floats:
    """Row 0 holds, row r takes roll r - 1: the mixes of a pure strategy."""
    return np.eye(1 + len(game.rolls))


def solo_table(game: RaceGame, turns: Sequence[Sequence[int]]) -> RaceTable:
    """The table of a pure strategy that ignores the opponent: turns[mine][turn total] is the choice."""
    goal = game.goal
    runs = [[(k, row) for k, row in enumerate(turn) if k == 0 or turn[k - 1] != row] for turn in turns]
    flat = [run for turn in runs for _ in range(goal) for run in turn]
    counts = np.repeat([len(turn) for turn in runs], goal)
    starts, rows = np.array(flat, np.int32).T
    first = np.concatenate([[0], np.cumsum(counts)])
    return RaceTable(pure_mixes(game), first, starts.copy(), rows.copy(), no_memory(goal), solo=True)


def same_turns(one: RaceGame, other: RaceGame) -> bool:
    """Whether a strategy for one game can play the other: everything but the payoff is the same."""
    return replace(one, name=other.name, payoff_rule=other.payoff_rule) == other


def tabulate(game: RaceGame, strategy: Strategy | MemoryStrategy) -> RaceTable:
    """The table of a strategy, made once and checked.

    A strategy that has a `table(game)` makes its own; one that has `hold_at(mine, yours)` on arrays is asked
    for all scores at once; any other is asked in every view, goal^2 (goal + 1) / 2 of them.
    """
    if hasattr(strategy, "table"):
        made_for = getattr(strategy, "game", game)
        if not same_turns(made_for, game):
            raise StrategyError(
                f"{line_of(strategy)} was made for {made_for.name}; it cannot play {game.name}"
            )
        table: RaceTable = strategy.table(game)
        return table
    if hasattr(strategy, "hold_at"):
        return _from_thresholds(game, strategy)
    return _from_answers(game, strategy)


def _from_thresholds(game: RaceGame, strategy: Any) -> RaceTable:
    """Roll below the threshold of each pair of scores, hold from it on."""
    goal, memories = game.goal, getattr(strategy, "memories", 1)
    holds = check_thresholds(game, strategy, range(goal))
    left = np.tile(goal - np.arange(goal)[:, None], (memories, 1))
    roll_first, hold_later = holds > 0, (holds > 0) & (holds < left)
    counts = 1 + hold_later.ravel()
    first = np.concatenate([[0], np.cumsum(counts)])
    starts = np.zeros(first[-1], np.int32)
    rows = np.zeros(first[-1], np.int32)
    rows[first[:-1]] = roll_first.ravel()
    starts[first[:-1][hold_later.ravel()] + 1] = holds[hold_later]
    solo = bool((holds == holds[:, :1]).all())
    return RaceTable(pure_mixes(game), first, starts, rows, _remember(game, strategy), solo)


def check_thresholds(game: RaceGame, strategy: Any, scores: Sequence[int]) -> Ints:
    """[seat, n]: where it holds against these scores of the other; a StrategyError if this game does not allow that."""
    goal, memories = game.goal, getattr(strategy, "memories", 1)
    if len(game.rolls) > 1:
        names = ", ".join(name for name, _ in game.rolls)
        raise StrategyError(f"{line_of(strategy)} only says roll or hold; {game.name} has the rolls {names}")
    mine, yours = np.arange(goal)[:, None], np.array(scores)[None, :]
    parts = [strategy.hold_at(mine, yours, *((m,) if memories > 1 else ())) for m in range(memories)]
    shape = (goal, len(scores))
    holds: Ints = np.concatenate([np.broadcast_to(part, shape) for part in parts]).astype(np.int64)
    if not game.skip and (holds <= 0).any():
        seat, place = np.argwhere(holds <= 0)[0]
        view = game.show_view(RaceView(int(seat % goal), int(scores[place])))
        raise StrategyError(
            f"{line_of(strategy)} holds at {view}, without a turn total; that is allowed in pig:skip=yes"
        )
    return holds


def _remember(game: RaceGame, strategy: Any) -> Ints:
    memories = getattr(strategy, "memories", 1)
    if memories == 1:
        return no_memory(game.goal)
    return np.array([[strategy.remember(m, gained) for gained in range(game.goal)] for m in range(memories)])


def _from_answers(game: RaceGame, strategy: Any) -> RaceTable:
    """Ask in every view; a mix that was seen before shares its row."""
    goal, memories = game.goal, getattr(strategy, "memories", 1)
    questions = memories * goal * goal * (goal + 1) // 2
    if questions > MOST_QUESTIONS:
        raise TooLarge(
            f"{line_of(strategy)} would be asked in {questions:,} views of {game.name}; {MOST_QUESTIONS:,} is allowed "
            "(give it a method hold_at(mine, yours) on arrays, or a lower goal)"
        )
    rolls = [name for name, _ in game.rolls]
    column = {HOLD: 0, **{name: n + 1 for n, name in enumerate(rolls)}}
    known: dict[tuple[float, ...], int] = {}
    first, starts, rows = [0], [], []
    view = RaceView(0, 0)
    with patience(
        PATIENCE, lambda: f"{line_of(strategy)} did not answer within {PATIENCE} s at {game.show_view(view)}"
    ):
        for memory in range(memories):
            for mine in range(goal):
                for yours in range(goal):
                    before = -1
                    for turn in range(goal - mine):
                        view = RaceView(mine, yours, turn)
                        mix = _answer(game, strategy, view, memory if memories > 1 else None)
                        chances = [0.0] * len(column)
                        for action, chance in mix.items():
                            chances[column[str(action)]] = chance
                        row = known.setdefault(tuple(chances), len(known))
                        if row != before:
                            starts.append(turn)
                            rows.append(row)
                            before = row
                    first.append(len(starts))
    mixes = np.array(list(known))
    table = (mixes, np.array(first), np.array(starts, np.int32), np.array(rows, np.int32))
    return RaceTable(*table, _remember(game, strategy), _ignores_opponent(goal * memories, goal, *table[1:]))


def _answer(game: RaceGame, strategy: Any, view: RaceView, memory: int | None) -> Mix:
    allowed: Sequence[str] = game.actions(view)
    if len(allowed) == 1:
        return {allowed[0]: 1.0}
    try:
        mix = strategy(view) if memory is None else strategy(view, memory)
    except Exception as error:
        shown = game.show_view(view)
        raise StrategyError(
            f"{line_of(strategy)} raised {type(error).__name__} ({error}) at {shown}"
        ) from error
    return checked_mix(mix, allowed, strategy, game.show_view(view))


def _ignores_opponent(seats: int, goal: int, first: Ints, starts: Any, rows: Any) -> bool:
    for seat in range(seats):
        base = slice(first[seat * goal], first[seat * goal + 1])
        for yours in range(1, goal):
            part = slice(first[seat * goal + yours], first[seat * goal + yours + 1])
            if not (np.array_equal(starts[base], starts[part]) and np.array_equal(rows[base], rows[part])):
                return False
    return True


def runs_of(table: RaceTable, goal: int) -> Runs:
    """The choices of a pure table as the checkers and files take them."""
    return Runs(goal, table.first, table.starts, table.rows.astype(np.uint8))
