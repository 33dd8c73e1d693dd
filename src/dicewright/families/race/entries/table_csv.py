"""Race strategies as CSV, from whatever program wrote it: commas, semicolons or tabs, names in any case.

    mine,yours,hold_at          roll below this turn total; `plot surface` writes the last as hold_from
    mine,yours,turn,action      one action a line
    mine,yours,turn,action,chance    likewise, of a strategy that mixes: the chances of a state sum to 1

States that cannot occur, with this table and against any opponent, may be left out.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import RulesError, StrategyError, TooLarge
from ....core.strategy import MIX_TOLERANCE, line_of
from ..pictures import reachable
from ..rules import HOLD, RaceGame, RaceView
from ..strategies import RandomRace
from ..tabled import (
    MOST_QUESTIONS,
    RaceTable,
    TableStrategy,
    check_one_roll,
    no_memory,
    pure_mixes,
    runs_in,
    tabulate,
)

SEPARATORS = ",;\t"
SEPARATOR_LINE = re.compile(r"\s*sep=(.)\s*", re.IGNORECASE)  # Excel reads and writes it
THRESHOLDS = ["mine", "yours", "hold_at"]
ACTIONS = ["mine", "yours", "turn", "action"]
SURFACE = ["mine", "yours", "hold_from"]
MIXED = [*ACTIONS, "chance"]
NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?")
MOST_LINE, MOST_QUOTED = 1_000_000, 80  # characters
UNSAID = -1

Cube = npt.NDArray[Any]  # of rows of mixes
Shares = npt.NDArray[Any]  # of the chance of each action
Reader = Callable[[Any, RaceGame, Sequence[str], Sequence[str]], None]


def read_csv(lines: Iterable[str], source: str, game: RaceGame) -> TableStrategy:
    """The strategy that the lines of a CSV file write down; StrategyError names the line that is wrong."""
    before, separator, rows = _rows(_bounded(lines, source))
    header = [cell.lower().replace(" ", "_") for cell in next(rows, [])]
    if header not in (THRESHOLDS, ACTIONS, SURFACE, MIXED):
        forms = f"{','.join(THRESHOLDS)} or {','.join(ACTIONS)}"
        quoted = separator.join(header)[:MOST_QUOTED]
        raise StrategyError(f"{source} line {before + 1} is {quoted!r}; {forms} is allowed")
    goal, actions = game.goal, (HOLD, *(name for name, _ in game.rolls))
    if header in (THRESHOLDS, SURFACE):
        check_one_roll(game, source)
    if goal**2 * (goal + 1) // 2 > MOST_QUESTIONS:
        raise TooLarge(f"{source} has more than {MOST_QUESTIONS:,} states of {game.name}; fewer are allowed")
    read: Reader = {"hold_at": _read_threshold, "hold_from": _read_threshold, "action": _read_action}.get(
        header[-1], _read_share
    )
    mixed = header == MIXED
    into = np.zeros((goal,) * 3 + (len(actions),)) if mixed else np.full((goal,) * 3, UNSAID, np.int8)
    for number, cells in enumerate(rows, start=before + 2):
        try:
            if any(cells):
                read(into, game, actions, cells)
        except (ValueError, IndexError):
            what = f"scores 0 to {goal - 1}, turn below {goal} - mine, actions {', '.join(actions)}"
            what += "" if game.skip else "; no hold at turn total 0"
            what += "; chances from 0 to 1, each action of a state once" if mixed else ""
            quoted = separator.join(cells)[:MOST_QUOTED]
            raise StrategyError(f"{source} line {number} is {quoted!r}; allowed: {what}") from None
    return _mixed(into, source, game) if mixed else _completed(into, source, game, pure_mixes(game))


def columns(game: RaceGame, strategy: Any) -> Mapping[str, Any]:
    """What `read_csv` reads: the action at every state with a choice, and its chance if the strategy mixes."""
    table, goal = tabulate(game, strategy), game.goal
    if table.memories > 1 or table.columns != goal:
        raise StrategyError(f"{line_of(strategy)} remembers; tables are of strategies that do not")
    first = 0 if game.skip or len(game.rolls) > 1 else 1
    states, rows = [], []
    for mine in range(goal):
        turn = np.arange(first, goal - mine)
        states += [np.stack(np.broadcast_arrays(mine, yours, turn)) for yours in range(goal)]
        rows += [table.choices(mine, yours)[first:] for yours in range(goal)]
    shares = table.mixes[np.concatenate(rows)]
    state, action = np.nonzero(shares > 0.0)
    names = np.array([HOLD, *(name for name, _ in game.rolls)])
    found = dict(zip(ACTIONS, (*np.concatenate(states, axis=1)[:, state], names[action]), strict=True))
    return found if len(state) == len(shares) else {**found, "chance": shares[state, action]}


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
    mine, yours, turn, action = _action(game, actions, cells)
    cube[mine, yours, turn] = action


def _action(game: RaceGame, actions: Sequence[str], cells: Sequence[str]) -> tuple[int, int, int, int]:
    """A state and the number of the action there."""
    mine, yours, turn = _score(cells[0], game), _score(cells[1], game), _score(cells[2], game)
    action = cells[3] if cells[3] in actions else cells[3].lower()
    if turn >= game.goal - mine or len(cells) != 4 or action not in game.actions(RaceView(mine, yours, turn)):
        raise ValueError
    return mine, yours, turn, actions.index(action)


def _read_share(shares: Shares, game: RaceGame, actions: Sequence[str], cells: Sequence[str]) -> None:
    mine, yours, turn, action = _action(game, actions, cells[:4])
    chance = float(cells[4].replace(",", "."))
    if len(cells) != 5 or not 0.0 < chance <= 1.0 or shares[mine, yours, turn, action]:
        raise ValueError
    shares[mine, yours, turn, action] = chance


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


def _mixed(shares: Shares, source: str, game: RaceGame) -> TableStrategy:
    """The table of mixes as a strategy; StrategyError if the chances of a state do not sum to 1."""
    total = shares.sum(axis=-1)
    if (wrong := (total > 0.0) & (np.abs(total - 1.0) > MIX_TOLERANCE)).any():
        mine, yours, turn = np.argwhere(wrong)[0].tolist()
        state = game.show_view(RaceView(mine, yours, turn))
        raise StrategyError(
            f"the chances in {source} sum to {total[mine, yours, turn]} at {state}; 1 is allowed"
        )
    mixes, rows = np.unique(shares[total > 0.0], axis=0, return_inverse=True)
    pure = pure_mixes(game)
    cube = np.full(total.shape, UNSAID, np.int32)
    cube[total > 0.0] = rows.ravel() + len(pure)
    return _completed(cube, source, game, np.concatenate([pure, mixes]))


def _completed(cube: Cube, source: str, game: RaceGame, mixes: Shares) -> TableStrategy:
    """The table as a strategy; StrategyError if it says nothing of a state that can occur."""
    goal = game.goal
    left = np.arange(goal) < (goal - np.arange(goal))[:, None]
    unsaid = (cube == UNSAID) & left[:, None, :]
    if not game.skip and len(game.rolls) == 1:
        unsaid[:, :, 0] = False  # nothing is to be said where rolling is all that is allowed
    cube[cube == UNSAID] = 1  # a roll, allowed everywhere
    first, starts, rows = runs_in(cube[mine, :, : goal - mine] for mine in range(goal))
    table = RaceTable(mixes, first, starts, rows.astype(np.int32), no_memory(goal), solo=False)
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
