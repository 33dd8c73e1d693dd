"""Logit models of choice with a mind for each player, shrunk over players, and errors that take players as clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from scipy import stats

from ..core.arrays import Floats
from ..core.errors import PrecisionError, RulesError

ROUNDS = 300
STILL = 1e-4  # of a parameter's spread or error: a round that moves nothing by more is the last
LEAST_SPREAD = 0.02  # of the scale of a parameter over players: below it all are alike
FASTEST, LONGEST = 20.0, 1.0  # times a step of EM, and the most that the logarithm of a spread^2 moves
WIDE, WIDEST = {"bias": 100.0, "precision": 1000.0}, 50.0  # spread of the prior of means, and of weights
CONFIDENCE = 0.95
LEAST_TOLD = 1e-8  # of the information on the best known direction, each parameter on its own scale
UNTOLD = "these decisions do not tell {} apart; more decisions, or fewer terms, may"


class Evidence(Protocol):
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

    def likelihood(
        self, minds: Floats, weights: Floats, terms: Sequence[str]
    ) -> tuple[Floats, Floats, Floats]:
        """Of each player, at these parameters [player, parameter] and weights of these terms."""


class Estimate(NamedTuple):
    """A number with its standard error, and the chance of one as far from 0 if it were 0."""

    value: float
    error: float
    p: float
    low: float  # of the 95 % interval
    high: float


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model: what players are like on average, how they differ, each of them, and the common terms."""

    players: tuple[str, ...]
    parameters: tuple[str, ...]
    mean: Mapping[str, Estimate]
    spread: Mapping[str, float]  # the standard deviation over players
    minds: Floats  # [player, parameter], shrunk towards the mean
    errors: Floats  # of the minds, given the spread
    terms: Mapping[str, Estimate]
    covariance: Floats  # of the means, then the terms; players are clusters
    likelihood: float  # the logarithm, at the minds
    rounds: int

    @property
    def freedom(self) -> int:
        """Clusters less common parameters: the degrees of freedom of the tests."""
        return max(1, len(self.players) - len(self.covariance))

    def mind(self, player: str) -> Mapping[str, Estimate]:
        """One player's parameters, shrunk; with normal errors."""
        place = self.players.index(player)
        pairs = zip(self.parameters, self.minds[place], self.errors[place], strict=True)
        return {name: estimate(value, error) for name, value, error in pairs}

    def test(self, terms: Sequence[str]) -> float:
        """The p-value of all these terms being 0: Wald's F test with players as clusters."""
        names = list(self.terms)
        unknown = [name for name in terms if name not in names]
        if unknown or not terms:
            raise RulesError(f"terms are {list(terms)}; some of {names} are allowed")
        at = [len(self.parameters) + names.index(name) for name in terms]
        value = np.array([self.terms[name].value for name in terms])
        try:
            ratio = value @ np.linalg.solve(self.covariance[np.ix_(at, at)], value) / len(at)
        except np.linalg.LinAlgError:
            raise PrecisionError(UNTOLD.format(", ".join(terms))) from None
        return float(stats.f.sf(ratio, len(at), self.freedom))


def estimate(value: float, error: float, freedom: float = np.inf) -> Estimate:
    """With the interval and the p-value of Student's t."""
    margin = float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom)) * error
    p = float(2 * stats.t.sf(abs(value) / error, freedom)) if error > 0 else float("nan")
    return Estimate(float(value), float(error), p, float(value - margin), float(value + margin))


def fit(evidence: Evidence, terms: Sequence[str] = ()) -> Fit:
    """The hierarchical logit: each player's parameters are normal around a mean, the terms are common to all.

        theta_p ~ N(mean, diag(spread^2)),     log L = sum_p [ l_p(theta_p, w) + log N(theta_p) ].

    For given spreads the log-likelihood is concave in minds, means and weights together: Newton's method solves
    the arrow of blocks in O(players). Spreads follow MacKay's fixed point for the marginal likelihood in Laplace's
    approximation,  spread^2 = sum_p (theta_p - mean)^2 / (sum_p (1 - V_p / spread^2) - 1)  with V_p the variance of
    theta_p given the rest; the 1 is a prior proportional to the spread, which keeps it from 0 where data are few
    (Chung et al. 2013). Means and weights have the sandwich of the players' scores as covariance (clusters), with
    the factor P / (P - q). Means and weights have normal priors around 0, so wide that they count only where people
    never err, and a likelihood alone would go to infinity. Some 10 to 50 rounds, each of one pass over the decisions.
    """
    missing = [name for name in terms if name not in evidence.terms]
    if missing:
        raise RulesError(f"terms are {list(terms)}; some of {list(evidence.terms)} are allowed")
    if len(evidence.players) < 2 + len(terms):
        raise RulesError(
            f"there are {len(evidence.players)} players; with {len(terms)} terms at least {2 + len(terms)} are needed"
        )
    state = _State(evidence, tuple(terms))
    try:
        state.pool()
        for rounds in range(1, ROUNDS + 1):
            if state.step() < STILL:
                return state.result(rounds)
    except np.linalg.LinAlgError:
        raise PrecisionError(UNTOLD.format(", ".join(terms) or "bias and precision")) from None
    raise PrecisionError(
        f"the model did not settle in {ROUNDS} rounds; fewer terms or more decisions may help"
    )


class _State:
    """Minds, means, weights and spreads on their way."""

    def __init__(self, evidence: Evidence, terms: tuple[str, ...]) -> None:
        self.evidence, self.names = evidence, terms
        self.own, self.number = len(evidence.parameters), len(evidence.players)
        self.minds = np.zeros((self.number, self.own))
        self.mean, self.weights = np.zeros(self.own), np.zeros(len(terms))
        self.precision = np.ones(self.own)  # 1 / spread^2
        self.weak = np.array(
            [*(1 / WIDE[name] ** 2 for name in evidence.parameters), *[1 / WIDEST**2] * len(terms)]
        )
        self.drift, self.pace = np.zeros(self.own), np.ones(self.own)  # of the spreads
        self.seen: tuple[Floats, Floats, Floats] = self.look()

    def look(self) -> tuple[Floats, Floats, Floats]:
        """The likelihood at the present place."""
        self.seen = self.evidence.likelihood(self.minds, self.weights, self.names)
        return self.seen

    def pool(self) -> None:
        """Begin where all players are alike."""
        for _ in range(12):
            _, score, information = self.seen
            step = _solved(
                information.sum(axis=0) + np.diag(self.weak), score.sum(axis=0) - self.weak * self.common
            )
            self._move(np.tile(step[: self.own], (self.number, 1)), step[: self.own], step[self.own :], False)
        error = np.sqrt(np.diagonal(np.linalg.inv(self.seen[2].sum(axis=0) + np.diag(self.weak))))[: self.own]
        self.scale = np.maximum(abs(self.mean), error)
        self.precision = 1.0 / np.maximum(self.scale / 2, error) ** 2

    def objective(self, shrunk: bool) -> float:
        """The penalised log-likelihood at the present place."""
        away = ((self.minds - self.mean) ** 2 * self.precision).sum() / 2 if shrunk else 0.0
        return float(self.seen[0].sum() - away - (self.weak * self.common**2).sum() / 2)

    @property
    def common(self) -> Floats:
        """Means, then weights."""
        return np.concatenate([self.mean, self.weights])

    def _move(self, minds: Floats, mean: Floats, weights: Floats, shrunk: bool = True) -> None:
        """One Newton step, halved until it does not make things worse."""
        before, place = self.objective(shrunk), (self.minds, self.mean, self.weights)
        size = 1.0
        for _ in range(30):
            self.minds, self.mean, self.weights = (
                was + size * step for was, step in zip(place, (minds, mean, weights), strict=True)
            )
            self.look()
            if self.objective(shrunk) >= before - 1e-9 * max(1.0, abs(before)):
                return
            size /= 2
        self.minds, self.mean, self.weights = place
        self.look()

    def blocks(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Of each player: the variance of its mind given the rest, the information between its mind and what is common
        (means, weights), that of the common alone once its mind follows, and their score."""
        _, score, information = self.seen
        own, prior = self.own, np.diag(self.precision)
        inner = np.linalg.inv(information[:, :own, :own] + prior).astype(float)
        crossed = np.concatenate(
            [np.broadcast_to(-prior, (self.number, own, own)), information[:, :own, own:]], axis=2
        )
        corner = np.zeros((self.number, own + len(self.names), own + len(self.names)))
        corner[:, :own, :own] = prior
        corner[:, own:, own:] = information[:, own:, own:]
        common: Floats = corner - np.swapaxes(crossed, 1, 2) @ inner @ crossed
        away = (self.minds - self.mean) * self.precision
        return inner, crossed, common, np.concatenate([away, score[:, own:]], axis=1)

    def step(self) -> float:
        """A Newton step for given spreads, then the spreads; how far anything moved, in its own errors."""
        own = self.own
        inner, crossed, common, slope = self.blocks()
        pull = self.seen[1][:, :own] - (self.minds - self.mean) * self.precision
        reduced = slope - np.einsum("pij,pi->pj", crossed, np.einsum("pij,pj->pi", inner, pull))
        total = common.sum(axis=0) + np.diag(self.weak)
        shift = _solved(total, reduced.sum(axis=0) - self.weak * self.common)
        minds = np.einsum("pij,pj->pi", inner, pull - np.einsum("pij,j->pi", crossed, shift))
        self._move(minds, shift[:own], shift[own:])
        moved = float(np.max(abs(shift) / np.sqrt(np.diagonal(np.linalg.inv(total)))))
        moved = max(moved, float(np.max(abs(minds) * np.sqrt(self.precision))))
        return max(moved, self._spreads(np.diagonal(inner, axis1=1, axis2=2)))

    def _spreads(self, variance: Floats) -> float:
        """MacKay's fixed point (where few players tell, the step of EM to the same); the largest relative change.

        Steps of EM get longer while they go one way.
        """
        away = ((self.minds - self.mean) ** 2).sum(axis=0)
        free = (1.0 - variance * self.precision).sum(axis=0) - 1.0
        by_expectation = (away + variance.sum(axis=0)) / (self.number - 1)
        found = np.where(free > 1.0, away / np.maximum(free, 1.0), by_expectation)
        least = (LEAST_SPREAD * self.scale) ** 2
        change = np.log(np.maximum(found, least) * self.precision)
        slow = (change * self.drift > 0.0) & (free <= 1.0)
        self.pace, self.drift = np.where(slow, np.minimum(1.5 * self.pace, FASTEST), 1.0), change
        step = np.clip(change * self.pace, -LONGEST, LONGEST)
        self.precision = 1.0 / np.maximum(np.exp(step) / self.precision, least)
        return float(np.max(abs(change)))

    def result(self, rounds: int) -> Fit:
        """The fit at this place."""
        inner, crossed, common, scores = self.blocks()
        follows = inner @ crossed
        _check_told(common.sum(axis=0), self.weak)
        bread = np.linalg.inv(common.sum(axis=0) + np.diag(self.weak))
        size = len(bread)
        covariance = bread @ (scores.T @ scores) @ bread * (self.number / max(1, self.number - size))
        variance = inner + follows @ covariance @ np.swapaxes(follows, 1, 2)
        freedom = max(1, self.number - size)
        errors = np.sqrt(np.diagonal(covariance))
        found = [estimate(value, error, freedom) for value, error in zip(self.common, errors, strict=True)]
        parameters = self.evidence.parameters
        return Fit(
            self.evidence.players,
            parameters,
            dict(zip(parameters, found[: self.own], strict=True)),
            dict(zip(parameters, (1.0 / np.sqrt(self.precision)).tolist(), strict=True)),
            self.minds,
            np.sqrt(np.diagonal(variance, axis1=1, axis2=2)),
            dict(zip(self.names, found[self.own :], strict=True)),
            covariance,
            float(self.seen[0].sum()),
            rounds,
        )


def _check_told(information: Floats, weak: Floats) -> None:
    """LinAlgError if some direction is known from the priors alone, as of a term that is constant or another's copy."""
    scale = 1.0 / np.sqrt(np.diagonal(information) + weak)
    if np.linalg.eigvalsh(information * np.outer(scale, scale))[0] < LEAST_TOLD:
        raise np.linalg.LinAlgError


def _solved(matrix: Floats, right: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-12)[0], float)
