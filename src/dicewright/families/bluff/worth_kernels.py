"""A compiled walk over the public tree of a round of Bluff in which both hands are known."""

from typing import NamedTuple

import numpy as np

from .public_kernels import Ints, Row, compiled

LEFT, NEXT, BLOCK, PLACE = range(
    4
)  # columns of the stack; PLACE and PLACE + 1: where each one's numbers go on


class Board(NamedTuple):
    """Both players' rows in the order of public_kernels.py."""

    weights: tuple[Row, Row]
    span: Ints  # [player, left, mover]: numbers of the player in a subtree
    hands: Ints  # how many hands each may have


@compiled
def play_out(board: Board, held: Ints, pays: Row, said: int, start: int, places: Ints) -> float:
    """The payoff to FIRST that both players' strategies give with the hands held, from one history on.

        worth = sum over the mover's actions of share(action) worth(after action)

    held[p] is the hand of player p, and pays[end, bid] what ending the round so on a bid then pays who does. The
    history has `said` bids and `start` higher ones; there each one's numbers begin at places[p]. Shares are
    weights over their sum; where all are 0 the player calls. Only actions with a share are walked: a few
    thousand histories of the 2^24 of two dice each.
    """
    ends, bids = pays.shape
    stack = np.zeros((bids + 2, 5), np.int64)
    chance, scale = np.zeros(bids + 2), np.zeros(bids + 2)
    payoff, depth = 0.0, 0
    stack[0, LEFT], stack[0, NEXT] = start, -1
    stack[0, PLACE], stack[0, PLACE + 1] = places[0], places[1]
    chance[0] = 1.0
    while True:
        here = stack[depth]
        left, action = here[LEFT], here[NEXT]
        mover = (said + depth) % 2
        rows = left if left == bids else left + ends
        mine, size, hand = board.weights[mover], board.hands[mover], held[mover]
        if action < 0:
            here[NEXT], here[BLOCK] = 0, here[PLACE + mover]
            total = 0.0
            if rows > 1:
                for a in range(rows):
                    total += mine[here[BLOCK] + a * size + hand]
                here[PLACE + mover] += rows * size
            scale[depth] = chance[depth] / total if total > 0.0 else 0.0
            if left < bids:
                last = bids - left - 1
                sign = 1.0 if mover == 0 else -1.0  # the caller is the mover
                if total == 0.0:
                    payoff += chance[depth] * sign * pays[0, last]
                else:
                    for end in range(ends):
                        weight = mine[here[BLOCK] + (left + end) * size + hand]
                        payoff += scale[depth] * weight * sign * pays[end, last]
            continue
        if action < left and scale[depth] > 0.0:
            child = left - 1 - action
            here[NEXT] += 1
            weight = scale[depth] * mine[here[BLOCK] + action * size + hand]
            if weight > 0.0:
                depth += 1
                stack[depth, LEFT], stack[depth, NEXT] = child, -1
                stack[depth, PLACE], stack[depth, PLACE + 1] = here[PLACE], here[PLACE + 1]
                chance[depth] = weight
            here[PLACE] += board.span[0, child, 1 - mover]
            here[PLACE + 1] += board.span[1, child, 1 - mover]
            continue
        if depth == 0:
            return payoff
        depth -= 1
