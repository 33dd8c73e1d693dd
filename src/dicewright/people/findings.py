"""What a fitted model says: attitudes with the thresholds they imply, agreement with what was stated, hypotheses."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from ..core.errors import RulesError
from ..core.game import WrittenGame
from .choices import Choices
from .fit import Estimate, Fit, estimate, fit
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
    return Stated(answer, players, bias, holds(game, bias.value, found.mean["precision"].value))


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
