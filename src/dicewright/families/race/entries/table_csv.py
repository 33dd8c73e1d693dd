"""Race strategies as CSV, from whatever program wrote it: commas, semicolons or tabs, names in any case.

    mine,yours,hold_at          roll below this turn total; `plot surface` writes the last as hold_from
    mine,yours,turn,action      one action a line

States that cannot occur, with this table and against any opponent, may be left out.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import ceil

import numpy as np
import numpy.typing as npt

from ....core.errors import RulesError, StrategyError, TooLarge
from ..pictures import reachable
from ..rules import HOLD, RaceGame, RaceView
from ..strategies import RandomRace
from ..tabled import MOST_QUESTIONS, TableStrategy, check_one_roll, pure_table, runs_in

SEPARATORS = ",;\t"
SEPARATOR_LINE = re.compile(r"\s*sep=(.)\s*", re.IGNORECASE)  # Excel reads and writes it
THRESHOLDS = ["mine", "yours", "hold_at"]
ACTIONS = ["mine", "yours", "turn", "action"]
SURFACE = ["mine", "yours", "hold_from"]
NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?")
MOST_LINE, MOST_QUOTED = 1_000_000, 80  # characters
UNSAID = -1

Cube = npt.NDArray[np.int8]


def read_csv(lines: Iterable[str], source: str, game: RaceGame) -> TableStrategy:
    """The strategy that the lines of a CSV file write down; StrategyError names the line that is wrong."""
    before, separator, rows = _rows(_bounded(lines, source))
    header = [cell.lower().replace(" ", "_") for cell in next(rows, [])]
    if header not in (THRESHOLDS, ACTIONS, SURFACE):
        forms = f"{','.join(THRESHOLDS)} or {','.join(ACTIONS)}"
        quoted = separator.join(header)[:MOST_QUOTED]
        raise StrategyError(f"{source} line {before + 1} is {quoted!r}; {forms} is allowed")
    goal, actions = game.goal, (HOLD, *(name for name, _ in game.rolls))
    if header != ACTIONS:
        check_one_roll(game, source)
    if goal**2 * (goal + 1) // 2 > MOST_QUESTIONS:
        raise TooLarge(f"{source} has more than {MOST_QUESTIONS:,} states of {game.name}; fewer are allowed")
    cube: Cube = np.full((goal, goal, goal), UNSAID, np.int8)
    read = _read_action if header == ACTIONS else _read_threshold
    for number, cells in enumerate(rows, start=before + 2):
        try:
            if any(cells):
                read(cube, game, actions, cells)
        except (ValueError, IndexError):
            what = f"scores 0 to {goal - 1}, turn below {goal} - mine, actions {', '.join(actions)}"
            what += "" if game.skip else "; no hold at turn total 0"
            quoted = separator.join(cells)[:MOST_QUOTED]
            raise StrategyError(f"{source} line {number} is {quoted!r}; allowed: {what}") from None
    return _completed(cube, source, game)


def _bounded(lines: Iterable[str], source: str) -> Iterator[str]:
    """The lines, none so long that its cells would fill the memory."""
    for number, line in enumerate(lines, start=1):
        if len(line) > MOST_LINE:
            raise StrategyError(
                f"{source} line {number} has {len(line):,} characters; {MOST_LINE:,} is allowed"
            )
        yield line


def _rows(lines: Iterator[str]) -> tuple[int, str, Iterator[list[str]]]:
    """How many lines come before the header, what separates cells, and the cells of each line.

    Empty cells at the end of a line are left out.
    """
    first, before = next(lines, ""), 0
    if said := SEPARATOR_LINE.fullmatch(first):
        first, before, separator = next(lines, ""), 1, said[1]
    else:
        separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(chain([first], lines), delimiter=separator, strict=True)
    return before, separator, (_stripped(line) for line in reader)


def _stripped(line: Sequence[str]) -> list[str]:
    cells = [cell.strip() for cell in line]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _read_threshold(cube: Cube, game: RaceGame, actions: Sequence[str], cells: Sequence[str]) -> None:
    mine, yours = _score(cells[0], game), _score(cells[1], game)
    hold_at = _number(cells[2])
    if hold_at < (0 if game.skip else 1) or len(cells) != 3:
        raise ValueError
    cube[mine, yours] = np.arange(game.goal) < ceil(hold_at)


def _read_action(cube: Cube, game: RaceGame, actions: Sequence[str], cells: Sequence[str]) -> None:
    mine, yours, turn = _score(cells[0], game), _score(cells[1], game), _score(cells[2], game)
    action = cells[3] if cells[3] in actions else cells[3].lower()
    if turn >= game.goal - mine or len(cells) != 4 or action not in game.actions(RaceView(mine, yours, turn)):
        raise ValueError
    cube[mine, yours, turn] = actions.index(action)


def _score(cell: str, game: RaceGame) -> int:
    number = _number(cell)
    if not (number.is_integer() and 0 <= number < game.goal):
        raise ValueError
    return int(number)


def _number(cell: str) -> float:
    """A number with a decimal point or comma, if any."""
    if NUMBER.fullmatch(cell) is None:
        raise ValueError
    return float(cell.replace(",", "."))


def _completed(cube: Cube, source: str, game: RaceGame) -> TableStrategy:
    """The table as a strategy; StrategyError if it says nothing of a state that can occur."""
    goal = game.goal
    left = np.arange(goal) < (goal - np.arange(goal))[:, None]
    unsaid = (cube == UNSAID) & left[:, None, :]
    if not game.skip and len(game.rolls) == 1:
        unsaid[:, :, 0] = False  # nothing is to be said where rolling is all that is allowed
    cube[cube == UNSAID] = 1  # a roll, allowed everywhere
    table = pure_table(game, runs_in(cube[mine, :, : goal - mine] for mine in range(goal)))
    strategy = TableStrategy(game, table, f"table:{source}")
    if unsaid.any():
        unsaid &= _met(game, strategy)
    if unsaid.any():
        mine, yours, turn = np.argwhere(unsaid)[0].tolist()
        state = game.show_view(RaceView(mine, yours, turn))
        raise StrategyError(f"{source} says nothing of {state}, which can occur")
    return strategy


def _met(game: RaceGame, strategy: TableStrategy) -> npt.NDArray[np.bool_]:
    """The states that the strategy can meet; all of them where that takes too much work to find out."""
    try:
        return reachable(game, strategy, RandomRace(game))
    except (TooLarge, RulesError):
        return np.ones((game.goal,) * 3, np.bool_)
