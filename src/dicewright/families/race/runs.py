"""A pure race strategy as runs over the turn total: "roll from 0, hold from 22, roll from 27"."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Choices = Callable[[int, int], Sequence[int]]
Array = npt.NDArray[Any]


class Runs(NamedTuple):
    """The runs at scores (i, j) are first[n] to first[n + 1] - 1, where n = i * goal + j.

    From turn total starts[r] on the choice is rows[r]: 0 to hold, or the number of a roll.
    """

    goal: int
    first: Array  # int64
    starts: Array  # int32
    rows: Array  # uint8

    def choices(self, i: int, j: int) -> list[int]:
        """The choices at turn totals 0, ..., goal - i - 1."""
        n = i * self.goal + j
        low, high = self.first[n], self.first[n + 1]
        starts = self.starts[low:high]
        lengths = np.append(starts[1:], self.goal - i) - starts
        choices: list[int] = np.repeat(self.rows[low:high], lengths).tolist()
        return choices


def encode(goal: int, choices: Choices | Runs) -> Runs:
    """The runs of a strategy; a strategy that comes as runs is answered as it is."""
    if isinstance(choices, Runs):
        return choices
    return Runs(goal, *runs_in(np.array([choices(i, j) for j in range(goal)], np.uint8) for i in range(goal)))


def runs_in(blocks: Iterable[Array]) -> tuple[Array, Array, Array]:
    """Where runs are listed, where they start and what they say: blocks[i][j, k] is said at turn total k."""
    firsts, starts, rows = [np.zeros(1, np.int64)], [], []
    for block in blocks:
        change = np.ones(block.shape, np.bool_)
        change[:, 1:] = block[:, 1:] != block[:, :-1]
        starts.append(np.nonzero(change)[1].astype(np.int32))
        rows.append(block[change])
        firsts.append(firsts[-1][-1] + np.cumsum(change.sum(axis=1)))
    return np.concatenate(firsts), np.concatenate(starts), np.concatenate(rows)


def well_formed(runs: Runs, rolls: int, skip: bool) -> bool:
    """Whether the arrays are runs of allowed choices: each begins at 0, rises, and stays below the goal.

    Kernels look up and write where the runs say. Neighbours are compared, for a difference of them may wrap.
    """
    goal, first, starts, rows = runs
    shapes = first.shape == (goal * goal + 1,) and starts.shape == rows.shape == (first[-1],)
    if not shapes or first[0] != 0 or np.any(first[1:] <= first[:-1]):
        return False
    opening, least = first[:-1], 0 if skip else 1  # without a turn total only some games allow a hold
    if np.any(rows > rolls) or np.any(rows[opening] < least) or np.any(starts[opening] != 0):
        return False
    rising = starts[1:] > starts[:-1]
    rising[first[1:-1] - 1] = True  # between two pairs of scores
    tops = np.repeat(goal - np.arange(goal), goal)
    return bool(np.all(rising) and np.all(starts[first[1:] - 1] < tops))
