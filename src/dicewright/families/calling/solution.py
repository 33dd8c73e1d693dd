"""A solved calling game: what its strategy makes of views and states, how it is proved and read."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...core.errors import IllegalAction
from ...core.game import FIRST, Action, other
from ...core.results import Advice
from ...core.solution import (
    Arrays,
    Certificate,
    Header,
    Restoring,
    Solution,
    broken,
    certificate_of,
    confirm,
    header_of,
)
from ...core.strategy import decide
from ..exact_numbers import NUMBERS, PLACES, write_numbers
from ..tree.solution import Answer, slack_of, unsupported
from .keep_response import certify_keep
from .response import certify_calling, check_wins
from .rules import ACCEPT, CHALLENGE, KEEP, NOTHING, CallingGame, CallingState, CallingView
from .solved import CallingEquilibrium, SolvedCaller, read_closed_form
from .support import lost
from .table import CallingTable, are_calls, call_rows, read_table

FORMAT, KEEP_FORMAT = "calling-1", "keep-1"
TYPES = {"wins": PLACES, "rest": PLACES, "marginal": "<i8", **NUMBERS}
TABLE_TYPES = {"calls": PLACES, "accepts": PLACES, **NUMBERS}
KEEP_TYPES = {"keeps": "<i8", **TABLE_TYPES}
SEEN = {"slips": PLACES}
MOST_BYTES, MOST_KEEP_BYTES = 10**7, 10**8


@dataclass(frozen=True, repr=False)
class CallingSolution(Solution):
    """The same strategy in either seat: each state and each action is one short sum of its chances."""

    game: CallingGame

    @property
    def solved(self) -> SolvedCaller:
        """The strategy of either seat."""
        strategy: Any = self.strategies[FIRST]
        return strategy  # type: ignore[no-any-return]

    def arrays(self) -> tuple[Header, Arrays]:
        """As the strategy is written, with its beliefs if there are any."""
        header, solved = header_of(self, KEEP_FORMAT if self.game.keep else FORMAT), self.solved
        if not isinstance(solved, CallingTable) or self.beliefs is None:
            return {**header, "beliefs": False}, solved.arrays()
        exact, keeps = solved.numbers()
        slips = call_rows(self.game, self.beliefs)
        return {**header, "beliefs": True}, {**write_numbers({**exact, "slips": slips}), **keeps}

    def check(self) -> None:
        """VerificationError unless the strategy keeps the rules."""
        if not self.solved.legal() or not are_calls(self.game, self.beliefs or {}):
            raise broken(self)

    def prove(self) -> Certificate:
        """By best responses; the chances of a closed form must be those of solved play, and beliefs must support it."""
        self.check()
        if isinstance(self.solved, CallingEquilibrium):
            check_wins(self.game, self.solved, self.solved.wins)
        certify = certify_keep if self.game.keep else certify_calling
        found = confirm(self, certify(self.game, self.solved))
        if self.beliefs is not None and lost(self.game, self.solved, self.beliefs) > slack_of(found) / 2:
            raise unsupported(self)
        return found

    def worth(self, state: CallingState) -> float:
        """The expected payoff to FIRST."""
        solved, (cup, accepted, roll, call, challenged, seen, kept) = self.solved, state
        wins: float
        if challenged or accepted == self.game.top:
            return float(self.game.payoff(state))
        if seen is not None:
            wins = solved.lifted(accepted, seen)
        elif roll is None:
            wins = float(solved.held(accepted, kept))
        elif call is None:
            wins = solved.rolled(accepted, kept, roll)
        else:
            wins = solved.called(accepted, kept, roll, call)
        return 2 * wins - 1 if cup == FIRST else 1 - 2 * wins

    def _advise(self, view: CallingView) -> Advice:
        game, solved, (accepted, roll, call, seen, kept) = self.game, self.solved, view
        actions, number, reached = game.actions(view), float if game.keep else Fraction, True
        if not actions:
            raise IllegalAction(
                f"nothing to decide at {game.show_view(view)!r}; either a roll or a call to answer is needed"
            )
        worth: dict[Action, Any]
        if seen is not None:
            worth = {f"{KEEP}{faces}": solved.held(accepted, faces) for faces in game.choices(seen)}
        elif roll is not None:
            worth = {k: solved.called(accepted, kept, roll, int(k), number) for k in actions}
        else:
            call = NOTHING if call is None else call
            shares: dict[int, Any] = {
                r: number(chance) * number(solved.mix(CallingView(accepted, r, kept=kept)).get(call, 0))
                for r, chance in game.rolls(kept).items()
                if call >= game.lowest_call(accepted, r)
            }
            if not (reached := any(shares.values())):
                shares = self._supposed(accepted, kept, call)
            if not shares:
                raise IllegalAction(
                    f"nobody can call so at {game.show_view(view)!r}; the kept dice are higher"
                )
            total = sum(shares.values())
            worth = {
                ACCEPT: sum(share * solved.lifted(call, r) for r, share in shares.items()) / total,
                CHALLENGE: sum(share for r, share in shares.items() if not game.true(r, call)) / total,
            }
        mix = solved.mix(view)

        def rank(action: Action) -> tuple[Any, Any]:
            return round(worth[action], 9) if game.keep else worth[action], mix.get(action, 0)

        chances = {action: float(chance) for action, chance in worth.items()}
        shown = {action: float(mix.get(action, 0)) for action in worth}
        return Advice(view, chances, max(worth, key=rank), shown, reached)

    def _supposed(self, accepted: int, kept: str, call: int) -> dict[int, Any]:
        """The rolls of a call that is never made in solved play: those that made the choice of the answer.

        Where no beliefs are known it is taken for true, which supports accepting it, or for one made at random if dice
        may be kept.
        """
        game = self.game
        if self.beliefs is not None:
            number = float if game.keep else Fraction
            found = {roll: self.beliefs[accepted, kept, roll].get(call, 0) for roll in game.rolls(kept)}
            return {roll: number(share) for roll, share in found.items() if share}
        if not game.keep:
            return {roll: chance * game.true(roll, call) for roll, chance in enumerate(game.chances)}
        return {
            roll: float(chance) / (game.top + 1 - low)
            for roll, chance in game.rolls(kept).items()
            if call >= (low := game.lowest_call(accepted, roll))
        }


@dataclass(frozen=True, repr=False)
class CallingAnswer(Answer):
    """A calling game: whoever calls knows the dice; whoever answers weighs the rolls that S calls so."""

    game: CallingGame

    def _advise(self, view: CallingView) -> Advice:
        game, sign, reached = self.game, (1 if self.seat == FIRST else -1), True

        def chance(state: CallingState, action: Any) -> float:
            return (1 + sign * self.worth(game.play(state, action))) / 2

        if view.roll is not None:
            state = CallingState(self.seat, view.accepted, view.roll)
            worth = {call: chance(state, call) for call in game.actions(view)}
        else:
            call = view.call or 0
            weights = {
                roll: float(share) * decide(game, CallingView(view.accepted, roll), self.known).get(call, 0.0)
                for roll, share in enumerate(game.chances)
                if call >= game.lowest_call(view.accepted, roll)
            }
            reached = any(weights.values())
            if not reached:  # a call that S never makes is taken for true
                weights = {roll: float(game.chances[roll]) * game.true(roll, call) for roll in weights}
            total = sum(weights.values())
            worth = {
                action: sum(
                    weight * chance(CallingState(other(self.seat), view.accepted, roll, call), action)
                    for roll, weight in weights.items()
                    if weight
                )
                / total
                for action in (ACCEPT, CHALLENGE)
            }
        mix = self.strategies[self.seat](view)
        best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
        return Advice(view, worth, best, mix, reached)


def _restore(game: CallingGame, header: Header, arrays: Arrays) -> CallingSolution:
    """The solution that was written: a closed form, or a table with or without beliefs."""
    told = header.get("beliefs") is True
    strategy: SolvedCaller
    if game.keep or told:
        strategy, slips = read_table(game, arrays, told)
    else:
        strategy, slips = read_closed_form(game, arrays), None
    found = CallingSolution(
        game, str(header["method"]), (strategy, strategy), certificate_of(header), beliefs=slips
    )
    found.check()
    return found


def _types(header: Header) -> dict[str, str]:
    """The types of the arrays of a game without kept dice."""
    return TABLE_TYPES | SEEN if header.get("beliefs") is True else TYPES


def _keep_types(header: Header) -> dict[str, str]:
    """Likewise with kept dice."""
    return KEEP_TYPES | (SEEN if header.get("beliefs") is True else {})


FORM = Restoring(_types, lambda game: MOST_BYTES, _restore)
KEEP_FORM = Restoring(_keep_types, lambda game: MOST_KEEP_BYTES, _restore)
