"""Rounds of Bluff between two plans, and calling games between two tables of mixes."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.engine import BLOCK, Engine
from ..core.errors import TooLarge
from ..core.solution import seats
from ..core.strategy import decide
from ..games.bluff import Bluff, round_tables
from ..games.calling import ACCEPT, NOTHING, CallingGame, CallingView
from . import bidding_kernels
from .bluff_strategy import PlanStrategy, check_size, plan_of

Counts = npt.NDArray[np.float64]
MOST_VIEWS = 1_000_000  # that a strategy for Bluff is asked about before play
MOST_RANKS = 128  # of a calling game, whose tables are cubes


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
    hands = tuple(_sums(chance) for chance in (tables.chance1, tables.chance2))
    match = (tables.match1, tables.match2)
    plans = [[plan_of(game, seat, seats(player)[seat]) for seat in (0, 1)] for player in (a, b)]

    def play(words: npt.NDArray[np.uint64], games: int, starter: int, count: Counts) -> None:
        one, two = plans[starter][0], plans[1 - starter][1]
        pair = (one.reach, one.ends), (two.reach, two.ends)
        bidding_kernels.bluff_rounds(words, games, hands, match, tables.need, *pair, count)

    return Engine("plans", BLOCK, play)


def calling_engine(game: CallingGame, a: Any, b: Any) -> Engine:
    """Both players' mixes of calls and answers, asked in every view."""
    size = len(game.labels)
    calls, accepts = np.zeros((2, size, size, size)), np.zeros((2, size, size))
    for number, player in enumerate((a, b)):
        for accepted in range(NOTHING, game.top):
            for roll in range(size):
                for call, chance in decide(game, CallingView(accepted, roll), player).items():
                    calls[number, accepted + 1, roll, call] = chance
            for call in range(accepted + 1, size):
                mix = decide(game, CallingView(accepted, None, call), player)
                accepts[number, accepted + 1, call] = mix.get(ACCEPT, 0.0)
    true = np.array([[game.true(roll, call) for call in range(size)] for roll in range(size)])
    rolls, sums = _sums(np.array(game.chances, np.float64)), _sums(calls)
    order = (np.array([0, 1]), np.array([1, 0]))
    players = [(sums[seats], accepts[seats]) for seats in order]
    return Engine(
        "mixes",
        BLOCK,
        lambda words, games, starter, count: bidding_kernels.calling_games(
            words, games, rolls, true, *players[starter], count
        ),
    )


def _sums(chances: Counts) -> Counts:
    """Cumulative chances along the last axis; from the last possible place on they are above any random number."""
    sums = np.cumsum(chances, axis=-1)
    later = np.cumsum(chances[..., ::-1], axis=-1)[..., ::-1]
    sums[later - chances <= 0.0] = 2.0
    return sums
