"""Exact values and best responses on the public tree of a Bluff round; makes its certificates.

Bids only rise, so what has been said is a set of bids: node `mask` has bit b set if bid b was made, the last
bid is its highest bit, and the number of bids tells whose turn it is. All nodes with last bid b are one slice
[2^b, 2^(b+1)), and their children by bid k > b are the slice shifted by 2^k: every step below is a few array
operations on whole slices. Hands are sorted, and a call looks only at how many dice match, so a player's
weights are first added up by matching count: O(H1 + H2) for a call, not H1 H2.

The arrays are float64, or objects holding exact numbers (flint.fmpq); the same lines serve both. A best
response touches each child once, 2^B (H1 + H2) operations in all; a plan is 3 * 2^B * H numbers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq

from ...core.errors import RulesError
from ...core.results import Duel
from .rules import ENDINGS, Bluff

Numbers = npt.NDArray[Any]

CALLS = 0  # the first ending, which is always allowed
PLANES = 2  # of endings that a plan has at least, as files have them


@dataclass(frozen=True, eq=False)
class Weights:
    """One player's strategy as weights over (node, hand).

    reach[mask, h]     product of the chances of the player's own bids in mask, holding hand h
    ends[e, mask, h]   that, times the chance to end the round here by the ending e; 0 where the rules have fewer
    """

    reach: Numbers
    ends: Numbers


@dataclass(frozen=True, eq=False)
class Round:
    """A round as the public tree sees it: for each player hands and matches, and what a call pays FIRST.

    Payoffs are whole numbers or flint.fmpq.
    pays[end, caller, bid, count] is the payoff to FIRST when `caller` ends the round by the ending `end` (in the
    order of `Bluff.endings`) on `bid` and `count` dice match it.
    """

    ways: tuple[Numbers, Numbers]
    match: tuple[Numbers, Numbers]
    opening: Numbers  # whether a bid may be the first
    pays: Numbers

    @property
    def bids(self) -> int:
        """How many bids there are."""
        return len(self.opening)

    @property
    def ends(self) -> range:
        """The endings that the rules allow."""
        return range(len(self.pays))

    @property
    def rolls(self) -> int:
        """How many rolls of all dice there are: the common denominator of chances."""
        return int(self.ways[0].sum()) * int(self.ways[1].sum())

    def dice(self, player: int) -> int:
        """How many dice the player has: a hand of wild or equal dice matches with all of them."""
        return int(self.match[player].max())


def win_or_lose(game: Bluff) -> Round:
    """The round as its rules pay it, +1 or -1; hands are in the order of `game.hands`, bids in that of `game.bids`."""
    if game.order == "fixed":
        raise RulesError(f"order is fixed in {game.name}, so not every higher bid may follow; solve its tree")
    ways1, ways2 = (np.array(list(game.hands(player).values()), np.int64) for player in (0, 1))
    match1, match2 = (
        np.array([[game.matching(hand, bid) for bid in game.bids] for hand in game.hands(player)], np.int64)
        for player in (0, 1)
    )
    rules, counts = [ENDINGS[word].right for word in game.endings], range(sum(game.dice) + 1)
    right = [[[right(found, bid.quantity) for found in counts] for bid in game.bids] for right in rules]
    caller = np.array(right, np.int64) * 2 - 1
    opening = np.array([bid in game.opening_bids for bid in game.bids])
    return Round((ways1, ways2), (match1, match2), opening, np.stack([caller, -caller], axis=1))


def movers(bids: int) -> npt.NDArray[np.int64]:
    """Who moves at each node: the parity of the number of bids made."""
    parity = np.zeros(1, np.int64)
    for _ in range(bids):
        parity = np.concatenate([parity, 1 - parity])
    return parity


def nodes_at(bid: int) -> slice:
    """The nodes whose last bid is `bid`; -1: where nothing was said."""
    return slice(1 << bid, 2 << bid) if bid >= 0 else slice(0, 1)


def children(bids: int, bid: int) -> list[slice]:
    """The slices of the nodes one bid after those whose last bid is `bid`."""
    return [shifted(nodes_at(bid), k) for k in range(bid + 1, bids)]


def shifted(nodes: slice, bid: int) -> slice:
    """The nodes one higher bid after these."""
    return slice(nodes.start + (1 << bid), nodes.stop + (1 << bid))


def by_count(weights: Numbers, ways: Numbers, match: Numbers, dice: int) -> Numbers:
    """Weights of the hands (times the rolls that show them), added up by how many dice match."""
    scaled = weights * ways
    return np.stack([scaled[:, match == count].sum(axis=1) for count in range(dice + 1)], axis=1)


def pay_table(game: Round, end: int, caller: int, bid: int, player: int, exact: bool = True) -> Numbers:
    """What a call pays `player`: rows are the player's matching dice, columns the other's."""
    mine, yours = game.dice(player), game.dice(1 - player)
    counts = np.arange(mine + 1)[:, None] + np.arange(yours + 1)[None, :]
    table: Numbers = game.pays[end, caller, bid][counts] * (1 if player == 0 else -1)
    return table if exact or table.dtype != object else as_float_array(table)


def no_ends(game: Round, shape: tuple[int, ...], zero: Any = 0.0) -> Numbers:
    """Zeros for the endings of a plan, or of some nodes of it."""
    return np.full((max(PLANES, len(game.ends)), *shape), zero)


def plan_by(game: Round, player: int, share: Callable[[slice, int], Any]) -> Weights:
    """The plan in floats that takes an action (a bid, or -1 - e for the ending e) with this chance at some nodes."""
    turn, shape = movers(game.bids), (1 << game.bids, len(game.ways[player]))
    reach, ends = np.ones(shape), no_ends(game, shape)
    for bid in range(-1, game.bids):
        nodes = nodes_at(bid)
        mine = (turn[nodes] == player)[:, None]
        for action, part in enumerate(children(game.bids, bid), bid + 1):
            reach[part] = reach[nodes] * np.where(mine, share(nodes, action), 1.0)
        for end in game.ends if bid >= 0 else ():
            ends[end, nodes] = reach[nodes] * np.where(mine, share(nodes, -1 - end), 0.0)
    return Weights(reach, ends)


def as_floats(plan: Weights) -> Weights:
    """The plan in float64."""
    if plan.reach.dtype != object:
        return plan
    return Weights(as_float_array(plan.reach), as_float_array(plan.ends))


def as_float_array(numbers: Numbers) -> Numbers:
    """Exact numbers as float64."""
    return np.array([as_float(number) for number in numbers.ravel()]).reshape(numbers.shape)


def as_float(number: Any) -> float:
    """A number of a plan as a float."""
    return int(number.p) / int(number.q) if isinstance(number, fmpq) else float(number)


def as_fraction(number: Any) -> Fraction:
    """A number of a plan as a fraction."""
    return Fraction(int(number.p), int(number.q)) if isinstance(number, fmpq) else Fraction(number)


@dataclass(frozen=True, eq=False)
class Reply:
    """A best response: its value, the value of each (node, hand) times the other's reach, and its actions.

    choice[mask, h] is the bid to make, or -1 - e for the ending e.
    """

    value: Any
    values: Numbers
    choice: npt.NDArray[np.int8]


def best_reply(game: Round, player: int, against: Weights, order: Numbers | None = None) -> Reply:
    """The most `player` can get against a plan (as payoff to `player`), and how: from the last bids back.

    With the orders of a Belief, what the rival does less often than to come to a node adds nothing there.
    """
    bids, hands = game.bids, len(game.ways[player])
    exact = against.reach.dtype == object
    values = np.zeros((1 << bids, hands), dtype=object if exact else np.float64)
    choice = np.full((1 << bids, hands), -1, np.int8)
    turn = movers(bids)
    for bid in range(bids - 1, -2, -1):
        nodes = nodes_at(bid)
        mine = turn[nodes] == player
        total = np.zeros_like(values[nodes])
        for end in game.ends if bid >= 0 else ():
            total[~mine] += end_values(game, player, 1 - player, end, bid, against.ends[end, nodes][~mine])
        for part in children(bids, bid):
            adds = ~mine if order is None else ~mine & (order[part] == order[nodes])
            total[adds] += values[part][adds]
        if mine.any():
            best, chosen = None, np.zeros((int(mine.sum()), hands), np.int8)
            for action, worth in own_values(game, player, bid, mine, against.reach, values):
                better = worth > best if best is not None else np.ones(worth.shape, bool)
                chosen[better.astype(bool)] = action
                best = np.where(better, worth, best) if best is not None else worth
            total[mine], choice[nodes][mine] = best, chosen
        values[nodes] = total
    return Reply((values[0] * game.ways[player]).sum() / game.rolls, values, choice)


def own_values(
    game: Round, player: int, bid: int, mine: Numbers, reach: Numbers, values: Numbers
) -> Iterator[tuple[int, Numbers]]:
    """What each action is worth to each hand at the player's own nodes among those with this last bid."""
    for end in game.ends if bid >= 0 else ():
        yield -1 - end, end_values(game, player, player, end, bid, reach[nodes_at(bid)][mine])
    for action, part in enumerate(children(game.bids, bid), bid + 1):
        if bid >= 0 or game.opening[action]:
            yield action, values[part][mine]


def end_values(game: Round, player: int, caller: int, end: int, bid: int, weights: Numbers) -> Numbers:
    """What ending the round on this bid is worth to each hand of `player`, the other's hands weighted so."""
    other = 1 - player
    counts = by_count(weights, game.ways[other], game.match[other][:, bid], game.dice(other))
    table = pay_table(game, end, caller, bid, player, weights.dtype == object)
    return (counts @ table.T)[:, game.match[player][:, bid]]


def is_legal(game: Round, player: int, plan: Weights) -> bool:
    """Whether a plan is a strategy: nothing negative, and each node's reach is split among its actions.

    A round cannot end before a bid, or in a way that its rules do not have: such weight would vanish unseen.
    """
    turn, reach = movers(game.bids), plan.reach
    if np.any(reach < 0) or np.any(plan.ends < 0) or np.any(reach[0] != 1):
        return False
    if np.any(plan.ends[:, 0] != 0) or np.any(plan.ends[len(game.ends) :] != 0):
        return False
    for bid in range(game.bids - 1, -2, -1):
        nodes = nodes_at(bid)
        mine = turn[nodes] == player
        parts = [reach[part] for part in children(game.bids, bid)]
        spent = sum((part[mine] for part in parts), plan.ends[list(game.ends), nodes][:, mine].sum(axis=0))
        if np.any(spent != reach[nodes][mine]) or any(
            np.any(part[~mine] != reach[nodes][~mine]) for part in parts
        ):
            return False
    banned = [part for part, opens in zip(children(game.bids, -1), game.opening, strict=True) if not opens]
    return player == 1 or not any(np.any(reach[part] != 0) for part in banned)


def meet(game: Round, one: Weights, two: Weights) -> Duel:
    """Two plans against each other, exactly: every call weighed once."""
    plans, turn = (one, two), movers(game.bids)
    won: list[Any] = [0, 0, 0, 0]
    lengths = np.array([mask.bit_count() + 1 for mask in range(1 << game.bids)])
    for bid in range(game.bids):
        nodes = nodes_at(bid)
        for end in game.ends:
            for caller in (0, 1):
                here = turn[nodes] == caller
                called = [
                    plans[p].ends[end, nodes][here] if p == caller else plans[p].reach[nodes][here]
                    for p in (0, 1)
                ]
                counts = [
                    by_count(called[p], game.ways[p], game.match[p][:, bid], game.dice(p)) for p in (0, 1)
                ]
                pays = pay_table(game, end, caller, bid, 0, one.reach.dtype == object)
                chances = counts[0].T @ counts[1]
                ended = (counts[0].sum(axis=1) * counts[1].sum(axis=1) * lengths[nodes][here]).sum()
                found = (chances[pays > 0].sum(), chances[pays < 0].sum(), ended, (chances * pays).sum())
                won = [old + new for old, new in zip(won, found, strict=True)]
    first, second, turns, payoff = (as_float(number / game.rolls) for number in won)
    return Duel(first, second, 0.0, turns, payoff)
