"""Rounds of Bluff between two plans."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.effort import BLOCK, Engine
from ...core.errors import TooLarge
from ...core.solution import seats
from ..random_kernels import Floats, cumulative
from . import play_kernels as kernels
from .plans import PlanStrategy, check_size, plan_of
from .rules import Bluff, round_tables

MOST_VIEWS = 1_000_000  # that a strategy is asked about before play


def few_views(game: Bluff, strategy: Any) -> bool:
    """Whether a plan of the strategy is known, or made by few enough questions."""
    try:
        check_size(game, len(game.bids))
    except TooLarge:
        return False
    if all(isinstance(part, PlanStrategy) for part in seats(strategy)):
        return True
    return max(len(game.hands(0)), len(game.hands(1))) << len(game.bids) <= MOST_VIEWS


def bluff_engine(game: Bluff, a: Any, b: Any) -> Engine:
    """Both players' plans for both seats."""
    tables = round_tables(game)
    hands = tuple(cumulative(chance) for chance in (tables.chance1, tables.chance2))
    match = (tables.match1, tables.match2)
    plans = [[plan_of(game, seat, seats(player)[seat]) for seat in (0, 1)] for player in (a, b)]

    def play(words: npt.NDArray[np.uint64], games: int, starter: int, count: Floats) -> None:
        one, two = plans[starter][0], plans[1 - starter][1]
        pair = (one.reach, one.ends), (two.reach, two.ends)
        kernels.bluff_rounds(words, games, hands, match, tables.need, *pair, count)

    return Engine("plans", BLOCK, play)
