"""Compiled walks over the public tree of a round of Bluff: its order, its leaves, best responses, play, rounding.

A public history is the set of bids made. Below a history with `left` higher bids hang 2^left histories:
one subtree for each next bid, with left-1, left-2, ..., 0 bids left. A history owns a block of rows, one
for each action: the `left` bids in rising order, then the endings, a call first (none at the opening). A row has
one number for each hand of the player to move. Blocks stand in depth-first order in one flat array a
player, so every subtree is contiguous and its size depends only on `left` and on who moves: that is what
`span` holds. A history where calling is forced owns no block.

A walk looks from one player's side ("mine") and carries one row down: the chance that the other player
("theirs") is dealt each hand and plays to this history. It brings one row up: what the history is worth to
each of my hands, counted with those chances. Subtrees where they never go are skipped whole.

A leaf needs only how many dice match: with P(S) the chance that the number of theirs is in S, the numbers with
which the bidder wins, my hand is worth 2 P(S) - 1 to me if I made the bid. Hands with equal matches share S, and few
are neither empty nor all numbers. That is O(H1 + H2) for a leaf instead of H1 H2, and O((H1 + H2) 2^bids) for a walk.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..compiled import njit

Row = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]

LEFT, NEXT, MINE, THEIRS, BLOCK, BIDS = range(6)  # columns of the stack
PLACE = MINE  # of FIRST's numbers, and in the next column of SECOND's, where neither player is me


class Side(NamedTuple):
    """A round as one player sees it."""

    deal: Row  # chance of each of their hands
    rank: Ints  # [end, bid, my hand]: against which of their hands the bidder wins; 0 none, 1 all, 2 + a set
    sets: Ints  # [end, bid]: how many sets of their hands there are beside
    won: Row  # [end, bid, set, their hand]: 1 if it is in the set
    span: Ints  # [my or their array, left, whether the mover is me]: numbers in a subtree
    banned: npt.NDArray[np.bool_]  # [0, action]: bids that may not open; [1, action]: none


class Work(NamedTuple):
    """Scratch rows of a walk, one for each depth: a few kilobytes, so it stays in the fastest cache."""

    stack: Ints
    here: Row  # [depth, their hand]: chance that they are here
    branch: Row  # [depth, action, their hand]: chance that they go on so
    value: Row  # [depth, action, my hand]: worth of my actions
    worth: Row  # [depth, my hand]: worth of the history
    norm: Row
    tail: Row


def compiled(function: Any, forceinline: bool = False) -> Any:
    """Compile without the GIL; sums may be reordered, which moves results by rounding only."""
    fast = {"reassoc", "contract", "nsz"}
    return njit(nogil=True, cache=True, error_model="numpy", fastmath=fast, forceinline=forceinline)(function)


def inlined(function: Any) -> Any:
    """Compile into the walks that call it: a side is many arrays, too many to hand over at each leaf."""
    return compiled(function, forceinline=True)


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


@inlined
def add_end(side: Side, end: int, bid: int, reach: Row, sign: Any, tail: Row, value: Row) -> None:
    """Add what ending the round so on a bid is worth to each of my hands: 2 P(the bidder wins) - 1, times sign.

    The sign is +1 if the bid was mine. In `tail` stands the worth for each rank.
    """
    total = total_of(reach)
    tail[0], tail[1] = -sign * total, sign * total
    rank, won = side.rank[end, bid], side.won[end, bid]
    for s in range(side.sets[end, bid]):
        some = total - total
        row = won[s]
        for h in range(reach.shape[0]):
            some += row[h] * reach[h]
        tail[s + 2] = sign * (some + some - total)
    for h in range(value.shape[0]):
        value[h] += tail[rank[h]]


@inlined
def my_ends(side: Side, left: int, here: Row, tail: Row, value: Row) -> None:
    """The worth of my endings at a history, and of the highest bid where nothing but a call can follow it."""
    ends, bids = side.sets.shape
    one = tail.dtype.type(1)
    if left < bids:
        for end in range(ends):
            value[left + end, :] = one - one
            add_end(side, end, bids - left - 1, here, -one, tail, value[left + end])
    if ends == 1:
        value[left - 1, :] = one - one
        add_end(side, np.int64(0), bids - 1, here, one, tail, value[left - 1])


@inlined
def their_ends(side: Side, left: int, branch: Row, tail: Row, worth: Row) -> None:
    """The worth of a history as far as they end the round there, or must after the highest bid."""
    ends, bids = side.sets.shape
    one = tail.dtype.type(1)
    worth[:] = one - one
    if left < bids:
        for end in range(ends):
            add_end(side, end, bids - left - 1, branch[left + end], one, tail, worth)
    if ends == 1:
        add_end(side, np.int64(0), bids - 1, branch[left - 1], -one, tail, worth)


@compiled
def go_on(block: Row, calls: int, here: Row, branch: Row, norm: Row) -> None:
    """Go on by shares of the averages: branch[a] = here * block[a] / sum; where all are 0 they take row `calls`."""
    rows, hands = block.shape
    norm[:] = 0.0
    for a in range(rows):
        add(norm, block[a])
    unknown = False
    for h in range(hands):
        unknown |= norm[h] == 0.0
        norm[h] = here[h] / norm[h] if norm[h] > 0.0 else 0.0
    for a in range(rows):
        target, row = branch[a], block[a]
        for h in range(hands):
            target[h] = norm[h] * row[h]
    if unknown and calls < rows:
        for h in range(hands):
            if norm[h] == 0.0:
                branch[calls, h] = here[h]


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
    stack, their_hands = work.stack, side.won.shape[3]
    ends, bids = side.sets.shape
    fewest = 1 if ends == 1 else 0
    depth = 0
    stack[0, LEFT], stack[0, NEXT], stack[0, THEIRS] = start, -1, place
    work.here[0, :] = reach
    while True:
        left, action = stack[depth, LEFT], stack[depth, NEXT]
        my_move = starts == (depth % 2 == 0)
        opening = left == bids
        rows = left if opening else left + ends
        here, branch = work.here[depth], work.branch[depth]
        value, worth = work.value[depth], work.worth[depth]
        if action < 0 and my_move:
            action = 0
            worth[:] = -np.inf
            my_ends(side, left, here, work.tail, value)
            for a in range(left, rows):
                lift(worth, value[a])
            if fewest == 1 and not (opening and side.banned[0, left - 1]):
                lift(worth, value[left - 1])
        elif action < 0:
            action = 0
            begin, end = stack[depth, THEIRS], stack[depth, THEIRS] + rows * their_hands
            stack[depth, THEIRS] = end
            block = average[begin:end].reshape(rows, their_hands)
            go_on(block, left, here, branch, work.norm[:their_hands])
            their_ends(side, left, branch, work.tail, worth)
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


class Rounding(NamedTuple):
    """How shares are rounded."""

    least: float  # the chance below which nothing is kept
    fine: float  # the chance below which shares are rounded more
    nodes: Ints  # that follow a slip, as sets of bids, rising
    slips: Row  # [node, hand]: the chance of the hand there


@compiled
def round_shares(
    average: Row, player: int, deal: Row, bids: int, ends: int, rounding: Rounding, rounded: Row
) -> None:
    """Shares of a player's average strategy in 65535ths; 0 where the player comes with a chance below `least`.

    That is the chance of the hand and of the own play. A bid that is rarer is not made: what it had goes to the other
    actions in proportion, which makes smaller files (docs/bluff.md, tables). The likeliest action stays, however rare:
    in the opening the player could not call instead. Where the player comes with a small chance p the last digits are
    left out: shares are multiples of the largest power of 2 up to sqrt(fine / p), and 2048 at most.

    Where a slip leads the chance begins again.

    One pass over the histories in the order of the array: the lowest bit of `mask` is the last bid.
    """
    least, fine, nodes, slips = rounding
    hands, fewest = len(deal), 1 if ends == 1 else 0
    chance, total = np.zeros((bids + 1, hands)), np.zeros((bids + 1, hands))
    lefts, places = np.zeros(bids + 1, np.int64), np.zeros(bids + 1, np.int64)
    stays = np.zeros(bids + ends, np.bool_)
    mask, left, depth, place = 0, bids, 0, 0
    sets = np.zeros(bids + 1, np.int64)
    chance[0] = deal
    while True:
        lefts[depth], places[depth] = left, place
        if depth > 0:
            sets[depth] = sets[depth - 1] | 1 << (bids - 1 - left)
        if depth > 0 and (depth - 1) % 2 == player:
            begin = places[depth - 1] + (lefts[depth - 1] - 1 - left) * hands
            for h in range(hands):
                whole = total[depth - 1, h]
                chance[depth, h] = chance[depth - 1, h] * (average[begin + h] / whole if whole > 0.0 else 0.0)
            slip = np.searchsorted(nodes, sets[depth])
            if slip < len(nodes) and nodes[slip] == sets[depth]:
                for h in range(hands):
                    chance[depth, h] = max(chance[depth, h], slips[slip, h])
        elif depth > 0:
            chance[depth] = chance[depth - 1]
        if depth % 2 == player:
            rows = left if left == bids else left + ends
            for h in range(hands):
                whole, likeliest, p = 0.0, 0.0, chance[depth, h]
                for a in range(rows):
                    whole += average[place + a * hands + h]
                    likeliest = max(likeliest, average[place + a * hands + h])
                total[depth, h] = whole
                if whole > 0.0 and (left == bids or p >= least):
                    kept = 0.0
                    for a in range(rows):
                        weight = average[place + a * hands + h]
                        stays[a] = weight * p >= least * whole or weight == likeliest or a >= left
                        kept += weight if stays[a] else 0.0
                    step = 1.0
                    while step < 2048.0 and 4.0 * step * step * p <= fine:
                        step *= 2.0
                    scale, most = 65535.0 / (step * kept), np.floor(65535.0 / step)
                    for a in range(rows):
                        if stays[a]:
                            share = np.floor(scale * average[place + a * hands + h] + 0.5)
                            rounded[place + a * hands + h] = np.uint16(step * min(share, most))
            place += rows * hands
        depth += 1
        if left == fewest:  # the last child of its parent: go on beside the parent
            mask ^= 1 << left
            if mask == 0:
                return
            depth -= 1
            while not mask >> left & 1:
                left += 1
            mask ^= 1 << left
            depth -= 1
        left -= 1
        mask |= 1 << left


class Board(NamedTuple):
    """Both players' rows."""

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
