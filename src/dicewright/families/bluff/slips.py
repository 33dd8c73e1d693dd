"""Beliefs for a round solved by CFR: who makes the bids that solved play never makes, and what follows.

An answer to such a bid is no best reply to anybody in particular: it has to keep every hand from gaining by the bid.
So the bid is a game of its own. The one who made it chooses the hand, to lose as little as possible against what it
had before (the least slip), and both go on as well as they can. Its solution is an answer that is safe, and the slip
that it answers best. Slips below slips are found alike, from the opening down, wherever the one who answers comes by
own play.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...core.game import FIRST, SECOND, other
from .beliefs import Slips
from .cfr import scratch
from .cfr_kernels import Edges, Scratch
from .draft import At, Draft, walk
from .packed_shares import blank
from .public_kernels import Row, Side, best_response
from .public_tree import PublicTree, RowsStrategy
from .rows_form import NAMED
from .slip_kernels import Entry, Seat, Slip, join_people, learn_slip
from .solution import BluffSolution

YIELDS = 3  # so that people, whose payoffs are from -1 to 1, leave a slip a third of its loss
WIDE = 20  # bids below which float64 is small enough
RARE = 1e-6  # the chance of an action that is dropped if it loses


class Support(NamedTuple):
    """Where slips are looked for, and how well."""

    least: float  # the chance with which the one who answers comes there by own play
    comes: float  # the chance below which a bid of solved play is a slip
    lost: float  # what an action of the answer may lose
    most: int  # iterations
    alone: int = 300  # of these without people, and before a search is looked at
    people: bool = True  # whether they come beside the slip


class Rare(NamedTuple):
    """What is dropped from openings, and from answers to those that are made or answered as slips."""

    share: float  # at most, in openings and answers to those that solved play makes
    slip: float  # at most, in answers to slips
    loss: float  # more than this
    comes: float  # the chance below which nothing is believed of who makes an opening


class Searcher:
    """Looks for slips in a draft, and writes the answers to them into it."""

    def __init__(self, draft: Draft, support: Support) -> None:
        self.draft, self.support = draft, support
        self.seats: dict[Any, tuple[Side, Edges, Scratch]] = {}

    def enter(self, before: At, at: At) -> At:
        """The history, after a slip if solved play never makes this bid and the answer to it matters."""
        slipper, me = before.mover, at.mover
        if at.seen[slipper].sum() >= self.support.comes or at.own[me].sum() < self.support.least:
            return at
        reach = at.own[me] / at.own[me].sum()
        if not before.node:  # deeper ones are many, and together cost more than the bracket has
            self._never(before, at)
        slip = self._search(me, at, reach, self._worths(before, reach))
        self.draft.slips[slipper][at.node] = slip
        seen = list(at.seen)
        seen[slipper] = slip
        return at._replace(seen=tuple(seen))  # type: ignore[arg-type]

    def _never(self, before: At, at: At) -> None:
        """Take the bid that leads here out of the mixes that have others."""
        block, row = self.draft.block(before), at.node.bit_length() - before.node.bit_length() - 1
        others = block.sum(axis=0) > block[row]
        block[row, others] = 0

    def _worths(self, before: At, reach: Row) -> Row:
        """What each hand of the mover can get at this history, the other coming with these chances."""
        mover, rival = before.mover, other(before.mover)
        work, side = self.draft.works[mover], self.draft.tree.sides[mover]
        best_response(side, True, before.left, 0, reach, self.draft.below(before, rival), work)
        return np.array(work.worth[0])

    def _search(self, me: int, at: At, reach: Row, worths: Row) -> Row:
        """The slip that leads here; the answer to it, and how its maker goes on, are written into the draft.

        First nobody but the slip is answered. If its maker then loses m at least, people come beside it with the chance
        m / YIELDS: what they make the answer yield leaves the slip a loss.
        """
        alone = self.support.alone
        tree, slipper = self.draft.tree, other(me)
        mine, theirs = (self._seat(player, at) for player in (me, slipper))
        deal, takes = tree.deals[slipper], self.draft.takes[slipper]
        entry = Entry(np.zeros(len(deal)), deal.copy(), np.zeros(len(deal)), np.ones(1))
        people = at.people[slipper] / at.people[slipper].sum()
        way = Slip(at.left, reach.astype(mine.regrets.dtype), worths, people[:0], takes[:0])
        learn_slip(mine, theirs, way, entry, 0, alone, self.support.lost)
        margin = self._margin(at, reach, worths, mine) if self.support.people else 0.0
        yields = max(0.0, -margin) / YIELDS
        way, done, steps = way._replace(people=yields * people, takes=takes), alone, alone
        for sums in (mine.averages, theirs.averages, entry.total):
            sums[:] = 0
        while True:
            learn_slip(mine, theirs, way, entry, done, steps, self.support.lost)
            done += steps
            self.draft.below(at, me)[:] = mine.averages
            both, weight = theirs.averages.copy(), float(entry.total.sum())
            join_people(mine.side, way, weight, self.support.lost * yields, both)
            slip: Row = entry.total / weight + way.people.sum(axis=0)
            slip /= slip.sum()
            if done >= self.support.most or self._lost(at, slip, both) <= self.support.lost:
                break
            steps = max(alone, done // 2)
        _merge(tree, slipper, at, self.draft.below(at, slipper), both)
        return slip

    def _margin(self, at: At, reach: Row, worths: Row, mine: Seat) -> float:
        """The most that a hand of the other can gain by the bid if I go on so."""
        slipper = other(at.mover)
        work, side = self.draft.works[slipper], self.draft.tree.sides[slipper]
        best_response(side, False, at.left, 0, reach, mine.averages, work)
        return float((work.worth[0] - worths).max())

    def _lost(self, at: At, slip: Row, theirs: Row) -> float:
        """The most that an action of my mixes loses here by this slip, if its maker goes on so."""
        draft, seen = self.draft, list(at.seen)
        seen[other(at.mover)] = slip
        lost = draft.lost(at._replace(seen=tuple(seen)), theirs)  # type: ignore[arg-type]
        return float(lost[draft.shares(at) > lost].max(initial=0.0))

    def _seat(self, player: int, at: At) -> Seat:
        tree = self.draft.tree
        dtype: Any = np.float64 if at.left < WIDE else np.float32
        if (player, dtype) not in self.seats:
            hands = tree.hands[player], tree.hands[other(player)]
            none = np.zeros((1, 1, 2), np.int64)
            edges = Edges(none, np.zeros((1, 1, 1, hands[1]), dtype), np.zeros((1, 1, hands[0]), dtype))
            others = 1 + len(self.draft.takes[other(player)])
            self.seats[player, dtype] = tree.side(player, dtype), edges, scratch(tree, player, dtype, others)
        size = tree.spans[player][at.left][at.mover]
        return Seat(*self.seats[player, dtype], blank(size, dtype), blank(size, dtype))


def _merge(tree: PublicTree, player: int, at: At, old: Row, new: Row) -> None:
    """Write over what the player does below a history, view by view where the new rows say something."""
    hands, waiting = tree.hands[player], [(0, at.left, at.mover)]
    while waiting:
        place, left, mover = waiting.pop()
        if mover == player and (rows := tree.rows(left)):
            part = slice(place, place + rows * hands)
            block, into = new[part].reshape(rows, hands), old[part].reshape(rows, hands)
            told = block.any(axis=0)
            into[:, told] = block[:, told]
            place += rows * hands
        for child in range(left - 1, -1, -1):
            size = tree.spans[player][child][other(mover)]
            if new[place : place + size].any():
                waiting.append((place, child, other(mover)))
            place += size


def tidy(draft: Draft, at: At, loss: float) -> None:
    """Drop what the mover believes to lose more than this and hardly ever does, for the best if nothing is left.

    In an opening or the answer to a slip that is a share smaller than what it loses; elsewhere the chance RARE.
    """
    me, rival = at.mover, other(at.mover)
    if not at.seen[rival].any():
        return
    block, lost, shares = draft.block(at), draft.lost(at), draft.shares(at)
    early = at.node in draft.slips[rival] or at.node.bit_count() <= 1
    seldom = shares <= lost if early else shares * at.own[me] <= RARE
    bad = (block > 0) & (lost > loss) & seldom
    if bad.any():
        none = (block > 0).any(axis=0) & ~((block > 0) & ~bad).any(axis=0)
        kept = block * ~bad
        kept[lost.argmin(axis=0)[none], np.flatnonzero(none)] = 1
        block[:] = kept


def supported(solution: BluffSolution, support: Support) -> BluffSolution:
    """The solution with what each player believes after slips, and with the answers to them.

    They are strategies like any others: what they prove is measured when they are rounded.
    """
    rows: Any = solution.strategies
    tree = rows[FIRST].tree
    draft = Draft(tree, (_loose(rows[FIRST]), _loose(rows[SECOND])), ({}, {}))
    searcher = Searcher(draft, support)
    for at in walk(draft, support.least, searcher.enter):
        if at.own[at.mover].sum() >= support.least:
            tidy(draft, at, support.lost)
    return _told(solution, draft, support.comes)


def answered(solution: BluffSolution, searches: Sequence[Support], rare: Rare) -> BluffSolution:
    """The same for openings alone, by one search after the other, each of openings that come more often.

    In rounds whose gap is 1e-3 what solved play does deeper is too coarse for more; see docs/bluff.md.
    """
    rows: Any = solution.strategies
    tree = rows[FIRST].tree
    draft = Draft(tree, (_loose(rows[FIRST]), _loose(rows[SECOND])), ({}, {}))
    for support in searches:
        root, searcher = draft.root(), Searcher(draft, support)
        for at in draft.after(root):
            if at.node not in draft.slips[FIRST] and tree.rows(at.left):
                searcher.enter(root, at)
    root = draft.root()
    for at in (root, *draft.after(root)):
        if tree.rows(at.left) and at.seen[other(at.mover)].sum() >= rare.comes:
            _drop(draft, at, rare)
    return _told(solution, draft, rare.comes)


def _drop(draft: Draft, at: At, rare: Rare) -> None:
    """Drop what is rare and loses, where something else is left."""
    block = draft.block(at)
    share = rare.slip if at.node in draft.slips[other(at.mover)] else rare.share
    bad = (block > 0) & (draft.lost(at) > rare.loss) & (draft.shares(at) <= share)
    bad[:, ((block > 0) & ~bad).sum(axis=0) == 0] = False
    block[bad] = 0


def _told(solution: BluffSolution, draft: Draft, comes: float) -> BluffSolution:
    """The solution by this draft, which may have been made of a rounded one."""
    first, second = (RowsStrategy(draft.tree, player, draft.weights[player]) for player in (FIRST, SECOND))
    beliefs = [written(draft.slips[rival], draft.tree.hands[rival], comes) for rival in (SECOND, FIRST)]
    method = solution.method.split(NAMED)[0]
    return replace(solution, method=method, strategies=(first, second), beliefs=tuple(beliefs))


def written(found: dict[int, Row], hands: int, comes: float) -> Slips:
    """Slips as a file has them."""
    nodes = sorted(found)
    rows = np.array([found[node] for node in nodes]).reshape(-1, hands)
    parts = np.rint(rows * 65535 / rows.max(axis=1, keepdims=True))
    return Slips(np.array(nodes, np.uint32), parts.astype(np.uint16), comes)


def _loose(strategy: RowsStrategy) -> Row:
    """The weights as floats, in pages that are taken where something is written."""
    weights = np.asarray(strategy.weights)
    there = np.flatnonzero(weights)
    loose = blank(weights.size, np.float32)
    loose[there] = weights[there]
    return loose
