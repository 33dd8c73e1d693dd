"""Rounds of Bluff between two plans, played by the thousand; `count` is as core/effort.py says."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.effort import BLOCK, Engine
from ...core.solution import seats
from ..compiled import njit
from ..random_kernels import Floats, cumulative, note, pick, uniform
from .exact import win_or_lose
from .plans import plan_of
from .rules import Bluff


@njit(cache=True, nogil=True)
def speak(words, reach, ends, mask, last, bids, hand):
    """One action of a plan at a node: a bid, or -1 - e for the ending e.

    The weights of a plan are products over the own bids so far, so those one step on, divided by the weight here, are
    the mix: drawn by inversion, in the plan itself.
    """
    left = uniform(words) * reach[mask, hand]
    action = -1
    for end in range(ends.shape[0]):
        if ends[end, mask, hand] > 0.0:
            action = -1 - end
            left -= ends[end, mask, hand]
            if left < 0.0:
                return action
    for bid in range(last + 1, bids):
        weight = reach[mask | 1 << bid, hand]
        if weight > 0.0:
            action = bid
            left -= weight
            if left < 0.0:
                break
    return action


@njit(cache=True, nogil=True)
def bluff_rounds(words, games, hands, match, pays, plan1, plan2, count):
    """Play rounds of Bluff between two plans (reach, ends); hands are cumulative chances, the rest as Round has it."""
    for _ in range(games):
        hand1, hand2 = pick(words, hands[0]), pick(words, hands[1])
        mask, last, mover = np.int64(0), np.int64(-1), 0
        while True:
            if mover == 0:
                action = speak(words, plan1[0], plan1[1], mask, last, pays.shape[2], hand1)
            else:
                action = speak(words, plan2[0], plan2[1], mask, last, pays.shape[2], hand2)
            if action < 0:
                break
            mask, last, mover = mask | 1 << action, action, 1 - mover
        found = match[0][hand1, last] + match[1][hand2, last]
        note(count, float(pays[-1 - action, mover, last, found]))


def bluff_engine(game: Bluff, a: Any, b: Any) -> Engine:
    """Both players' plans for both seats."""
    rules = win_or_lose(game)
    hands = tuple(cumulative(ways / ways.sum()) for ways in rules.ways)
    plans = [[plan_of(game, seat, seats(player)[seat]) for seat in (0, 1)] for player in (a, b)]

    def play(words: npt.NDArray[np.uint64], games: int, starter: int, count: Floats) -> None:
        one, two = plans[starter][0], plans[1 - starter][1]
        pair = (one.reach, one.ends), (two.reach, two.ends)
        bluff_rounds(words, games, hands, rules.match, rules.pays, *pair, count)

    return Engine("plans", BLOCK, play)
