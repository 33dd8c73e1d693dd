"""How one person decides, from few decisions: a logit player with traits, and how sure that is.

The mind is the likeliest where precision and pulls are normal before anything is seen, around a good player without
habits, so that few decisions say little:  theta ~ N(mean, diag(spread^2)).  Its covariance is the inverse of the
curvature there (Laplace).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.errors import PrecisionError
from ..core.game import Action, View
from ..families.minds import Mind

PRECISION, PRECISIONS = 60.0, 60.0  # before anything is seen: the mean for winning chances, and its spread
PULL = 2.0  # the spread of a pull
ROUNDS, HALVED, STILL = 60, 20, 1e-9  # Newton's steps, halvings of one, and what it gains at the end


class Decided(NamedTuple):
    """One decision: what could be done, and what was."""

    view: View
    worth: Mapping[Action, float]  # in winning chance, or points
    traits: Mapping[Action, Mapping[str, float]]
    did: Action


class Known(NamedTuple):
    """A mind as far as it is known."""

    names: tuple[str, ...]  # of the pulls, behind the precision
    theta: Floats
    covariance: Floats
    unit: float  # of worths: precision is told for winning chances

    @property
    def mind(self) -> Mind:
        """The likeliest."""
        return self.as_mind(self.theta)

    def as_mind(self, theta: Floats) -> Mind:
        """A mind of these parameters."""
        return Mind(float(theta[0]) / self.unit, dict(zip(self.names, theta[1:].tolist(), strict=True)))

    def drawn(self, count: int, seed: int) -> Floats:
        """[draw, parameter]: as likely as they are after what was seen."""
        root = np.linalg.cholesky(self.covariance)
        marks = np.random.default_rng(seed).standard_normal((count, len(self.theta)))
        found: Floats = self.theta + marks @ root.T
        return found


def row(decided: Decided, action: Action, names: Sequence[str], unit: float) -> list[float]:
    """What moves toward an action: its worth, then traits."""
    traits = decided.traits[action]
    return [decided.worth[action] / unit, *(traits.get(name, 0.0) for name in names)]


def learn_mind(seen: Sequence[Decided], unit: float) -> Known:
    """The likeliest mind of who decided so; `unit` is the stake that a winning chance of 1 stands for.

    Newton's method on a concave function: O(decisions actions traits^2) a step.
    """
    names = tuple(sorted({trait for one in seen for each in one.traits.values() for trait in each}))
    rows = [row(one, action, names, unit) for one in seen for action in one.worth]
    first = np.cumsum([0, *(len(one.worth) for one in seen)])[:-1]
    did = first + np.array([list(one.worth).index(one.did) for one in seen], np.int64)
    mean, prior = np.zeros(1 + len(names)), np.full(1 + len(names), PULL**-2.0)
    mean[0], prior[0] = PRECISION, PRECISIONS**-2.0
    design = np.array(rows).reshape(len(rows), 1 + len(names))
    theta, height = mean.copy(), _height(design, first, did, mean, mean, prior)
    for _ in range(ROUNDS):
        slope, curve = _slopes(design, first, did, theta, mean, prior)
        step = np.linalg.solve(curve, slope)
        for _ in range(HALVED):
            after = _height(design, first, did, theta + step, mean, prior)
            if after >= height:
                break
            step = step / 2
        else:
            break
        theta, gained, height = theta + step, after - height, after
        if gained < STILL:
            break
    else:
        raise PrecisionError(f"the mind did not settle in {ROUNDS} rounds")
    curve = _slopes(design, first, did, theta, mean, prior)[1]
    return Known(names, theta, np.linalg.inv(curve).astype(np.float64), unit)


def _height(design: Floats, first: Ints, did: Ints, theta: Floats, mean: Floats, prior: Floats) -> float:
    """The logarithm of how likely that is, but for a constant."""
    lost = float((prior * (theta - mean) ** 2).sum()) / 2
    if not len(first):
        return -lost
    pulled = design @ theta
    most = np.maximum.reduceat(pulled, first)
    sums = np.add.reduceat(np.exp(pulled - np.repeat(most, _counts(first, len(pulled)))), first)
    return float((pulled[did] - most - np.log(sums)).sum()) - lost


def _slopes(
    design: Floats, first: Ints, did: Ints, theta: Floats, mean: Floats, prior: Floats
) -> tuple[Floats, Floats]:
    """Its slope, and minus its curvature."""
    slope, curve = -prior * (theta - mean), np.diag(prior)
    if not len(first):
        return slope, curve
    pulled, counts = design @ theta, _counts(first, len(design))
    weights = np.exp(pulled - np.repeat(np.maximum.reduceat(pulled, first), counts))
    weights /= np.repeat(np.add.reduceat(weights, first), counts)
    expected = np.add.reduceat(weights[:, None] * design, first)
    slope = slope + design[did].sum(axis=0) - expected.sum(axis=0)
    return slope, curve + design.T @ (weights[:, None] * design) - expected.T @ expected


def _counts(first: Ints, size: int) -> Ints:
    return np.diff(np.append(first, size))
