"""Calling games with kept dice played out: two strategies against each other, and best answers to one.

Both go backward over the accepted call c, highest first. The chance of the player with the cup is known by c and the
kept dice h, that of an accepter by the call k and the dice r in sight. With p the chances of the rolls, x
the mixes of calls, y the chances to accept and m the mixes of what to keep,

    V_i(c, h) = sum_r p_r sum_k x_rk (y_k (1 - W_j(k, r)) + (1 - y_k) [k is true of r]),    j the other player,
    W_i(k, r) = sum_h m_h V_i(k, h),    W(top, r) = 0.

A strategy is asked at most once in each view that can occur: with n ranks some n^3 / 2 answers to calls and a few n^2
calls and choices of dice (8,000 questions in all for n = 21). The steps are as many, and some n^2 numbers are held.
Arithmetic is in float64, but in fractions where bounds are proved.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from ...core.game import SECOND, Action, other
from ...core.results import Duel, Response
from ...core.solution import Certificate
from ...core.strategy import ExactStrategy, Strategy
from .response import Asker, BestChances, Number
from .rules import ACCEPT, CHALLENGE, KEEP, NOTHING, CallingGame, CallingView


@dataclass(frozen=True, eq=False)
class KeepReply(ExactStrategy):
    """A best answer to one opponent: one action for each view, whoever has the cup."""

    game: CallingGame
    actions: Mapping[CallingView, Action]

    def __str__(self) -> str:
        return f"the best answer to one opponent in {self.game.name}"

    def exact(self, view: CallingView) -> Mapping[Action, Fraction]:
        """The one action in this view."""
        return {self.actions[view]: Fraction(1)}


class _Ahead(NamedTuple):
    """From here on: the chance that the player with the cup wins, and the mean number of turns."""

    wins: float
    turns: float


def duel_keep(game: CallingGame, first: Strategy, second: Strategy) -> Duel:
    """Two strategies met, FIRST's place to `first`: every chance exactly; a turn is one roll with its call.

    >>> from dicewright.families.calling.cups import mia
    >>> from dicewright.families.calling.keep_solve import solve_keep
    >>> round(duel_keep(mia(2, keep=True), *solve_keep(mia(2, keep=True)).strategies).first_wins, 9)
    0.75
    """
    asker, strategies = Asker(game, exact=False), (first, second)
    lost = {(game.top, seen): _Ahead(0.0, 0.0) for seen in range(game.top + 1)}
    ahead = (dict(lost), dict(lost))  # of each player, by accepted call and the dice in sight
    for accepted in range(game.top - 1, NOTHING, -1):
        for player, strategy in enumerate(strategies):
            pair = (strategy, strategies[other(player)])
            cup = {
                kept: _turn(asker, pair, accepted, kept, ahead[other(player)])
                for kept in _kept(game, accepted)
            }
            for seen in _seen(game, accepted):
                mix = _keeps(asker, strategy, accepted, seen)
                ahead[player][accepted, seen] = _Ahead(
                    sum(share * cup[kept].wins for kept, share in mix.items()),
                    sum(share * cup[kept].turns for kept, share in mix.items()),
                )
    wins, turns = _turn(asker, strategies, NOTHING, "", ahead[SECOND])
    return Duel(wins, 1 - wins, 0.0, turns, 2 * wins - 1)


def _turn(
    asker: Asker,
    strategies: tuple[Strategy, Strategy],
    accepted: int,
    kept: str,
    ahead: Mapping[tuple[int, int], _Ahead],
) -> _Ahead:
    """V and the turns from here on, the first strategy with the cup; `ahead` is what an accept leads to."""
    game, (holder, answerer) = asker.game, strategies
    wins, turns = 0.0, 1.0
    accepts: dict[int, float] = {}
    for roll, chance in game.rolls(kept).items():
        for call, share in asker.mix(holder, CallingView(accepted, roll, kept=kept)).items():
            if share <= 0:
                continue
            if call not in accepts:
                accepts[call] = asker.accept(answerer, accepted, call, kept)
            made, yes, then = float(chance) * float(share), accepts[call], ahead[call, roll]
            wins += made * (yes * (1 - then.wins) + (1 - yes) * game.true(roll, call))
            turns += made * yes * then.turns
    return _Ahead(wins, turns)


def _seen(game: CallingGame, accepted: int) -> list[int]:
    """The dice that may be in sight after this call: all, unless calls below the roll are forbidden."""
    return [roll for roll in range(game.top + 1) if game.lowest_call(NOTHING, roll) <= accepted]


def _kept(game: CallingGame, accepted: int) -> list[str]:
    """All that may be kept after this call."""
    return list(dict.fromkeys(kept for seen in _seen(game, accepted) for kept in game.choices(seen)))


def _keeps(asker: Asker, strategy: Strategy, accepted: int, seen: int) -> dict[str, Number]:
    """How often the strategy keeps what."""
    mix = asker.mix(strategy, CallingView(accepted, seen=seen))
    return {action.removeprefix(KEEP): asker.number(share) for action, share in mix.items()}


def best_response_keep(game: CallingGame, b: Strategy) -> Response:
    """The best response to B, and what it gets with the cup first and with the cup second.

    >>> from dicewright.families.calling.cups import mia
    >>> from dicewright.families.calling.keep_solve import solve_keep
    >>> round(best_response_keep(mia(2, keep=True), solve_keep(mia(2, keep=True)).strategies[0]).second_wins, 9)
    0.25
    """
    return _Responder(Asker(game, exact=False), b).best.response()


def certify_keep(game: CallingGame, strategy: ExactStrategy) -> Certificate:
    """Bounds on the value from exact best responses to one strategy played in both seats."""
    return _Responder(Asker(game, strategy), strategy).best.certificate(
        "exact best responses to rounded mixes"
    )


class _Responder:
    """The best answer to a rival, whoever has the cup, written down from the highest accepted call on.

    `held` and `faced` are its winning chances with the cup and against it, by accepted call and dice in sight.
    """

    def __init__(self, asker: Asker, rival: Strategy) -> None:
        self.asker, self.rival = asker, rival
        game = asker.game
        self.actions: dict[CallingView, Action] = {}
        self.held = {(game.top, seen): asker.number(0) for seen in range(game.top + 1)}
        self.faced = {(game.top, seen): asker.number(1) for seen in range(game.top + 1)}
        for accepted in range(game.top - 1, NOTHING, -1):
            mine = {kept: self.with_cup(accepted, kept) for kept in _kept(game, accepted)}
            yours = {kept: self.without(accepted, kept) for kept in mine}
            for seen in _seen(game, accepted):
                best = max(game.choices(seen), key=mine.__getitem__)
                self.actions[CallingView(accepted, seen=seen)] = f"{KEEP}{best}"
                self.held[accepted, seen] = mine[best]
                mix = _keeps(asker, rival, accepted, seen)
                self.faced[accepted, seen] = sum(share * yours[kept] for kept, share in mix.items())
        one, two = self.with_cup(NOTHING, ""), self.without(NOTHING, "")
        self.best = BestChances(KeepReply(game, self.actions), one, two)

    def with_cup(self, accepted: int, kept: str) -> Number:
        """R(c, h) = sum_r p_r max_k (y_k faced(k, r) + (1 - y_k) [k is true of r])."""
        game, asker, calls = self.asker.game, self.asker, self._calls(accepted, kept)
        wins, accepts = asker.number(0), {c: asker.accept(self.rival, accepted, c, kept) for c in calls}
        for roll, chance in game.rolls(kept).items():
            worth = {
                call: accepts[call] * self.faced[call, roll] + (1 - accepts[call]) * game.true(roll, call)
                for call in range(game.lowest_call(accepted, roll), game.top + 1)
            }
            best = max(worth, key=worth.__getitem__)
            self.actions[CallingView(accepted, roll, kept=kept)] = best
            wins += asker.number(chance) * worth[best]
        return wins

    def without(self, accepted: int, kept: str) -> Number:
        """Q(c, h) = sum_k max(sum_r p_r x_rk held(k, r), sum_r p_r x_rk [k is a lie of r])."""
        game, asker = self.asker.game, self.asker
        none: dict[int, Any] = dict.fromkeys(self._calls(accepted, kept), asker.number(0))
        accept, challenge = dict(none), none
        for roll, chance in game.rolls(kept).items():
            for call, share in asker.mix(self.rival, CallingView(accepted, roll, kept=kept)).items():
                made = asker.number(chance) * asker.number(share)
                accept[call] += made * self.held[call, roll]
                challenge[call] += made * (not game.true(roll, call))
        for call in accept:
            answer = ACCEPT if accept[call] > challenge[call] else CHALLENGE
            self.actions[CallingView(accepted, call=call, kept=kept)] = answer
        return sum((max(accept[call], challenge[call]) for call in accept), asker.number(0))

    def _calls(self, accepted: int, kept: str) -> range:
        """The calls that may be made with some roll."""
        game = self.asker.game
        lowest = min(game.lowest_call(accepted, roll) for roll in game.rolls(kept))
        return range(lowest, game.top + 1)
