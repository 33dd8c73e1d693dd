"""Calling games between two tables of mixes."""

from typing import Any

import numpy as np

from ...core.engine import BLOCK, Engine
from ...core.strategy import decide
from ..sums import cumulative
from . import play_kernels as kernels
from .rules import ACCEPT, NOTHING, CallingGame, CallingView

MOST_RANKS = 128  # whose tables, cubes, fit


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
    rolls, sums = cumulative(np.array(game.chances, np.float64)), cumulative(calls)
    order = (np.array([0, 1]), np.array([1, 0]))
    players = [(sums[seats], accepts[seats]) for seats in order]
    return Engine(
        "mixes",
        BLOCK,
        lambda words, games, starter, count: kernels.calling_games(
            words, games, rolls, true, *players[starter], count
        ),
    )
