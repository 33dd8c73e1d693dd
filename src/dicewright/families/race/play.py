"""Race games between two tables, by whole turns or die by die, with the luck of the dice weighed or not."""

from typing import Any

import numpy as np

from ...core.effort import BLOCK, Engine
from . import play_kernels as kernels
from .kernels import Floats
from .rules import RaceGame
from .solution import solve_values
from .tabled import RaceTable, rules_of, tabulate, worths_of

MOST_TURNS = 100_000
MOST_ROWS = 1 << 24  # of whole turns: 12 bytes each
ROOM = 16  # rows for each whole turn to begin with


def race_engine(game: RaceGame, a: RaceTable, b: RaceTable) -> Engine:
    """Whole turns at once where their tables fit in memory, else die by die.

    Choices within a turn depend on both scores and the turn total alone, and the opponent's score stands still
    during a turn. So the score after the turn has a distribution that is known before it begins: drawing from it
    (the one that exact evaluation uses, `turn_scores`) is the same as rolling the dice one by one.
    """
    rules = rules_of(game)
    one, two = _turns(game, a, b), _turns(game, b, a)
    if one is None or two is None:
        return _die_by_die(game, (a, b), np.zeros((0, 0, 0, 0)), 0.0)
    stalls = bool(one[1].any() and two[1].any())
    turns = tuple((*part[0], part[1], stalls, *part[2]) for part in (one, two))
    return Engine(
        "whole turns",
        BLOCK,
        lambda words, games, starter, count: kernels.by_turns(
            words, games, rules, turns[starter], turns[1 - starter], MOST_TURNS, count
        ),
    )


def adjusted_engine(game: RaceGame, a: Any, b: Any) -> Engine:
    """Die by die, adding up what the choices of either player gave away of the solution's worth."""
    values = solve_values(game)
    losses = np.zeros((game.goal, game.goal, game.goal, 1 + len(game.rolls)))
    kernels.fill_losses(rules_of(game), worths_of(values.worth), losses)
    return _die_by_die(game, (tabulate(game, a), tabulate(game, b)), losses, values.payoff())


def _die_by_die(game: RaceGame, tables: tuple[RaceTable, RaceTable], losses: Floats, value: float) -> Engine:
    rules = rules_of(game)
    return Engine(
        "die by die",
        BLOCK,
        lambda words, games, starter, count: kernels.by_rolls(
            words, games, rules, (tables[starter], tables[1 - starter]), losses, value, MOST_TURNS, count
        ),
    )


def _turns(game: RaceGame, table: RaceTable, other: RaceTable) -> Any:
    """A player's whole turns: ((place, rows), stuck, (seats, columns, sees)); None if they are too many."""
    seats = table.memories * game.goal
    columns = 1 if table.solo else (len(table.first) - 1) // seats
    entries = seats * columns
    size = min(ROOM * entries, MOST_ROWS) if entries <= MOST_ROWS else entries
    while size <= MOST_ROWS:
        place, stuck, rows = (
            np.zeros(entries, np.int64),
            np.zeros(entries, np.bool_),
            np.zeros((size, 3), np.uint32),
        )
        size = kernels.fill_turns(rules_of(game), table, columns, MOST_ROWS, place, rows, stuck)
        if size <= len(rows):
            return (place, rows), stuck, (seats, columns, np.arange(other.memories * game.goal) % columns)
    return None
