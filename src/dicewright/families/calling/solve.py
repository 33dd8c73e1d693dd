"""Calling games solved in closed form: one linear program for each call that stands, all by one greedy pass.

Write p_k for the chance of rank k, F_k for the chance of rank k or less, and a_k for the caller's winning
chance once the call k has been accepted. After accepting c, let m_k be the caller's chance of calling k and
t_k the chance of calling k truly. The other player challenges or accepts each call as suits them, so the
caller solves

    max sum_{k > c} min(a_k m_k, t_k)    with  sum_k m_k = 1,  t_k <= m_k,  sum_{i >= k} t_i <= 1 - F_{k-1}.

A unit of credit on call k costs 1 / a_k of the mass m, and a_k rises with k (whoever accepted less may still
call everything a player who accepted more may). So credit is bought from the highest call down, all p_k of
it at each, until the mass is spent: a fractional knapsack. While mass remains the value is 1 - F_c, hence
a_k = F_k, and it is spent at the marginal call j, the highest with p_j/F_j + ... + p_n/F_n > 1. Therefore

    win chance after accepting c  =  1 - F_c  for c >= j,    and  1 - F_j sum_{i > j} p_i / F_i  for c < j.

The dual prices say how to answer: with c < j accept call k < n with chance min(1, F_j / a_k), with c >= j
challenge everything. The top call n is always challenged: who accepts it has lost (`accepts`). Nothing here
depends on the truth rule or on whether a call below the roll is allowed: the solution lies upward only, and
under "at least" a true call below the roll wastes mass. For one die with many sides the sum tends to a
logarithm, j to n/e, and the value of the game to 1 - 2/e.

That is one optimal strategy of many. With up to MOST_REFINED ranks refine.py takes the one that wins most against
people; with more, where that takes minutes, the closed form itself is the solution. A call that it never makes is then
taken for true, which supports accepting it.
"""

from fractions import Fraction
from functools import cache, lru_cache

from ...core.errors import PrecisionError, VerificationError
from .response import certify_calling
from .rules import NOTHING, CallingGame
from .solution import CallingSolution
from .solved import CallingEquilibrium, SolvedCaller
from .table import Calls

MOST_REFINED = 30  # ranks


@lru_cache(maxsize=16)
def equilibrium(game: CallingGame) -> CallingEquilibrium:
    """The greedy pass from the highest call down: n steps for n ranks; remembered, for advice asks often."""
    wins, spent, gained = [Fraction(0)], Fraction(0), Fraction(0)
    for call in range(game.top, NOTHING, -1):
        after = 1 - wins[0]
        cost = game.chances[call] / after
        if spent + cost > 1:
            wins[:0] = [gained + after * (1 - spent)] * (call + 1)
            return CallingEquilibrium(game, tuple(wins), call, 1 - spent)
        spent, gained = spent + cost, gained + game.chances[call]
        wins.insert(0, gained)
    return CallingEquilibrium(game, tuple(wins), NOTHING, 1 - spent)


@cache
def solve_calling(game: CallingGame) -> CallingSolution:
    """An exact equilibrium, the same for both players, proved by exact best responses."""
    closed = equilibrium(game)
    strategy, slips = _refined(closed) if len(game.labels) <= MOST_REFINED else (closed, None)
    certificate = certify_calling(game, strategy)
    if certificate.exact != 2 * closed.wins[0] - 1:
        bounds = f"{certificate.lower} and {certificate.upper}"
        raise VerificationError(f"the bounds {bounds} on {game.name} are not {2 * closed.wins[0] - 1}")
    return CallingSolution(game, "calling-knapsack", (strategy, strategy), certificate, beliefs=slips)


def _refined(closed: CallingEquilibrium) -> tuple[SolvedCaller, Calls | None]:
    """The optimal strategy that wins most against people, and its beliefs; the closed form if it has no fractions."""
    from .refine import refine  # loads scipy, which takes longer than a kept solution

    try:
        return refine(closed)
    except PrecisionError:
        return closed, None
