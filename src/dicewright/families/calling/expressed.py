"""A strategy for calling games as one line of arithmetic, `expr:beat < 0.5; call >= roll`.

The first part says when to challenge, the second what to call.

    call        of the call that is answered or considered: its rank, 1 for the lowest
    roll        one's own roll, a rank too; only of calls of one's own
    accepted    the call that stands, 0 before the first
    ranks       how many there are: the highest rank
    chance      that a fresh roll makes the call true
    beat        that a fresh roll is above the call

The one is asked of the other's call, the other of every call that is allowed; if that is true of none, the lowest is
called.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np

from ...core.errors import TooLarge
from ...core.notation import Named
from ...core.strategy import ExactStrategy
from ..expression import Line, Two, parse_two
from .rules import ACCEPT, CHALLENGE, CallingGame, CallingView
from .solved import Exact

ANSWERING = ("call", "accepted", "ranks", "chance", "beat")
CALLING = (*ANSWERING, "roll")
TRUTH = "call >= roll"
MOST_CHECKED = 60  # ranks whose cube is looked at in a moment


@dataclass(frozen=True)
class CallingRule(Named, ExactStrategy):
    """Challenge where an expression is true, and call the roll if that is allowed: expr:call == ranks is truthful."""

    game: CallingGame
    text: Line
    key: ClassVar[str] = "expr"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "text", self.rule.show(TRUTH))

    @cached_property
    def rule(self) -> Two:
        """When to challenge, and what to call."""
        return parse_two(self.text, ANSWERING, CALLING, TRUTH)

    def exact(self, view: CallingView) -> Exact:
        """A call, or an answer to one."""
        if view not in self._mixes:
            self._mixes[view] = self._answer(view) if view.roll is None else self._call(view)
        return self._mixes[view]

    @cached_property
    def _mixes(self) -> dict[CallingView, Exact]:
        """What was answered before."""
        return {}

    def _answer(self, view: CallingView) -> Exact:
        assert view.call is not None
        challenge = Fraction(self.rule.doubts(self._seen(view, view.call), self.game.show_view(view)))
        return {action: p for action, p in ((ACCEPT, 1 - challenge), (CHALLENGE, challenge)) if p > 0}

    def _call(self, view: CallingView) -> Exact:
        calls = np.array(self.game.actions(view))
        found = self.rule.claims({**self._seen(view, calls), "roll": 1 + int(view.roll or 0)})
        return {int(calls[found or 0]): Fraction(1)}

    def _seen(self, view: CallingView, call: Any) -> dict[str, Any]:
        """What the names stand for, of a call or of an array of them."""
        ranks, (chance, beat) = len(self.game.labels), self._chances
        return dict(
            zip(ANSWERING, (1 + call, 1 + view.accepted, ranks, chance[call], beat[call]), strict=True)
        )

    def check(self) -> None:
        """StrategyError if a number in it is undefined for any roll and call; TooLarge beyond MOST_CHECKED ranks."""
        ranks = len(self.game.labels)
        if ranks > MOST_CHECKED:
            raise TooLarge(f"{self.game.name} has {ranks} ranks; up to {MOST_CHECKED} are allowed for {self}")
        accepted, call, roll = np.mgrid[-1 : ranks - 1, :ranks, :ranks]
        above = call > accepted
        seen = self._seen(CallingView(accepted[above]), call[above])
        allowed = roll[above] <= call[above] if not self.game.below else np.ones(len(roll[above]), np.bool_)
        claimed = {name: np.broadcast_to(column, len(allowed))[allowed] for name, column in seen.items()}
        self.rule.check(seen, {**claimed, "roll": 1 + roll[above][allowed]})

    @cached_property
    def _chances(self) -> tuple[Any, Any]:
        """Of a fresh roll: that it makes each call true, and that it is above it; rounded once, from fractions."""
        each = self.game.chances
        beat = [1 - total for total in accumulate(each)]
        true = [p + more if self.game.truth == "at-least" else p for p, more in zip(each, beat, strict=True)]
        return np.array(list(map(float, true))), np.array(list(map(float, beat)))


def from_expression(name: str, text: str, game: CallingGame, *asked: object) -> CallingRule:
    """The rule that a file holds; # begins a comment in each of its lines."""
    return CallingRule(game, text)
