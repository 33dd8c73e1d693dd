"""Compiled walks over the public tree of a round of Bluff: its order, its leaves, best responses, rounding.

A public history is the set of bids made. Below a history with `left` higher bids hang 2^left histories:
one subtree for each next bid, with left-1, left-2, ..., 0 bids left. A history owns a block of rows, one
for each action: the `left` bids in rising order, then call, then spot-on (no end at the opening). A row has
one number for each hand of the player to move. Blocks stand in depth-first order in one flat array a
player, so every subtree is contiguous and its size depends only on `left` and on who moves: that is what
`span` holds. A history where calling is forced owns no block.

A walk looks from one player's side ("mine") and carries one row down: the chance that the other player
("theirs") is dealt each hand and plays to this history. It brings one row up: what the history is worth to
each of my hands, counted with those chances. Subtrees where they never go are skipped whole.

A leaf needs only how many dice match: with tail(k) the chance that k or more of their dice match the bid,
my hand with m matches is worth 2 tail(need - m) - tail(0) to me if I made the bid. That is O(H1 + H2) for a
leaf instead of H1 H2, and O((H1 + H2) 2^bids) for a walk.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..compiled import njit

Row = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]

LEFT, NEXT, MINE, THEIRS, BLOCK, BIDS = range(6)  # columns of the stack


class Side(NamedTuple):
    """A round as one player sees it."""

    deal: Row  # chance of each of their hands
    rank: Ints  # [bid, my hand]: need minus my matching dice, plus 1, kept within 0 and most matches + 2
    least: Row  # [bid, k, their hand]: 1 if k or more of the hand's dice match the bid
    span: Ints  # [my or their array, left, whether the mover is me]: numbers in a subtree
    banned: npt.NDArray[np.bool_]  # [0, action]: bids that may not open; [1, action]: none
    spot_on: bool


class Work(NamedTuple):
    """Scratch rows of a walk, one for each depth: a few kilobytes, so it stays in the fastest cache."""

    stack: Ints
    here: Row  # [depth, their hand]: chance that they are here
    branch: Row  # [depth, action, their hand]: chance that they go on so
    value: Row  # [depth, action, my hand]: worth of my actions
    worth: Row  # [depth, my hand]: worth of the history
    norm: Row
    tail: Row


def compiled(function: Any) -> Any:
    """Compile without the GIL; sums may be reordered, which moves results by rounding only."""
    fast = {"reassoc", "contract", "nsz"}
    return njit(nogil=True, cache=True, error_model="numpy", fastmath=fast)(function)


@compiled
def add(target: Row, row: Row) -> None:
    """target += row."""
    for h in range(target.shape[0]):
        target[h] += row[h]


@compiled
def lift(target: Row, row: Row) -> None:
    """target = max(target, row)."""
    for h in range(target.shape[0]):
        target[h] = max(target[h], row[h])


@compiled
def total_of(row: Row) -> Any:
    """The sum of a row."""
    total = row[0] - row[0]
    for h in range(row.shape[0]):
        total += row[h]
    return total


@compiled
def add_call(reach: Row, least: Row, rank: Ints, sign: Any, tail: Row, value: Row) -> None:
    """Add what a call is worth to each of my hands: sign (2 P(total >= need) - 1), +1 if the bid was mine."""
    most = least.shape[0] - 1
    total = total_of(reach)
    tail[0] = tail[1] = sign * total
    tail[most + 2] = -sign * total
    for k in range(1, most + 1):
        row = least[k]
        some = total - total
        for h in range(reach.shape[0]):
            some += row[h] * reach[h]
        tail[k + 1] = sign * (some + some - total)
    for h in range(value.shape[0]):
        value[h] += tail[rank[h]]


@compiled
def add_spot_on(reach: Row, least: Row, rank: Ints, sign: Any, tail: Row, value: Row) -> None:
    """Add what spot-on is worth to each of my hands: sign (2 P(total = need) - 1), +1 if I say it."""
    most = least.shape[0] - 1
    total = total_of(reach)
    tail[0] = tail[most + 2] = -sign * total
    for k in range(most + 1):
        some = total - total
        for h in range(reach.shape[0]):
            some += (least[k, h] - least[k + 1, h] if k < most else least[k, h]) * reach[h]
        tail[k + 1] = sign * (some + some - total)
    for h in range(value.shape[0]):
        value[h] += tail[rank[h]]


@compiled
def best_response(
    side: Side, starts: bool, start: int, place: int, reach: Row, average: Row, work: Work
) -> None:
    """What a best response to their average strategy is worth to each of my hands, left in work.worth[0].

        worth = sum over their actions;  worth = max over my actions, for each hand

    in float64, whatever holds the averages: shares are averages over their sum; where all are 0 they call.
    The walk begins at a history with `start` higher bids, where I move if `starts`, where their numbers begin
    at `place` and where they come with the chances `reach`; O((H1 + H2) 2^start) less what they never reach.
    """
    stack, tail, rank, least = work.stack, work.tail, side.rank, side.least
    bids, their_hands = rank.shape[0], least.shape[2]
    norm = work.norm[:their_hands]
    ends = 2 if side.spot_on else 1
    fewest = 2 - ends
    depth = 0
    stack[0, LEFT], stack[0, NEXT], stack[0, THEIRS] = start, -1, place
    work.here[0, :] = reach
    while True:
        left, action = stack[depth, LEFT], stack[depth, NEXT]
        my_move = starts == (depth % 2 == 0)
        opening = left == bids
        rows = left if opening else left + ends
        last = bids - left - 1
        here, branch = work.here[depth], work.branch[depth]
        value, worth = work.value[depth], work.worth[depth]
        if action < 0 and my_move:
            action = 0
            worth[:] = -np.inf
            value[:3] = 0.0
            if not opening:
                add_call(here, least[last], rank[last], -1.0, tail, value[0])
                worth[:] = value[0]
            if not opening and side.spot_on:
                add_spot_on(here, least[last], rank[last], 1.0, tail, value[1])
                lift(worth, value[1])
            if fewest == 1 and not (opening and side.banned[0, left - 1]):
                add_call(here, least[bids - 1], rank[bids - 1], 1.0, tail, value[2])
                lift(worth, value[2])
        elif action < 0:
            action = 0
            begin, end = stack[depth, THEIRS], stack[depth, THEIRS] + rows * their_hands
            stack[depth, THEIRS] = end
            block = average[begin:end].reshape(rows, their_hands)
            norm[:] = 0.0
            for a in range(rows):
                add(norm, block[a])
            unknown = False
            for h in range(their_hands):
                unknown |= norm[h] == 0.0
                norm[h] = here[h] / norm[h] if norm[h] > 0.0 else 0.0
            for a in range(rows):
                target, row = branch[a], block[a]
                for h in range(their_hands):
                    target[h] = norm[h] * row[h]
            if unknown and not opening:
                for h in range(their_hands):
                    if norm[h] == 0.0:
                        branch[left, h] = here[h]
            worth[:] = 0.0
            if not opening:
                add_call(branch[left], least[last], rank[last], 1.0, tail, worth)
            if not opening and side.spot_on:
                add_spot_on(branch[left + 1], least[last], rank[last], -1.0, tail, worth)
            if fewest == 1:
                add_call(branch[left - 1], least[bids - 1], rank[bids - 1], -1.0, tail, worth)
        child = left - 1 - action
        if child >= fewest:
            stack[depth, NEXT] = action + 1
            their_place = stack[depth, THEIRS]
            stack[depth, THEIRS] += side.span[1, child, 0 if my_move else 1]
            coming = here if my_move else branch[action]
            if not (opening and side.banned[0, action]) and total_of(coming) > 0.0:
                depth += 1
                stack[depth, LEFT], stack[depth, NEXT], stack[depth, THEIRS] = child, -1, their_place
                work.here[depth, :] = coming
            continue
        if depth == 0:
            return
        depth -= 1
        if my_move:
            add(work.worth[depth], worth)
        else:
            lift(work.worth[depth], worth)


@compiled
def round_shares(
    average: Row, player: int, bids: int, hands: int, spot_on: bool, least: float, rounded: Row
) -> None:
    """Shares of a player's average strategy in 255ths; 0 where the player comes with a weight below `least`.

    The opening is kept whatever its weight: a player who drops out of it could not call instead.

    The averages of a block add up to the weight with which the player comes there by dice and own play, so
    one pass over the histories in the order of the array suffices: the lowest bit of `mask` is the last bid.
    """
    ends = 2 if spot_on else 1
    fewest = 2 - ends
    mask, left, mover, place = 0, bids, 0, 0
    while True:
        if mover == player:
            rows = left if left == bids else left + ends
            for h in range(hands):
                total = 0.0
                for a in range(rows):
                    total += average[place + a * hands + h]
                kept = total > 0.0 and (left == bids or total >= least)
                scale = 255.0 / total if kept else 0.0
                for a in range(rows):
                    rounded[place + a * hands + h] = np.uint8(scale * average[place + a * hands + h] + 0.5)
            place += rows * hands
        mover = 1 - mover
        if left == fewest:  # the last child of its parent: go on beside the parent
            mask ^= 1 << left
            if mask == 0:
                return
            while not mask >> left & 1:
                left += 1
            mask ^= 1 << left
        left -= 1
        mask |= 1 << left
