"""Compiled sweeps of counterfactual regret minimisation over a public tree: no objects, options or errors.

The order of the numbers and the meaning of "mine" and "theirs" are those of public_kernels.py. A sweep
updates the regrets of one player and the average strategy of the other. Where they never go nothing is
learned and nothing is played, so both stay as they are and the subtree is skipped.
"""

from typing import Any, NamedTuple

from .public_kernels import (
    BIDS,
    BLOCK,
    LEFT,
    MINE,
    NEXT,
    THEIRS,
    Ints,
    Row,
    Side,
    Work,
    add,
    compiled,
    inlined,
    my_ends,
    their_ends,
    total_of,
)

WHOLE, DOWN, UP = 0, 1, 2  # phases: a whole subtree; the top of the tree before and after the parts below it
TINY = 1e-30  # positive regrets below this sum count as none, so that its inverse stays finite


class Part(NamedTuple):
    """Where a subtree starts: bids made as a mask (lowest bid highest), bids left, who moves, positions."""

    mask: int
    left: int
    mine: bool
    my_place: int
    their_place: int


class Edges(NamedTuple):
    """The rows between the top of the tree and the parts below it: [history of the top, bids left, ...]."""

    place: Ints
    reach: Row
    worth: Row


class Learned(NamedTuple):
    """The numbers of a sweep: my and their regrets, their average, and what an iteration keeps, gains and weighs."""

    mine: Row
    theirs: Row
    average: Row
    weights: Row


@inlined
def play(regret: Row, banned: Row, here: Row, branch: Row, norm: Row) -> None:
    """Go on by regret matching (Zinkevich 2007, equation 8): branch[a] = here * strategy[a], for each hand.

    strategy[a] = max(regret[a], 0) / sum over actions, uniform where that sum is 0
    """
    rows, hands = regret.shape
    zero = norm[0] - norm[0]
    tiny, legal = norm.dtype.type(TINY), norm.dtype.type(rows - banned[:rows].sum())
    norm[:] = zero
    for a in range(rows):
        if not banned[a]:
            for h in range(hands):
                branch[a, h] = max(regret[a, h], zero)
                norm[h] += branch[a, h]
    unknown = False
    for h in range(hands):
        known = norm[h] > tiny
        unknown |= not known
        norm[h] = here[h] / norm[h] if known else zero
    for a in range(rows):
        for h in range(hands):
            branch[a, h] = zero if banned[a] else branch[a, h] * norm[h]
    if unknown:
        for h in range(hands):
            if norm[h] == zero:
                for a in range(rows):
                    branch[a, h] = zero if banned[a] else here[h] / legal


@inlined
def learn(regret: Row, banned: Row, value: Row, keep: Any, gain: Any, worth: Row, norm: Row) -> None:
    """Worth of my history under regret matching, and new regrets, for each hand:

        worth = sum of max(regret[a], 0) * value[a] / sum of max(regret[a], 0), the mean where that sum is 0
        regret[a] = (regret[a] if positive else keep * regret[a]) + gain * (value[a] - worth)

    keep = 0 is regret matching+ (Tammelin 2014); keep and a growing gain are the discounts of
    Brown & Sandholm 2019, with positive regrets as the unit.
    """
    rows, hands = regret.shape
    zero = keep - keep
    tiny, legal = norm.dtype.type(TINY), norm.dtype.type(rows - banned[:rows].sum())
    norm[:] = zero
    worth[:] = zero
    for a in range(rows):
        if not banned[a]:
            for h in range(hands):
                positive = max(regret[a, h], zero)
                norm[h] += positive
                worth[h] += positive * value[a, h]
    for h in range(hands):
        if norm[h] > tiny:
            worth[h] /= norm[h]
        else:
            worth[h] = zero
            for a in range(rows):
                worth[h] += zero if banned[a] else value[a, h] / legal
    for a in range(rows):
        if not banned[a]:
            for h in range(hands):
                old = regret[a, h]
                regret[a, h] = (old if old > zero else keep * old) + gain * (value[a, h] - worth[h])


@compiled
def sweep(
    side: Side, part: Part, deal: Row, phase: int, cut: int, edges: Edges, work: Work, learned: Learned
) -> None:
    """Update my regrets in a subtree, add their strategy to their average, leave the worth in work.worth[0].

    With pi the chance of their hand and their play so far and sigma their strategy (`play`):

        theirs:  worth = sum over actions of the worth after it,   average += weight * pi * sigma
        mine:    worth and regrets by `learn`

    (Zinkevich 2007, equations 4 and 7, one row of hands at a time.) In phase DOWN the chances at parts with
    at most `cut` bids left are put on `edges` and nothing is learned; phase UP takes their worth from there.
    """
    keep, gain, weight = learned.weights[0], learned.weights[1], learned.weights[2]
    zero = keep - keep
    stack, my_hands, their_hands = work.stack, side.rank.shape[2], side.won.shape[3]
    ends, bids = side.sets.shape
    fewest = 1 if ends == 1 else 0  # bids left at the last histories with a choice: calling is forced below
    depth = 0
    stack[0, LEFT], stack[0, NEXT], stack[0, BIDS] = part.left, -1, part.mask
    stack[0, MINE], stack[0, THEIRS] = part.my_place, part.their_place
    work.here[0, :] = deal
    while True:
        left, action = stack[depth, LEFT], stack[depth, NEXT]
        my_move = part.mine == (depth % 2 == 0)
        opening = left == bids
        rows = left if opening else left + ends
        banned = side.banned[0 if opening else 1]
        here, branch = work.here[depth], work.branch[depth]
        value, worth = work.value[depth], work.worth[depth]
        if action < 0 and my_move:
            action = 0
            stack[depth, BLOCK] = stack[depth, MINE]
            stack[depth, MINE] += rows * my_hands
            value[:left] = zero
            my_ends(side, left, here, work.tail, value)
        elif action < 0:
            action = 0
            start, end = stack[depth, THEIRS], stack[depth, THEIRS] + rows * their_hands
            stack[depth, THEIRS] = end
            block = learned.theirs[start:end].reshape(rows, their_hands)
            play(block, banned, here, branch, work.norm[:their_hands])
            if phase != UP:
                total = learned.average[start:end].reshape(rows, their_hands)
                for a in range(rows):
                    for h in range(their_hands):
                        total[a, h] += weight * branch[a, h]
            their_ends(side, left, branch, work.tail, worth)
        child = left - 1 - action
        if child >= fewest:
            stack[depth, NEXT] = action + 1
            my_place, their_place = stack[depth, MINE], stack[depth, THEIRS]
            stack[depth, MINE] += side.span[0, child, 0 if my_move else 1]
            stack[depth, THEIRS] += side.span[1, child, 0 if my_move else 1]
            reach = here if my_move else branch[action]
            if banned[action] or not total_of(reach) > zero:
                continue
            if phase != WHOLE and child <= cut:
                top = stack[depth, BIDS] >> (cut + 1)
                if phase == DOWN:
                    edges.place[top, child, 0], edges.place[top, child, 1] = my_place, their_place
                    edges.reach[top, child, :] = reach
                elif my_move:
                    value[action, :] = edges.worth[top, child]
                else:
                    add(worth, edges.worth[top, child])
                continue
            depth += 1
            stack[depth, LEFT], stack[depth, NEXT] = child, -1
            stack[depth, BIDS] = stack[depth - 1, BIDS] | (1 << child)
            stack[depth, MINE], stack[depth, THEIRS] = my_place, their_place
            work.here[depth, :] = reach
            continue
        if my_move and phase != DOWN:
            block = learned.mine[stack[depth, BLOCK] : stack[depth, BLOCK] + rows * my_hands]
            learn(block.reshape(rows, my_hands), banned, value, keep, gain, worth, work.norm[:my_hands])
        if depth == 0:
            return
        depth -= 1
        if my_move:
            add(work.worth[depth], worth)
        else:
            work.value[depth, stack[depth, NEXT] - 1, :] = worth


@compiled
def sweep_parts(
    side: Side, top: int, cut: int, edges: Edges, work: Work, starts: bool, learned: Learned
) -> None:
    """Sweep the parts below one history of the top; `starts` says whether the first bid is mine."""
    parity = starts
    for bit in range(side.rank.shape[1]):
        parity ^= (top >> bit) & 1 == 1
    for left in range(1 if side.rank.shape[0] == 1 else 0, cut + 1):
        reach = edges.reach[top, left]
        if total_of(reach) > 0:
            mask = (top << (cut + 1)) | (1 << left)
            part = Part(mask, left, not parity, edges.place[top, left, 0], edges.place[top, left, 1])
            sweep(side, part, reach, WHOLE, 0, edges, work, learned)
            edges.worth[top, left, :] = work.worth[0]
