"""Calling games where dice may be kept: a chain of linear programs, bracketed by exact best responses.

After an accept both players know the call c and the dice seen, and after the choice the kept dice h: a proper
sub-game. With p the chances of the rolls given h, and W(k, r) the winning chance of a player who has accepted
k and sees the dice r, the caller with the cup solves

    V(c, h) = max sum_k z_k,   z_k <= sum_r p_r x_rk (1 - W(k, r)),   z_k <= sum_r p_r x_rk [k is true of r],

with a mix x_r of calls above c for each roll r; and W(k, r) = max V(k, h) over what may be kept of r, with
W(top, r) = 0. The multipliers of the first bounds are the other player's chances to accept. Unlike in
calling.py an accepted call is worth what the dice allow, so no greedy order exists. Six sides are 580
programs of at most 441 variables.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq
from scipy.optimize import linprog

from ..core.errors import PrecisionError
from ..core.solution import Certificate
from ..games.calling import NOTHING
from ..games.calling_keep import KeepGame, KeepView
from .keep_solution import Exact, KeepSolution, KeepTable

ROUNDING = 10**12
Worth = Mapping[tuple[int, int], Any]  # a winning chance (fmpq) by accepted call and dice seen


@cache
def solve_keep(game: KeepGame) -> KeepSolution:
    """A strategy for both players within a proved bracket of the value: one program for each sub-game."""
    holdings = _holdings(game)
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
    table = KeepTable(keeps, calls, accepts)
    return KeepSolution(game, "calling-chain", (table, table), certify_keep(game, table))


def _holdings(game: KeepGame) -> tuple[str, ...]:
    """Everything that may be kept, of any dice."""
    return tuple(dict.fromkeys(kept for seen in range(game.top + 1) for kept in game.choices(seen)))


def _solve_one(
    game: KeepGame, accepted: int, kept: str, wins: Mapping[tuple[int, int], float]
) -> tuple[float, dict[int, Exact], dict[int, Fraction]]:
    """The program of one sub-game: its value, the caller's mixes by roll, the accepts by call."""
    rolls = game.rolls(kept)
    calls = range(accepted + 1, game.top + 1)
    lowest = {roll: game.pair.lowest_call(accepted, roll) for roll in rolls}
    columns = [(roll, call) for roll in rolls for call in calls if call >= lowest[roll]]
    width, height = len(columns) + len(calls), len(calls)
    bounds, splits = np.zeros((2 * height, width)), np.zeros((len(rolls), width))
    for place, (roll, call) in enumerate(columns):
        row, chance = call - calls[0], float(rolls[roll])
        bounds[row, place] = -chance * (1 - wins[call, roll])
        bounds[height + row, place] = -chance * game.pair.true(roll, call)
        splits[list(rolls).index(roll), place] = 1
    for row in range(height):
        bounds[[row, height + row], len(columns) + row] = 1
    cost = np.r_[np.zeros(len(columns)), -np.ones(height)]
    found = linprog(cost, bounds, np.zeros(2 * height), splits, np.ones(len(rolls)), method="highs")
    if found.status != 0:
        where = game.show_view(KeepView(accepted, None, kept))
        raise PrecisionError(f"no optimum found for {game.name} at {where!r}: {found.message}")
    shares: dict[int, dict[int, float]] = {roll: {} for roll in rolls}
    for (roll, call), share in zip(columns, found.x, strict=False):
        shares[roll][call] = share
    yes = {call: _near(-found.ineqlin.marginals[row]) for row, call in enumerate(calls)}
    yes[game.top] = Fraction(
        0
    )  # who accepts the top has lost: challenging weakly dominates and proves as much
    return -found.fun, {roll: _rounded(mix) for roll, mix in shares.items()}, yes


def _near(share: float) -> Fraction:
    return Fraction(min(ROUNDING, max(0, round(share * ROUNDING))), ROUNDING)


def _rounded(mix: Mapping[int, float]) -> Exact:
    shares = {call: max(0, round(share * ROUNDING)) for call, share in mix.items()}
    total = sum(shares.values())
    return {call: Fraction(share, total) for call, share in shares.items() if share}


def certify_keep(game: KeepGame, table: KeepTable) -> Certificate:
    """Bounds on the value from exact best responses to one strategy played in both seats.

    R is the best responder's winning chance with the cup, Q with the cup on the other side, by accepted call
    and kept dice; `held` and `faced` are the same by dice seen, before the choice what to keep.
    """
    zero, one = fmpq(0), fmpq(1)
    held = {(game.top, seen): zero for seen in range(game.top + 1)}
    faced = {(game.top, seen): one for seen in range(game.top + 1)}
    rolls = {kept: {r: _exact(p) for r, p in game.rolls(kept).items()} for kept in _holdings(game)}
    for accepted in range(game.top - 1, NOTHING, -1):
        mine = {kept: _respond_with_cup(game, table, accepted, kept, rolls[kept], faced) for kept in rolls}
        yours = {kept: _respond_without(game, table, accepted, kept, rolls[kept], held) for kept in rolls}
        for seen in range(game.top + 1):
            held[accepted, seen] = max(mine[kept] for kept in game.choices(seen))
            faced[accepted, seen] = yours[table.keeps[accepted, seen]]
    upper = 2 * _respond_with_cup(game, table, NOTHING, "", rolls[""], faced) - 1
    lower = 1 - 2 * _respond_without(game, table, NOTHING, "", rolls[""], held)
    least, most = (Fraction(int(bound.p), int(bound.q)) for bound in (lower, upper))
    return Certificate(least, most, True, "exact best responses to rounded mixes")


def _respond_with_cup(
    game: KeepGame, table: KeepTable, accepted: int, kept: str, rolls: Mapping[int, Any], faced: Worth
) -> Any:
    """R(c, h) = sum_r p_r max_k (y_k faced(k, r) + (1 - y_k) [k is true of r])."""
    calls = range(accepted + 1, game.top + 1)
    accepts = {call: _exact(table.accepts[accepted, kept, call]) for call in calls}
    total = fmpq(0)
    for roll, chance in rolls.items():
        total += chance * max(
            accepts[call] * faced[call, roll] + (1 - accepts[call]) * game.pair.true(roll, call)
            for call in range(game.pair.lowest_call(accepted, roll), game.top + 1)
        )
    return total


def _respond_without(
    game: KeepGame, table: KeepTable, accepted: int, kept: str, rolls: Mapping[int, Any], held: Worth
) -> Any:
    """Q(c, h) = sum_k max(sum_r p_r x_rk held(k, r), sum_r p_r x_rk [k is a lie of r])."""
    accept, challenge = (dict.fromkeys(range(accepted + 1, game.top + 1), fmpq(0)) for _ in range(2))
    for roll, chance in rolls.items():
        for call, share in table.calls[accepted, kept, roll].items():
            made = chance * _exact(share)
            accept[call] += made * held[call, roll]
            challenge[call] += made * (not game.pair.true(roll, call))
    return sum((max(accept[call], challenge[call]) for call in accept), fmpq(0))


def _exact(chance: Fraction) -> Any:
    return fmpq(chance.numerator, chance.denominator)
