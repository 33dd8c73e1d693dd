"""What a strategy of a round of Bluff gives away to a rival, view by view, on whole slices of the public tree.

A choice that the plan takes with weight w (own bids and all) loses w (max_b u(b) - u(a)) for each hand, where u are the
values of the best reply, in which the rival's reach stands already.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ...core.game import FIRST, SECOND, View, other
from ...core.losses import Losses, Mistake
from ...core.solution import seats
from ..tree.critic import Given, losses_of
from .exact import Reply, Round, Weights, best_reply, meet, movers, nodes_at, own_values, win_or_lose
from .plans import plan_of
from .rules import Bid, Bluff, BluffView

ENDING, ON, HIGH, LOW, OTHER = (
    "calling too early",
    "bidding on too long",
    "bidding too high",
    "bidding too low",
    "ending it the wrong way",
)


class BluffCritic:
    """Knows the best replies to one rival in a round with any bid above another: 2^bids values for each hand."""

    def __init__(
        self, game: Bluff, rival: Any, habit: Callable[[Mistake], str], stage: Callable[[View], str]
    ) -> None:
        self.game, self.round, self.habit, self.stage = game, win_or_lose(game), habit, stage
        known = seats(rival)
        self.rival = [plan_of(game, seat, known[seat]) for seat in (FIRST, SECOND)]
        self.replies = [best_reply(self.round, seat, self.rival[other(seat)]) for seat in (FIRST, SECOND)]

    def __call__(self, strategy: Any) -> Losses:
        """Both seats, each half of the time, in winning chances."""
        mine = seats(strategy)
        plans = [plan_of(self.game, seat, mine[seat]) for seat in (FIRST, SECOND)]
        got = (
            meet(self.round, plans[0], self.rival[1]).payoff
            - meet(self.round, self.rival[0], plans[1]).payoff
        )
        best = float(sum(reply.value for reply in self.replies))
        given: list[Given] = []
        decisions = 0.0
        for seat in (FIRST, SECOND):
            parts = given_away(self.round, seat, plans[seat], self.rival[other(seat)], self.replies[seat])
            for node, hand, did, right, times, lost in parts:
                if did is None:
                    decisions += float(times) / 2
                else:
                    given.append(Given(self._slip(seat, node, hand, did, right), times, lost))
        chances = (0.5 + best / 4, 0.5 + got / 4)
        return losses_of(given, *chances, decisions, 0.5, self.habit, self.stage)

    def _slip(self, seat: int, node: int, hand: int, did: int, right: int) -> Mistake:
        game = self.game
        said = tuple(bid for number, bid in enumerate(game.bids) if node >> number & 1)
        mine = list(game.hands(seat))[hand]
        action = partial(_action, game)
        return Mistake(BluffView(mine, said), action(did), action(right))


def _action(game: Bluff, number: int) -> Bid | str:
    return game.bids[number] if number >= 0 else game.endings[-1 - number]


def given_away(
    game: Round, player: int, plan: Weights, against: Weights, reply: Reply
) -> Iterator[tuple[int, int, int | None, int, Any, Any]]:
    """(node, hand, action, best action, times, lost) of each action that loses; and how many decisions nodes have.

    The latter with None for an action. Works in the numbers of the plans; 2^bids hands values for each action.
    """
    rival, turn = other(player), movers(game.bids)
    there = (against.reach * game.ways[rival]).sum(axis=1)  # how often the rival comes, for each node
    for last in range(-1, game.bids):
        nodes = np.r_[nodes_at(last)]
        own = turn[nodes] == player
        mine = nodes[own]
        if not len(mine):
            continue
        options = list(own_values(game, player, last, own, against.reach, reply.values))
        best, right = options[0][1], np.full(options[0][1].shape, options[0][0])
        for action, worth in options[1:]:
            right = np.where(worth > best, action, right)
            best = np.where(worth > best, worth, best)
        come = there[mine][:, None] * game.ways[player] / game.rolls
        if len(options) > 1:
            yield -1, -1, None, -1, (come * plan.reach[mine]).sum(), 0
        for action, worth in options:
            taken = plan.reach[mine | 1 << action] if action >= 0 else plan.ends[-1 - action, mine]
            lost = taken * (best - worth) * game.ways[player] / game.rolls
            for place, hand in np.argwhere(lost > 0):
                times = taken[place, hand] * come[place, hand]
                yield int(mine[place]), int(hand), action, int(right[place, hand]), times, lost[place, hand]


def habit(game: Bluff, slip: Mistake) -> str:
    """Calls and bids: too early, too long, too high, too low."""
    did, best = slip.did, slip.best
    if isinstance(did, str):
        return OTHER if isinstance(best, str) else ENDING
    if isinstance(best, str):
        return ON
    return HIGH if game.bids.index(did) > game.bids.index(best) else LOW


def stage(view: BluffView) -> str:
    """By how much was said."""
    bids = len(view.said)
    return "opening" if bids == 0 else f"after {bids} bid{'s' * (bids > 1)}"
