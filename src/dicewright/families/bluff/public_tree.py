"""The public tree of a round of Bluff: where its numbers stand, how many there are, and exact best responses.

All histories of bids are public and every hand is private, so a strategy is one row of hands for each
history and action. See public_kernels.py for the order of the rows.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.game import FIRST, SEATS, SECOND, other
from ...core.solution import Certificate, Pair, seats
from ...core.strategy import Mix
from .exact import Numbers, Round, Weights, children, movers, no_ends, nodes_at, win_or_lose
from .form import MEASURED
from .packed_shares import PackedShares
from .plans import hand_numbers, seat_of
from .public_kernels import Ints, Row, Side, Work, best_response
from .rows_proof import rounding
from .rules import CALL, Bid, Bluff, BluffView

LARGE = 17  # bids from which a tree is worth several threads


@dataclass(frozen=True)
class PublicTree:
    """Positions in the flat arrays of a round: one array a player, a number for each action and hand."""

    game: Bluff

    @cached_property
    def hands(self) -> tuple[int, int]:
        """How many hands each player may have."""
        return len(self.game.hands(FIRST)), len(self.game.hands(SECOND))

    @cached_property
    def ends(self) -> int:
        """How many actions end the round."""
        return len(self.game.endings)

    def rows(self, left: int) -> int:
        """The rows of a history's block: its actions, none where calling is forced."""
        if left == len(self.game.bids):
            return left
        return left + self.ends if left + self.ends > 1 else 0

    @cached_property
    def spans(self) -> list[list[list[int]]]:
        """spans[player][left][mover]: numbers of the player in a subtree with `left` higher bids.

        span(left) = own rows * hands + span(0) + ... + span(left - 1), the mover changing at each step
        """
        spans: list[list[list[int]]] = [[], []]
        for player in (FIRST, SECOND):
            below = [0, 0]
            for left in range(len(self.game.bids) + 1):
                own = self.rows(left) * self.hands[player]
                here = [below[other(mover)] + (own if mover == player else 0) for mover in (FIRST, SECOND)]
                spans[player].append(here)
                below = [below[mover] + here[mover] for mover in (FIRST, SECOND)]
        return spans

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers a strategy of each player has; about 1.5 hands 2^(bids - 1)."""
        return self.spans[FIRST][-1][FIRST], self.spans[SECOND][-1][FIRST]

    def block(self, view: BluffView) -> tuple[int, int]:
        """Where the rows of the view's player stand at the view's history, and how many they are."""
        last = self.game.bids.index(view.said[-1]) if view.said else -1
        return self.place(view.said, len(view.said) % 2), self.rows(len(self.game.bids) - 1 - last)

    def place(self, said: tuple[Bid | str, ...], player: int) -> int:
        """Where the numbers of the player begin in the subtree of this history."""
        bids, left, place, mover = self.game.bids, len(self.game.bids), 0, FIRST
        spans = self.spans[player]
        for bid in said:
            assert isinstance(bid, Bid)
            if mover == player:
                place += self.rows(left) * self.hands[player]
            child = len(bids) - 1 - bids.index(bid)
            place += sum(spans[skipped][other(mover)] for skipped in range(child + 1, left))
            left, mover = child, other(mover)
        return place

    def places(self, player: int, left: int | None = None, mover: int = FIRST) -> Ints:
        """Where the numbers of the player begin at each node (a set of bids made): of the tree, or of a subtree.

        The mover begins it, and `left` bids are higher.
        """
        bids, spans = len(self.game.bids) if left is None else left, np.array(self.spans[player])
        turn, place = (movers(bids) + mover) % 2, np.zeros(1 << bids, np.int64)
        for bid in range(-1, bids):
            nodes = nodes_at(bid)
            own = np.where(turn[nodes] == player, self.rows(bids - 1 - bid) * self.hands[player], 0)
            after = place[nodes] + own
            for child, part in zip(range(bids - 2 - bid, -1, -1), children(bids, bid), strict=True):
                place[part] = after
                after = after + spans[child][1 - turn[nodes]]
        return place

    @cached_property
    def round(self) -> Round:
        """The rules as arrays."""
        return win_or_lose(self.game)

    @cached_property
    def deals(self) -> tuple[Numbers, Numbers]:
        """The chance of each hand."""
        one, two = (ways / ways.sum() for ways in self.round.ways)
        return one, two

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """Both players' sides in float64."""
        return self.side(FIRST, np.float64), self.side(SECOND, np.float64)

    def side(self, player: int, dtype: npt.DTypeLike) -> Side:
        """The round as `player` sees it, for the kernels."""
        mine, theirs = self.round.match[player], self.round.match[other(player)]
        counts = np.arange(self.game.dice[player] + 1)[:, None] + np.arange(self.game.dice[other(player)] + 1)
        wins = (
            self.round.pays[:, FIRST][..., counts] < 0
        )  # [end, bid, my count, theirs]: whether the bidder does
        sets, rank = np.zeros(wins.shape[:2], np.int64), np.zeros((*wins.shape[:2], len(mine)), np.int64)
        won = np.zeros((*wins.shape[:3], len(theirs)), dtype)
        for end, bid in np.ndindex(sets.shape):
            known = [(False,) * wins.shape[3], (True,) * wins.shape[3]]
            known += sorted({tuple(row) for row in wins[end, bid].tolist()} - set(known))
            sets[end, bid] = len(known) - 2
            rank[end, bid] = [known.index(tuple(wins[end, bid, count].tolist())) for count in mine[:, bid]]
            for place, row in enumerate(known[2:]):
                won[end, bid, place] = np.array(row)[theirs[:, bid]]
        movers = [other(player), player]  # whether the mover is me: no, yes
        both = self.spans[player], self.spans[other(player)]
        span = [[[by[mover] for mover in movers] for by in spans] for spans in both]
        banned = np.zeros((2, len(self.game.bids) + self.ends), np.bool_)
        banned[0, : len(self.game.bids)] = ~self.round.opening
        deal = self.deals[other(player)].astype(dtype)
        return Side(deal, rank, sets, won, np.array(span, np.int64), banned)

    def work(self, player: int, dtype: npt.DTypeLike) -> Work:
        """Scratch rows for one walk from the player's side."""
        depths, rows = len(self.game.bids) + 2, len(self.game.bids) + self.ends
        mine, theirs = self.hands[player], self.hands[other(player)]
        return Work(
            stack=np.zeros((depths, 6), np.int64),
            here=np.zeros((depths, theirs), dtype),
            branch=np.zeros((depths, rows, theirs), dtype),
            value=np.zeros((depths, rows, mine), dtype),
            worth=np.zeros((depths, mine), dtype),
            norm=np.zeros(max(mine, theirs), dtype),
            tail=np.zeros(max(self.game.dice) + 3, dtype),
        )

    def response_value(self, player: int, average: Row) -> float:
        """What a best response to the other player's average strategy pays `player`, in float64."""
        work, side = self.work(player, np.float64), self.sides[player]
        best_response(side, player == FIRST, len(self.game.bids), 0, side.deal, average, work)
        return float(self.deals[player] @ work.worth[0])

    @property
    def rounding(self) -> Fraction:
        """A bound on the rounding error of `response_value`; `rows_proof.rounding` derives it for both."""
        return rounding(self.game)

    def certificate(self, averages: tuple[Row, Row], threads: int = 1) -> Certificate:
        """Bounds on the value of the round from best responses to these strategies, widened by `rounding`."""
        if threads > 1 and len(self.game.bids) >= LARGE:
            with ThreadPoolExecutor(2) as pool:
                first, second = pool.map(self.response_value, (FIRST, SECOND), averages[::-1])
        else:
            first, second = map(self.response_value, (FIRST, SECOND), averages[::-1])
        return Certificate(-Fraction(second) - self.rounding, Fraction(first) + self.rounding, True, MEASURED)


@dataclass(frozen=True, eq=False)
class RowsStrategy:
    """A strategy written down as rows of weights: shares are weights over their sum.

    Where all weights are 0 it calls; that is where it never goes, or what was dropped from a file. `top` may
    hold what best responses to it are worth high in the tree (`worth.top_worths`), and `deals` FIRST's
    payoff with each pair of hands if both play as solved (`worth.deal_worths`).
    """

    tree: PublicTree
    player: int
    weights: Row | PackedShares
    top: Row | None = None
    deals: Row | None = None

    def __str__(self) -> str:
        return f"the {SEATS[self.player]} seat's strategy for {self.tree.game.name}"

    @property
    def game(self) -> Bluff:
        """The round."""
        return self.tree.game

    def as_plan(self) -> Weights:
        """The plan that asking view by view would find, made on whole slices."""
        tree, seat = self.tree, self.player
        bids, hands = len(tree.game.bids), tree.hands[seat]
        place, turn = tree.places(seat), movers(bids)
        reach, ends = np.ones((1 << bids, hands)), no_ends(tree.round, (1 << bids, hands))
        weights = np.asarray(self.weights)
        for bid in range(-1, bids):
            nodes = np.r_[nodes_at(bid)]
            mine, left = nodes[turn[nodes] == seat], bids - 1 - bid
            for part in children(bids, bid):
                reach[part] = reach[nodes]
            numbers = np.arange(tree.rows(left) * hands).reshape(-1, 1, hands)
            taken = weights[place[mine][:, None] + numbers].astype(np.float64)
            total = taken.sum(axis=0)
            shares = reach[mine] * taken / np.where(total > 0, total, 1.0)
            for row in range(left):
                reach[mine | 1 << bid + 1 + row] = shares[row]
            if bid >= 0:
                ends[0, mine] = reach[mine] * (total == 0)  # without weights, or forced
                ends[: len(shares[left:]), mine] += shares[left:]
        return Weights(reach, ends)

    def knows(self, view: BluffView) -> bool:
        """Whether it has weights in this view, or no choice."""
        return not self.tree.block(view)[1] or any(self._weights(view))

    def _weights(self, view: BluffView) -> list[float]:
        place, rows = self.tree.block(view)
        hand = hand_numbers(self.tree.game, self.player)[view.mine]
        hands = self.tree.hands[self.player]
        return [float(weight) for weight in self.weights[place + hand : place + rows * hands : hands]]

    def __call__(self, view: BluffView) -> Mix:
        """The mix in this view."""
        game, rows = self.tree.game, self.tree.block(view)[1]
        weights = self._weights(view)
        total = sum(weights)
        if total == 0:
            return {CALL: 1.0}
        higher = rows - self.tree.ends if view.said else rows
        actions: tuple[Bid | str, ...] = (*game.bids[len(game.bids) - higher :], *game.endings)
        shares = zip(actions, weights, strict=False)
        return {action: weight / total for action, weight in shares if weight > 0}


def sent_rows(pair: Any) -> dict[str, Row]:
    """The weights of both seats; nothing of strategies that are no rows."""
    sides: Any = seats(pair)
    if not all(isinstance(side, RowsStrategy) for side in sides):
        return {}
    return {seat: np.asarray(side.weights) for seat, side in zip(SEATS, sides, strict=True)}


def received_rows(game: Bluff, weights: Mapping[str, Any]) -> Pair:
    """The two that were sent."""
    tree = PublicTree(game)
    one, two = (RowsStrategy(tree, player, weights[seat]) for player, seat in enumerate(SEATS))
    return Pair(one, two, seat_of, "rows")
