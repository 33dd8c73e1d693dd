"""Calling games between two tables of mixes, played by the thousand; `count` is as core/effort.py says."""

from typing import Any

import numpy as np

from ...core.effort import BLOCK, Engine
from ...core.strategy import decide
from ..compiled import njit
from ..random_kernels import cumulative, note, pick, uniform
from .rules import ACCEPT, NOTHING, CallingGame, CallingView


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
        lambda words, games, starter, count: calling_games(
            words, games, rolls, true, *players[starter], count
        ),
    )


@njit(cache=True, nogil=True)
def calling_games(words, games, rolls, true, calls, accepts, count):
    """Play calling games; calls[player, accepted + 1, roll] are cumulative chances, accepts[player, .., call] chances.

    The player with the cup rolls and calls; accepting the top loses, and a challenge asks whether the call is true.
    """
    top = true.shape[0] - 1
    for _ in range(games):
        accepted, cup = -1, 0
        while True:
            roll = pick(words, rolls)
            call = pick(words, calls[cup, accepted + 1, roll])
            if uniform(words) >= accepts[1 - cup, accepted + 1, call]:
                note(count, 1.0 if true[roll, call] == (cup == 0) else -1.0)
                break
            if call == top:
                note(count, 1.0 if cup == 0 else -1.0)
                break
            accepted, cup = call, 1 - cup
