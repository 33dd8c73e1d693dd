"""The imperfect players of a round whose mistakes solved play is chosen to punish.

All are as likely: one who acts at random; the rules of thumb truthful and call-below with 0.3 and 0.5; and logit
players, who take an action of worth w with a chance in proportion to exp(c w) for each precision c, w being the winning
chance against optimal play that errs now and then. Whoever plays a rule of thumb, or weighs what bids are worth but not
exactly, is among them; and a perfect rival gives nothing away, so to choose among optimal strategies costs nothing.

Rounds that are solved by programs meet all of them (`population`); CFR expects the simple ones with a small chance
(`Population`), so that what it learns also wins from them.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...core.game import FIRST
from ..tree.arrays import Ints
from ..tree.people import PRECISIONS, TREMBLE
from .beliefs import random_plan
from .exact import Numbers, Round, Weights, as_floats, best_reply, nodes_at, own_values, plan_by
from .rules import Bid, Bluff, BluffView
from .strategies import CallBelow, Truthful

Worths = dict[int, dict[int, Numbers]]  # by the first node of each last bid, and by action

SIMPLE = (Truthful, partial(CallBelow, p=0.3), partial(CallBelow, p=0.5))


def population(rules: Bluff, game: Round, player: int, rival: Weights) -> Weights:
    """The plans of all these players taken together, in floats, where solved play is this rival."""
    thumbs = [plan_of_table(game, player, takes) for takes in players_of(rules, player, True)[1:]]
    plans = [random_plan(game, player), *thumbs, *logit_plans(game, player, rival)]
    return Weights(
        np.sum([plan.reach for plan in plans], axis=0), np.sum([plan.ends for plan in plans], axis=0)
    )


def plan_of_table(game: Round, player: int, takes: Ints) -> Weights:
    """The plan of one who looks at nothing but the own dice and the last bid, from a table of `players_of`."""

    def share(nodes: slice, action: int) -> Any:
        said = nodes.start.bit_length()
        return takes[said] == (action - said if action >= 0 else game.bids - said - 1 - action)

    return plan_by(game, player, share)


def trembling(game: Round, player: int, plan: Weights, chance: float) -> Weights:
    """The plan in floats, but with a small chance to have played at random from the start."""
    random, steady = random_plan(game, player), as_floats(plan)
    return Weights(
        (1 - chance) * steady.reach + chance * random.reach, (1 - chance) * steady.ends + chance * random.ends
    )


def logit_plans(game: Round, player: int, rival: Weights) -> list[Weights]:
    """A player for each precision; best replies after an own error count as such."""
    erring = trembling(game, 1 - player, rival, TREMBLE)
    mass = (erring.reach * game.ways[1 - player]).sum(axis=1)
    worths = action_worths(game, player, erring.reach, mass, best_reply(game, player, erring).values)
    return [logit_plan(game, player, worths, precision) for precision in PRECISIONS]


def action_worths(game: Round, player: int, reach: Numbers, mass: Numbers, values: Numbers) -> Worths:
    """The winning chance of each action, as far as it is one, from a best reply to a rival of this reach."""
    most = float(abs(game.pays).max())
    worths: Worths = {}
    for bid in range(-1, game.bids):
        nodes = nodes_at(bid)
        scale = (
            2 * most * np.where(mass[nodes] > 0, mass[nodes], 1.0)[:, None]
        )  # 0 after a bid that may not open
        found = own_values(game, player, bid, np.ones(len(scale), bool), reach, values)
        worths[nodes.start] = {action: worth / scale for action, worth in found}
    return worths


def logit_plan(game: Round, player: int, worths: Worths, precision: float) -> Weights:
    """The plan in floats of the logit player who weighs actions so."""

    def share(nodes: slice, action: int) -> Any:
        options = worths[nodes.start]
        if action not in options:
            return 0.0
        with np.errstate(over="ignore"):
            return 1.0 / sum(np.exp(precision * (worth - options[action])) for worth in options.values())

    return plan_by(game, player, share)


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


def players_of(game: Bluff, player: int, population: Population | bool | None) -> Ints:
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
