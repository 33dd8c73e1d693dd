"""Imperfect opponents that CFR expects with a small chance, so that what it learns also wins from them."""

from functools import partial
from typing import NamedTuple

import numpy as np

from ...core.game import FIRST
from .public_kernels import Ints
from .rules import Bid, Bluff, BluffView
from .strategies import CallBelow, Truthful

SIMPLE = (Truthful, partial(CallBelow, p=0.3), partial(CallBelow, p=0.5))


class Population(NamedTuple):
    """Beside the solved opponent come, with `chance` in all, four others, each as often: one who acts at random, one
    who is truthful, and two who call below 0.3 and below 0.5.

    At each turn the solved opponent slips with the chance `slip` and takes any action alike: so there is an answer to
    every bid. What own play pays a perfect opponent for that is about the two chances together, and is measured by
    the bracket. They come from iteration `after` to `until` at least, for before the bracket is narrow they only cost
    time. Then is walked where all these come with more than `skip`.
    """

    chance: float
    slip: float
    skip: float
    after: int
    until: int


def said_last(game: Bluff, player: int, last: int) -> tuple[Bid, ...]:
    """Bids after which the player moves, the last one so; -1: none. After the lowest bid FIRST never moves."""
    if last < 0:
        return ()
    before = game.bids[:1] if player == FIRST and last > 0 else ()
    return (*before, game.bids[last])


def players_of(game: Bluff, player: int, population: Population | None) -> Ints:
    """[who, last bid + 1, hand]: the action that one takes, as a row of the public tree, or -1 for all alike.

    All of them look at nothing but the own dice and the last bid. Nobody without a population.
    """
    hands, bids = list(game.hands(player)), game.bids
    takes = np.full((1 + len(SIMPLE) if population else 0, len(bids) + 1, len(hands)), -1, np.int64)
    for who in range(1, len(takes)):
        rule = SIMPLE[who - 1](game)
        for last in range(-1, len(bids)):
            for number, hand in enumerate(hands):
                (action,) = rule(BluffView(hand, said_last(game, player, last)))
                higher = len(bids) - 1 - last
                row = bids.index(action) - last - 1 if isinstance(action, Bid) else higher
                takes[who, last + 1, number] = row
    return takes
