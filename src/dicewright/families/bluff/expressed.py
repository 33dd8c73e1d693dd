"""A strategy for Bluff as one line of arithmetic, `expr:chance < 0.3; own >= count`: when to call, and what to bid.

    count, face     of the bid: how many dice it says, and of which face
    own             how many of one's own dice match the bid, wild ones too
    chance          that the bid is true, as one's own dice tell it: the other dice are a binomial draw
    mine, yours     the dice that either player has;  dice: all of them;  sides: of a die
    bids            how many bids were made so far

The first part is asked of the last bid, the second of every higher one. Whoever finds no bid calls; at the opening,
where nobody can call, the likeliest bid is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, ClassVar

import numpy as np

from ...core.notation import Named
from ...core.strategy import Mix
from ..expression import Line, Two, parse_two
from .match import BluffMatch
from .rules import CALL, Bid, Bluff, BluffView, chance_true
from .strategies import RoundByRound

NAMES = ("count", "face", "own", "chance", "mine", "yours", "dice", "sides", "bids")
LIKELIEST = "chance"


@dataclass(frozen=True)
class BluffRule(Named):
    """Call where an expression is true, else bid: expr:chance < 0.3 makes the likeliest bid, expr:chance < 0.3;
    own + 1 >= count the lowest that claims one die more than the own ones."""

    game: Bluff
    text: Line
    key: ClassVar[str] = "expr"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "text", self.rule.show(LIKELIEST))

    @cached_property
    def rule(self) -> Two:
        """When to call, and what to bid otherwise."""
        return parse_two(self.text, NAMES, NAMES, LIKELIEST)

    @property
    def last_bid_only(self) -> bool:
        """Whether of all that was said only the last bid matters."""
        return not any("bids" in part.names for part in self.rule)

    def __call__(self, view: BluffView) -> Mix:
        """A call, a bid, or a mix of the two."""
        last, made = view.said[-1] if view.said else None, len(view.said)
        key = (view.mine, last, made % 2 if self.last_bid_only else made)
        if key not in self._mixes:
            self._mixes[key] = self._mix(view, last)
        return self._mixes[key]

    @cached_property
    def _mixes(self) -> dict[Any, Mix]:
        """What was answered, by all that matters."""
        return {}

    def _mix(self, view: BluffView, last: Any) -> Mix:
        bids = [action for action in self.game.actions(view) if isinstance(action, Bid)]
        call = 0.0
        if last is not None:
            place = self.game.show_view(view)
            call = self.rule.doubts(self._seen(view, last), place) if bids else 1.0
        if call == 1.0:
            return {CALL: 1.0}
        seen = {name: np.array(column) for name, column in self._columns(view, bids).items()}
        if (found := self.rule.claims(seen)) is None:
            if last is not None:
                return {CALL: 1.0}
            found = int(np.argmax(seen["chance"]))
        return {CALL: call, bids[found]: 1.0 - call} if call else {bids[found]: 1.0}

    def _columns(self, view: BluffView, bids: Sequence[Bid]) -> dict[str, list[float]]:
        rows = [self._seen(view, bid) for bid in bids]
        return {name: [row[name] for row in rows] for name in NAMES}

    def _seen(self, view: BluffView, bid: Bid) -> dict[str, float]:
        """What the names stand for, of a bid."""
        mine, yours = self.game.dice[:: -1 if len(view.said) % 2 else 1]
        own, chance = self.game.matching(view.mine, bid), chance_true(self.game, view, bid)
        counts = (mine, yours, mine + yours, self.game.sides, len(view.said))
        return dict(zip(NAMES, (*bid, own, chance, *counts), strict=True))


@lru_cache(maxsize=256)
def _rule(game: Bluff, text: str) -> BluffRule:
    return BluffRule(game, text)


def rule_of_rounds(game: BluffMatch, text: Line) -> RoundByRound:
    """In every round: call where an expression is true, else bid; expr:chance < 0.3 makes the likeliest bid."""
    return RoundByRound(game, partial(_rule, text=_rule(game.round_of(game.first), text).text))


def from_expression(name: str, text: str, game: Any, *asked: object) -> Any:
    """The rule that a file holds; # begins a comment in each of its lines."""
    return BluffRule(game, text) if isinstance(game, Bluff) else rule_of_rounds(game, text)
