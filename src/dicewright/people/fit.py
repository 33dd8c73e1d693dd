"""Logit models of choice with a mind for each player, shrunk over players, and errors that take players as clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from ..core.arrays import Floats
from ..core.errors import PrecisionError, RulesError
from ..core.table import Grid, Tabled
from .marginal import ROUNDS, Likelihood, Marginal, check_told

CONFIDENCE = 0.95
SPARE = 2  # players more than common parameters
UNTOLD = "these decisions do not tell {} apart; more decisions, or fewer terms, may"


class Estimate(NamedTuple):
    """A number with its standard error, and the chance of one as far from 0 if it were 0."""

    value: float
    error: float
    p: float
    low: float  # of the 95 % interval
    high: float


@dataclass(frozen=True, eq=False)
class Fit(Tabled):
    """A fitted model: what players are like on average, how they differ, each of them, and the common terms."""

    players: tuple[str, ...]
    parameters: tuple[str, ...]
    mean: Mapping[str, Estimate]
    spread: Mapping[str, float]  # the standard deviation over players
    minds: Floats  # [player, parameter], shrunk towards the mean
    errors: Floats  # of the minds, given the spread
    terms: Mapping[str, Estimate]
    covariance: Floats  # of the means, then the terms; players are clusters
    freedom: int  # of the tests: players less means and terms
    likelihood: float  # the logarithm, of all players together, minds integrated out
    rounds: int
    spreads: Mapping[str, tuple[float, float]]  # their 95 % intervals; no numbers where all seem alike

    def __repr__(self) -> str:
        found = [f"{name} {one.value:.4g}" for name, one in (*self.mean.items(), *self.terms.items())]
        return f"<Fit of {len(self.players)} players: {', '.join(found[:8])}>"

    def table(self) -> Grid:
        """One row a parameter or term: its estimate, and how much it differs between players."""
        found = {**self.mean, **self.terms}
        rows = [(name, *one, self.spread.get(name)) for name, one in found.items()]
        return Grid(("name", *Estimate._fields, "spread"), rows)

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


def fit(evidence: Likelihood, terms: Sequence[str] = ()) -> Fit:
    """The hierarchical logit: each player's parameters are normal around a mean, the terms are common to all.

        theta_p ~ N(mean, diag(spread^2)),     L = prod_p  integral L_p(theta, w) N(theta) dtheta.

    Minds are integrated out (Gauss and Hermite), so means and weights are those of the population however few games a
    player has; Newton's method on the marginal likelihood takes some 10 rounds of 25 passes over the decisions. Spreads
    have a prior proportional to themselves, which keeps them from 0 where data are few (Chung et al. 2013); means and
    weights normal priors around 0, so wide that they count only where people never err. Players are clusters: the
    covariance is the sum over players of the square of what leaving each out would change, to first order,

        sum_p d_p d_p',     d_p = (H - H_p)^-1 g_p     (CR3; Bell & McCaffrey 2002),

    with g_p and H_p the player's score and information; tests are Student's and Fisher's with (players - means - terms)
    degrees of freedom. Where the habit's term is among the terms the others count beyond it (`habits`).
    """
    missing = [name for name in terms if name not in evidence.terms]
    if missing:
        raise RulesError(f"terms are {list(terms)}; some of {list(evidence.terms)} are allowed")
    evidence, names = evidence.prepared(terms)
    common = len(evidence.parameters) + len(names)
    if len(evidence.players) < common + SPARE:
        habit = f" and {len(names) - len(terms)} more for habits" if len(names) > len(terms) else ""
        model = f"with {len(terms)} terms{habit} " if terms else ""
        raise RulesError(
            f"there are {len(evidence.players)} players; {model}at least {common + SPARE} are needed"
        )
    at = Marginal(evidence, names)
    try:
        at.pool()
        if rounds := at.climb():
            return _result(at, rounds, len(terms))
    except np.linalg.LinAlgError:
        raise PrecisionError(UNTOLD.format(", ".join(terms) or "bias and precision")) from None
    raise PrecisionError(
        f"the model did not settle in {ROUNDS} rounds: too few decisions, too many terms, or players who never err"
    )


def _result(at: Marginal, rounds: int, terms: int) -> Fit:
    """The fit at this place, its covariance from what each player's leaving would change."""
    own, seen = at.own, at.look(exactly=True)
    _, curve, fixed = at.slopes(seen)
    check_told(curve - np.diag(at.weak), at.weak)
    bread = np.linalg.inv(curve)
    information = np.where(fixed | fixed[:, None], 0.0, seen.information)
    left_out = np.linalg.solve(
        np.eye(len(bread)) - information @ bread, np.where(fixed, 0.0, seen.score)[..., None]
    )
    shifts = left_out[..., 0] @ bread
    covariance = shifts.T @ shifts
    variance = seen.variance + seen.follows @ covariance @ np.swapaxes(seen.follows, 1, 2)
    kept = np.r_[:own, 2 * own : 2 * own + terms]
    freedom = at.number - len(kept)
    doubt = np.where(fixed, np.nan, np.maximum(np.diagonal(covariance), np.diagonal(bread)))
    spreads = _spreads(at, np.sqrt(doubt[own : 2 * own]), freedom)
    covariance = covariance[np.ix_(kept, kept)]
    errors = np.sqrt(np.diagonal(covariance))
    found = [estimate(v, e, freedom) for v, e in zip(at.place[kept], errors, strict=True)]
    parameters = at.evidence.parameters
    return Fit(
        at.evidence.players,
        parameters,
        dict(zip(parameters, found[:own], strict=True)),
        dict(zip(parameters, at.spread.tolist(), strict=True)),
        seen.minds,
        np.sqrt(np.diagonal(variance, axis1=1, axis2=2)),
        dict(zip(at.names[:terms], found[own:], strict=True)),
        covariance,
        freedom,
        float(seen.value.sum()),
        rounds,
        spreads,
    )


def _spreads(at: Marginal, errors: Floats, freedom: int) -> dict[str, tuple[float, float]]:
    """The interval of each spread: Student's t on its logarithm, which is what the climb moves.

    The error is the larger of that of leaving players out and of that of the curve: the first alone is too small with
    few players (`tests/unit/test_people_rates.py`).
    """
    margins = float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom)) * errors
    logs = np.log(at.spread)
    low, high = np.exp(logs - margins).tolist(), np.exp(logs + margins).tolist()
    return dict(zip(at.evidence.parameters, zip(low, high, strict=True), strict=True))
