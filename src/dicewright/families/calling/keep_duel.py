"""Calling games with kept dice played out: two strategies against each other, and best answers to one.

Both go backward over the accepted call c, highest first. The chance of the player with the cup is known by c and the
kept dice h, that of an accepter by the call k and the dice r in sight. In the notation of keep.py, with x
the mixes of calls, y the chances to accept and m the mixes of what to keep,

    V_i(c, h) = sum_r p_r sum_k x_rk (y_k (1 - W_j(k, r)) + (1 - y_k) [k is true of r]),    j the other player,
    W_i(k, r) = sum_h m_h V_i(k, h),    W(top, r) = 0.

A strategy is asked at most once in each view that can occur: with n ranks some n^3 / 2 answers to calls and a few n^2
calls and choices of dice (8,000 questions in all for n = 21). The steps are as many, and some n^2 numbers are held.
Arithmetic is in float64.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ...core.game import SECOND, Action, other
from ...core.results import Duel, Response
from ...core.strategy import Mix, Strategy, decide
from .keep import KEEP, KeepGame, KeepView
from .rules import ACCEPT, CHALLENGE, NOTHING


@dataclass(frozen=True, eq=False, repr=False)
class KeepReply:
    """A best answer to one opponent: one action for each view, whoever has the cup."""

    game: KeepGame
    actions: Mapping[KeepView, Action]

    def __repr__(self) -> str:
        return f"the best answer to one opponent in {self.game.name}"

    def __call__(self, view: KeepView) -> Mix:
        """The one action in this view."""
        return {self.actions[view]: 1.0}


class _Ahead(NamedTuple):
    """From here on: the chance that the player with the cup wins, and the mean number of turns."""

    wins: float
    turns: float


def duel_keep(game: KeepGame, first: Strategy, second: Strategy) -> Duel:
    """Two strategies met, FIRST's place to `first`: every chance exactly; a turn is one roll with its call.

    >>> from dicewright.families.calling.cups import mia
    >>> from dicewright.families.calling.keep_solve import solve_keep
    >>> round(duel_keep(mia(2, keep=True), *solve_keep(mia(2, keep=True)).strategies).first_wins, 9)
    0.75
    """
    strategies = (first, second)
    lost = {(game.top, seen): _Ahead(0.0, 0.0) for seen in range(game.top + 1)}
    ahead = (dict(lost), dict(lost))  # of each player, by accepted call and the dice in sight
    for accepted in range(game.top - 1, NOTHING, -1):
        for player, strategy in enumerate(strategies):
            pair = (strategy, strategies[other(player)])
            cup = {
                kept: _turn(game, pair, accepted, kept, ahead[other(player)])
                for kept in _kept(game, accepted)
            }
            for seen in _seen(game, accepted):
                mix = _keeps(game, strategy, accepted, seen)
                ahead[player][accepted, seen] = _Ahead(
                    sum(share * cup[kept].wins for kept, share in mix.items()),
                    sum(share * cup[kept].turns for kept, share in mix.items()),
                )
    wins, turns = _turn(game, strategies, NOTHING, "", ahead[SECOND])
    return Duel(wins, 1 - wins, 0.0, turns, 2 * wins - 1)


def _turn(
    game: KeepGame,
    strategies: tuple[Strategy, Strategy],
    accepted: int,
    kept: str,
    ahead: Mapping[tuple[int, int], _Ahead],
) -> _Ahead:
    """V and the turns from here on, the first strategy with the cup; `ahead` is what an accept leads to."""
    holder, answerer = strategies
    wins, turns = 0.0, 1.0
    accepts: dict[int, float] = {}
    for roll, chance in game.rolls(kept).items():
        for call, share in decide(game, KeepView(accepted, None, kept, roll), holder).items():
            if share <= 0:
                continue
            if call not in accepts:
                accepts[call] = _accepts(game, answerer, accepted, kept, call)
            made, yes, then = float(chance) * float(share), accepts[call], ahead[call, roll]
            wins += made * (yes * (1 - then.wins) + (1 - yes) * game.pair.true(roll, call))
            turns += made * yes * then.turns
    return _Ahead(wins, turns)


def _seen(game: KeepGame, accepted: int) -> list[int]:
    """The dice that may be in sight after this call: all, unless calls below the roll are forbidden."""
    return [roll for roll in range(game.top + 1) if game.pair.lowest_call(NOTHING, roll) <= accepted]


def _kept(game: KeepGame, accepted: int) -> list[str]:
    """All that may be kept after this call."""
    return list(dict.fromkeys(kept for seen in _seen(game, accepted) for kept in game.choices(seen)))


def _keeps(game: KeepGame, strategy: Strategy, accepted: int, seen: int) -> dict[str, float]:
    """How often the strategy keeps what."""
    mix = decide(game, KeepView(accepted, seen), strategy)
    return {action.removeprefix(KEEP): float(share) for action, share in mix.items()}


def _accepts(game: KeepGame, strategy: Strategy, accepted: int, kept: str, call: int) -> float:
    """The chance that the strategy accepts this call."""
    return float(decide(game, KeepView(accepted, None, kept, None, call), strategy).get(ACCEPT, 0.0))


def best_response_keep(game: KeepGame, first: Strategy, second: Strategy) -> Response:
    """The best answers: in FIRST's place, with the cup, to `second`, and in SECOND's place to `first`.

    >>> from dicewright.families.calling.cups import mia
    >>> from dicewright.families.calling.keep_solve import solve_keep
    >>> round(best_response_keep(mia(2, keep=True), *solve_keep(mia(2, keep=True)).strategies).second_wins, 9)
    0.25
    """
    to_second = _Responder(game, second)
    to_first = to_second if first is second else _Responder(game, first)
    one, two = to_second.with_cup(NOTHING, ""), to_first.without(NOTHING, "")
    replies = KeepReply(game, to_second.actions), KeepReply(game, to_first.actions)
    return Response(replies, 2 * one - 1, 2 * two - 1, one, two)


class _Responder:
    """The best answer to a rival, whoever has the cup, written down from the highest accepted call on.

    `held` and `faced` are its winning chances with the cup and against it, by accepted call and dice in sight.
    """

    def __init__(self, game: KeepGame, rival: Strategy) -> None:
        self.game, self.rival = game, rival
        self.actions: dict[KeepView, Action] = {}
        self.held = {(game.top, seen): 0.0 for seen in range(game.top + 1)}
        self.faced = {(game.top, seen): 1.0 for seen in range(game.top + 1)}
        for accepted in range(game.top - 1, NOTHING, -1):
            mine = {kept: self.with_cup(accepted, kept) for kept in _kept(game, accepted)}
            yours = {kept: self.without(accepted, kept) for kept in mine}
            for seen in _seen(game, accepted):
                best = max(game.choices(seen), key=mine.__getitem__)
                self.actions[KeepView(accepted, seen)] = f"{KEEP}{best}"
                self.held[accepted, seen] = mine[best]
                mix = _keeps(game, rival, accepted, seen)
                self.faced[accepted, seen] = sum(share * yours[kept] for kept, share in mix.items())

    def with_cup(self, accepted: int, kept: str) -> float:
        """R(c, h) = sum_r p_r max_k (y_k faced(k, r) + (1 - y_k) [k is true of r])."""
        game, wins = self.game, 0.0
        accepts = {
            call: _accepts(game, self.rival, accepted, kept, call) for call in self._calls(accepted, kept)
        }
        for roll, chance in game.rolls(kept).items():
            worth = {
                call: accepts[call] * self.faced[call, roll]
                + (1 - accepts[call]) * game.pair.true(roll, call)
                for call in range(game.pair.lowest_call(accepted, roll), game.top + 1)
            }
            best = max(worth, key=worth.__getitem__)
            self.actions[KeepView(accepted, None, kept, roll)] = best
            wins += float(chance) * worth[best]
        return wins

    def without(self, accepted: int, kept: str) -> float:
        """Q(c, h) = sum_k max(sum_r p_r x_rk held(k, r), sum_r p_r x_rk [k is a lie of r])."""
        game = self.game
        accept, challenge = (dict.fromkeys(self._calls(accepted, kept), 0.0) for _ in range(2))
        for roll, chance in game.rolls(kept).items():
            for call, share in decide(game, KeepView(accepted, None, kept, roll), self.rival).items():
                made = float(chance) * float(share)
                accept[call] += made * self.held[call, roll]
                challenge[call] += made * (not game.pair.true(roll, call))
        for call in accept:
            answer = ACCEPT if accept[call] > challenge[call] else CHALLENGE
            self.actions[KeepView(accepted, None, kept, None, call)] = answer
        return sum(max(accept[call], challenge[call]) for call in accept)

    def _calls(self, accepted: int, kept: str) -> range:
        """The calls that may be made with some roll."""
        game = self.game
        lowest = min(game.pair.lowest_call(accepted, roll) for roll in game.rolls(kept))
        return range(lowest, game.top + 1)
