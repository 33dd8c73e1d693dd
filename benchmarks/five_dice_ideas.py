"""Ideas that the shipped recipe does not use, each beside it: python -m benchmarks.five_dice_ideas [ROUND ...]

Prints the table of docs/five-dice.md of weights of pairs of hands, hands that are merged and openings that are dropped;
with --hands how many hands of 5v5 differ by the last bid, and what part of the work merging them would leave.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dicewright.families.bluff.large.memory import START, Memory
from dicewright.families.bluff.large.table import EXACT, Shares
from dicewright.families.bluff.large.training import Schedule, Training
from dicewright.families.bluff.rules import Bluff

RARE = 1e-3  # openings that are made less often are dropped
MOST_EXACT = 4  # dice in all


class Pooled(Training):
    """Hands of a class play alike where histories are merged."""

    def classes(self, player: int, last: int) -> Any:
        """[class, hand]: which hands are of each class after this bid."""
        raise NotImplementedError

    def _learn(self, learner: int, *discounts: Any) -> None:
        super()._learn(learner, *discounts)
        memory = self.memory
        for last in range(memory.size):
            whole = memory.wholes(learner, last)
            member = self.classes(learner, last)
            chance = member * memory.ways[learner]
            mean = member.T @ (chance / chance.sum(1, keepdims=True))  # [hand, hand]
            for part in (self.regrets, self.sums):
                part[learner, last][whole:] = part[learner, last][whole:] @ mean.T.astype(np.float32)
            self.shares[learner, last] = self._matched((learner, last))


def members(kinds: Any) -> Any:
    """[class, hand]: which hands are of each class, of what is known of each hand."""
    _, number = np.unique(kinds, axis=0, return_inverse=True)
    return np.arange(number.max() + 1)[:, None] == number.ravel()[None]


def alike(memory: Memory, player: int, last: int) -> Any:
    """Hands for which each call that is still possible pays the same, whatever the other has."""
    other = memory.match[1 - player].max(0)
    need = memory.quantity[max(last, 0) :] - memory.match[player][:, max(last, 0) :]
    return members(np.clip(need, 0, other[max(last, 0) :] + 1))


def nearly(memory: Memory, player: int, last: int) -> Any:
    """Hands alike in the dice that match the last bid, and in the most that match one face, and in that face."""
    match, faces = memory.match[player], np.array([memory.game.bids[n].face for n in memory.bids])
    counts = np.stack([match[:, np.flatnonzero(faces == face)[0]] for face in np.unique(faces)], 1)
    return members(np.stack([match[:, last], counts.max(1), counts.argmax(1)], 1))


class Alike(Pooled):
    """Only hands that match all bids that are left alike: nothing is lost."""

    def classes(self, player: int, last: int) -> Any:
        return alike(self.memory, player, last)


class Nearly(Pooled):
    """A lossy merge."""

    def classes(self, player: int, last: int) -> Any:
        return nearly(self.memory, player, last)


class Opened(Training):
    """Openings that are hardly ever made after some iterations are never made from there on."""

    def step(self) -> None:
        super().step()
        if self.done == self.recipe.iterations // 2:
            self.drop(self.often() < RARE)

    def often(self) -> Any:
        """How often each opening is made."""
        return self.average()[0, START][0, 1:] @ self.memory.ways[0]

    def drop(self, bids: Any) -> None:
        """Never open with these."""
        self._open[0, START][0, 1:][bids] = 0
        for part in (self.regrets, self.sums):
            part[0, START][0, 1:][bids] = 0
        self.shares[0, START] = self._matched((0, START))


class OpenedHigh(Opened):
    """Openings below the likeliest are never made."""

    def step(self) -> None:
        Training.step(self)
        if self.done == self.recipe.iterations // 2:
            self.drop(np.arange(self.memory.size) < self.often().argmax())


@dataclass(frozen=True)
class Round:
    """A round of the table: what is remembered of it, and how long it is trained."""

    dice: tuple[int, int]
    whole: int
    iterations: int
    least: float = 0.0


ROUNDS = (
    Round((1, 1), 3, 100),
    Round((2, 1), 3, 60),
    Round((2, 2), 2, 60),
    Round((3, 3), 2, 50, 0.002),
)
IDEAS: dict[str, tuple[type[Training], str]] = {
    "own bids even": (Training, "even"),
    "own bids as made": (Training, "made"),
    "pairs of hands": (Training, "pairs"),
    "pairs; hands alike merged": (Alike, "pairs"),
    "pairs; hands nearly alike merged": (Nearly, "pairs"),
    "pairs; rare openings dropped": (Opened, "pairs"),
    "pairs; openings below the likeliest dropped": (OpenedHigh, "pairs"),
}


def rows(asked: Round, perudo: bool, hint: str) -> Iterator[str]:
    """A line of the table for each idea; without a hint only for the weights."""
    game = Bluff(asked.dice, wild="ones", order="dudo") if perudo else Bluff(asked.dice)
    memory = Memory(game, asked.whole, least=asked.least, hint=hint)
    name = f"{asked.dice[0]}v{asked.dice[1]}{', perudo' if perudo else ''}"
    for idea, (kind, own) in IDEAS.items():
        if hint == "none" and kind is not Training:
            continue
        begun = time.process_time()
        training = kind(memory, Schedule(asked.iterations, own=own))
        training.run()
        spent = time.process_time() - begun
        table = Shares(memory, training.average())
        found = f"{table.strength().exploitability:.4f} |"
        if sum(asked.dice) <= MOST_EXACT:
            found += f" {table.strength(EXACT).exploitability:.4f}"
        what = f"{asked.whole}{' + face' if hint == 'face' else ''}"
        yield f"| {name} | {what} | {asked.iterations} | {idea} | {spent:.0f} | {found} |"


def hands(perudo: bool) -> Iterator[str]:
    """How many hands differ at (5,5), by the highest bid so far, and what part of the work merging them leaves."""
    game = Bluff((5, 5), wild="ones", order="dudo") if perudo else Bluff((5, 5))
    memory = Memory(game, 2, least=0.002)
    for kind in (alike, nearly):
        counts = [len(kind(memory, 0, last)) for last in range(memory.size)]
        work = np.array([np.prod(memory.shape(0, last)[:2]) for last in range(memory.size)], float)
        left = work @ np.square(counts) / (work.sum() * len(memory.ways[0]) ** 2)
        yield f"{game.name}, {kind.__name__}: {left:.0%} of the work is left; hands by bid {counts}"


def main() -> None:
    """Print the table."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("rounds", nargs="*", help="such as 2v2; all of the table unless told")
    ask.add_argument("--hands", action="store_true", help="count hands that differ at 5v5")
    asked = ask.parse_args()
    for perudo in (False, True):
        for line in hands(perudo) if asked.hands else ():
            print(line, flush=True)
    for each in () if asked.hands else ROUNDS:
        if asked.rounds and f"{each.dice[0]}v{each.dice[1]}" not in asked.rounds:
            continue
        for perudo in (False, True):
            for hint in ("none", "face"):
                for row in rows(each, perudo, hint):
                    print(row, flush=True)


if __name__ == "__main__":
    main()
