"""A best response on the public tree of a round by whole arrays: for a hint or two, with nothing compiled."""

from collections.abc import Callable

import numpy as np

from ...core.game import other
from .exact import movers
from .public_kernels import Ints, Row
from .public_tree import PublicTree

STEP = 2e-6  # seconds for a history
Pays = Callable[[int, int, int], Row]  # of a bidder, an ending and the bid: [their hand, the bidder's hand]


def plain_worth(tree: PublicTree, bidder: int, place: Ints, reach: Row, below: Row, pays: Pays) -> Row:
    """What `public_kernels.best_response` finds for each hand of the player who has just made a bid.

    The other player comes there with the chances `reach` and goes on by the weights `below`, which begin at `place`
    for each history: histories are numbered by the set of higher bids that were made, as in exact.py.
    """
    player, left = other(bidder), len(place).bit_length() - 1
    last = len(tree.game.bids) - 1 - left
    hands, turn = tree.hands[player], (movers(left) + player) % 2
    coming, ends = np.zeros((1 << left, hands)), np.zeros((tree.ends, 1 << left, hands))
    coming[0] = reach
    for bid in range(-1, left):
        nodes = np.arange(1 << bid, 2 << bid) if bid >= 0 else np.arange(1)
        rows, higher = tree.rows(left - 1 - bid), range(bid + 1, left)
        mine, theirs = nodes[turn[nodes] == bidder], nodes[turn[nodes] == player]
        theirs = theirs[coming[theirs].any(axis=1)]
        for k in higher:
            coming[mine | 1 << k] = coming[mine]
        block = (
            below[place[theirs][:, None] + np.arange(rows * hands)]
            .reshape(len(theirs), rows, hands)
            .astype(np.float64)
        )
        total = block.sum(axis=1)
        share = coming[theirs] / np.where(total > 0, total, 1.0)
        for row, k in enumerate(higher):
            coming[theirs | 1 << k] = share * block[:, row]
        for end, row in enumerate(range(len(higher), rows)):
            ends[end, theirs] = share * block[:, row]
        ends[0, theirs] += np.where(total > 0, 0.0, coming[theirs])
    worth = np.zeros((1 << left, tree.hands[bidder]))
    for bid in range(left - 1, -2, -1):
        nodes = np.arange(1 << bid, 2 << bid) if bid >= 0 else np.arange(1)
        mine, theirs = nodes[turn[nodes] == bidder], nodes[turn[nodes] == player]
        for end in range(tree.ends):
            worth[theirs] += ends[end, theirs] @ pays(bidder, end, last + 1 + bid)
        ended = [-coming[mine] @ pays(player, end, last + 1 + bid).T for end in range(tree.ends)]
        worth[mine] = np.max(ended, axis=0)
        for k in range(bid + 1, left):
            worth[theirs] += worth[theirs | 1 << k]
            worth[mine] = np.maximum(worth[mine], worth[mine | 1 << k])
    return np.asarray(worth[0])
