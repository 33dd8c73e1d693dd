"""Race games between two tables, by whole turns or die by die."""

from typing import Any

import numpy as np

from ...core.effort import BLOCK, Engine
from . import play_kernels as race_play_kernels
from . import roll_kernels as race_roll_kernels
from .duel import arrays
from .rules import RaceGame
from .solve import rules_of
from .tabled import RaceTable

MOST_TURNS = 100_000
MOST_ROWS = 1 << 24  # of whole turns: 12 bytes each


def race_engine(game: RaceGame, a: RaceTable, b: RaceTable) -> Engine:
    """Whole turns at once where their tables fit in memory, else die by die.

    Choices within a turn depend on both scores and the turn total alone, and the opponent's score stands still
    during a turn. So the score after the turn has a distribution that is known before it begins: drawing from it
    (the one that exact evaluation uses, `turn_scores`) is the same as rolling the dice one by one.
    """
    rules = rules_of(game)
    one, two = _turns(game, a, b), _turns(game, b, a)
    if one is None or two is None:
        players = (arrays(a), arrays(b))
        nothing = np.zeros((0, 0, 0, 0))
        return Engine(
            "die by die",
            BLOCK,
            lambda words, games, starter, count: race_roll_kernels.by_rolls(
                words, games, rules, players[starter], players[1 - starter], nothing, 0.0, MOST_TURNS, count
            ),
        )
    stalls = bool(one[1].any() and two[1].any())
    turns = tuple((*part[0], part[1], stalls, *part[2]) for part in (one, two))
    return Engine(
        "whole turns",
        BLOCK,
        lambda words, games, starter, count: race_play_kernels.by_turns(
            words, games, rules, turns[starter], turns[1 - starter], MOST_TURNS, count
        ),
    )


def _turns(game: RaceGame, table: RaceTable, other: RaceTable) -> Any:
    """A player's whole turns: ((place, rows), stuck, (seats, columns, sees)); None if they are too many."""
    rules, seats = rules_of(game), table.memories * game.goal
    columns = 1 if table.solo else (len(table.first) - 1) // seats
    if seats * columns > MOST_ROWS:
        return None
    bits = np.ones(seats * columns, np.int64)  # at least one: a shift by all 64 bits is undefined
    size = race_play_kernels.count_columns(rules, arrays(table), columns, MOST_ROWS, bits)
    if size > MOST_ROWS:
        return None
    place, stuck = np.zeros(seats * columns, np.int64), np.zeros(seats * columns, np.bool_)
    rows = np.zeros((size, 3), np.uint32)
    race_play_kernels.fill_turns(rules, arrays(table), columns, bits, place, rows, stuck)
    return (place, rows), stuck, (seats, columns, np.arange(other.memories * game.goal) % columns)
