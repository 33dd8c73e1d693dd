"""Discounted CFR over the places of a Memory, by matrix products (Brown & Sandholm 2019).

Where a history is remembered whole, values are vectors over the hands of the player who learns; where histories are
merged, the value of every pair of hands is exact by one backward pass, and the weight of the other's hand is the sum
over all histories that are merged (its counterfactual weight).

With B bids, H1 and H2 hands and all histories of up to l bids remembered, a pass for one player takes

    (3 C(B, 3) + C(B, 2) + C(B, 3) + ... + C(B, l + 1)) H1 H2

multiply-adds for the bids (calls take less by a factor of about B): 14.3e9 with 46 bids, 252 hands and l = 3. And

    values of pairs   4 B (B - 1) H1 H2 bytes
    regrets and sums  8 bytes, and shares 4, for each of about (C(B, l + 1) + 2 C(B, 3)) H entries

are held. Weights of pairs of hands take about as much time again, and half as much again of what values take.
Nothing is random, so a training that goes on from a checkpoint ends at the same bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .memory import START, Floats, Memory
from .reach import TINY, Groups, believed, likeliest_where_rare, reach

OWN = ("even", "made", "pairs")  # 1, as its hands make them in the mean, or as each hand makes them


@dataclass(frozen=True)
class Schedule:
    """How to learn: the discounts of regrets above and below 0, the power of the average's weights."""

    iterations: int = 200
    above: float = 1.5
    below: float = 0.0
    average: float = 2.0
    own: str = "even"  # the weight of the learner's own bids where histories are merged: one of OWN


@dataclass
class Training:
    """The state of a training: regrets and sums of shares, by mover and last bid."""

    memory: Memory
    recipe: Schedule = Schedule()
    done: int = 0
    regrets: Groups = field(init=False)
    sums: Groups = field(init=False)
    shares: Groups = field(init=False)

    def __post_init__(self) -> None:
        shapes = {group: self.memory.shape(*group) for group in self.memory.groups}
        self.regrets = {group: np.zeros(shape, np.float32) for group, shape in shapes.items()}
        self.sums = {group: np.zeros(shape, np.float32) for group, shape in shapes.items()}
        self._open = {}
        for group, (_, actions, _) in shapes.items():
            may = np.ones(actions, np.float32)
            may[0] = group[1] != START
            may[1:] = self.memory.allowed(group[1])
            self._open[group] = may[None, :, None]
        self._calls = [self._call(bid) for bid in range(self.memory.size)]
        self.refresh()

    def _call(self, bid: int) -> Floats:
        """[H1, H2]: +1 where who calls this bid is right."""
        one, two = (match[:, bid] for match in self.memory.match)
        right = one[:, None] + two[None, :] < self.memory.quantity[bid]
        signs: Floats = np.where(right, np.float32(1), np.float32(-1))
        return signs

    def refresh(self) -> None:
        """The shares that the regrets ask for, after these were read from a file."""
        self.shares = {group: self._matched(group) for group in self.memory.groups}

    def _matched(self, group: tuple[int, int]) -> Floats:
        may = self._open[group]
        shares = np.maximum(self.regrets[group], 0) * may
        total = shares.sum(1, keepdims=True)
        even = may / np.maximum(may.sum(), 1)
        matched: Floats = np.where(total > TINY, shares / np.maximum(total, TINY), even).astype(np.float32)
        return matched

    def step(self) -> None:
        """One iteration: each player in turn."""
        t = self.done + 1
        recipe = self.recipe
        above = np.float32(t**recipe.above / (t**recipe.above + 1))
        below = np.float32(t**recipe.below / (t**recipe.below + 1))
        fade = np.float32((self.done / t) ** recipe.average)
        for learner in (0, 1):
            self._learn(learner, above, below, fade)
        self.done = t

    def run(self, tell: Callable[[int], object] = lambda done: None, checkpoint: Any = None) -> None:
        """All iterations that are left, from the checkpoint on; a training that was stopped ends at the same bytes."""
        arrays = tuple(part for part in (*self.regrets.values(), *self.sums.values()) if part.size)
        if checkpoint is not None:
            self.done = checkpoint.load(self.about, arrays)
            self.refresh()
        while self.done < self.recipe.iterations:
            self.step()
            if checkpoint is not None and checkpoint.due():
                checkpoint.save(self.about, self.done, arrays)
            tell(self.done)

    @property
    def about(self) -> dict[str, str]:
        """What a checkpoint is about: of other rules, another memory or another recipe none is taken."""
        memory, recipe = self.memory, self.recipe
        learned = f"{recipe.above} {recipe.below} {recipe.average} {recipe.own}"
        return {
            "game": memory.game.name,
            "memory": f"{memory.whole} {memory.jump} {memory.least} {memory.hint}",
            "recipe": learned,
        }

    def average(self, rare: float = 0.0) -> Groups:
        """The average shares; as learned last where the own bids never lead.

        With `rare` what hands do where they come less often is made simpler: `likeliest_where_rare`.
        """
        found = {}
        for group, sums in self.sums.items():
            total = sums.sum(1, keepdims=True)
            found[group] = np.where(total > TINY, sums / np.maximum(total, TINY), self.shares[group])
        return likeliest_where_rare(self.memory, found, rare) if rare else found

    def _learn(self, learner: int, above: np.float32, below: np.float32, fade: np.float32) -> None:
        """A backward pass that adds to the regrets of one player, then the new shares."""
        memory, other = self.memory, 1 - learner
        ways = memory.ways[other]
        spread = self.recipe.own == "made"
        weights = {group: w * ways for group, w in reach(memory, self.shares, other, spread).items()}
        believes = believed(memory, self.shares, learner) if self.recipe.own == "pairs" else {}
        mine = reach(memory, self.shares, learner)
        sign = np.float32(1 if learner == 0 else -1)
        # pairs[mover, last][hint][later bid]: values to player 0 of the merged place (hint, last, bid) where `mover`
        # moves, as [hands of the other, hands of the mover]: so the player who moves before reads rows of the own
        # hands; zeros take memory when they are written
        pairs = {
            (mover, last): np.zeros(
                (
                    memory.spread,
                    memory.size - 1 - max(last, 0),
                    len(memory.ways[1 - mover]),
                    len(memory.ways[mover]),
                ),
                np.float32,
            )
            for mover, last in memory.groups
        }
        values: Groups = {}
        for mover, last in reversed(memory.groups):
            rows, actions, hands = memory.shape(mover, last)
            if not rows:
                continue
            shares, whole = self.shares[mover, last], memory.wholes(mover, last)
            after = pairs[1 - mover, last]  # [hint, later, own, other's]
            hinted = memory.by_hint[mover, last]
            right = self._calls[max(last, 0)]
            call = right if mover == 0 else -right.T  # [own, other's], to player 0
            if mover == learner:
                worth = np.zeros((rows, actions, hands), np.float32)
                if last != START:
                    held = weights[mover, last]
                    met = believes.pop((mover, last), None)
                    worth[:, :1] = _got(held if met is None else met, call[None])
                    if rows > whole or (memory.children[mover, last].size and self._merges(mover, last)):
                        comes = np.asarray(held.any(1))
                        for hint, rest in hinted:
                            at = rest[comes[rest]]  # elsewhere nothing is gained or lost
                            worth[at, 1:] = _got((held if met is None else met)[at], after[hint])
                    worth *= sign
                self._take_children(mover, last, worth, values)
                value = (worth * shares).sum(1)
                values[mover, last] = value[:whole]
                worth -= value[:, None]
                worth *= self._open[mover, last]
                regrets = self.regrets[mover, last]
                regrets *= np.where(regrets > 0, above, below)
                regrets += worth
                sums = self.sums[mover, last]
                sums *= fade
                sums += mine[mover, last][:, None] * shares
            else:
                made = weights[mover, last][:whole, None] * shares[:whole]
                value = np.zeros((whole, len(memory.ways[learner])), np.float32)
                if last != START and whole:
                    value += sign * (made[:, 0] @ call)
                    if self._merges(mover, last):
                        kept = memory.keeps[mover, last]
                        bids = made[:, 1:] * ~kept[:, :, None]
                        for hint, at in hinted:
                            if not len(first := at[at < whole]):
                                continue
                            flat = bids[first].reshape(len(first), -1)
                            value[first] += sign * (flat @ after[hint].reshape(-1, after.shape[3]))
                self._add_children(mover, last, value, values)
                values[mover, last] = value
            if rows > whole:
                for hint, at in hinted:
                    rest = at[at >= whole]
                    merged = np.ascontiguousarray(shares[rest].transpose(2, 0, 1))  # [own, row, action]
                    out = merged[:, :, 1:] @ after[hint].transpose(1, 0, 2)  # [own, row, other's]
                    out += merged[:, :, :1] * call[:, None, :]
                    for place, row in enumerate(rest - whole):
                        before, told = divmod(int(row), memory.spread)
                        pairs[mover, before][told, last - before - 1] = out[:, place].T
            del pairs[1 - mover, last], after
        for last in range(START, memory.size):
            self.shares[learner, last] = self._matched((learner, last))

    def _merges(self, mover: int, last: int) -> bool:
        return self.memory.game.order != "fixed" and not self.memory.keeps[mover, last].all()

    def _take_children(self, mover: int, last: int, worth: Floats, values: Groups) -> None:
        kept = self.memory.keeps[mover, last]
        for later in range(kept.shape[1]):
            at = np.flatnonzero(kept[:, later])
            rows = self.memory.children[mover, last][at, later]
            if len(at):
                worth[at, 1 + later] = values[1 - mover, last + 1 + later][rows]

    def _add_children(self, mover: int, last: int, value: Floats, values: Groups) -> None:
        kept = self.memory.keeps[mover, last]
        for later in range(kept.shape[1]):
            at = np.flatnonzero(kept[:, later])
            rows = self.memory.children[mover, last][at, later]
            if len(at):
                value[at] += values[1 - mover, last + 1 + later][rows]


def _got(held: Floats, pays: Floats) -> Floats:
    """[row, action, own]: what actions get that pay [action, own, other's] where the other's hands weigh as held.

    These weights are the same for all own hands, [row, other's], or their own, [row, own, other's].
    """
    if held.ndim == 2:
        got: Floats = held[None] @ pays.transpose(0, 2, 1)
        return got.transpose(1, 0, 2)
    got = held.transpose(1, 0, 2) @ pays.transpose(1, 2, 0)
    return got.transpose(1, 2, 0)
