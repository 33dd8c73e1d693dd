"""Terms beyond a player's habit: what is left of each once the turn total and the worth have told what they can.

Who holds at a number of their own, whatever it is worth, has choices that are a step in the turn total, and so are
terms such as the other's last turn. No curve of few parameters has that step for every player. But the score of a term
x is sum (y - p) x, with y the choice and p its chance in the model; with x replaced by what is left of it after least
squares on the turn totals (one by one) and a curve in the worth, whatever part of y - p is a function of these adds up
to nothing. Least squares takes totals and worth as adding up; what they do together it leaves.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Floats

HELD = (0.2, 0.5, 0.8)  # quantiles of the totals held at: knots of the habit
BENT = tuple(n / 20 for n in range(1, 20))  # quantiles of the worth: knots of the curve in it
FEWEST = 10  # decisions at a total that has a mean of its own
RIDGE = 1e-9
TENS = 10.0  # points in the unit of the habit's term


class Habit(NamedTuple):
    """What is known of the habit at each decision that may have been made."""

    total: Floats  # the turn total
    worth: Floats  # of going on rather than stopping
    weight: Floats  # how many decisions it stands for
    held: Floats  # totals that were held at


def beyond(terms: Mapping[str, Floats], names: Sequence[str], own: str, habit: Habit) -> dict[str, Floats]:
    """The terms `names` beyond the habit, whose own term is `own`; then what the habit adds to the model.

    That is a bend of its line at three totals. O(decisions totals^2).
    """
    basis = np.concatenate([_totals(habit), _curve(habit.worth, habit.weight)], axis=1)
    scaled = basis * habit.weight[:, None]
    gram = scaled.T @ basis
    gram += RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
    found = dict(terms)
    for name in names:
        if name != own:
            column = terms[name].ravel()
            fitted = basis @ np.linalg.solve(gram, scaled.T @ column)
            found[name] = (column - fitted).reshape(terms[name].shape)
    line = terms[own]
    knots = np.unique(np.quantile(habit.held, HELD)) if len(habit.held) else np.zeros(0)
    for number, knot in enumerate(knots, start=1):
        found[f"{own} bend {number}"] = np.maximum(0.0, line - knot / TENS)
    return found


def _totals(habit: Habit) -> Floats:
    """A column for each turn total; rare ones from the highest down share one."""
    total = np.rint(habit.total).astype(np.int64)
    counts = np.bincount(total, habit.weight)
    above = np.cumsum(counts[::-1])[::-1]
    most = int(np.flatnonzero(above >= min(FEWEST, above[0]))[-1])
    values, place = np.unique(np.minimum(total, most), return_inverse=True)
    return np.eye(len(values))[place]


def _curve(worth: Floats, weight: Floats) -> Floats:
    knots = [_quantile(worth, weight, share) for share in BENT]
    return np.stack([worth, *(np.maximum(0.0, worth - knot) for knot in knots)], axis=1)


def _quantile(values: Floats, weight: Floats, share: float) -> float:
    order = np.argsort(values)
    sums = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(sums, share * sums[-1])])
