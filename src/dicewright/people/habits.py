"""Terms beyond a player's habit: what is left of each once the turn total and the worth have told what they can.

Who holds at a number of their own, whatever it is worth, has choices that are a step in the turn total, and so are
terms such as the other's last turn; who lapses at random has choices that no logit of the worth follows. No curve of
few parameters has all that. But the score of a term x is sum (y - p) x, with y the choice and p its chance in the
model; with x replaced by what is left of it after least squares on a curve in the worth, at each turn total one of its
own, whatever part of y - p is a function of total and worth together adds up to nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Floats, Ints

HELD = (0.2, 0.5, 0.8)  # quantiles of the totals held at: knots of the habit
FEWEST = 10  # decisions at a total that has a curve of its own
BENT, MOST_BENDS = 40, 19  # decisions for each bend of such a curve, and the most bends
RIDGE = 1e-9
TENS = 10.0  # points in the unit of the habit's term


class HabitKnown(NamedTuple):
    """What is known of the habit at each decision that may have been made."""

    total: Floats  # the turn total
    worth: Floats  # of going on rather than stopping
    weight: Floats  # how many decisions it stands for
    held: Floats  # totals that were held at


def beyond(
    terms: Mapping[str, Floats], names: Sequence[str], own: str, habit: HabitKnown
) -> dict[str, Floats]:
    """The terms `names` beyond the habit, whose own term is `own`; then what the habit adds to the model.

    That is a bend of its line at three totals. O(decisions bends^2).
    """
    others = [name for name in names if name != own]
    left = np.array([terms[name].ravel() for name in others], float).reshape(len(others), len(habit.total))
    for rows in _totals(habit):
        basis = _curve(habit.worth[rows], habit.weight[rows])
        scaled = basis * habit.weight[rows, None]
        gram = scaled.T @ basis
        gram += RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
        left[:, rows] -= (basis @ np.linalg.solve(gram, scaled.T @ left[:, rows].T)).T
    found = dict(terms)
    for name, column in zip(others, left, strict=True):
        found[name] = column.reshape(terms[name].shape)
    line = terms[own]
    knots = np.unique(np.quantile(habit.held, HELD)) if len(habit.held) else np.zeros(0)
    for number, knot in enumerate(knots, start=1):
        found[f"{own} bend {number}"] = np.maximum(0.0, line - knot / TENS)
    return found


def _totals(habit: HabitKnown) -> Iterator[Ints]:
    """The decisions at each turn total; rare ones from the highest down are taken together."""
    total = np.rint(habit.total).astype(np.int64)
    counts = np.bincount(total, habit.weight)
    above = np.cumsum(counts[::-1])[::-1]
    most = int(np.flatnonzero(above >= min(FEWEST, above[0]))[-1])
    place = np.where(habit.weight > 0.0, np.minimum(total, most), -1)
    order = np.argsort(place, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(place[order])) + 1)
    return (rows for rows in parts if place[rows[0]] >= 0)


def _curve(worth: Floats, weight: Floats) -> Floats:
    """A line with bends at quantiles of the worth, the more the more decisions, and the step of who plays perfectly."""
    order = np.argsort(worth)
    sums = np.cumsum(weight[order])
    bends = min(MOST_BENDS, int(sums[-1] / BENT))
    shares = np.arange(1, bends + 1) / (bends + 1)
    knots = worth[order][np.searchsorted(sums, shares * sums[-1])]
    bent = (np.maximum(0.0, worth - knot) for knot in knots)
    return np.stack([np.ones(len(worth)), worth, (worth > 0.0).astype(float), *bent], axis=1)
