"""How a game between two race strategies goes: how long it lasts, and which states it visits."""

from typing import Any

import numpy as np

from ..core.errors import RulesError, TooLarge
from ..core.strategy import MemoryStrategy, Strategy
from ..games.race import RaceGame
from . import journey_kernels as kernels
from .duel import arrays
from .race import rules_of
from .race_kernels import Floats
from .race_table import RaceTable, tabulate

MOST_VISITED_GOAL = 250  # the cube of visits takes 16 goal^3 bytes


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


def visit_chances(game: RaceGame, a: Strategy | MemoryStrategy, b: Strategy | MemoryStrategy) -> Floats:
    """chances[mover, mine, yours, turn]: that the state occurs at least once, A (mover 0) starting.

    Needs scores that never fall (no ruin) and 16 goal^3 bytes.
    """
    rules = rules_of(game)
    if rules.ruin.any():
        raise RulesError(f"{game.name} can ruin a score; visits are computed where scores never fall")
    if game.goal > MOST_VISITED_GOAL:
        need = 16 * game.goal**3 >> 20
        raise TooLarge(f"visits of {game.name} need {need} MB; goals up to {MOST_VISITED_GOAL} are allowed")
    cube = np.zeros((2, game.goal, game.goal, game.goal))
    kernels.visits(rules, arrays(tabulate(game, a)), arrays(tabulate(game, b)), cube)
    return cube
