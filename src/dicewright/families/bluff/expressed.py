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
from itertools import product
from typing import Any, ClassVar

import numpy as np

from ...core.notation import Named
from ...core.strategy import Mix
from ..expression import Line, Two, parse_two
from .match import BluffMatch, Standing
from .rules import CALL, DICE, Bid, Bluff, BluffView, chance_with
from .strategies import RoundByRound

NAMES = ("count", "face", "own", "chance", "mine", "yours", "dice", "sides", "bids")
LIKELIEST = "chance"


@dataclass(frozen=True)
class BluffRule(Named):
    """Call where an expression is true, else bid: expr:chance < 0.3 makes the likeliest bid (docs/strategies.md)."""

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
        made = len(view.said)
        return self._named(made % 2, self.game.matching(view.mine, bid), bid, made)

    def _named(self, seat: int, own: int, bid: Bid, made: int) -> dict[str, float]:
        mine, yours = self.game.dice[seat], self.game.dice[1 - seat]
        chance = chance_with(self.game, own, yours, bid)
        counts = (mine, yours, mine + yours, self.game.sides, made)
        return dict(zip(NAMES, (*bid, own, chance, *counts), strict=True))

    def check(self) -> None:
        """StrategyError if a number in it is undefined with any dice after any bids; some (dice x bids)^2 views."""
        rows = [
            (place, self._named(seat, own, bid, 0))
            for seat in (0, 1)
            for own in range(self.game.dice[seat] + 1)
            for place, bid in enumerate(self.game.bids)
        ]
        places = np.array([place for place, _ in rows])[:, None]
        seen = {name: np.array([row[name] for _, row in rows])[:, None] for name in NAMES}
        made = np.arange(len(self.game.bids) + 1)
        # before a bid at most as many others as are lower; of the last bid itself one more
        self.rule.check(
            *(
                {
                    name: grid[(made >= more) & (made <= places + more)]
                    for name, grid in _grids({**seen, "bids": made}).items()
                }
                for more in (1, 0)
            )
        )


def _grids(columns: dict[str, Any]) -> dict[str, Any]:
    return dict(zip(columns, np.broadcast_arrays(*columns.values()), strict=True))


@lru_cache(maxsize=256)
def _rule(game: Bluff, text: str) -> BluffRule:
    return BluffRule(game, text)


def rule_of_rounds(game: BluffMatch, text: Line) -> RoundByRound:
    """In every round: call where an expression is true, else bid; expr:chance < 0.3 makes the likeliest bid."""
    return RoundByRound(game, partial(_rule, text=_rule(game.round_of(game.first), text).text))


def check_rounds(strategy: RoundByRound) -> None:
    """StrategyError if a number in the rule is undefined in a round that a match may come to."""
    match = strategy.game
    most = min(DICE[-1], sum(match.dice))
    for mine, yours in product(range(1, most + 1), repeat=2):
        for fixed in {False, match.palifico}:
            rule = strategy.rule(match.round_of(Standing((mine, yours), fixed=fixed)))
            if isinstance(rule, BluffRule):
                rule.check()


def from_expression(name: str, text: str, game: Any, *asked: object) -> Any:
    """The rule that a file holds; # begins a comment in each of its lines."""
    return BluffRule(game, text) if isinstance(game, Bluff) else rule_of_rounds(game, text)
