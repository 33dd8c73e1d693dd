"""Solved strategies of calling games, and the closed form; table.py has the others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...core.game import Action
from ...core.solution import Arrays, check_shapes
from ...core.strategy import ExactStrategy
from ..exact_numbers import read_numbers, write_numbers
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingView

Exact = Mapping[Action, Fraction]


class SolvedCaller(ExactStrategy, Protocol):
    """A solved strategy of either seat, and the winning chances that it plays for.

    V(c, h) = sum_r p_r sum_k x_rk (y_k (1 - W(k, r)) + (1 - y_k) [k is true of r]),   W(k, r) = V(k, kept of r)
    """

    game: CallingGame

    def __str__(self) -> str:
        return "optimal"

    def held(self, accepted: int, kept: str = "") -> Any:
        """V: the chance with the cup, before the roll."""

    def lifted(self, accepted: int, seen: int) -> Any:
        """W: the chance after accepting, before the choice what to keep of these dice; V if all are rolled again."""
        return self.held(accepted)

    def accepts(self, accepted: int, call: int, kept: str = "") -> Fraction:
        """The chance that a call is accepted."""

    def legal(self) -> bool:
        """Whether its numbers make mixes of allowed actions."""

    def arrays(self) -> Arrays:
        """What a file gets."""

    def answer(self, view: CallingView) -> Exact:
        """The mix of answers to a call."""
        yes = self.accepts(view.accepted, NOTHING if view.call is None else view.call, view.kept)
        return {ACCEPT: yes, CHALLENGE: 1 - yes}

    def mix(self, view: CallingView) -> Exact:
        """The mix in this view; a forced action is played without asking."""
        allowed = self.game.actions(view)
        return self.exact(view) if len(allowed) > 1 else dict.fromkeys(allowed, Fraction(1))

    def called(
        self, accepted: int, kept: str, roll: int, call: int, number: Callable[[Any], Any] = float
    ) -> Any:
        """The caller's chance after this call of this roll, as such a number."""
        yes = number(self.accepts(accepted, call, kept))
        return yes * number(1 - self.lifted(call, roll)) + (1 - yes) * self.game.true(roll, call)

    def rolled(self, accepted: int, kept: str, roll: int, number: Callable[[Any], Any] = float) -> Any:
        """The caller's chance after this roll, as such a number."""
        mix = self.mix(CallingView(accepted, roll, kept=kept))
        return sum(
            number(share) * self.called(accepted, kept, roll, call, number) for call, share in mix.items()
        )


@dataclass(frozen=True)
class CallingEquilibrium(SolvedCaller):
    """The greedy solution as a strategy: whoever rolls above the marginal call tells the truth.

    wins      the winning chance of the player who holds the cup, by accepted call (nothing first).
    marginal  the call j at which the mass is spent; below it nothing is called.
    rest      the mass left for the marginal call.
    """

    game: CallingGame
    wins: tuple[Fraction, ...]
    marginal: int
    rest: Fraction

    def exact(self, view: CallingView) -> Exact:
        """The mix in this view, in fractions."""
        accepted, roll = view.accepted, view.roll
        if roll is None:
            return self.answer(view)
        honest = Fraction(roll > max(accepted, self.marginal))
        if roll == self.marginal > accepted:
            honest = min(Fraction(1), self.rest / self.game.chances[roll])
        if honest == 1:
            return {roll: honest}
        lies = self._lies[max(accepted, self.marginal - 1)]
        if not honest:
            return lies
        mix = {roll: honest}
        for lie, share in lies.items():
            mix[lie] = mix.get(lie, Fraction(0)) + (1 - honest) * share
        return mix

    def after(self, call: int) -> Fraction:
        """The caller's winning chance a_k once this call has been accepted."""
        return 1 - self.wins[call + 1]

    def held(self, accepted: int, kept: str = "") -> Fraction:
        """One of `wins`."""
        return self.wins[accepted + 1]

    def accepts(self, accepted: int, call: int, kept: str = "") -> Fraction:
        """The chance of accepting a call: what makes every lie from the marginal call to below the top worth a_j.

        The top call is always challenged, though F_j / a_n would do as well. Who accepts it has lost, and who
        challenges it wins whenever it is a lie: challenging weakly dominates, so against every opponent this
        gets at least as much, and the guarantee stays. The caller loses nothing by it either: solved play never
        lies at the top (a_n = 1, so credit there costs no more mass than the truth has).
        """
        if accepted >= self.marginal or call == self.game.top:
            return Fraction(0)
        return min(Fraction(1), self.after(self.marginal) / self.after(call))

    @cached_property
    def _lies(self) -> Mapping[int, Exact]:
        """By accepted call, how the rolls that lie share their mass: p_k (1/a_k - 1) for each call k.

        All accepted calls below the marginal one have the entry of the call just below it. Mass that no
        credit asks for is spread in the same proportion.
        """
        chances, top, marginal = self.game.chances, self.game.top, self.marginal
        weights = {k: chances[k] * (1 / self.after(k) - 1) for k in range(marginal + 1, top + 1)}
        spare = max(Fraction(0), self.rest - chances[marginal])
        rows = {c: _shares({k: weights[k] for k in weights if k > c}, top) for c in range(marginal, top)}
        return {marginal - 1: _shares({marginal: spare, **weights}, top), **rows}

    def legal(self) -> bool:
        """Of these numbers every mix is made, and then has shares from 0 to 1 that sum to 1."""
        chances = all(0 <= chance < 1 for chance in self.wins) and 0 <= self.rest <= 1
        return chances and NOTHING <= self.marginal <= self.game.top

    def arrays(self) -> Arrays:
        """The three numbers and lists of the closed form."""
        exact = {"wins": np.array(self.wins, object), "rest": np.array([self.rest], object)}
        return {**write_numbers(exact), "marginal": np.array([self.marginal], np.int64)}


def _shares(weights: Mapping[int, Fraction], top: int) -> Exact:
    total = sum(weights.values(), Fraction(0))
    return {k: weight / total for k, weight in weights.items() if weight} if total else {top: Fraction(1)}


def read_closed_form(game: CallingGame, arrays: Arrays) -> CallingEquilibrium:
    """The strategy that was written."""
    check_shapes(arrays, {"wins": (game.top + 2,), "rest": (1,), "marginal": (1,)})
    numbers = read_numbers(arrays, ("wins", "rest"))
    return CallingEquilibrium(game, tuple(numbers["wins"]), int(arrays["marginal"][0]), numbers["rest"][0])
