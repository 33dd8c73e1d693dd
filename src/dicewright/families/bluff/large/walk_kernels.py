"""Tables that forget, met by players who do not: the cut best response, and two tables against each other.

All histories are walked with exact weights of the hands, deepest first. A responder remembers everything; it may be
limited to so many own bids and to raises of so many steps, and calls at once where the table comes with less than
`cut`. Whatever the limits, what it gets is got by a strategy of the full game: a true lower bound, and the exact best
response without limits.
"""

import numpy as np

from ...compiled import njit


@njit(cache=True, nogil=True)
def add_call(value, sign, weights, match_caller, match_other, bid, quantity, bins):
    """Add to each hand of the first player given what a call of the bid pays, sign +1 if this player calls.

    With w(m) the weight of the other's hands with m matching dice, a call with own m' pays
    2 sum_{m < q - m'} w(m) - sum w.
    """
    bins[:] = 0.0
    for hand in range(weights.shape[0]):
        bins[match_other[hand, bid] + 1] += weights[hand]
    for place in range(1, bins.shape[0]):
        bins[place] += bins[place - 1]
    total = bins[bins.shape[0] - 1]
    for hand in range(value.shape[0]):
        need = quantity[bid] - match_caller[hand, bid]
        less = 0.0 if need <= 0 else bins[min(need, bins.shape[0] - 1)]
        value[hand] += sign * (2.0 * less - total)


@njit(cache=True, nogil=True)
def row_after(table, mover, last, row, bid):
    """The row in the group of the other mover that a bid leads to; bids as the table numbers them."""
    _, _, children, starts, _, actions, _ = table
    return children[starts[mover, last + 1] + row * (actions[last + 1] - 1) + bid - last - 1]


@njit(cache=True, nogil=True)
def best_response(  # noqa: C901, PLR0913 (one walk; all arrays are told)
    table, responder, ways, match, quantity, follows, opening, most, jump, cut
):
    """The value to the responder, each hand weighed by its chance, against the table; see the module.

    follows[b, c] says whether bid c may follow b, opening[b] whether b may open; levels alternate between the two.
    """
    shares, offsets, _, _, _, actions, live = table
    bids = quantity.shape[0]
    mine, yours = match[responder], match[1 - responder]
    hands, others = mine.shape[0], yours.shape[0]
    deep = bids + 3
    weights = np.zeros((deep, others))
    value = np.zeros((deep, hands))
    last = np.full(deep, -1)  # among all bids
    held = np.full(deep, -1)  # the same as the table numbers it
    row = np.zeros(deep, np.int64)
    after = np.zeros(deep, np.int64)
    used = np.zeros(deep, np.int64)
    bins = np.zeros(max(mine.max(), yours.max()) + 2)
    to_table = np.full(live.max() + 1, -1)
    for bid in range(bids):
        if live[bid] >= 0:
            to_table[live[bid]] = bid
    weights[0] = ways[1 - responder]
    level = 0
    first = responder  # level 0 is the responder's if it opens
    if first == 0:
        value[0] = -1e9
    visits = 0
    while True:
        own = level % 2 == first
        pushed = False
        if own:
            bid = after[level]
            top = bids if last[level] < 0 else min(bids, last[level] + 1 + jump)
            if used[level] < most:
                while bid < top and not (opening[bid] if last[level] < 0 else follows[last[level], bid]):
                    bid += 1
                if bid < top:
                    after[level] = bid + 1
                    visits += 1
                    if live[bid] < 0:  # called when heard
                        value[level + 1] = 0.0
                        add_call(value[level + 1], -1.0, weights[level], mine, yours, bid, quantity, bins)
                        for hand in range(hands):
                            value[level, hand] = max(value[level, hand], value[level + 1, hand])
                        continue
                    below = level + 1
                    weights[below] = weights[level]
                    value[below] = 0.0
                    last[below], held[below] = bid, live[bid]
                    row[below] = row_after(table, responder, held[level], row[level], live[bid])
                    after[below], used[below] = 0, used[level] + 1
                    level = below
                    pushed = True
        else:
            mover = 1 - responder
            at = held[level]
            count = actions[at + 1]
            base = offsets[mover, at + 1] + row[level] * count * others
            below = level + 1
            while after[level] < count and not pushed:
                action = after[level]
                after[level] += 1
                mass = 0.0
                for hand in range(others):
                    weights[below, hand] = weights[level, hand] * shares[base + action * others + hand]
                    mass += weights[below, hand]
                if mass <= 0.0:
                    continue
                if action == 0:
                    add_call(value[level], -1.0, weights[below], mine, yours, last[level], quantity, bins)
                    continue
                bid = to_table[at + action]
                if mass < cut or used[level] >= most:
                    add_call(value[level], 1.0, weights[below], mine, yours, bid, quantity, bins)
                    continue
                value[below] = 0.0
                add_call(value[below], 1.0, weights[below], mine, yours, bid, quantity, bins)
                last[below], held[below] = bid, at + action
                row[below] = row_after(table, mover, at, row[level], at + action)
                after[below], used[below] = bid + 1, used[level]
                level = below
                pushed = True
        if pushed:
            continue
        if level == 0:
            break
        above = level - 1
        if own:
            for hand in range(hands):
                value[above, hand] += value[level, hand]
        else:
            for hand in range(hands):
                value[above, hand] = max(value[above, hand], value[level, hand])
        level = above
    total = 0.0
    for hand in range(hands):
        total += ways[responder][hand] * value[0, hand]
    return total, visits


@njit(cache=True, nogil=True)
def meet(one, two, ways, match, quantity, cut):
    """The value to the first of two tables, and the weight of histories below `cut`, which were left out."""
    bids = quantity.shape[0]
    deep = bids + 3
    most = max(ways[0].shape[0], ways[1].shape[0])
    weights = np.zeros((deep, 2, most))
    mass = np.ones((deep, 2))
    rows = np.zeros((deep, 2), np.int64)
    helds = np.full((deep, 2), -1)
    last = np.full(deep, -1)
    after = np.zeros(deep, np.int64)
    bins = np.zeros(max(match[0].max(), match[1].max()) + 2)
    worth = np.zeros(most)
    weights[0, 0, : ways[0].shape[0]] = ways[0]
    weights[0, 1, : ways[1].shape[0]] = ways[1]
    level, total, lost = 0, 0.0, 0.0
    while level >= 0:
        mover = level % 2
        hands, others = ways[mover].shape[0], ways[1 - mover].shape[0]
        below = level + 1
        at = helds[level, mover]
        table = one if mover == 0 else two
        shares, offsets, _, _, _, actions, live = table
        dead = at == -2
        count = 1 if dead else actions[at + 1]
        action = after[level]
        if action >= count:
            level -= 1
            continue
        after[level] += 1
        base = 0 if dead else offsets[mover, at + 1] + rows[level, mover] * count * hands
        moved = 0.0
        for hand in range(hands):
            share = 1.0 if dead else shares[base + action * hands + hand]
            weights[below, mover, hand] = weights[level, mover, hand] * share
            moved += weights[below, mover, hand]
        if moved <= 0.0:
            continue
        if action == 0:
            worth[:hands] = 0.0
            other = weights[level, 1 - mover, :others]
            add_call(worth[:hands], 1.0, other, match[mover], match[1 - mover], last[level], quantity, bins)
            for hand in range(hands):
                total += (1.0 if mover == 0 else -1.0) * worth[hand] * weights[below, mover, hand]
            continue
        if moved * mass[level, 1 - mover] < cut:
            lost += moved * mass[level, 1 - mover]
            continue
        bid = 0
        while live[bid] != at + action:
            bid += 1
        mass[below, mover], mass[below, 1 - mover] = moved, mass[level, 1 - mover]
        weights[below, 1 - mover] = weights[level, 1 - mover]
        last[below], after[below] = bid, 0
        for player in range(2):
            seen = one if player == 0 else two
            number = seen[6][bid]
            helds[below, player] = number if number >= 0 else -2
            if number >= 0:
                rows[below, player] = row_after(
                    seen, mover, helds[level, player], rows[level, player], number
                )
        level = below
    return total, lost
