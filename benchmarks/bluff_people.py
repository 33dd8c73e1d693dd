"""What play that nobody can exploit wins from imperfect players, one die each: the table of docs/bluff.md."""

from collections.abc import Sequence
from functools import partial

import numpy as np

import dicewright as dw
from dicewright.core.solution import Solution
from dicewright.families.bluff.exact import Round, Weights, win_or_lose
from dicewright.families.bluff.plans import plan_of
from dicewright.families.bluff.rules import Bluff
from dicewright.families.bluff.solve import solve_paid_round

FOUR = ("random", "truthful", "call-below:0.3", "call-below:0.5")
SAFE = 1e-11  # payoff that a perfect rival may gain where no fractions are found


def run() -> bool:
    """Print a row for each population; every strategy is proved optimal, most of them in fractions."""
    print(f"{'':42}" + "".join(f"{name:>16}" for name in FOUR))
    shipped, four = chosen(None), chosen(FOUR)
    kept = shown("the population of people.py", shipped, FOUR)
    kept &= shown("the four alone", four, FOUR)
    for name in FOUR:
        kept &= shown(f"{name} alone: the most against it", chosen((name,)), (name,))
    return kept


def chosen(names: Sequence[str] | None) -> Solution:
    """The best strategies of one die each that win most from these players, or from those of people.py."""
    rules = Bluff()
    return solve_paid_round(rules, win_or_lose(rules), None if names is None else partial(together, names))


def together(names: Sequence[str], rules: Bluff, game: Round, player: int, rival: Weights) -> Weights:
    """What these players do together at a seat."""
    plans = [plan_of(rules, player, dw.strategy(name, rules)) for name in names]
    return Weights(
        np.sum([plan.reach for plan in plans], axis=0), np.sum([plan.ends for plan in plans], axis=0)
    )


def won(solution: Solution, name: str) -> float:
    """The winning chance over both seats."""
    return dw.evaluate(solution.game, solution, name).a_overall


def shown(what: str, solution: Solution, names: Sequence[str]) -> bool:
    """Print one row; whether it is proved."""
    cells = (f"{won(solution, name):16.4f}" if name in names else f"{'':16}" for name in FOUR)
    print(f"{what:42}{''.join(cells)}  gap {solution.certificate.gap:g}", flush=True)
    return solution.certificate.proved and solution.certificate.gap < SAFE
