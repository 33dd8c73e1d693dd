"""Race strategies of strangers: lines of arithmetic, tables, and Python in a process of its own."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.effort import Limits
from ....core.errors import StrategyError
from ..rules import RaceGame
from ..tabled import RaceTable, TableStrategy, pure_table, runs_in
from . import expression
from .sandbox import ask_table
from .table_csv import read_csv


def from_expression(name: str, text: str, game: RaceGame, *asked: object) -> TableStrategy:
    """The strategy that rolls where the expression is true; # begins a comment in each of its lines."""
    goal = _one_roll(game).goal
    # Nothing in an expression has a # but a comment: texts in quotes do not exist.
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    first, rule = 0 if game.skip else 1, expression.parse(" ".join(lines))
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
    blocks = [rolls[mine, :, : game.goal - mine] for mine in range(game.goal)]
    return pure_table(game, runs_in(blocks), solo=all((block == block[:1]).all() for block in blocks))


READERS: dict[str, Callable[..., Any]] = {".csv": read_csv, ".txt": from_expression, ".py": from_python}
