"""How long a game between two race strategies lasts."""

from typing import Any

import numpy as np

from ...core.strategy import MemoryStrategy, Strategy
from . import journey_kernels as kernels
from .duel import arrays, check_meeting
from .kernels import Floats
from .rules import RaceGame
from .solve import rules_of
from .tabled import RaceTable, tabulate


def game_lengths(
    game: RaceGame,
    a: Strategy | MemoryStrategy,
    b: Strategy | MemoryStrategy,
    tail: float = 1e-12,
    most: int = 100_000,
) -> Floats:
    """The chance that the game lasts 1, 2, ... turns, A starting; at most `tail` is cut off.

    Play that never ends (or lasts more than `most` turns) is what is missing from 1.
    """
    first, second = tabulate(game, a), tabulate(game, b)
    check_meeting(game, first, second)
    turns_a = _turns(game, first, second.memories * game.goal)
    turns_b = _turns(game, second, first.memories * game.goal)
    room = 1000
    while True:
        finish = np.zeros(min(room, most))
        count, under_way, stuck = kernels.lengths(
            game.goal, turns_a, turns_b, first.remember, second.remember, tail, finish
        )
        if under_way <= tail or stuck or count >= most:
            return finish[:count]
        room *= 10


def _turns(game: RaceGame, table: RaceTable, other_seats: int) -> tuple[Any, ...]:
    seats = table.memories * game.goal
    first = np.zeros(seats * other_seats + 1, np.int64)
    count = 10 * seats * other_seats
    while True:
        scores, chances = np.zeros(count, np.int64), np.zeros(count)
        count = kernels.all_turns(rules_of(game), arrays(table), other_seats, first, scores, chances)
        if count <= len(scores):
            return first, scores, chances
