"""What places of a table are worth to a player with one hand, for every hand of the other: one pass backwards."""

import numpy as np

from ...compiled import njit
from .walk_kernels import row_after


@njit(cache=True, nogil=True)
def rows_before(rows):
    """[mover, last + 1]: how many rows the groups before have, and all of them at the end."""
    bids = rows.shape[1] - 1
    found = np.zeros(2 * bids + 3, np.int64)
    for last in range(-1, bids):
        for mover in range(2):
            number = 2 * (last + 1) + mover
            found[number + 1] = found[number] + rows[mover, last + 1]
    return found


@njit(cache=True, nogil=True)
def worth_of_places(table, scale, begins, seat, hand, match, quantity, sizes):
    """[row of all groups, hand of the other]: the payoff to the player in `seat`, both going on as the table says."""
    shares, offsets, _, _, _, actions, _ = table
    bids, others = quantity.shape[0], sizes[1 - seat]
    value = np.zeros((begins[-1], others), np.float32)
    mine, theirs = match[seat][hand], match[1 - seat]
    for last in range(bids - 1, -2, -1):
        for mover in range(2):
            group = 2 * (last + 1) + mover
            count, hands = actions[last + 1], sizes[mover]
            sign = 1.0 if mover == seat else -1.0
            for row in range(begins[group + 1] - begins[group]):
                at = offsets[mover, last + 1] + row * count * hands
                here = value[begins[group] + row]
                for action in range(count):
                    bid = last + action
                    after = -1
                    for held in range(others):
                        share = shares[at + action * hands + (hand if mover == seat else held)]
                        if share == 0:
                            continue
                        if action == 0:
                            right = mine[last] + theirs[held, last] < quantity[last]
                            here[held] += scale * share * (sign if right else -sign)
                            continue
                        if after < 0:
                            child = row_after(table, mover, last, row, bid)
                            after = begins[2 * (bid + 1) + 1 - mover] + child
                        here[held] += scale * share * value[after, held]
    return value
