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
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np

from ...core.errors import IllegalAction, VerificationError
from ...core.form import Form, certificate_of, check_shapes, confirm, header_of
from ...core.game import FIRST, Action
from ...core.results import Advice
from ...core.solution import Arrays, Certificate, Header, Solution
from ...core.strategy import Mix
from ..exact_numbers import NUMBERS, PLACES, read_numbers, write_numbers
from .response import certify_calling, check_wins
from .rules import ACCEPT, CHALLENGE, NOTHING, CallingGame, CallingState, CallingView

Exact = Mapping[Action, Fraction]
FORMAT = "calling-1"
TYPES = {"wins": PLACES, "rest": PLACES, "marginal": "<i8", **NUMBERS}
MOST_BYTES = 10**7


@dataclass(frozen=True)
class CallingEquilibrium:
    """The greedy solution as a strategy: whoever rolls above the marginal call tells the truth.

    wins      the winning chance of the player who holds the cup, by accepted call (nothing first).
    marginal  the call j at which the mass is spent; below it nothing is called.
    rest      the mass left for the marginal call.
    """

    game: CallingGame
    wins: tuple[Fraction, ...]
    marginal: int
    rest: Fraction

    def __str__(self) -> str:
        return "optimal"

    def __call__(self, view: CallingView) -> Mix:
        """The mix in this view, in float64."""
        return {action: float(chance) for action, chance in self.exact(view).items()}

    def exact(self, view: CallingView) -> Exact:
        """The mix in this view, in fractions."""
        accepted, roll, call = view
        if roll is None:
            yes = self.accepts(accepted, NOTHING if call is None else call)
            return {ACCEPT: yes, CHALLENGE: 1 - yes}
        honest = Fraction(roll > max(accepted, self.marginal))
        if roll == self.marginal > accepted:
            honest = min(Fraction(1), self.rest / self.game.chances[roll])
        if honest == 1:
            return {roll: honest}
        lies = self._lies[max(accepted, self.marginal - 1)]
        if not honest:
            return lies
        return {roll: honest, **{lie: (1 - honest) * share for lie, share in lies.items()}}

    def after(self, call: int) -> Fraction:
        """The caller's winning chance a_k once this call has been accepted."""
        return 1 - self.wins[call + 1]

    def accepts(self, accepted: int, call: int) -> Fraction:
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


def _shares(weights: Mapping[int, Fraction], top: int) -> Exact:
    total = sum(weights.values(), Fraction(0))
    return {k: weight / total for k, weight in weights.items() if weight} if total else {top: Fraction(1)}


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


@dataclass(frozen=True)
class CallingSolution(Solution):
    """The closed form, the same for either seat: each state and each action is one short sum."""

    game: CallingGame

    @property
    def equilibrium(self) -> CallingEquilibrium:
        """The strategy of either seat."""
        strategy: Any = self.strategies[FIRST]
        return strategy  # type: ignore[no-any-return]

    def arrays(self) -> tuple[Header, Arrays]:
        """The three numbers and lists of the closed form."""
        solved = self.equilibrium
        exact = {"wins": np.array(solved.wins, object), "rest": np.array([solved.rest], object)}
        return header_of(self, FORMAT), {
            **write_numbers(exact),
            "marginal": np.array([solved.marginal], np.int64),
        }

    def check(self) -> None:
        """Of these numbers every mix is made, and then has shares from 0 to 1 that sum to 1."""
        solved = self.equilibrium
        chances = all(0 <= chance < 1 for chance in solved.wins) and 0 <= solved.rest <= 1
        if not chances or not NOTHING <= solved.marginal <= self.game.top:
            raise VerificationError(f"{self} has strategies that break the rules: no chances, or no call")

    def prove(self) -> Certificate:
        """By best responses; and the chances must be those of solved play."""
        self.check()
        check_wins(self.game, self.equilibrium)
        return confirm(self, certify_calling(self.game, self.equilibrium))

    def worth(self, state: CallingState) -> float:
        """The expected payoff to FIRST: wins(c) with the cup after accepting c, and after the call k of a roll

        y_k a_k + (1 - y_k) [k is true of the roll],    y_k the chance that it is accepted, a_k = 1 - wins(k).
        """
        game, solved = self.game, self.equilibrium
        cup, accepted, roll, call, challenged = state
        if challenged or accepted == game.top:
            return float(game.payoff(state))

        def called(k: int) -> float:
            yes = float(solved.accepts(accepted, k))
            return yes * float(solved.after(k)) + (1 - yes) * game.true(roll or 0, k)

        if roll is None:
            wins = float(solved.wins[accepted + 1])
        elif call is None:
            mix = solved(CallingView(accepted, roll)) if accepted < game.top - 1 else {game.top: 1.0}
            wins = sum(share * called(k) for k, share in mix.items())
        else:
            wins = called(call)
        return 2 * wins - 1 if cup == FIRST else 1 - 2 * wins

    def _advise(self, view: CallingView) -> Advice:
        """A call that the equilibrium never makes is taken for true, the belief that supports accepting it."""
        game, strategy, reached = self.game, self.equilibrium, True
        if not game.actions(view):
            place = game.show_view(view)
            raise IllegalAction(
                f"nothing to decide at {place!r}; either a roll or a call to answer is needed"
            )
        if view.roll is not None:
            worth = {call: _call_worth(strategy, view, int(call)) for call in game.actions(view)}
        else:
            call = NOTHING if view.call is None else view.call
            lies = _lie_chance(strategy, view.accepted, call)
            worth = {ACCEPT: 1 - strategy.after(call), CHALLENGE: lies or Fraction(0)}
            reached = lies is not None
        mix = strategy.exact(view) if len(worth) > 1 else dict.fromkeys(worth, Fraction(1))
        highest = max(worth.values())
        tied = (action for action in worth if worth[action] == highest)
        return Advice(
            view,
            {action: float(chance) for action, chance in worth.items()},
            max(tied, key=lambda action: mix.get(action, 0)),
            {action: float(mix.get(action, 0)) for action in worth},
            reached,
        )


def restore(game: CallingGame, header: Header, arrays: Arrays) -> CallingSolution:
    """The solution that was written."""
    check_shapes(arrays, {"wins": (game.top + 2,), "rest": (1,), "marginal": (1,)})
    numbers = read_numbers(arrays, ("wins", "rest"))
    marginal, rest = int(arrays["marginal"][0]), numbers["rest"][0]
    strategy = CallingEquilibrium(game, tuple(numbers["wins"]), marginal, rest)
    found = CallingSolution(game, str(header["method"]), (strategy, strategy), certificate_of(header))
    found.check()
    return found


FORM = Form(lambda header: TYPES, lambda game: MOST_BYTES, restore)


@cache
def solve_calling(game: CallingGame) -> CallingSolution:
    """An exact equilibrium, the same for both players, proved by exact best responses."""
    strategy = equilibrium(game)
    certificate = certify_calling(game, strategy)
    if certificate.exact != 2 * strategy.wins[0] - 1:
        bounds = f"{certificate.lower} and {certificate.upper}"
        raise VerificationError(f"the bounds {bounds} on {game.name} are not {2 * strategy.wins[0] - 1}")
    return CallingSolution(game, "calling-knapsack", (strategy, strategy), certificate)


def _call_worth(strategy: CallingEquilibrium, view: CallingView, call: int) -> Fraction:
    yes = strategy.accepts(view.accepted, call)
    true = view.roll is not None and strategy.game.true(view.roll, call)
    return yes * strategy.after(call) + (1 - yes) * true


def _lie_chance(strategy: CallingEquilibrium, accepted: int, call: int) -> Fraction | None:
    """The chance that a call is a lie; None if it is never made."""
    made = lied = Fraction(0)
    for roll, chance in enumerate(strategy.game.chances):
        share = chance * strategy.exact(CallingView(accepted, roll)).get(call, 0)
        made += share
        lied += 0 if strategy.game.true(roll, call) else share
    return lied / made if made else None
