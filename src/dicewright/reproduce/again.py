"""Figures found a second time, by other code than the solvers': plain turns, plain equations, plain rules.

What is known to differ from a source must still be right: it is compared with these.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..core.game import CHANCE, OVER
from ..families.catalog import parse as game
from ..families.race.kernels import Floats
from .solved import Flags, rolled, solved

TIE = 1e-12  # worths this close are equal; then the optimum holds
FACES = range(2, 7)  # of a die whose 1 ends the turn


class Starts(NamedTuple):
    """The optimum of a race game worked out from the values of its turn starts."""

    rolls: Flags  # [mine, yours, turn]
    error: float  # how far the values are from solving the equation of optimality


@cache
def turns_again(name: str) -> Starts:
    """Where the optimum of Pig or a variant rolls, by its equation, turn totals from the highest on.

        W(k) = max{ (-V(j, i) + W(k+2) + ... + W(k+6)) / 6,  -V(j, i + k) },   V(i, j) = W(0)

    V is the payoff to the mover, for all scores j of the other at once. The equation has one solution, so values
    that solve it are right whoever found them.
    """
    rules = game(name)
    goal = rules.goal
    value = np.array([[solved(name).payoff(i, j) for j in range(goal)] for i in range(goal)])
    won = goal - np.arange(goal) if rules.payoff_rule == "margin" else np.ones(goal)
    rolls, starts = np.zeros((goal, goal, goal), bool), np.zeros((goal, goal))
    for i in range(goal):
        top, bust = goal - i, -value[:, i]
        worth = [won if k == top or not rules.overshoots(i + k) else bust for k in range(top + 7)]
        for k in reversed(range(top)):
            roll = (bust + sum(worth[k + face] for face in FACES)) / 6
            hold = -value[:, i + k]
            rolls[i, :, k] = roll > hold + TIE if k else True
            worth[k] = np.maximum(roll, hold) if k else roll
        starts[i] = worth[0]
    return Starts(rolls, float(abs(starts - value).max()))


@cache
def _gains(name: str, text: str) -> Floats:
    """[mine, yours, points]: the chance that a whole turn adds so many points; reaching the goal counts as it."""
    goal, cube = game(name).goal, rolled(name, text)
    gains = np.zeros((goal, goal, goal + 1))
    for i in range(goal):
        top = goal - i
        there = np.zeros((top + FACES.stop, goal))  # by turn total
        there[0] = 1.0
        for k in range(top):
            rolling = cube[i, :, k]
            gains[i, :, k] += np.where(rolling, 0.0, there[k])
            share = np.where(rolling, there[k], 0.0) / 6
            gains[i, :, 0] += share
            there[k + FACES.start : k + FACES.stop] += share
        gains[i, :, top] = there[top:].sum(axis=0)
    return gains


@cache
def won_again(name: str, a: str, b: str) -> tuple[float, float]:
    """A's chance moving first and moving second, from what whole turns add: two equations a pair of scores.

    x = c + s y on A's turn and y = d + t x on B's, where s and t are the chances that a turn adds nothing.
    """
    goal = game(name).goal
    one, two = _gains(name, a), _gains(name, b)
    x, y = np.zeros((goal, goal)), np.zeros((goal, goal))
    for i in reversed(range(goal)):
        c = one[i, :, goal - i] + (one[i, :, 1 : goal - i] * y[i + 1 :].T).sum(axis=1)
        for j in reversed(range(goal)):
            d = two[j, i, 1 : goal - j] @ x[i, j + 1 :]
            s, t = one[i, j, 0], two[j, i, 0]
            x[i, j] = (c[j] + s * d) / (1 - s * t) if s * t < 1 else 0.0
            y[i, j] = d + t * x[i, j]
    return float(x[0, 0]), float(y[0, 0])


def overall_again(name: str, a: str, b: str) -> float:
    """A's chance when a coin decides who starts."""
    return sum(won_again(name, a, b)) / 2


def expected_payoff(rules: Any, mix: Callable[[Any, int], Any]) -> Any:
    """The payoff to the first player by the rules alone; `mix` says how a player acts in a view."""

    @cache
    def worth(state: Any) -> Any:
        mover = rules.mover(state)
        if mover == OVER:
            return Fraction(rules.payoff(state))
        choices = rules.outcomes(state) if mover == CHANCE else mix(rules.view(state, mover), mover)
        return sum(chance * worth(rules.play(state, choice)) for choice, chance in choices.items())

    return worth(rules.start())
