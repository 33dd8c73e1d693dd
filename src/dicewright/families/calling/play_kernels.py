"""Compiled functions that play calling games by the thousand, nothing else; `count` is as core/engine.py says."""

from ..compiled import njit
from ..count_kernels import note, pick
from ..random_kernels import uniform


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
