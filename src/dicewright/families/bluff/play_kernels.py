"""Compiled functions that play rounds of Bluff by the thousand, nothing else; `count` is as core/effort.py says."""

from ..compiled import njit
from ..random_kernels import note, pick, uniform


@njit(cache=True, nogil=True)
def speak(words, reach, ends, mask, last, bids, hand):
    """One action of a plan at a node: a bid, or -1 to call, -2 for spot-on.

    The weights of a plan are products over the own bids so far, so those one step on, divided by the weight here, are
    the mix: drawn by inversion, in the plan itself.
    """
    left = uniform(words) * reach[mask, hand]
    action = -1
    for kind in range(2):
        if ends[kind, mask, hand] > 0.0:
            action = -1 - kind
            left -= ends[kind, mask, hand]
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
def bluff_rounds(words, games, hands, match, need, plan1, plan2, count):
    """Play rounds of Bluff between two plans (reach, ends); hands are cumulative chances, match as RoundTables."""
    for _ in range(games):
        hand1, hand2 = pick(words, hands[0]), pick(words, hands[1])
        mask, last, mover = 0, -1, 0
        while True:
            if mover == 0:
                action = speak(words, plan1[0], plan1[1], mask, last, need.size, hand1)
            else:
                action = speak(words, plan2[0], plan2[1], mask, last, need.size, hand2)
            if action < 0:
                break
            mask, last, mover = mask | 1 << action, action, 1 - mover
        found = match[0][hand1, last] + match[1][hand2, last]
        right = found < need[last] if action == -1 else found == need[last]
        note(count, 1.0 if right == (mover == 0) else -1.0)
