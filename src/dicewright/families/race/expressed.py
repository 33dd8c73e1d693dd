"""A race strategy as one line of arithmetic, true where it rolls: `expr:turn < 21 + (yours - mine) / 8 or yours >= 71`.

In a game of several rolls it names the one that is taken: `expr:bold if yours > mine else safe if turn < 9 else hold`.

    mine, yours, turn, goal     the scores, the turn total and the goal
    scored                      one's own turns so far that gained points, counted to 20
    busts                       one's own turns so far that gained nothing, counted to 99
    last, mylast                what the other's last turn gained, and one's own: 0 for a bust, and before the first

The last four need a memory. `scored` changes with the score alone, so that tables and exact duels know it; with the
others games are played, and nothing exact is known.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ...core.errors import StrategyError, TooLarge
from ...core.notation import Named
from ...core.strategy import Mix
from ..expression import Expression, Line, parse, plain
from .rules import HOLD, Effect, RaceGame, RaceView
from .tabled import MOST_CHOICES, RaceTable, TableStrategy, actions_of, check_one_roll, pure_mixes, runs_in

SEEN = ("mine", "yours", "turn", "goal")
MOST_SCORED, MOST_BUSTS = 20, 99
REMEMBERED = ("scored", "busts", "last", "mylast")
NAMES = (*SEEN, *REMEMBERED)
MOST_STEPS = 200_000_000  # of a stranger's expression: a second
MOST_TRIED = 500_000  # places with a memory in which a rule is tried before play

Choices = npt.NDArray[np.int8]


@dataclass(frozen=True)
class RaceRule(Named):
    """Roll where an expression over mine, yours, turn and goal is true: expr:turn < 20 or yours >= 71."""

    game: RaceGame
    text: Line
    key: ClassVar[str] = "expr"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rule.truth:
            check_one_roll(self.game, "an expression")
        object.__setattr__(self, "text", str(self.rule))

    @cached_property
    def rule(self) -> Expression:
        """The expression."""
        return parse(plain(self.text), (*NAMES, *self.words), number=bool(self.words))

    @cached_property
    def words(self) -> dict[str, int]:
        """The names of several rolls, and hold, with their numbers; what is a name of something else has only those."""
        actions = actions_of(self.game)
        if len(actions) == 2:
            return {}
        words = {action.replace("-", "_"): number for number, action in enumerate(actions)}
        return {word: number for word, number in words.items() if word not in NAMES}

    @property
    def remembered(self) -> tuple[str, ...]:
        """The names in it that need a memory."""
        return tuple(name for name in REMEMBERED if name in self.rule.names)

    def __call__(self, view: RaceView, memory: int = 0) -> Mix:
        """An action; all turn totals at a pair of scores are asked at once."""
        mine, yours, turn = view[:3]
        if mine + turn >= self.game.goal:
            return {HOLD: 1.0}
        if (taken := self._turns.get((memory, mine, yours))) is None:
            if len(self._turns) * self.game.goal >= MOST_CHOICES:
                self._turns.clear()
            taken = self._turns[memory, mine, yours] = self._choices(memory, mine, np.array(yours)).tolist()
        return {actions_of(self.game)[taken[turn]]: 1.0}

    @cached_property
    def _turns(self) -> dict[tuple[int, int, int], list[int]]:
        """What is done at each turn total, of pairs of scores that were asked for."""
        return {}

    def _choices(self, memory: int, mine: int, yours: Any) -> Choices:
        """What is done at each turn total, the last axis, against these scores of the other: 0 is a hold."""
        left, first = self.game.goal - mine, 0 if self.game.skip or self.words else 1
        choices = np.ones((*yours.shape, left), np.int8)
        if left > first:
            choices[..., first:] = self._ask(
                mine, yours[..., None], np.arange(first, left), self.recall(memory)
            )
        return choices

    def _ask(self, mine: Any, yours: Any, turn: Any, recalled: dict[str, Any]) -> Any:
        """What the expression says; StrategyError, with the place, if that is no action there."""
        seen = dict(zip(SEEN, (mine, yours, turn, self.game.goal), strict=True))
        found = self.rule({**seen, **self.words, **recalled})
        least = 0 if self.game.skip else np.where(np.asarray(turn) > 0, 0, 1)
        wrong = (found != np.rint(found)) | (found < least) | (found > len(self.game.rolls))
        if self.words and wrong.any():
            place = [int(np.broadcast_to(axis, found.shape)[wrong][0]) for axis in (mine, yours, turn)]
            view, number = RaceView(place[0], place[1], place[2]), float(found[wrong][0])
            allowed = ", ".join(action.replace("-", "_") for action in self.game.actions(view))
            said = f"{self} is {'hold' if number == 0 else f'{number:g}'} at {self.game.show_view(view)}"
            raise StrategyError(f"{said}; {allowed} is allowed there")
        return found

    def recall(self, memory: int) -> dict[str, int]:
        """What the names that need a memory stand for."""
        return {}

    def check(self) -> None:
        """TooLarge for a rule that takes long to ask everywhere; StrategyError if a number in it is undefined."""
        states = self.game.goal**2 * (self.game.goal + 1) // 2
        if (steps := states * self.rule.parts) > MOST_STEPS:
            raise TooLarge(
                f"{self} has {self.rule.parts} parts for {states:,} states of {self.game.name}, {steps:,} steps; "
                f"{MOST_STEPS:,} is allowed"
            )
        for _ in self.blocks(0):
            pass
        if self.remembered:
            self._try_memories()

    def _try_memories(self) -> None:
        """Ask in many places, with any memory that may be there: of all of them there are too many."""
        goal, rng = self.game.goal, np.random.default_rng(0)
        tried = min(MOST_TRIED, MOST_STEPS // (4 * self.rule.parts))
        mine, yours = rng.integers(goal, size=(2, tried))
        turn = (rng.random(tried) * (goal - mine)).astype(int)
        most = {"scored": MOST_SCORED, "busts": MOST_BUSTS, "last": yours, "mylast": mine}
        if not self.game.has(Effect.RUIN):
            most["scored"] = np.minimum(MOST_SCORED, mine)  # each gained a point at least
        recalled = {name: (rng.random(tried) * (most[name] + 1)).astype(int) for name in self.remembered}
        asked = np.full(tried, self.game.skip or bool(self.words)) | (turn > 0)
        self._ask(
            mine[asked], yours[asked], turn[asked], {n: column[asked] for n, column in recalled.items()}
        )

    def blocks(self, memory: int) -> Iterator[Choices]:
        """[yours, turn]: what it does, at each own score."""
        return (self._choices(memory, mine, np.arange(self.game.goal)) for mine in range(self.game.goal))

    def table(self, game: RaceGame) -> RaceTable:
        """Its table: parts x goal^3 / 2 steps for each memory, made once."""
        return self._table

    @cached_property
    def _table(self) -> RaceTable:
        memories = [list(self.blocks(memory)) for memory in self.told_apart()]
        while len(memories) > 1 and all(map(np.array_equal, memories[-1], memories[-2])):
            memories.pop()  # what is the same from here on is one memory
        blocks = [block for each in memories for block in each]
        solo = all((block == block[:1]).all() for block in blocks)
        last, goal = len(memories) - 1, self.game.goal
        after = np.minimum(np.arange(len(memories)) + 1, last)
        remember = np.repeat(after[:, None], goal, axis=1)
        first, starts, rows = runs_in(blocks)
        return RaceTable(pure_mixes(self.game), first, starts, rows.astype(np.int32), remember, solo)

    def told_apart(self) -> range:
        """The memories that its table tells apart."""
        return range(1)


@dataclass(frozen=True)
class CountingRule(RaceRule):
    """Such a rule that counts its scoring turns."""

    @property
    def memories(self) -> int:
        """As many as it may have counted, and none."""
        return MOST_SCORED + 1

    def remember(self, memory: int, gained: int) -> int:
        """One more scoring turn."""
        return min(memory + 1, MOST_SCORED)

    def recall(self, memory: int) -> dict[str, int]:
        """How many there were."""
        return {"scored": memory}

    def told_apart(self) -> range:
        """All numbers; from where on they say the same they are one."""
        return range(self.memories)


@dataclass(frozen=True)
class WatchingRule(RaceRule):
    """Such a rule that remembers turns of either player: the memory is a number for each name, the first name first."""

    every_turn: ClassVar[bool] = True

    @cached_property
    def _sizes(self) -> dict[str, int]:
        sizes = {"scored": MOST_SCORED + 1, "busts": MOST_BUSTS + 1}
        return {name: sizes.get(name, self.game.goal) for name in self.remembered}

    @property
    def memories(self) -> int:
        """All numbers of all names."""
        return prod(self._sizes.values())

    def recall(self, memory: int) -> dict[str, int]:
        """The number of each name."""
        found = {}
        for name, size in self._sizes.items():
            memory, found[name] = divmod(memory, size)
        return found

    def remember(self, memory: int, gained: int) -> int:
        """A turn of its own: it scored or it was lost."""
        count = self.recall(memory)
        more = {"scored": gained > 0, "busts": gained == 0, "last": 0}
        return self._memory({n: count[n] + more[n] if n in more else gained for n in count})

    def watch(self, memory: int, gained: int) -> int:
        """A turn of the other's."""
        return self._memory(self.recall(memory) | {"last": gained})

    def _memory(self, numbers: dict[str, int]) -> int:
        memory = 0
        for name, size in reversed(self._sizes.items()):
            memory = memory * size + min(numbers[name], size - 1)
        return memory


def race_rule(game: RaceGame, text: Line) -> RaceRule:
    """Roll where an expression is true: expr:turn < 20 or yours >= 71 (docs/strategies.md has its names)."""
    found = RaceRule(game, text)
    if not found.remembered:
        return found
    return (CountingRule if found.remembered == ("scored",) else WatchingRule)(game, text)


def from_expression(name: str, text: str, game: RaceGame, *asked: object) -> RaceRule | TableStrategy:
    """The rule that a file holds: as a table under this name, unless it remembers; # begins a comment in each line."""
    rule = race_rule(game, text)
    return rule if rule.remembered else TableStrategy(game, rule.table(game), name)
