"""What is said in Bluff: bids, bluffs and calls."""

from collections.abc import Iterable, Iterator
from typing import Any

from ...core.game import Action, View
from ..family import Family
from ..spoken import hand
from ..told import Ply, Word
from .rules import CALL, SPOT_ON, Bid, Bluff

MOST_BIDS = 13  # of a round that is answered in a moment


class BiddingTalk(Family):
    """A bid is a bluff if by the bidder's own dice it is rather false than true."""

    talks = True
    secret = "both hands"

    def now(self, game: Any, held: Any) -> tuple[Bluff, Any]:
        """The rules of the present round, and what a state or a view holds of it."""
        raise NotImplementedError

    def doing(self, game: Any, action: Action) -> str:
        """`bidding 2x5`, `calling`."""
        text = super().doing(game, action)
        return {CALL: "calling", SPOT_ON: "saying spot-on"}.get(text, f"bidding {text}")

    def acting(self, game: Any, action: Action) -> str:
        """`bidding two fives`, `saying spot on`."""
        said = self.say(game, action)
        return {CALL: "calling", SPOT_ON: f"saying {said}"}.get(action, f"bidding {said}")

    def seen(self, game: Any, view: View) -> str:
        """The own dice and the bids."""
        _, now = self.now(game, view)
        said = ", ".join(self.say(game, bid) for bid in now.said)
        return f"{hand(now.mine)}; {f'after {said}' if said else 'opening'}"

    def decision(self, game: Any, view: View, action: Action) -> str:
        """With the own dice, and the bid that stood."""
        _, now = self.now(game, view)
        done, held = self.acting(game, action), hand(now.mine)
        last = self.say(game, now.said[-1]) if now.said else ""
        if not isinstance(action, Bid):
            return f"{done} {'to ' if action == SPOT_ON else ''}{last} with {held}"
        return f"{done} with {held}, {f'after {last}' if last else 'opening'}"

    def is_bluff(self, game: Any, view: View, action: Action) -> bool:
        """A bid that is true with a chance below one half."""
        from .solve import chance_true

        return isinstance(action, Bid) and chance_true(*self.now(game, view), action) < 0.5

    def is_call(self, game: Any, view: View, action: Action) -> bool:
        """A call, or spot-on."""
        return not isinstance(action, Bid)

    def said(self, game: Any, plies: Iterable[Ply]) -> Iterator[Word]:
        """Both hands are known by then."""
        hands: list[Any] = []
        for ply in plies:
            if ply.who < 0:
                hands = [*hands, ply.choice] if len(hands) < 2 else [ply.choice]
                continue
            rules, view = self.now(game, ply.view)
            if view.said and isinstance(last := view.said[-1], Bid):
                found = sum(rules.matching(hand, last) for hand in hands)
                right = found == last.quantity if ply.choice == SPOT_ON else found < last.quantity
                yield Word(ply.who, False, False, right, self.is_call(game, ply.view, ply.choice))
            if isinstance(ply.choice, Bid):
                found = sum(rules.matching(hand, ply.choice) for hand in hands)
                bluff = self.is_bluff(game, ply.view, ply.choice)
                yield Word(ply.who, True, bluff, found < ply.choice.quantity)
