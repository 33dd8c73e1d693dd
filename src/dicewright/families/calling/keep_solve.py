"""Calling games where dice may be kept: a chain of linear programs, bracketed by exact best responses.

After an accept both players know the call c and the dice seen, and after the choice the kept dice h: a proper
sub-game. With p the chances of the rolls given h, and W(k, r) the winning chance of a player who has accepted
k and sees the dice r, the caller with the cup solves

    V(c, h) = max sum_k z_k,   z_k <= sum_r p_r x_rk (1 - W(k, r)),   z_k <= sum_r p_r x_rk [k is true of r],

with a mix x_r of calls above c for each roll r; and W(k, r) = max V(k, h) over what may be kept of r, with
W(top, r) = 0. The multipliers of the first bounds are the other player's chances to accept. Unlike in
solve.py an accepted call is worth what the dice allow, so no greedy order exists. Six sides are 580
programs of at most 441 variables. Then refine.py takes the optimal strategy that wins most against people.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import numpy as np
from scipy.optimize import linprog

from ...core.errors import PrecisionError
from .keep_response import certify_keep
from .refine import refine
from .rules import NOTHING, CallingGame, CallingView
from .solution import CallingSolution
from .solved import Exact
from .table import CallingTable

ROUNDING = 10**15


@cache
def solve_keep(game: CallingGame) -> CallingSolution:
    """A strategy for both players within a proved bracket of the value: one program for each sub-game."""
    holdings = game.holdings
    keeps: dict[tuple[int, int], str] = {}
    calls: dict[tuple[int, str, int], Exact] = {}
    accepts: dict[tuple[int, str, int], Fraction] = {}
    wins = {(game.top, seen): 0.0 for seen in range(game.top + 1)}
    for accepted in range(game.top - 1, NOTHING - 1, -1):
        values = {}
        for kept in holdings if accepted != NOTHING else ("",):
            values[kept], mixes, yes = _solve_one(game, accepted, kept, wins)
            calls |= {(accepted, kept, roll): mix for roll, mix in mixes.items()}
            accepts |= {(accepted, kept, call): chance for call, chance in yes.items()}
        for seen in range(game.top + 1) if accepted != NOTHING else ():
            keeps[accepted, seen] = max(game.choices(seen), key=values.__getitem__)
            wins[accepted, seen] = values[keeps[accepted, seen]]
    table, slips = refine(CallingTable(game, keeps, calls, accepts))
    return CallingSolution(game, "calling-chain", (table, table), certify_keep(game, table), beliefs=slips)


def _solve_one(
    game: CallingGame, accepted: int, kept: str, wins: Mapping[tuple[int, int], float]
) -> tuple[float, dict[int, Exact], dict[int, Fraction]]:
    """The program of one sub-game: its value, the caller's mixes by roll, the accepts by call."""
    rolls = game.rolls(kept)
    calls = range(accepted + 1, game.top + 1)
    lowest = {roll: game.lowest_call(accepted, roll) for roll in rolls}
    columns = [(roll, call) for roll in rolls for call in calls if call >= lowest[roll]]
    width, height = len(columns) + len(calls), len(calls)
    bounds, splits = np.zeros((2 * height, width)), np.zeros((len(rolls), width))
    for place, (roll, call) in enumerate(columns):
        row, chance = call - calls[0], float(rolls[roll])
        bounds[row, place] = -chance * (1 - wins[call, roll])
        bounds[height + row, place] = -chance * game.true(roll, call)
        splits[list(rolls).index(roll), place] = 1
    for row in range(height):
        bounds[[row, height + row], len(columns) + row] = 1
    cost = np.r_[np.zeros(len(columns)), -np.ones(height)]
    found = linprog(cost, bounds, np.zeros(2 * height), splits, np.ones(len(rolls)), method="highs")
    if found.status != 0:
        where = game.show_view(CallingView(accepted, kept=kept))
        raise PrecisionError(f"no optimum found for {game.name} at {where!r}: {found.message}")
    shares: dict[int, dict[int, float]] = {roll: {} for roll in rolls}
    for (roll, call), share in zip(columns, found.x, strict=False):
        shares[roll][call] = share
    yes = {call: _near(-found.ineqlin.marginals[row]) for row, call in enumerate(calls)}
    yes[game.top] = Fraction(0)  # who accepts it has lost: to challenge weakly dominates
    return -found.fun, {roll: _rounded(mix) for roll, mix in shares.items()}, yes


def _near(share: float) -> Fraction:
    return Fraction(min(ROUNDING, max(0, round(share * ROUNDING))), ROUNDING)


def _rounded(mix: Mapping[int, float]) -> Exact:
    shares = {call: max(0, round(share * ROUNDING)) for call, share in mix.items()}
    total = sum(shares.values())
    return {call: Fraction(share, total) for call, share in shares.items() if share}
