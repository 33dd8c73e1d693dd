"""Who enters a tournament: ranges of named strategies, expressions, and Python entries."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import NotationError, StrategyError
from ..families.race.entries import expression
from ..families.race.entries.sandbox import Limits, ask_table
from ..families.race.rules import RaceGame
from ..families.race.tabled import RaceTable, TableStrategy, no_memory, pure_mixes

MOST_ENTRANTS = 1000
RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?")


@dataclass(frozen=True)
class Entrant:
    """A strategy under the name it enters with."""

    name: str
    strategy: Any


@dataclass(frozen=True)
class Refusal:
    """An entry that does not take part, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Field:
    """Who takes part, and who was refused."""

    entrants: tuple[Entrant, ...]
    refusals: tuple[Refusal, ...] = ()


def expand(text: str) -> list[str]:
    """The strategies a text stands for: `a..b` runs through whole numbers, `a..b..step` in steps.

    >>> expand("hold:10..30..10"), expand("optimal")
    (['hold:10', 'hold:20', 'hold:30'], ['optimal'])
    """
    match = RANGE.search(text)
    if match is None or text.startswith("table:"):
        return [text]
    first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
    count = (last - first) // step + 1 if step else 0
    if not 1 <= count <= MOST_ENTRANTS:
        raise NotationError(
            f"the range {match[0]} in {text!r} has {max(count, 0)} numbers; 1 to 1000 is allowed"
        )
    numbers = range(first, last + 1, step)
    return [
        more for number in numbers for more in expand(f"{text[: match.start()]}{number}{text[match.end() :]}")
    ]


def number_namesakes(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """The entrants under names of their own: the second `hold:20` becomes `hold:20 (2)`."""
    seen: dict[str, int] = {}
    named = []
    for entrant in entrants:
        seen[entrant.name] = seen.get(entrant.name, 0) + 1
        again = seen[entrant.name]
        named.append(entrant if again == 1 else replace(entrant, name=f"{entrant.name} ({again})"))
    return tuple(named)


def from_expression(name: str, text: str, game: RaceGame) -> TableStrategy:
    """The strategy that rolls where the expression is true."""
    goal = _one_roll(game).goal
    first, rule = 0 if game.skip else 1, expression.parse(text)
    rolls = np.ones((goal,) * 3, np.bool_)
    for mine in range(goal):
        yours, turn = np.mgrid[:goal, first : goal - mine]
        rolls[mine, :, first : goal - mine] = rule.rolls(np.array(mine), yours, turn, goal)
    return TableStrategy(game, table_of_rolls(game, rolls), name)


def from_python(name: str, source: str, game: RaceGame, limits: Limits, seed: int = 0) -> TableStrategy:
    """The strategy of a Python source, asked for its table in a process of its own."""
    return TableStrategy(game, table_of_rolls(game, ask_table(source, _one_roll(game), limits, seed)), name)


def _one_roll(game: RaceGame) -> RaceGame:
    if len(game.rolls) > 1:
        names = ", ".join(name for name, _ in game.rolls)
        raise StrategyError(f"it only says roll or hold; {game.name} has the rolls {names}")
    return game


def table_of_rolls(game: RaceGame, rolls: npt.NDArray[np.bool_]) -> RaceTable:
    """The table of the pure strategy that rolls where rolls[mine, yours, turn], as runs over the turn total."""
    goal = game.goal
    left = np.arange(goal)[None, None, :] < (goal - np.arange(goal))[:, None, None]
    begins = np.ones_like(rolls)
    begins[:, :, 1:] = rolls[:, :, 1:] != rolls[:, :, :-1]
    begins &= left
    first = np.concatenate([[0], np.cumsum(begins.sum(axis=2).ravel())])
    starts = np.nonzero(begins)[2].astype(np.int32)
    rows = rolls[begins].astype(np.int32)
    solo = bool((~left | (rolls == rolls[:, :1])).all())
    return RaceTable(pure_mixes(game), first, starts, rows, no_memory(goal), solo)
