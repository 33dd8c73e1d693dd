"""Strategies of a Bluff round as plans on the public tree, and plans as strategies."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import StrategyError, TooLarge
from ...core.game import FIRST, SEATS, SECOND, View
from ...core.solution import Pair, seats
from ...core.strategy import Mix, Strategy, decide
from .exact import PLANES, Weights, as_float, as_floats, plan_by, win_or_lose
from .rules import Bid, Bluff, BluffView, Hand

MOST_BYTES = 2 * 10**9
SEQUENCE_BYTES = 700  # measured: 495 MB for the 655,342 sequences of bluff:dice=2v1,sides=5
MOST_VIEWS = 1_000_000  # that a strategy is asked about before play


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


@dataclass(frozen=True, eq=False, repr=False)
class PlanStrategy:
    """A plan as a strategy for one seat; where its own bids never lead, it plays the reply it was given.

    Mixes are floats; `exact` gives the same mix in the numbers of the plan (flint.fmpq if it is exact).
    """

    game: Bluff
    player: int
    plan: Weights | None  # None: always the reply
    reply: npt.NDArray[np.int8]  # a bid for each node and hand, or -1 - e for the ending e

    def __repr__(self) -> str:
        return f"the {('first', 'second')[self.player]} seat's strategy for {self.game.name}"

    def exact(self, view: BluffView) -> dict[Any, Any]:
        """The mix in this view, with the plan's own numbers."""
        if seat_of(view) != self.player:
            raise StrategyError(f"{self} cannot play the other seat, at {self.game.show_view(view)}")
        mask, hand = node_of(self.game, view.said), hand_numbers(self.game, self.player)[view.mine]
        if self.plan is None or self.plan.reach[mask, hand] == 0:
            action = int(self.reply[mask, hand])
            return {self.game.bids[action] if action >= 0 else self.game.endings[-1 - action]: 1}
        reach = self.plan.reach[mask, hand]
        shares: dict[Any, Any] = {}
        for number in range(mask.bit_length(), len(self.game.bids)):
            shares[self.game.bids[number]] = self.plan.reach[mask | 1 << number, hand] / reach
        for end, word in enumerate(self.game.endings):
            shares[word] = self.plan.ends[end, mask, hand] / reach
        return {action: share for action, share in shares.items() if share > 0}

    def as_plan(self) -> Weights:
        """The plan in floats, or that of the reply."""
        if self.plan is not None:
            return as_floats(self.plan)
        return plan_by(win_or_lose(self.game), self.player, lambda nodes, action: self.reply[nodes] == action)

    def __call__(self, view: View) -> Mix:
        """The mix in this view."""
        return {action: as_float(share) for action, share in self.exact(view).items()}


def seat_of(view: BluffView) -> int:
    """The seat whose turn it is: the players bid in turn."""
    return len(view.said) % 2


def plan_of(game: Bluff, player: int, strategy: Any) -> Weights:
    """The plan of any strategy; one that has none is asked once in each view that its own bids can lead to.

    TooLarge, with the bytes needed, before anything is allocated.
    """
    check_size(game, len(game.bids))
    if hasattr(strategy, "as_plan") and (strategy.game, strategy.player) == (game, player):
        return strategy.as_plan()  # type: ignore[no-any-return]
    hands = list(game.hands(player))
    reach = np.zeros((1 << len(game.bids), len(hands)))
    ends = np.zeros((max(PLANES, len(game.endings)), *reach.shape))
    reach[0] = 1.0
    for node in range(len(reach)):
        after = [node | 1 << k for k in range(node.bit_length(), len(game.bids))]
        if node.bit_count() % 2 != player:
            reach[after] = reach[node]
            continue
        said = tuple(bid for number, bid in enumerate(game.bids) if node >> number & 1)
        for number in np.flatnonzero(reach[node]):
            for action, chance in decide(game, BluffView(hands[number], said), strategy).items():
                if isinstance(action, str):
                    target = ends[game.endings.index(action), node]
                else:
                    target = reach[node | 1 << _bid_numbers(game)[action]]
                target[number] = reach[node, number] * chance
    return Weights(reach, ends)


def sent(strategy: Any) -> dict[str, Any]:
    """Two plans as arrays."""
    found: dict[str, Any] = {}
    plans: Any = seats(strategy)
    for seat, one in zip(SEATS, plans, strict=True):
        plan = one.as_plan()
        found |= {f"{seat}_reach": plan.reach, f"{seat}_ends": plan.ends, f"{seat}_reply": one.reply}
    return found


def received(game: Bluff, arrays: Mapping[str, Any]) -> Pair:
    """The two that were sent."""
    one, two = (
        PlanStrategy(
            game, player, Weights(arrays[f"{seat}_reach"], arrays[f"{seat}_ends"]), arrays[f"{seat}_reply"]
        )
        for player, seat in enumerate(SEATS)
    )
    return Pair(one, two, seat_of, "plans")


def blended(game: Bluff, one: Any, two: Any, share: float) -> Pair:
    """As if before the first bid it were drawn which of two strategies plays, the second with this chance: by plans."""
    players = []
    for player, (a, b) in enumerate(zip(seats(one), seats(two), strict=True)):
        here, there = plan_of(game, player, a), plan_of(game, player, b)
        reach = (1.0 - share) * here.reach + share * there.reach
        plan = Weights(reach, (1.0 - share) * here.ends + share * there.ends)
        calls = np.full(reach.shape, -1, np.int8)
        players.append(PlanStrategy(game, player, plan, getattr(a, "reply", calls)))
    return Pair(players[FIRST], players[SECOND], seat_of, "a blend")


def path_chance(
    game: Bluff, player: int, strategy: Strategy, hand: Hand, said: tuple[Bid | str, ...]
) -> float:
    """The chance that the player, holding this hand, makes the own bids among these."""
    chance = 1.0
    for place in range(player, len(said), 2):
        if chance > 0:
            chance *= decide(game, BluffView(hand, said[:place]), strategy).get(said[place], 0.0)
    return chance


def check_size(game: Bluff, bids: int) -> None:
    """TooLarge if both players' plans and one best response over so many bids would not fit as float64."""
    hands = len(game.hands(0)) + len(game.hands(1))
    if (needed := 8 * 4 * hands << bids) > MOST_BYTES:
        raise TooLarge(
            f"{game.name} needs {needed:,} bytes for its plans ({bids} bids); "
            f"up to {MOST_BYTES:,} is allowed, such as bluff:dice=2v1"
        )


def sequences_of(game: Bluff) -> int:
    """How many sequences the full sequence form has, both players together."""
    return (len(game.hands(0)) + len(game.hands(1))) * ((1 << len(game.bids)) - 1) + 2


def program_bytes(game: Bluff) -> int:
    """About what the linear program of a round needs; where the face is fixed its tree is small."""
    return 0 if game.order == "fixed" else sequences_of(game) * SEQUENCE_BYTES


def fits(game: Bluff) -> bool:
    """Whether plans of both players fit in memory."""
    try:
        check_size(game, len(game.bids))
    except TooLarge:
        return False
    return True


def few_views(game: Bluff, strategy: Any) -> bool:
    """Whether a plan of the strategy is known, or made by few enough questions."""
    if not fits(game):
        return False
    if all(isinstance(part, PlanStrategy) for part in seats(strategy)):
        return True
    return max(len(game.hands(0)), len(game.hands(1))) << len(game.bids) <= MOST_VIEWS
