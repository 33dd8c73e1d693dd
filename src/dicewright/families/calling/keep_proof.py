"""Bounds on a calling game where dice may be kept, from exact best responses; no solver is asked."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

from flint import fmpq

from ...core.game import Action
from ...core.solution import Certificate
from .keep import KeepGame
from .rules import NOTHING

Worth = Mapping[tuple[int, int], Any]  # a winning chance (fmpq) by accepted call and dice seen


class KeepTable(Protocol):
    """A strategy written down, as in keep_solution.py."""

    @property
    def keeps(self) -> Mapping[tuple[int, int], str]:
        """By accepted call and dice seen."""

    @property
    def calls(self) -> Mapping[tuple[int, str, int], Mapping[Action, Fraction]]:
        """By accepted call, kept dice and roll."""

    @property
    def accepts(self) -> Mapping[tuple[int, str, int], Fraction]:
        """By accepted call, kept dice and new call."""


def certify_keep(game: KeepGame, table: KeepTable) -> Certificate:
    """Bounds on the value from exact best responses to one strategy played in both seats.

    R is the best responder's winning chance with the cup, Q with the cup on the other side, by accepted call
    and kept dice; `held` and `faced` are the same by dice seen, before the choice what to keep.
    """
    zero, one = fmpq(0), fmpq(1)
    held = {(game.top, seen): zero for seen in range(game.top + 1)}
    faced = {(game.top, seen): one for seen in range(game.top + 1)}
    rolls = {kept: {r: _exact(p) for r, p in game.rolls(kept).items()} for kept in game.holdings}
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
