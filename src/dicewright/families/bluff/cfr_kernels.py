"""Compiled sweeps of counterfactual regret minimisation over a public tree: no objects, options or errors.

The order of the numbers and the meaning of "mine" and "theirs" are those of public_kernels.py. A sweep
updates the regrets of one player and the average strategy of the other. Two kinds of subtrees are skipped, and all
numbers in them stay as they are: those to which they come with a chance of at most `skip`; and, in a quick sweep,
those behind my bids that no hand of mine makes now. So a sweep costs what play reaches, not what the tree has.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

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
    add,
    compiled,
    inlined,
    my_ends,
    their_ends,
    total_of,
)

WHOLE, DOWN, UP = 0, 1, 2  # phases: a whole subtree; the top of the tree before and after the parts below it
FEW = 3  # bids left at which a look for what to skip costs less than walking it
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
    here: Row
    worth: Row


class Scratch(NamedTuple):
    """Rows of a sweep, one for each depth: a few kilobytes, so they stay in the fastest cache.

    Rows of chances are many: their own play first, then each player of the population.
    """

    stack: Ints
    here: Row  # [depth, who, their hand]: chance that they are here
    felt: Row  # [depth, their hand]: the sum of these
    branch: Row  # [depth, action, their hand]: chance that they go on so by their own play
    met: Row  # [depth, action, their hand]: with the population
    value: Row  # [depth, action, my hand]: worth of my actions
    worth: Row  # [depth, my hand]: worth of the history
    norm: Row
    tail: Row
    idle: npt.NDArray[np.bool_]  # [depth, action]: my actions that are not walked


class Learned(NamedTuple):
    """My and their regrets, their average, the numbers of `cfr.Iteration`, and who else plays."""

    mine: Row
    theirs: Row
    average: Row
    step: Row
    population: Ints  # [player, last bid + 1, their hand]: the action that one takes, or -1 for all alike


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
def learn(regret: Row, idle: Row, value: Row, keep: Any, gain: Any, worth: Row, norm: Row) -> None:
    """Worth of my history under regret matching, and new regrets, for each hand:

        worth = sum of max(regret[a], 0) * value[a] / sum of max(regret[a], 0), the mean where that sum is 0
        regret[a] = (regret[a] if positive else keep * regret[a]) + gain * (value[a] - worth)

    keep = 0 is regret matching+ (Tammelin 2014); keep and a growing gain are the discounts of
    Brown & Sandholm 2019, with positive regrets as the unit. Idle actions keep their regrets: they are forbidden,
    or not walked and taken by no hand.
    """
    rows, hands = regret.shape
    zero = keep - keep
    tiny, legal = norm.dtype.type(TINY), norm.dtype.type(rows - idle[:rows].sum())
    norm[:] = zero
    worth[:] = zero
    for a in range(rows):
        if not idle[a]:
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
                worth[h] += zero if idle[a] else value[a, h] / legal
    for a in range(rows):
        if not idle[a]:
            for h in range(hands):
                old = regret[a, h]
                regret[a, h] = (old if old > zero else keep * old) + gain * (value[a, h] - worth[h])


@inlined
def rest(regret: Row, left: int, norm: Row, idle: Row) -> None:
    """Mark those of the first `left` actions that no hand takes, if every hand knows what it does."""
    rows, hands = regret.shape
    zero = norm[0] - norm[0]
    norm[:] = zero
    for a in range(rows):
        for h in range(hands):
            norm[h] += max(regret[a, h], zero)
    for h in range(hands):
        if not norm[h] > norm.dtype.type(TINY):
            return
    for a in range(left):
        taken = False
        for h in range(hands):
            taken |= regret[a, h] > zero
        idle[a] |= not taken


@inlined
def count(branch: Row, known: Row, weight: Any, average: Row) -> None:
    """Count what they play in their average; what they never learned, where `known` is 0, weighs 1."""
    rows, hands = average.shape
    zero, one = weight - weight, average.dtype.type(1)
    for a in range(rows):
        for h in range(hands):
            average[a, h] += (weight if known[h] > zero else one) * branch[a, h]


@inlined
def stumble(here: Row, banned: Row, legal: Any, slip: Any, branch: Row) -> None:
    """With the chance `slip` they take any action alike."""
    rows, hands = branch.shape
    zero = slip - slip
    for a in range(rows):
        for h in range(hands):
            branch[a, h] += slip * ((zero if banned[a] else here[h] / legal) - branch[a, h])


@inlined
def mingle(here: Row, takes: Ints, banned: Row, legal: Any, branch: Row, met: Row) -> None:
    """Their own play and that of the population: met[a] = branch[a] + chances of those who take a."""
    rows, hands = met.shape
    for a in range(rows):
        met[a, :] = branch[a]
    for k in range(takes.shape[0]):
        for h in range(hands):
            if takes[k, h] >= 0:
                met[takes[k, h], h] += here[k + 1, h]
            elif here[k + 1, h] > 0:
                for a in range(rows):
                    if not banned[a]:
                        met[a, h] += here[k + 1, h] / legal


@inlined
def follow(here: Row, takes: Ints, legal: Any, action: int, row: Row, target: Row) -> None:
    """The chances of all after they took an action: of their own play `row`, of the population what follows."""
    target[0, :] = row
    for k in range(takes.shape[0]):
        for h in range(row.shape[0]):
            taken = legal if takes[k, h] < 0 else takes[k, h] == action
            target[k + 1, h] = here[k + 1, h] / taken if taken > 0 else legal - legal


@compiled
def sweep(
    side: Side, part: Part, deal: Row, phase: int, cut: int, edges: Edges, work: Scratch, learned: Learned
) -> None:
    """Update my regrets in a subtree, add their strategy to their average, leave the worth in work.worth[0].

    With pi the chance of their hand and their play so far and sigma their strategy (`play`):

        theirs:  worth = sum over actions of the worth after it,   average += weight * pi * sigma
        mine:    worth and regrets by `learn`

    (Zinkevich 2007, equations 4 and 7, one row of hands at a time.) A mix that was never learned weighs 1. They slip
    with a chance `slip` in every history and then take any action alike: that counts in pi, not in sigma. Beside them
    comes a population (`mingle`), with the chances of the further rows of `deal`: what I learn is an answer to all.

    In phase DOWN the chances at parts with at most `cut` bids left are put on `edges` and nothing is learned; phase UP
    takes their worth from there.
    """
    keep, gain, weight = learned.step[0], learned.step[1], learned.step[2]
    skip, slip, quick = learned.step[3], learned.step[4], learned.step[5] > 0
    zero = keep - keep
    stack, my_hands, their_hands = work.stack, side.rank.shape[2], side.won.shape[3]
    ends, bids = side.sets.shape
    fewest = 1 if ends == 1 else 0  # bids left at the last histories with a choice: calling is forced below
    depth = 0
    stack[0, LEFT], stack[0, NEXT], stack[0, BIDS] = part.left, -1, part.mask
    stack[0, MINE], stack[0, THEIRS] = part.my_place, part.their_place
    work.here[0, :] = deal
    work.felt[0, :] = zero
    for k in range(1 + learned.population.shape[0]):
        add(work.felt[0], deal[k])
    while True:
        left, action = stack[depth, LEFT], stack[depth, NEXT]
        my_move = part.mine == (depth % 2 == 0)
        opening = left == bids
        rows = left if opening else left + ends
        banned = side.banned[0 if opening else 1]
        legal = work.norm.dtype.type(rows - banned[:rows].sum())
        here, felt = work.here[depth], work.felt[depth]
        takes = learned.population[:, bids - left]
        branch = work.branch[depth]
        met = work.met[depth] if len(takes) else branch
        value, worth, idle = work.value[depth], work.worth[depth], work.idle[depth]
        if action < 0 and my_move:
            action = 0
            start, end = stack[depth, MINE], stack[depth, MINE] + rows * my_hands
            stack[depth, BLOCK], stack[depth, MINE] = start, end
            idle[:rows] = banned[:rows]
            if quick and left >= FEW:
                block = learned.mine[start:end].reshape(rows, my_hands)
                rest(block, left - fewest, work.norm[:my_hands], idle)
            value[:left] = zero
            my_ends(side, left, felt, work.tail, value)
        elif action < 0:
            action = 0
            start, end = stack[depth, THEIRS], stack[depth, THEIRS] + rows * their_hands
            stack[depth, THEIRS] = end
            block = learned.theirs[start:end].reshape(rows, their_hands)
            play(block, banned, here[0], branch, work.norm[:their_hands])
            if phase != UP:
                count(branch, work.norm, weight, learned.average[start:end].reshape(rows, their_hands))
            if slip > zero:
                stumble(here[0], banned, legal, slip, branch[:rows])
            if len(takes):
                mingle(here, takes, banned, legal, branch, met[:rows])
            their_ends(side, left, met, work.tail, worth)
        child = left - 1 - action
        if child >= fewest:
            stack[depth, NEXT] = action + 1
            my_place, their_place = stack[depth, MINE], stack[depth, THEIRS]
            stack[depth, MINE] += side.span[0, child, 0 if my_move else 1]
            stack[depth, THEIRS] += side.span[1, child, 0 if my_move else 1]
            reach = felt if my_move else met[action]
            if (idle[action] if my_move else banned[action]) or not total_of(reach) > skip:
                continue
            if phase != WHOLE and child <= cut:
                top = stack[depth, BIDS] >> (cut + 1)
                if phase == DOWN:
                    edges.place[top, child, 0], edges.place[top, child, 1] = my_place, their_place
                    target = edges.here[top, child]
                    if my_move:
                        target[:] = here
                    else:
                        follow(here, takes, legal, action, branch[action], target)
                elif my_move:
                    value[action, :] = edges.worth[top, child]
                else:
                    add(worth, edges.worth[top, child])
                continue
            depth += 1
            stack[depth, LEFT], stack[depth, NEXT] = child, -1
            stack[depth, BIDS] = stack[depth - 1, BIDS] | (1 << child)
            stack[depth, MINE], stack[depth, THEIRS] = my_place, their_place
            work.felt[depth, :] = reach
            if my_move:
                work.here[depth, :] = here
            else:
                follow(here, takes, legal, action, branch[action], work.here[depth])
            continue
        if my_move and phase != DOWN:
            block = learned.mine[stack[depth, BLOCK] : stack[depth, BLOCK] + rows * my_hands]
            learn(block.reshape(rows, my_hands), idle, value, keep, gain, worth, work.norm[:my_hands])
        if depth == 0:
            return
        depth -= 1
        if my_move:
            add(work.worth[depth], worth)
        else:
            work.value[depth, stack[depth, NEXT] - 1, :] = worth


@compiled
def sweep_parts(
    side: Side, top: int, cut: int, edges: Edges, work: Scratch, starts: bool, learned: Learned
) -> None:
    """Sweep the parts below one history of the top; `starts` says whether the first bid is mine."""
    parity = starts
    for bit in range(side.rank.shape[1]):
        parity ^= (top >> bit) & 1 == 1
    for left in range(1 if side.rank.shape[0] == 1 else 0, cut + 1):
        here = edges.here[top, left]
        if here.any():
            mask = (top << (cut + 1)) | (1 << left)
            part = Part(mask, left, not parity, edges.place[top, left, 0], edges.place[top, left, 1])
            sweep(side, part, here, np.int64(WHOLE), np.int64(0), edges, work, learned)
            edges.worth[top, left, :] = work.worth[0]
