"""What a fitted model says: attitudes with the thresholds they imply, agreement with what was stated, hypotheses."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from ..core.arrays import Floats
from ..core.errors import RulesError
from ..core.game import WrittenGame
from .choices import Choices
from .fit import CONFIDENCE, Estimate, Fit, estimate, fit
from .forms import Forms
from .games import crowds_of


class Hypothesis(NamedTuple):
    """A belief about people as terms of the model: p-value alone, and corrected for all that were tested.

    An estimate is the weight of a term on going on: above 0 the term makes players go on, below 0 stop.
    """

    name: str
    terms: tuple[str, ...]
    p: float
    corrected: float  # Holm 1979
    estimates: tuple[Estimate, ...]  # of the terms, each with its interval


class Stated(NamedTuple):
    """The players who gave one answer: how many, their mean hold bias, and where a player like that holds."""

    answer: str
    players: int
    bias: Estimate
    holds: Mapping[str, int | None]
    between: "Between | None" = None  # 95 % intervals of holds


class Agreement(NamedTuple):
    """What was stated before play beside what play reveals.

    p      of all answers going with the same bias (Wald's F test, players as clusters)
    tau    Kendall's rank correlation of the bias with the order of the answers, and its p-value
    """

    answers: tuple[Stated, ...]
    p: float
    tau: float
    tau_p: float


START = "0-0"
Between = Mapping[
    str, tuple[int | None, int | None]
]  # the earliest and the latest hold at each of the usual scores


def holds(game: WrittenGame, bias: float, precision: float) -> dict[str, int | None]:
    """Where such a player holds rather than rolls at the usual scores: the first turn total with a chance of a half.

    That is the first k with precision (worth of roll - worth of hold) <= bias; None if there is no such total.
    """
    crowds, found = crowds_of(game), {}
    for mine, yours in crowds.usual(game):
        along = crowds.along(game, mine, yours)
        stops = np.flatnonzero(precision * along[1:] <= bias)
        found[f"{mine}-{yours}"] = int(stops[0]) + 1 if len(stops) else None
    return found


def holds_between(game: WrittenGame, found: Fit, pick: Floats | None = None) -> Between | None:
    """The 95 % intervals of where the mean player holds, or one whose bias is `pick` of means and weights.

    A hold follows from r = bias / precision alone, the later the smaller r is. Fieller (1954): with errors that covary
    as C, the interval of r is where

        (bias - r precision)^2 <= t^2 (C_bb - 2 r C_bp + r^2 C_pp).

    None where the precision is not surely above 0: then choices do not tell where anybody holds.
    """
    pick = np.eye(len(found.covariance))[0] if pick is None else pick
    values = np.array([each.value for each in (*found.mean.values(), *found.terms.values())])
    both = np.vstack([pick, np.eye(len(values))[1]])
    (bias, precision), errors = both @ values, both @ found.covariance @ both.T
    squared = float(stats.t.ppf((1 + CONFIDENCE) / 2, found.freedom)) ** 2
    a, b, c = (
        precision**2 - squared * errors[1, 1],
        precision * bias - squared * errors[0, 1],
        bias**2 - squared * errors[0, 0],
    )
    if precision <= 0.0 or a <= 0.0:
        return None
    root = np.sqrt(max(0.0, b * b - a * c))
    late, early = (holds(game, float((b + sign * root) / a), 1.0) for sign in (-1.0, 1.0))
    return {place: (early[place], late[place]) for place in early}


def bias_of(game: WrittenGame, points: int, precision: float) -> float:
    """The bias with which a player of this precision holds so many points earlier at the start of the game.

    It is the one nearest to 0; points below 0 are later.
    """
    best = holds(game, 0.0, precision)[START]
    along = crowds_of(game).along(game, 0, 0)
    if best is None or not points or not 0 < best - points < len(along):
        most, least = (best or 1) - 1, (best or 1) - len(along) + 1
        raise RulesError(
            f"points are {points}; 1 to {most} is allowed in {game.name}, or {least} to -1 for later"
        )
    return float(precision * along[best - points])


def agreement(
    game: WrittenGame, choices: Choices | Forms, stated: Mapping[str, str], order: Sequence[str]
) -> Agreement:
    """Whether the answers of players (by name), in an order from loving risk to averse, go with their hold bias.

    The model has a mean bias for each answer. The correlation uses minds shrunk towards one mean, so that it knows
    nothing of the answers.
    """
    unknown = sorted(set(choices.players) - set(stated)) or sorted(set(stated.values()) - set(order))
    if unknown:
        raise RulesError(
            f"no place in the order of answers for {unknown[0]!r}; allowed are {', '.join(order)}"
        )
    place = np.array([order.index(stated[name]) for name in choices.players])
    given = [number for number in range(len(order)) if (place == number).any()]
    if len(given) < 2:
        raise RulesError(
            f"all {len(place)} players gave the answer {order[given[0]]!r}; two answers are needed"
        )
    names = [f"stated {order[number]}" for number in given[1:]]
    columns = {name: (place == number).astype(float) for name, number in zip(names, given[1:], strict=True)}
    found = fit(choices.by_player(**{name: column.tolist() for name, column in columns.items()}), names)
    alike = fit(choices)
    tau = stats.kendalltau(place, alike.minds[:, 0])
    return Agreement(
        tuple(
            _stated(game, found, order[number], int((place == number).sum()), n)
            for n, number in enumerate(given)
        ),
        found.test(names),
        float(tau.statistic),
        float(tau.pvalue),
    )


def _stated(game: WrittenGame, found: Fit, answer: str, players: int, number: int) -> Stated:
    """The bias is the mean's, less the weight of this answer on going on."""
    pick = np.zeros(len(found.covariance))
    pick[0] = 1.0
    if number:
        pick[len(found.parameters) + number - 1] = -1.0
    values = [each.value for each in (*found.mean.values(), *found.terms.values())]
    bias = estimate(float(pick @ values), float(np.sqrt(pick @ found.covariance @ pick)), found.freedom)
    held = holds(game, bias.value, found.mean["precision"].value)
    return Stated(answer, players, bias, held, holds_between(game, found, pick))


def hypotheses(found: Fit, beliefs: Mapping[str, Sequence[str]]) -> tuple[Hypothesis, ...]:
    """Each belief tested in one model that has the terms of all; p-values corrected by Holm's step-down."""
    ps = [found.test(terms) for terms in beliefs.values()]
    rows = zip(beliefs.items(), ps, holm(ps), strict=True)
    return tuple(
        Hypothesis(name, tuple(terms), p, corrected, tuple(found.terms[term] for term in terms))
        for (name, terms), p, corrected in rows
    )


def holm(ps: Sequence[float]) -> list[float]:
    """P-values corrected for being several: Holm's step-down (1979) keeps the chance of any false finding.

    >>> holm([0.01, 0.5, 0.03])
    [0.03, 0.5, 0.06]
    """
    corrected, order = np.zeros(len(ps)), np.argsort(ps)
    steps = np.asarray(ps)[order] * np.arange(len(ps), 0, -1)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return [float(p) for p in corrected]
