"""What a player of a Bluff round believes of a rival who slips, and what each view is worth by that.

A rival's chance to come to a node with a hand is c t^k as slips become rare (t -> 0), k being how many slips it takes.
Of all hands those with the lowest k are believed, in proportion to c: that k is the node's order. A subtree of a higher
order adds nothing to the worth of a node of a lower one. So one plan, holding c where a hand has the order of its node
and else 0, and one number for each node say it all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.game import Action
from ...core.results import Advice
from ...core.strategy import Strategy, decide
from .exact import (
    Numbers,
    Reply,
    Round,
    Weights,
    best_reply,
    end_values,
    movers,
    nodes_at,
    own_values,
    plan_by,
    shifted,
)
from .plans import hand_numbers, node_of
from .rules import Bid, Bluff, BluffView

DIGITS = 12  # of a winning chance; what follows depends on the order in which a walk adds up


@dataclass(frozen=True, eq=False)
class Belief:
    """A rival's plan of which every node holds the largest terms, and how many slips those take."""

    plan: Weights
    order: npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Slips:
    """What is believed of a rival who is rows of the public tree (slips.py).

    Solved play is believed where it comes with the chance `comes`. At each of the nodes, whose last bid is a slip,
    `hands` says how likely each hand made it, in 65535ths of the likeliest; from there on the rival plays by the rows.
    `lost` is the most that an action of the believer's mix loses by that, in payoff, in openings and answers to them.
    """

    nodes: npt.NDArray[np.uint32]  # rising
    hands: Numbers  # [node, the rival's hand]
    comes: float
    lost: float = 0.0

    @cached_property
    def chances(self) -> Numbers:
        """[node, the rival's hand]: the chance of it."""
        hands = self.hands.astype(np.float64)
        return np.asarray(hands / hands.sum(axis=1, keepdims=True))

    def after(self, node: int) -> Numbers | None:
        """The chances of the rival's hands after this slip; None if it is none."""
        place = int(np.searchsorted(self.nodes, node))
        return self.chances[place] if place < len(self.nodes) and self.nodes[place] == node else None


def glue(plan: Weights, slips: Numbers, ended: Numbers) -> Belief:
    """The belief from the terms of all hands: c in the plan, k beside it, for nodes and endings."""
    order = slips.min(axis=1)
    none = plan.reach[0, 0] * 0
    reach = np.where(slips == order[:, None], plan.reach, none)
    return Belief(
        Weights(reach, np.where(ended == order[None, :, None], plan.ends, none)), order.astype(np.int8)
    )


def random_plan(game: Round, player: int) -> Weights:
    """The plan that takes every allowed action alike, in floats."""

    def share(nodes: slice, action: int) -> Any:
        if nodes.start == 0:
            return game.opening[action] / game.opening.sum()
        return 1 / (game.bids - nodes.start.bit_length() + len(game.ends))

    return plan_by(game, player, share)


def after_slips(plan: Weights, slips: Belief) -> Belief:
    """The rival plays this plan, and comes where it never leads as these slips say, which count from 1 on."""
    here = np.any(plan.reach != 0, axis=1)
    mixed = Weights(
        np.where(here[:, None], plan.reach, slips.plan.reach),
        np.where(here[None, :, None], plan.ends, slips.plan.ends),
    )
    return Belief(mixed, np.where(here, 0, slips.order + 1).astype(np.int8))


def any_slip(game: Round, player: int) -> Belief:
    """A rival of whose slips nothing is known: all actions are alike."""
    return Belief(random_plan(game, player), np.zeros(1 << game.bids, np.int8))


class Weighed:
    """Every view of one player of a round by what that player believes: one best response, then looked up."""

    def __init__(self, game: Round, player: int, belief: Belief) -> None:
        self.game, self.player, self.belief = game, player, belief
        self.reply: Reply = best_reply(game, player, belief.plan, belief.order)
        self.mass = (belief.plan.reach * game.ways[1 - player]).sum(axis=1)

    def payoffs(self, rules: Bluff, view: BluffView) -> Mapping[Action, Any]:
        """What each action of this view pays the player."""
        mask, hand = node_of(rules, view.said), hand_numbers(rules, self.player)[view.mine]
        return {
            action: self._of(rules, mask, hand, action) / self.mass[mask] for action in rules.actions(view)
        }

    def advice(self, rules: Bluff, view: BluffView, strategy: Strategy) -> Advice:
        """The winning chance of each action, and the mix of the strategy."""
        worth = {
            action: round((1.0 + min(1.0, max(-1.0, float(pays)))) / 2.0, DIGITS)
            for action, pays in self.payoffs(rules, view).items()
        }
        mix = decide(rules, view, strategy)
        best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
        return Advice(view, worth, best, mix, bool(self.belief.order[node_of(rules, view.said)] == 0))

    def _of(self, rules: Bluff, mask: int, hand: int, action: Action) -> Any:
        if isinstance(action, Bid):
            return self.reply.values[mask | 1 << rules.bids.index(action), hand]
        end, bid = rules.endings.index(action), mask.bit_length() - 1
        reach = self.belief.plan.reach[mask : mask + 1]
        return end_values(self.game, self.player, self.player, end, bid, reach)[0, hand]

    def lost(self, plan: Weights) -> Any:
        """The most that an action of this plan loses at a node to which it leads, in payoff."""
        most: Any = 0
        for bid in range(-1, self.game.bids):
            nodes = nodes_at(bid)
            mine = movers(self.game.bids)[nodes] == self.player
            best, mass = self.reply.values[nodes][mine], self.mass[nodes][mine][:, None]
            options = own_values(self.game, self.player, bid, mine, self.belief.plan.reach, self.reply.values)
            for action, worth in options:
                taken = plan.ends[-1 - action, nodes] if action < 0 else plan.reach[shifted(nodes, action)]
                losing = (taken[mine] > 0) & (worth < best)
                where = losing.astype(bool)
                most = max([most, *((best - worth)[where] / np.broadcast_to(mass, best.shape)[where])])
        return most
