"""Solved strategies of calling games written down: the closed form, and tables where dice may be kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...core.errors import VerificationError
from ...core.game import Action
from ...core.solution import Arrays, check_shapes
from ...core.strategy import ExactStrategy
from ..exact_numbers import read_numbers, write_numbers
from .rules import ACCEPT, CHALLENGE, KEEP, NOTHING, CallingGame, CallingView

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

    def rolled(self, accepted: int, kept: str, roll: int) -> Any:
        """The caller's chance after this roll."""
        mix = self.mix(CallingView(accepted, roll, kept=kept))
        return sum(float(share) * self.called(accepted, kept, roll, call) for call, share in mix.items())


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


@dataclass(frozen=True, eq=False)
class KeepTable(SolvedCaller):
    """A strategy where dice may be kept, with mixes in fractions; its chances are in float64."""

    game: CallingGame
    keeps: Mapping[tuple[int, int], str]  # by accepted call and dice seen
    calls: Mapping[tuple[int, str, int], Exact]  # by accepted call, kept dice and roll
    answers: Mapping[
        tuple[int, str, int], Fraction
    ]  # the chance to accept, by accepted call, kept dice and new call

    def exact(self, view: CallingView) -> Exact:
        """The mix in this view, in fractions."""
        if view.seen is not None:
            return {f"{KEEP}{self.keeps[view.accepted, view.seen]}": Fraction(1)}
        if view.roll is not None:
            return self.calls[view.accepted, view.kept, view.roll]
        return self.answer(view)

    def held(self, accepted: int, kept: str = "") -> float:
        """By the sum over the rolls; a call leads to higher ones, and what was asked is remembered."""
        if (accepted, kept) not in self._held:
            self._held[accepted, kept] = sum(
                float(chance) * self.rolled(accepted, kept, roll)
                for roll, chance in self.game.rolls(kept).items()
            )
        return self._held[accepted, kept]

    @cached_property
    def _held(self) -> dict[tuple[int, str], float]:
        return {}

    def lifted(self, accepted: int, seen: int) -> float:
        """By what is kept."""
        return 0.0 if accepted == self.game.top else self.held(accepted, self.keeps[accepted, seen])

    def accepts(self, accepted: int, call: int, kept: str = "") -> Fraction:
        """As written down."""
        return self.answers[accepted, kept, call]

    def legal(self) -> bool:
        """What is kept was seen, calls are allowed and their shares sum to 1, answers are chances."""
        kept = all(kept in self.game.choices(seen) for (_, seen), kept in self.keeps.items())
        called = all(
            sum(mix.values()) == 1
            and all(
                share > 0 and call >= self.game.lowest_call(accepted, roll) for call, share in mix.items()
            )
            for (accepted, _, roll), mix in self.calls.items()
        )
        return kept and called and all(0 <= yes <= 1 for yes in self.answers.values())

    def arrays(self) -> Arrays:
        """What is kept by number, and a row of shares for each roll and each cup, in the order of the rules."""
        game, place = self.game, {kept: n for n, kept in enumerate(self.game.holdings)}
        ranks, none = range(game.top + 1), Fraction(0)
        keeps = [[place[self.keeps[call, seen]] for seen in ranks] for call in range(game.top)]
        calls = [[self.calls[key].get(call, none) for call in ranks] for key in _rolls(game)]
        answers = [[self.answers.get((*key, call), none) for call in ranks] for key in _cups(game)]
        exact = {"calls": np.array(calls, object), "accepts": np.array(answers, object)}
        return {**write_numbers(exact), "keeps": np.array(keeps, np.int64)}


def _cups(game: CallingGame) -> list[tuple[int, str]]:
    """Each accepted call with the dice kept, as the cup is taken."""
    return [(NOTHING, ""), *((call, kept) for call in range(game.top) for kept in game.holdings)]


def _rolls(game: CallingGame) -> list[tuple[int, str, int]]:
    """The same with what may then be rolled."""
    return [(call, kept, roll) for call, kept in _cups(game) for roll in game.rolls(kept)]


def read_closed_form(game: CallingGame, arrays: Arrays) -> CallingEquilibrium:
    """The strategy that was written."""
    check_shapes(arrays, {"wins": (game.top + 2,), "rest": (1,), "marginal": (1,)})
    numbers = read_numbers(arrays, ("wins", "rest"))
    return CallingEquilibrium(game, tuple(numbers["wins"]), int(arrays["marginal"][0]), numbers["rest"][0])


def read_table(game: CallingGame, arrays: Arrays) -> KeepTable:
    """The strategy that was written."""
    taken, rolls, ranks = _cups(game), _rolls(game), game.top + 1
    check_shapes(
        arrays,
        {"keeps": (game.top, ranks), "calls": (len(rolls), ranks), "accepts": (len(taken), ranks)},
    )
    numbers, kept = read_numbers(arrays, ("calls", "accepts")), arrays["keeps"]
    if (kept < 0).any() or (kept >= len(game.holdings)).any():
        raise VerificationError("it keeps dice that nobody can keep")
    return KeepTable(
        game,
        {(call, seen): game.holdings[number] for (call, seen), number in np.ndenumerate(kept)},
        {
            key: {call: share for call, share in enumerate(row) if share}
            for key, row in zip(rolls, numbers["calls"], strict=True)
        },
        {
            (accepted, kept, call): row[call]
            for (accepted, kept), row in zip(taken, numbers["accepts"], strict=True)
            for call in range(accepted + 1, ranks)
        },
    )
