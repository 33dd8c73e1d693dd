"""Both strategies of a round by CFR while slips are looked for in them: rows that are written over, and a walk.

A history is looked at with what is known of both players there: how they come by own play, how the other believes they
do, and how people would.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...core.game import FIRST, SECOND, other
from .people import players_of
from .public_kernels import Row, best_response
from .public_tree import PublicTree
from .worth import end_payoffs

Rows = tuple[Row, Row]  # of each player


class At(NamedTuple):
    """A history, and what is known of both players there."""

    node: int
    left: int
    places: tuple[int, int]  # where each player's numbers begin
    own: Rows  # each player's chances to be dealt a hand and play to here
    seen: Rows  # the same as the other believes it, from the last slip on
    people: Rows  # [who, hand]: the chances that people in each seat are dealt a hand and play to here

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self.node.bit_count() % 2


@dataclass(eq=False)
class Draft:
    """Both strategies while slips are looked for: rows that are written over, and the slips found."""

    tree: PublicTree
    weights: Rows
    slips: tuple[dict[int, Row], dict[int, Row]]  # of each player: by node, the chances of the hands

    def __post_init__(self) -> None:
        self.works = tuple(self.tree.work(player, np.float64) for player in (FIRST, SECOND))
        self.takes = tuple(players_of(self.tree.game, player, True) for player in (FIRST, SECOND))

    def root(self) -> At:
        """Before the first bid."""
        deals, (one, two) = self.tree.deals, map(len, self.takes)
        people = np.tile(deals[FIRST], (one, 1)), np.tile(deals[SECOND], (two, 1))
        return At(0, len(self.tree.game.bids), (0, 0), deals, deals, people)

    def block(self, at: At) -> Row:
        """[action, hand]: the mover's weights, to be written over."""
        rows, hands = self.tree.rows(at.left), self.tree.hands[at.mover]
        place = at.places[at.mover]
        return self.weights[at.mover][place : place + rows * hands].reshape(rows, hands)

    def shares(self, at: At) -> Row:
        """[action, hand]: what the mover does; without weights a call."""
        block = self.block(at).astype(np.float64)
        total = block.sum(axis=0)
        shares = block / np.where(total > 0, total, 1.0)
        if at.node:
            shares[at.left] = np.where(total > 0, shares[at.left], 1.0)
        return np.asarray(shares)

    def below(self, at: At, player: int) -> Row:
        """The player's weights from this history on, to be written over."""
        place = at.places[player]
        return self.weights[player][place : place + self.tree.spans[player][at.left][at.mover]]

    def lost(self, at: At, theirs: Row | None = None) -> Row:
        """[action, hand]: what the mover believes each action to lose, the best being done later.

        The other goes on by these weights, which begin at this history, or by those of the draft.
        """
        tree, me, rival = self.tree, at.mover, other(at.mover)
        seen, bids = at.seen[rival] / at.seen[rival].sum(), len(tree.game.bids)
        weights = self.below(at, rival) if theirs is None else theirs
        found = np.zeros((tree.rows(at.left), tree.hands[me]))
        work, side, place = self.works[me], tree.sides[me], 0
        for bid in range(at.left):
            left = at.left - 1 - bid
            if tree.rows(left):
                best_response(side, False, left, place, seen, weights, work)
                found[bid] = work.worth[0]
            else:
                found[bid] = seen @ end_payoffs(tree, me, 0, bids - 1)
            place += tree.spans[rival][left][rival]
        for end in range(tree.ends if at.node else 0):
            found[at.left + end] = -(end_payoffs(tree, rival, end, bids - 1 - at.left) @ seen)
        if not at.node:
            found[~tree.round.opening] = -np.inf
        return np.asarray(found.max(axis=0) - found)

    def after(self, at: At) -> Iterator[At]:
        """The histories one bid on."""
        shares, mover, bids = self.shares(at), at.mover, len(self.tree.game.bids)
        takes = self.takes[mover][:, bids - at.left]
        allowed = at.left + self.tree.ends if at.node else int(self.tree.round.opening.sum())
        places = list(at.places)
        places[mover] += self.tree.rows(at.left) * self.tree.hands[mover]
        for bid in range(at.left):
            left, node = at.left - 1 - bid, at.node | 1 << (bids - at.left + bid)
            own, seen, people = list(at.own), list(at.seen), list(at.people)
            own[mover] = at.own[mover] * shares[bid]
            seen[mover] = self.slips[mover].get(node, at.seen[mover] * shares[bid])
            people[mover] = at.people[mover] * np.where(takes < 0, 1 / allowed, takes == bid)
            yield At(node, left, *map(tuple, (places, own, seen, people)))  # type: ignore[arg-type]
            for player in (FIRST, SECOND):
                places[player] += self.tree.spans[player][left][other(mover)]


def walk(draft: Draft, least: float, enter: Callable[[At, At], At]) -> Iterator[At]:
    """All histories to which one of the players comes with the chance `least` by own play, whatever the other does.

    Of what was before and what is `enter` may change what the draft says from there on; it gives what is.
    """
    waiting = [draft.root()]
    while waiting:
        at = waiting.pop()
        yield at
        for after in draft.after(at):
            if draft.tree.rows(after.left) and max(row.sum() for row in after.own) >= least:
                waiting.append(enter(at, after))
