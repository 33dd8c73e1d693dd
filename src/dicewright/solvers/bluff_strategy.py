"""Strategies of a Bluff round as plans on the public tree, and plans as strategies."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import TooLarge
from ..core.game import View
from ..core.solution import Solution
from ..core.strategy import Mix, Strategy, decide
from ..games.bluff import CALL, SPOT_ON, Bid, Bluff, BluffView, Hand
from .bluff_tree import Plan, as_float, as_floats

ENDS = (CALL, SPOT_ON)
MOST_BYTES = 2 * 10**9


@cache
def hand_numbers(game: Bluff, player: int) -> dict[Hand, int]:
    """The place of each hand in the arrays."""
    return {hand: number for number, hand in enumerate(game.hands(player))}


@cache
def _bid_numbers(game: Bluff) -> dict[Bid | str, int]:
    return {bid: number for number, bid in enumerate(game.bids)}


def node_of(game: Bluff, said: tuple[Bid | str, ...]) -> int:
    """The node of the public tree where these bids have been made."""
    return sum(1 << _bid_numbers(game)[bid] for bid in said)


def said_at(game: Bluff, mask: int) -> tuple[Bid | str, ...]:
    """The bids made at a node."""
    return tuple(bid for number, bid in enumerate(game.bids) if mask >> number & 1)


@dataclass(frozen=True, eq=False)
class PlanStrategy:
    """A plan as a strategy for one seat; where its own bids never lead, it plays the reply it was given.

    Mixes are floats; `exact` gives the same mix in the numbers of the plan (flint.fmpq if it is exact).
    """

    game: Bluff
    player: int
    plan: Plan | None  # None: always the reply
    reply: npt.NDArray[np.int8]  # a bid for each node and hand, or -1 to call, -2 for spot-on

    def exact(self, view: BluffView) -> dict[Any, Any]:
        """The mix in this view, with the plan's own numbers."""
        mask, hand = node_of(self.game, view.said), hand_numbers(self.game, self.player)[view.mine]
        if self.plan is None or self.plan.reach[mask, hand] == 0:
            action = int(self.reply[mask, hand])
            return {self.game.bids[action] if action >= 0 else ENDS[-1 - action]: 1}
        reach = self.plan.reach[mask, hand]
        shares: dict[Any, Any] = {}
        for number in range(mask.bit_length(), len(self.game.bids)):
            shares[self.game.bids[number]] = self.plan.reach[mask | 1 << number, hand] / reach
        for kind, word in enumerate(ENDS):
            shares[word] = self.plan.ends[kind, mask, hand] / reach
        return {action: share for action, share in shares.items() if share > 0}

    def __call__(self, view: View) -> Mix:
        """The mix in this view."""
        return {action: as_float(share) for action, share in self.exact(view).items()}


@dataclass(frozen=True, eq=False)
class BothSeats:
    """Two strategies, one for each seat: whose turn it is tells which one speaks."""

    first: Strategy
    second: Strategy

    def __call__(self, view: BluffView) -> Mix:
        """The mix of the seat to move."""
        return (self.first, self.second)[len(view.said) % 2](view)


def both_seats(solution: Solution) -> BothSeats:
    """The solved strategies as one that can take either seat."""
    return BothSeats(*solution.strategies)


def plan_of(game: Bluff, player: int, strategy: Strategy) -> Plan:
    """The plan of any strategy, asked once in each view that its own bids can lead to.

    TooLarge, with the bytes needed, before anything is allocated.
    """
    if isinstance(strategy, BothSeats):
        strategy = (strategy.first, strategy.second)[player]
    if (
        isinstance(strategy, PlanStrategy)
        and strategy.plan
        and (strategy.game, strategy.player) == (game, player)
    ):
        return as_floats(strategy.plan)
    check_size(game)
    hands = list(game.hands(player))
    reach = np.zeros((1 << len(game.bids), len(hands)))
    ends = np.zeros((2, *reach.shape))
    reach[0] = 1.0
    for mask in range(1 << len(game.bids)):
        after = range(mask.bit_length(), len(game.bids))
        if mask.bit_count() % 2 != player:
            reach[[mask | 1 << number for number in after]] = reach[mask]
            continue
        said = said_at(game, mask)
        for number in np.flatnonzero(reach[mask]):
            mix = decide(game, BluffView(hands[number], said), strategy)
            for action, chance in mix.items():
                target = ends[ENDS.index(action), mask] if action in ENDS else None
                if target is None:
                    target = reach[mask | 1 << _bid_numbers(game)[action]]  # type: ignore[index]
                target[number] = reach[mask, number] * chance
    return Plan(reach, ends)


def bytes_needed(game: Bluff) -> int:
    """What both players' plans and one best response take as float64 arrays."""
    hands = len(game.hands(0)) + len(game.hands(1))
    return 8 * 4 * hands << len(game.bids)


def check_size(game: Bluff) -> None:
    """TooLarge if the plans of this game would not fit."""
    if (needed := bytes_needed(game)) > MOST_BYTES:
        raise TooLarge(
            f"{game.name} needs {needed:,} bytes for its plans ({len(game.bids)} bids); "
            f"up to {MOST_BYTES:,} is allowed, such as bluff:dice=2v1"
        )
