"""What a player of a large round remembers: the first bids whole, later ones only as the last two and a hint.

A place is (mover, last bid, row). The rows of one mover and last bid are first the histories that are remembered whole,
then, for each bid that may have come before the last, one row for each hint: what is remembered of the bid before those
two. All rows of a group offer the same actions: a call, then the later bids in order; so their shares lie in one array
[rows, 1 + later bids, hands].

Bids that are hardly ever true (`least`) are not among those remembered: they are never made, and called when heard.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import RulesError
from ..rules import Bluff, chance_with

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
START = -1  # in the place of the last bid before any was made
WHOLE = 99  # bids remembered: all
HINTS = ("none", "wild", "face", "all")  # of the bid before the last two


@dataclass(frozen=True)
class Memory:
    """The places of a round.

    whole   how many bids are remembered whole; all where the face is fixed
    jump    a history is remembered whole only if each bid after the first is at most so many above the one before
    least   bids whose chance to be true before any dice are seen is below this are never made
    hint    what is remembered of the bid before the last two: none of it, whether its face is wild, its face, or all
    """

    game: Bluff
    whole: int = 3
    jump: int = WHOLE
    least: float = 0.002
    hint: str = "none"

    def __post_init__(self) -> None:
        if self.game.endings != ("call",):
            raise RulesError(f"{self.game.name} has other endings than a call; only calls are trained")
        if not 1 <= self.whole <= WHOLE:
            raise RulesError(f"whole is {self.whole}; 1 to {WHOLE} is allowed")
        if self.hint not in HINTS:
            raise RulesError(f"hint is {self.hint}; allowed: {', '.join(HINTS)}")
        if self.hint != "none" and self.whole < 2:
            raise RulesError(f"whole is {self.whole}; with a hint 2 to {WHOLE} is allowed")

    @cached_property
    def bids(self) -> tuple[int, ...]:
        """The places in `game.bids` of those that are ever made, lowest first."""
        dice = sum(self.game.dice)
        likely = [
            n for n, bid in enumerate(self.game.bids) if chance_with(self.game, 0, dice, bid) >= self.least
        ]
        return tuple(likely)

    @property
    def size(self) -> int:
        """How many bids there are."""
        return len(self.bids)

    @cached_property
    def hints(self) -> Ints:
        """[bid]: the number of the hint that is left of it."""
        bids = [self.game.bids[n] for n in self.bids]
        told: dict[str, list[Any]] = {
            "none": [0 for _ in bids],
            "wild": [bid.face == self.game.wild_face for bid in bids],
            "face": [bid.face for bid in bids],
            "all": list(bids),
        }
        left = told[self.hint]
        known = sorted(set(left))
        return np.array([known.index(each) for each in left], np.int32)

    @cached_property
    def spread(self) -> int:
        """How many hints there are: rows for each bid that may have come before the last."""
        return int(self.hints.max()) + 1

    @cached_property
    def match(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """[hand, bid]: how many dice of each player's hands count for each bid."""
        bids = [self.game.bids[n] for n in self.bids]
        one, two = (
            np.array(
                [[self.game.matching(hand, bid) for bid in bids] for hand in self.game.hands(p)], np.int8
            )
            for p in (0, 1)
        )
        return one, two

    @cached_property
    def quantity(self) -> npt.NDArray[np.int8]:
        """How many dice each bid says."""
        return np.array([self.game.bids[n].quantity for n in self.bids], np.int8)

    @cached_property
    def ways(self) -> tuple[Floats, Floats]:
        """The chance of each hand."""
        one, two = (np.array(list(self.game.hands(p).values()), np.float64) for p in (0, 1))
        return (one / one.sum()).astype(np.float32), (two / two.sum()).astype(np.float32)

    def allowed(self, last: int) -> npt.NDArray[np.bool_]:
        """Which of the bids after the last one may be made."""
        bids = [self.game.bids[n] for n in self.bids]
        if last == START:
            return np.array([bid in self.game.opening_bids for bid in bids])
        fixed = self.game.order == "fixed"
        return np.array([not fixed or bid.face == bids[last].face for bid in bids[last + 1 :]], np.bool_)

    @cached_property
    def histories(self) -> dict[tuple[int, int], list[tuple[int, ...]]]:
        """By mover and last bid: the histories that are remembered whole."""
        deepest = WHOLE if self.game.order == "fixed" else self.whole
        later = {
            last: [last + 1 + n for n in np.flatnonzero(self.allowed(last)).tolist()]
            for last in range(START, self.size)
        }
        found: dict[tuple[int, int], list[tuple[int, ...]]] = {
            (mover, last): [] for mover in (0, 1) for last in range(START, self.size)
        }
        level: list[tuple[int, ...]] = [()]
        while level:
            after = []
            for said in level:
                last = said[-1] if said else START
                found[len(said) % 2, last].append(said)
                if len(said) < deepest:
                    top = self.size if not said else last + 1 + self.jump
                    after += [(*said, bid) for bid in later[last] if bid < top]
            level = after
        return found

    @cached_property
    def children(self) -> dict[tuple[int, int], Ints]:
        """By mover and last bid, [row, later bid]: its row in the group that the bid leads to."""
        row = {said: n for group in self.histories.values() for n, said in enumerate(group)}
        found = {}
        for mover, last in self.histories:
            firsts = np.array([self.wholes(1 - mover, bid) for bid in range(last + 1, self.size)], np.int32)
            merged = max(last, 0) * self.spread + self.hinted(mover, last)
            found[mover, last] = firsts[None, :] + merged[:, None]
        for (mover, bid), group in self.histories.items():
            for n, (*before, _) in enumerate(group if bid != START else ()):
                last = before[-1] if before else START
                found[1 - mover, last][row[tuple(before)], bid - last - 1] = n
        return found

    @cached_property
    def keeps(self) -> dict[tuple[int, int], npt.NDArray[np.bool_]]:
        """By mover and last bid, [history, later bid]: whether the history is still remembered whole after the bid."""
        found = {}
        for mover, last in self.groups:
            firsts = np.array([self.wholes(1 - mover, bid) for bid in range(last + 1, self.size)])
            found[mover, last] = self.children[mover, last][: self.wholes(mover, last)] < firsts
        return found

    @cached_property
    def by_hint(self) -> dict[tuple[int, int], list[tuple[int, npt.NDArray[np.intp]]]]:
        """By mover and last bid: the rows whose next places have the same hint, for each hint there is."""
        hints = {group: self.hinted(*group) for group in self.groups}
        return {
            group: [(hint, np.flatnonzero(told == hint)) for hint in np.unique(told).tolist()]
            for group, told in hints.items()
        }

    def hinted(self, mover: int, last: int) -> Ints:
        """[row]: the hint that is left of the bid before the last once another is made; 0 where there was none."""
        told = [self.hints[said[-2]] if len(said) > 1 else 0 for said in self.histories[mover, last]]
        merged = self.shape(mover, last)[0] - len(told)
        before = np.repeat(self.hints[: merged // self.spread], self.spread)
        return np.concatenate([np.array(told, np.int32), before])

    def wholes(self, mover: int, last: int) -> int:
        """How many histories of the group are remembered whole."""
        return len(self.histories[mover, last])

    def shape(self, mover: int, last: int) -> tuple[int, int, int]:
        """Rows, actions and hands of a group."""
        merged = 0 if self.game.order == "fixed" else max(last, 0) * self.spread
        return self.wholes(mover, last) + merged, self.size - last, len(self.ways[mover])

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The movers and last bids, lowest bids first."""
        return [(mover, last) for last in range(START, self.size) for mover in (0, 1)]

    @property
    def entries(self) -> int:
        """How many shares a strategy for both seats has."""
        return sum(int(np.prod(self.shape(*group))) for group in self.groups)
