"""Race games and strategies as arrays: the same few for every rule of thumb, solution or file. Kernels read them.

The choices at one pair of scores are runs over the turn total: "roll from 0, hold from 22, roll from 27". A run
names a row of `mixes`, so mixed strategies fit too, and the table takes O(goal^2) numbers, never a cube.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.errors import StrategyError, TooLarge
from ...core.notation import check_heir
from ...core.strategy import MemoryStrategy, Mix, Strategy, checked_mix, line_of, patience
from .kernels import Floats, Ints, Rules, Worths
from .rules import HOLD, Effect, RaceGame, RaceView

Array = npt.NDArray[Any]

MOST_QUESTIONS = 5_000_000  # views a Python strategy is asked about at the most
PATIENCE = 60  # seconds a Python strategy may take to answer all of them
MOST_CHOICES = (
    2_000_000  # that a strategy remembers: each pair of scores has as many as there are turn totals
)


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

    # Where every roll can raise a score, play ends whatever is chosen.
    gains = (Effect.ADD, Effect.BANK)
    ends = all(any(e in gains and points > 0 for _, e, points in roll) for _, roll in game.rolls)
    return Rules(
        game.goal,
        game.finish == "exact",
        ("win", "margin", "difference").index(game.payoff_rule),
        game.skip,
        endless := game.skip or game.finish == "exact" or not ends,
        game.payoff_rule == "win" and not endless,
        max(points for _, roll in game.rolls for _, _, points in roll),
        *column(Effect.ADD),
        *column(Effect.BANK),
        chance(Effect.BUST),
        chance(Effect.RUIN),
    )


def room_of_turn(rules: Rules) -> Floats:
    """Room for one turn: its lines, its rolls and its choices at every turn total."""
    return np.zeros((5, rules.goal + rules.reach + rules.bust.size + 1))


def worths_of(worth: Floats) -> Worths:
    """What is known of a solved game, but for its stopping sets."""
    return Worths(worth, worth[:, :, 0].copy(), np.zeros((1, 1, 1)))


class RaceTable(NamedTuple):
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

    def __repr__(self) -> str:
        return f"<RaceTable of {len(self.rows)} runs of {len(self.mixes)} mixes>"

    @property
    def memories(self) -> int:
        """How many memories the strategy tells apart; 1 for most."""
        return len(self.remember)

    @property
    def columns(self) -> int:
        """The opponent's seats it tells apart: their scores, or their scores and memories."""
        return (len(self.first) - 1) // (self.memories * self._goal)

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
    """A strategy read off a table; a pair of scores is looked up once."""

    game: RaceGame
    runs: RaceTable = field(repr=False)
    name: str

    def __call__(self, view: RaceView) -> Mix:
        mine, yours, turn = view[:3]
        if mine + turn >= self.game.goal:
            return {HOLD: 1.0}
        if (mixes := self._turns.get((mine, yours))) is None:
            mixes = self._turn(mine, yours)
        return mixes[turn]

    def _turn(self, mine: int, yours: int) -> list[Mix]:
        """The mix at each turn total, remembered: a mix that several have is made once."""
        goal, runs = self.game.goal, self.runs
        if runs.columns != goal:
            raise StrategyError(f"{self} reads the memory of its opponent, which no view shows")
        if len(self._turns) * goal >= MOST_CHOICES:
            self._turns.clear()
        if len(self._mixes) >= MOST_CHOICES:
            self._mixes.clear()
        first, last = runs.first[mine * goal + yours : mine * goal + yours + 2].tolist()
        starts, turn = runs.starts[first:last].tolist(), list[Mix]()
        for row, start, end in zip(
            runs.rows[first:last].tolist(), starts, [*starts[1:], goal - mine], strict=True
        ):
            turn += [self._mix(row)] * (end - start)
        self._turns[mine, yours] = turn
        return turn

    def _mix(self, row: int) -> Mix:
        if (mix := self._mixes.get(row)) is None:
            shares = zip(actions_of(self.game), self.runs.mixes[row].tolist(), strict=True)
            mix = self._mixes[row] = {action: share for action, share in shares if share > 0.0}
        return mix

    @cached_property
    def _turns(self) -> dict[tuple[int, int], list[Mix]]:
        """The mixes at each turn total, of pairs of scores that were asked for."""
        return {}

    @cached_property
    def _mixes(self) -> dict[int, Mix]:
        """The mixes by row, of rows that were asked for."""
        return {}

    def __str__(self) -> str:
        return self.name

    def table(self, game: RaceGame) -> RaceTable:
        """The table itself."""
        return self.runs

    def arrays(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What another process gets: plain data, and the arrays of the table."""
        table = self.runs._asdict()
        return {"solo": table.pop("solo"), "name": self.name}, table

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


def pure_table(game: RaceGame, runs: Sequence[Any], solo: bool = False) -> RaceTable:
    """The table of a pure strategy without memory, given by `first`, `starts` and `rows` of its runs."""
    first, starts, rows = runs
    return RaceTable(pure_mixes(game), first, starts, rows.astype(np.int32), no_memory(game.goal), solo)


def runs_in(blocks: Iterable[Array]) -> tuple[Array, Array, Array]:
    """Where runs are listed, where they start and what they say: blocks[i][j, k] is said at turn total k."""
    firsts, starts, rows = [np.zeros(1, np.int64)], [], []
    for block in blocks:
        change = np.ones(block.shape, np.bool_)
        change[:, 1:] = block[:, 1:] != block[:, :-1]
        starts.append(np.nonzero(change)[1].astype(np.int32))
        rows.append(block[change])
        firsts.append(firsts[-1][-1] + np.cumsum(change.sum(axis=1)))
    return np.concatenate(firsts), np.concatenate(starts), np.concatenate(rows)


def table_of_rolls(game: RaceGame, rolls: npt.NDArray[np.bool_]) -> RaceTable:
    """The table of the pure strategy that rolls where rolls[mine, yours, turn], as runs over the turn total."""
    blocks = [rolls[mine, :, : game.goal - mine] for mine in range(game.goal)]
    return pure_table(game, runs_in(blocks), solo=all((block == block[:1]).all() for block in blocks))


def solo_table(mixes: Floats, turns: Iterable[Sequence[int]]) -> RaceTable:
    """The table of a strategy that ignores the opponent: turns[mine][turn total] is the row of mixes."""
    first, starts, rows = runs_in(np.array([turn], np.int32) for turn in turns)
    goal = len(first) - 1
    again = np.concatenate([np.tile(np.arange(*ends), goal) for ends in pairwise(first)])
    first = np.concatenate([[0], np.cumsum(np.repeat(np.diff(first), goal))])
    return RaceTable(mixes, first, starts[again], rows[again], no_memory(goal), solo=True)


def tabulate(game: RaceGame, strategy: Strategy | MemoryStrategy) -> RaceTable:
    """The table of a strategy, made once and checked.

    A strategy that has a `table(game)` makes its own; one that has `hold_at(mine, yours)` on arrays is asked
    for all scores at once; any other is asked in every view, goal^2 (goal + 1) / 2 of them.
    """
    if hasattr(strategy, "watch"):
        raise StrategyError(
            f"{line_of(strategy)} watches the other's turns, or those it lost, which no table does; "
            "simulate plays games with it, and so does tournament --games"
        )
    if hasattr(strategy, "table"):
        made_for = getattr(strategy, "game", game)  # may differ by the payoff alone
        if replace(made_for, name=game.name, payoff_rule=game.payoff_rule) != game:
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
    check_one_roll(game, strategy)
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


def check_one_roll(game: RaceGame, who: object) -> None:
    """StrategyError if roll or hold is not all that there is to say."""
    if len(game.rolls) > 1:
        names = ", ".join(name for name, _ in game.rolls)
        raise StrategyError(
            f"{line_of(who)} only says roll or hold; {game.name} has the rolls {names}: an expression "
            f"such as expr:{choosing(game)} says which"
        )


def choosing(game: RaceGame) -> str:
    """A line that chooses among several rolls, as an example."""
    one, two = (name.replace("-", "_") for name, _ in game.rolls[:2])
    totals = " if turn < 20 else hold" if game.has(Effect.ADD) else ""
    return f"{one} if yours > mine else {two}{totals}"


def actions_of(game: RaceGame) -> tuple[str, ...]:
    """Hold and the rolls, in the order of `mixes`."""
    return (HOLD, *(name for name, _ in game.rolls))


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
    actions = actions_of(game)
    known: dict[tuple[float, ...], int] = {}
    view = RaceView(0, 0)

    def rows(memory: int, mine: int, yours: int) -> list[int]:
        nonlocal view
        found = []
        for turn in range(goal - mine):
            view = RaceView(mine, yours, turn)
            mix = _answer(game, strategy, view, memory if memories > 1 else None)
            chances = tuple(float(mix.get(action, 0.0)) for action in actions)
            found.append(known.setdefault(chances, len(known)))
        return found

    with patience(
        PATIENCE, lambda: f"{line_of(strategy)} did not answer within {PATIENCE} s at {game.show_view(view)}"
    ):
        blocks = [
            np.array([rows(memory, mine, yours) for yours in range(goal)], np.int32)
            for memory in range(memories)
            for mine in range(goal)
        ]
    solo = all((block == block[:1]).all() for block in blocks)
    return RaceTable(np.array(list(known)), *runs_in(blocks), _remember(game, strategy), solo)


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


def well_formed(game: RaceGame, table: RaceTable) -> bool:
    """Whether the arrays are runs of allowed choices: each begins at 0, rises, and stays below the goal.

    Kernels look up and write where the runs say. Neighbours are compared, for a difference of them may wrap.
    """
    goal, (first, starts, rows) = game.goal, table[1:4]
    shapes = first.shape == (goal * goal + 1,) and starts.shape == rows.shape == (first[-1],)
    if not shapes or first[0] != 0 or np.any(first[1:] <= first[:-1]):
        return False
    opening, least = first[:-1], 0 if game.skip else 1  # without a turn total only some games allow a hold
    if np.any(rows > len(game.rolls)) or np.any(rows[opening] < least) or np.any(starts[opening] != 0):
        return False
    rising = starts[1:] > starts[:-1]
    rising[first[1:-1] - 1] = True  # between two pairs of scores
    tops = np.repeat(goal - np.arange(goal), goal)
    return bool(np.all(rising) and np.all(starts[first[1:] - 1] < tops))
