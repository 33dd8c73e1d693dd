"""What a logit player gets of a rival who is rows of the public tree: one walk, that keeps nothing but its own path.

The walk is that of a best response (public_kernels.py). Where it comes back to a history of mine it knows what each of
my actions is worth, the best play following, and so how often a logit player takes it; what that player gets, how
many decisions it takes and how many actions the round has are carried beside. A history to which the rival never
comes adds nothing, and is not walked.
"""

from typing import Any, NamedTuple

import numpy as np

from .public_kernels import (
    LEFT,
    NEXT,
    THEIRS,
    Row,
    Side,
    Work,
    add,
    compiled,
    go_on,
    lift,
    my_ends,
    their_ends,
    total_of,
)

GETS, DECIDES, TURNS = range(3)  # planes of what is carried


class Carried(NamedTuple):
    """For each depth of a walk."""

    taken: Row  # [depth, plane, action, my hand]: after each of my actions
    rest: Row  # [depth, plane, my hand]: from the history on
    mix: Row  # [action]: of one hand


@compiled
def weigh(options: Any, total: Any, precision: float, value: Row, best: Row, carried: Any) -> None:
    """The logit mix of each hand by these values, and what follows it on each plane; the best value is known."""
    taken, rest, mix = carried
    scale = precision / (total + total)  # values are payoffs times the chance to come here
    several = 0
    for a in range(len(options)):
        several += 1 if options[a] else 0
    for h in range(value.shape[1]):
        whole = 0.0
        for a in range(len(options)):
            mix[a] = np.exp(scale * (value[a, h] - best[h])) if options[a] else 0.0
            whole += mix[a]
        for plane in range(taken.shape[0]):
            mean = 0.0
            for a in range(len(options)):
                mean += mix[a] * taken[plane, a, h]
            rest[plane, h] = mean / whole
        rest[DECIDES, h] += total if several > 1 else 0.0
        rest[TURNS, h] += total


@compiled
def logit_response(
    side: Side, starts: bool, reach: Row, average: Row, precision: float, work: Work, carried: Carried
) -> None:
    """What the logit player of this precision gets of their average strategy, left in carried.rest[0, :, my hand].

    The worth of an action is the winning chance by what the rival's play tells of the hand, the best play following.
    The walk begins before the first bid, where I move if `starts`; O((H1 + H2) 2^bids) less what they never reach,
    and an exponential for each of my hands and actions.
    """
    stack, their_hands = work.stack, side.won.shape[3]
    ends, bids = side.sets.shape
    fewest = 1 if ends == 1 else 0
    depth = 0
    options = np.zeros((stack.shape[0], bids + ends), np.bool_)
    stack[0, LEFT], stack[0, NEXT], stack[0, THEIRS] = bids, -1, 0
    work.here[0, :] = reach
    while True:
        left, action = stack[depth, LEFT], stack[depth, NEXT]
        my_move = starts == (depth % 2 == 0)
        opening = left == bids
        rows = left if opening else left + ends
        here, branch = work.here[depth], work.branch[depth]
        value, worth = work.value[depth], work.worth[depth]
        taken, rest = carried.taken[depth], carried.rest[depth]
        if action < 0 and my_move:
            action = 0
            worth[:] = -np.inf
            my_ends(side, left, here, work.tail, value)
            taken[:, :rows] = 0.0
            for a in range(rows):
                options[depth, a] = not (opening and side.banned[0, a])
                if a >= left or (a == left - 1 and fewest == 1):
                    taken[GETS, a] = value[a]
                    if options[depth, a]:
                        lift(worth, value[a])
            if fewest == 1 and left > 0:
                taken[TURNS, left - 1] = total_of(here)  # they must call the highest bid
        elif action < 0:
            action = 0
            begin, end = stack[depth, THEIRS], stack[depth, THEIRS] + rows * their_hands
            stack[depth, THEIRS] = end
            block = average[begin:end].reshape(rows, their_hands)
            go_on(block, left, here, branch, work.norm[:their_hands])
            their_ends(side, left, branch, work.tail, worth)
            rest[GETS] = worth
            rest[DECIDES] = 0.0
            rest[TURNS] = total_of(here)
            if fewest == 1 and left > 0:
                rest[TURNS] += total_of(branch[left - 1])  # I must
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
        if my_move:
            weigh(options[depth, :rows], total_of(here), precision, value, worth, (taken, rest, carried.mix))
        if depth == 0:
            return
        depth -= 1
        if starts == (depth % 2 == 0):  # I came here by my last action
            last = stack[depth, NEXT] - 1
            work.value[depth, last, :] = worth
            carried.taken[depth, :, last] = rest
            lift(work.worth[depth], worth)
        else:
            add(work.worth[depth], worth)
            carried.rest[depth] += rest
