"""The marginal likelihood of a model of choice: each player's mind integrated out, and the climb to its top."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..core.arrays import Floats

NODES = 5  # of Gauss and Hermite in each dimension of a mind
ROUNDS, POOLED, SETTLED, HALVED = 60, 12, 8, 10  # the most steps: of all, before it, of minds, back
EXACT = 5  # rounds from one to the next that work out the information of the weights
STILL = 1e-3  # of a parameter's error: a step that moves nothing by more is the last
SLACK = 1e-3  # of the log-likelihood: a step that loses less is taken
FARTHEST, AT_REST, LONGEST = (
    3.0,
    0.01,
    1.0,
)  # a mind's steps in its widths, the last too, and that of the logarithm of a spread
LEAST_SPREAD = 0.02  # of the scale of a parameter over players: below it all are alike
LEAST_CURVE, TINY = 1e-9, 1e-300
WIDE, WIDEST = {"bias": 100.0, "precision": 1000.0}, 50.0  # spread of the prior of means, and of weights
LEAST_TOLD = 1e-8  # of the information on the best known direction, each parameter on its own scale


class Likelihood(Protocol):
    """What a model is fitted to: the log-likelihood of each player, with score and information."""

    @property
    def players(self) -> tuple[str, ...]:
        """Their names."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """What differs from player to player."""

    @property
    def terms(self) -> Mapping[str, Floats]:
        """What is common to all, by name."""

    def prepared(self, terms: Sequence[str]) -> tuple["Likelihood", tuple[str, ...]]:
        """The same ready for a model of these terms, and the names of all that it has."""

    def likelihood(
        self, minds: Floats, weights: Floats, terms: Sequence[str], alone: bool = False
    ) -> tuple[Floats, Floats, Floats]:
        """Of each player, at these parameters [player, parameter] and weights of these terms.

        The information may be that of the minds `alone`, which costs less.
        """

    def score(self, minds: Floats, weights: Floats, terms: Sequence[str]) -> tuple[Floats, Floats]:
        """The same without the information."""


class Seen(NamedTuple):
    """What `look` finds of each player."""

    value: Floats
    score: Floats
    information: Floats
    minds: Floats
    variance: Floats
    follows: Floats  # how the mind's mean moves with what is common


class Marginal:
    """Means, spreads and weights on their way, and the place of each player's mind.

        L = prod_p  integral L_p(theta, w) N(theta; mean, diag(spread^2)) dtheta,

    each integral by Gauss and Hermite with NODES^2 nodes around the likeliest mind, in its width.
    """

    def __init__(self, evidence: Likelihood, terms: tuple[str, ...]) -> None:
        self.evidence, self.names = evidence, terms
        self.own, self.number = len(evidence.parameters), len(evidence.players)
        self.mean, self.weights = np.zeros(self.own), np.zeros(len(terms))
        self.spread = np.ones(self.own)
        weak = [*(1 / WIDE[name] ** 2 for name in evidence.parameters), *[0.0] * self.own]
        self.weak = np.array([*weak, *[1 / WIDEST**2] * len(terms)])
        marks, shares = np.polynomial.hermite_e.hermegauss(NODES)
        self.nodes = np.array(list(product(marks, repeat=self.own)))
        self.shares = np.array([prod(each) for each in product(shares / shares.sum(), repeat=self.own)])

    def pool(self) -> None:
        """Begin where all players are alike, then with spreads of half the mean."""
        own, weak = self.own, np.concatenate([self.weak[: self.own], self.weak[2 * self.own :]])
        place = np.concatenate([self.mean, self.weights])

        def look(place: Floats) -> tuple[float, Floats, Floats]:
            minds = np.tile(place[:own], (self.number, 1))
            value, score, information = self.evidence.likelihood(minds, place[own:], self.names)
            height = value.sum() - (weak * place**2).sum() / 2
            return height, score.sum(axis=0) - weak * place, information.sum(axis=0) + np.diag(weak)

        seen = look(place)
        for _ in range(POOLED):
            step = _solved(seen[2], seen[1])
            for _ in range(HALVED):
                after = look(place + step)
                if after[0] >= seen[0] - SLACK:
                    break
                step = step / 2
            place, seen = place + step, after
        check_told(seen[2] - np.diag(weak), weak)
        error = np.sqrt(np.diagonal(np.linalg.inv(seen[2])))[:own]
        self.mean, self.weights = place[:own], place[own:]
        scale = np.maximum(abs(self.mean), error)
        self.least, self.spread = LEAST_SPREAD * scale, np.maximum(scale / 2, error)
        self.centre = np.tile(self.mean, (self.number, 1))
        self.settle()

    def settle(self) -> None:
        """Newton steps of each mind to its likeliest place, around which the nodes stand."""
        for _ in range(SETTLED):
            if self._settle() < AT_REST:
                break

    def _settle(self) -> float:
        """One step; the farthest that a mind went, in its widths."""
        own, prior = self.own, 1.0 / self.spread**2
        _, score, information = self.evidence.likelihood(self.centre, self.weights, self.names, alone=True)
        around = np.linalg.inv(information + np.diag(prior))
        pull = score[:, :own] - (self.centre - self.mean) * prior
        step = np.einsum("pij,pj->pi", around, pull)
        width = np.sqrt(np.diagonal(around, axis1=1, axis2=2))
        self.centre = self.centre + np.clip(step, -FARTHEST * width, FARTHEST * width)
        self.root = np.linalg.cholesky(around)
        return float(np.max(abs(step) / width))

    def look(self, exactly: bool = False) -> Seen:
        """The marginal likelihood of each player at the present place, with its score and information (Louis 1982).

        With c(theta) the score of mean, log spread and weights if the mind theta were seen, and E and Cov over the mind
        given the choices, the score is E c and the information E(-dc) - Cov c. Of the weights E(-dc), which is dear, is
        worked out `exactly` or stays what it was.
        """
        own, size = self.own, 2 * self.own + len(self.names)
        offsets = np.einsum("pij,nj->pni", self.root, self.nodes)
        logs, complete = (
            np.zeros((self.number, len(self.nodes))),
            np.zeros((self.number, len(self.nodes), size)),
        )
        away = self.centre[:, None] + offsets - self.mean
        told = np.zeros((self.number, len(self.nodes), len(self.names), len(self.names)) if exactly else 0)
        for n in range(len(self.nodes)):
            minds = self.centre + offsets[:, n]
            if exactly:
                value, score, information = self.evidence.likelihood(minds, self.weights, self.names)
                told[:, n] = information[:, own:, own:]
            else:
                value, score = self.evidence.score(minds, self.weights, self.names)
            logs[:, n], complete[:, n, 2 * own :] = value, score[:, own:]
        scaled = away / self.spread
        complete[:, :, :own], complete[:, :, own : 2 * own] = scaled / self.spread, scaled**2 - 1.0
        logs += ((self.nodes**2).sum(axis=1) - (scaled**2).sum(axis=2)) / 2 + np.log(self.shares)
        logs += np.log(np.diagonal(self.root, axis1=1, axis2=2) / self.spread).sum(axis=1)[:, None]
        top = logs.max(axis=1)
        chance = np.exp(logs - top[:, None])
        value = top + np.log(chance.sum(axis=1))
        chance /= chance.sum(axis=1, keepdims=True)
        score = np.einsum("pn,pna->pa", chance, complete)
        free = complete - score[:, None]
        weighted = chance[:, :, None] * free
        information = -np.einsum("pna,pnb->pab", weighted, free)
        at = np.arange(own)
        first, second = score[:, :own] * self.spread, score[:, own : 2 * own] + 1.0
        information[:, at, at] += 1.0 / self.spread**2
        information[:, at, own + at] += 2.0 * first / self.spread
        information[:, own + at, at] += 2.0 * first / self.spread
        information[:, own + at, own + at] += 2.0 * second
        if exactly:
            self.told = np.einsum("pn,pnab->pab", chance, told)
        information[:, 2 * own :, 2 * own :] += self.told
        minds = self.mean + np.einsum("pn,pni->pi", chance, away)
        follows = np.einsum("pni,pna->pia", away, weighted)
        left = away - np.einsum("pn,pni->pi", chance, away)[:, None]
        variance = np.einsum("pn,pni,pnj->pij", chance, left, left)
        return Seen(value, score, information, minds, variance, follows)

    @property
    def place(self) -> Floats:
        """Means, logarithms of spreads, weights."""
        return np.concatenate([self.mean, np.log(self.spread), self.weights])

    def move(self, place: Floats) -> None:
        """Go there."""
        own = self.own
        self.mean, self.weights = place[:own], place[2 * own :]
        self.spread = np.maximum(np.exp(place[own : 2 * own]), self.least)
        self.settle()

    def height(self, seen: Seen) -> float:
        """The objective: the logarithm of the marginal likelihood and of the priors."""
        return float(seen.value.sum() - (self.weak * self.place**2).sum() / 2 + np.log(self.spread).sum())

    def slopes(self, seen: Seen) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
        """Gradient and curvature of the objective, and what stays where it is: a spread at its least."""
        own, size = self.own, len(self.weak)
        slope = seen.score.sum(axis=0) - self.weak * self.place
        slope[own : 2 * own] += 1.0
        curve = seen.information.sum(axis=0) + np.diag(self.weak)
        fixed = np.zeros(size, np.bool_)
        fixed[own : 2 * own] = (self.spread <= self.least * (1 + 1e-9)) & (slope[own : 2 * own] <= 0.0)
        slope[fixed], curve[fixed], curve[:, fixed] = 0.0, 0.0, 0.0
        curve[fixed, fixed] = 1.0
        return slope, curve, fixed

    def climb(self) -> int:
        """Newton's method on the objective; the number of rounds, or 0 if it did not settle."""
        seen, last, pace = self.look(exactly=True), np.zeros(len(self.weak)), 1.0
        for rounds in range(1, ROUNDS + 1):
            slope, curve, _ = self.slopes(seen)
            scale = 1.0 / np.sqrt(np.maximum(abs(np.diagonal(curve)), TINY))
            roots, axes = np.linalg.eigh(curve * np.outer(scale, scale))
            roots = np.maximum(abs(roots), LEAST_CURVE)
            step = scale * (axes @ ((axes.T @ (scale * slope)) / roots))
            errors = scale * np.sqrt((axes**2 / roots).sum(axis=1))
            if np.max(abs(step) / errors) < STILL:
                return rounds
            pace = (
                pace / 2 if (last / errors) @ (step / errors) < 0.0 else min(1.0, 1.5 * pace)
            )  # shorter if it turns back
            last, step = step, pace * step
            spreads = slice(self.own, 2 * self.own)
            step *= min(1.0, LONGEST / max(TINY, float(np.max(abs(step[spreads])))))
            before, start = self.height(seen), self.place
            for _ in range(HALVED):
                self.move(start + step)
                seen = self.look(exactly=rounds % EXACT == 0)
                if self.height(seen) >= before - SLACK:
                    break
                step /= 2
        return 0


def check_told(information: Floats, weak: Floats) -> None:
    """LinAlgError if some direction is known from the priors alone, as of a term that is constant or another's copy."""
    scale = 1.0 / np.sqrt(np.diagonal(information) + weak)
    if np.linalg.eigvalsh(information * np.outer(scale, scale))[0] < LEAST_TOLD:
        raise np.linalg.LinAlgError


def _solved(matrix: Floats, right: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-12)[0], float)
