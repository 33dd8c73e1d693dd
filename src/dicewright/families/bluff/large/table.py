"""A strategy for both seats of a large round as a table over a Memory, and how strong it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.strategy import Mix
from ..plans import hand_numbers
from ..rules import CALL, Bid, Bluff, BluffView
from .memory import START, Memory
from .walk_kernels import best_response, meet

EVERY = 10**6  # bids or steps: without a limit
STEPS = 255  # a share is kept as so many parts of 1


class Reach(NamedTuple):
    """What the responder of a lower bound may do: own bids, steps of a raise, and where it calls at once."""

    bids: int = 3
    jump: int = 12
    cut: float = 1e-4


USUAL = Reach()
EXACT = Reach(EVERY, EVERY, 0.0)


class Responses(NamedTuple):
    """What a best response gets in each seat, with payoffs +1 and -1: at least so much, or exactly."""

    first: float
    second: float
    visits: int

    @property
    def exploitability(self) -> float:
        """The mean of both; half of it is the winning chance that is lost."""
        return (self.first + self.second) / 2


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares [rows, 1 + later bids, hands] by mover and last bid: of 1, or as bytes of 255."""

    memory: Memory
    shares: Mapping[tuple[int, int], npt.NDArray[Any]]

    @property
    def game(self) -> Bluff:
        """The round."""
        return self.memory.game

    @cached_property
    def packed(self) -> tuple[Any, ...]:
        """One row of numbers, as kernels read them."""
        parts = []
        for group in self.memory.groups:
            part = np.ascontiguousarray(self.shares[group], np.float32).ravel()
            parts.append(part / STEPS if self.shares[group].dtype == np.uint8 else part)
        return np.concatenate(parts), *self._layout

    @cached_property
    def packed_bytes(self) -> tuple[Any, ...]:
        """The same with shares as bytes of 255."""
        return as_bytes(self), *self._layout

    @cached_property
    def _layout(self) -> tuple[Any, ...]:
        memory = self.memory
        offsets = np.zeros((2, memory.size + 1), np.int64)
        starts, rows = np.zeros_like(offsets), np.zeros_like(offsets)
        children, at, begun = [], 0, 0
        for mover, last in memory.groups:
            offsets[mover, last + 1], starts[mover, last + 1] = at, begun
            rows[mover, last + 1] = memory.shape(mover, last)[0]
            children.append(memory.children[mover, last].ravel())
            at, begun = at + int(np.prod(memory.shape(mover, last))), begun + children[-1].size
        actions = np.array([memory.size - last for last in range(START, memory.size)])
        return offsets, np.concatenate(children).astype(np.int32), starts, rows, actions, self._live

    @cached_property
    def _live(self) -> npt.NDArray[np.int64]:
        """The number of each bid of the round among those that are ever made, or -1."""
        live = np.full(len(self.game.bids), -1)
        live[list(self.memory.bids)] = np.arange(self.memory.size)
        return live

    def number(self, bid: Bid) -> int:
        """The place of a bid among those that are ever made, or -1."""
        return int(self._live[self.game.bids.index(bid)])

    def strength(self, limits: Reach = USUAL) -> Responses:
        """What a responder gets who remembers all bids: exactly without limits, else at least."""
        rules = arrays_of(self.game)
        first, one = best_response(self.packed, 0, *rules, *limits)
        second, two = best_response(self.packed, 1, *rules, *limits)
        return Responses(first, second, one + two)

    def meet(self, other: "Shares", cut: float = 1e-8) -> tuple[float, float]:
        """The payoff in the first seat against the other table in the second, and how far it may be off."""
        ways, match, quantity, *_ = arrays_of(self.game)
        value, lost = meet(self.packed, other.packed, ways, match, quantity, cut)
        return value, lost

    def __call__(self, view: BluffView) -> Mix:
        """The mix in a view: what is remembered of it decides."""
        place = self.place(view)
        if place is None:
            return {CALL: 1.0}
        mover, last, row = place
        shares = self.shares[mover, last][row, :, hand_numbers(self.game, mover)[view.mine]]
        bids = (self.game.bids[number] for number in self.memory.bids[last + 1 :])
        total = float(shares.sum(dtype=np.float64))
        return {a: float(s) / total for a, s in zip((CALL, *bids), shares, strict=True) if s > 0}

    def place(self, view: BluffView) -> tuple[int, int, int] | None:
        """Mover, last bid and row of a view; None after a bid that is never made."""
        live = self._live
        mover, last, row = 0, START, 0
        for bid in view.said:
            number = int(live[self.game.bids.index(bid)])
            if number < 0:
                return None
            row = int(self.memory.children[mover, last][row, number - last - 1])
            mover, last = 1 - mover, number
        return mover, last, row


def as_bytes(table: Shares) -> npt.NDArray[np.uint8]:
    """All shares behind each other, as 255ths that add up: what rounding down leaves goes to the largest rests."""
    return np.concatenate([_rounded(table.shares[group]).ravel() for group in table.memory.groups])


def _rounded(shares: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    if shares.dtype == np.uint8:
        return shares
    exact = shares * np.float32(STEPS) / np.maximum(shares.sum(1, keepdims=True), np.float32(1e-30))
    down = np.floor(exact)
    left = STEPS - down.sum(1, keepdims=True)
    rank = np.argsort(np.argsort(down - exact, axis=1, kind="stable"), axis=1, kind="stable")
    parts: npt.NDArray[np.uint8] = (down + (rank < left)).astype(np.uint8)
    return parts


def from_bytes(memory: Memory, kept: npt.NDArray[np.uint8]) -> Shares:
    """The table that `as_bytes` wrote, on the same bytes; ValueError if it is none of this memory."""
    if kept.shape != (memory.entries,):
        raise ValueError(f"{kept.size:,} shares; {memory.entries:,} are allowed")
    shares, at = {}, 0
    for group in memory.groups:
        shape = memory.shape(*group)
        size = int(np.prod(shape))
        shares[group] = kept[at : at + size].reshape(shape)
        at += size
    return Shares(memory, shares)


def arrays_of(game: Bluff) -> tuple[Any, ...]:
    """Chances of hands, matching dice, quantities, and which bids may follow which, over all bids of the round."""
    whole = Memory(game, 1, least=0.0)
    ways = tuple(np.array(list(game.hands(p).values()), np.float64) for p in (0, 1))
    bids = game.bids
    fixed = game.order == "fixed"
    follows = np.array(
        [[b < c and (not fixed or x.face == y.face) for c, y in enumerate(bids)] for b, x in enumerate(bids)]
    )
    opening = np.array([bid in game.opening_bids for bid in bids])
    match = tuple(each.astype(np.int64) for each in whole.match)
    return tuple(w / w.sum() for w in ways), match, whole.quantity.astype(np.int64), follows, opening
