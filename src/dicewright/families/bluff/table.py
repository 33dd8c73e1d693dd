"""Rounds and matches of Bluff told to a person at the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.game import CHANCE, FIRST, SEATS, Action, other
from ..spoken import count, dice, hand, side
from ..told import Hand, Listener, Thing
from .menu import MENU
from .rules import CALL, SPOT_ON, Bid, Bluff, BluffState, Ending
from .talk import BiddingTalk
from .words import say_bid


class BiddingTable(BiddingTalk):
    """Both hands, the other's hidden until the end."""

    keys: Mapping[str, Action] = {"c": CALL, "s": SPOT_ON}
    stand_in = "call-below:0.3"
    menu = MENU

    def ask(self, game: Any, to: Listener, view: Any) -> list[str]:
        """The own dice and the bid that stands."""
        _, now = self.now(game, view)
        last = f"The last bid is {self.say(game, now.said[-1])}." if now.said else "You bid first."
        return [f"Your dice: {hand(now.mine)}.", last]

    def cell(self, action: Action) -> tuple[int, int] | None:
        """Bids by quantity and face."""
        return (action.quantity, action.face) if isinstance(action, Bid) else None

    def meaning(self, game: Any, view: Any) -> str:
        """The own dice and the bids in words."""
        _, now = self.now(game, view)
        bids = ", ".join(self.say(game, bid) for bid in now.said)
        return f" (your dice: {hand(now.mine)}; {f'said so far: {bids}' if bids else 'nothing said yet'})"


def tell_round(
    rules: Bluff, to: Listener, before: BluffState, choice: Any, players: tuple[int, int]
) -> list[str]:
    """One thing done in a round; `players` are those on its two seats."""
    seat = rules.mover(before)
    if seat == CHANCE:
        mine = players[len(before.hands)] == to.me
        return [f"Your dice: {hand(choice)}." if mine else f"{to.other} rolls in secret."]
    who = players[seat]
    if isinstance(choice, Bid):
        return [f"{to.does(who, 'bid')} {say_bid(choice)}."]
    return [f"{to.does(who, 'say')} spot on." if choice == SPOT_ON else f"{to.does(who, 'call')}."]


def reveal(rules: Bluff, to: Listener, state: BluffState, players: tuple[int, int]) -> list[str]:
    """The end of a round: all dice and the count."""
    bid = state.said[-2]
    assert isinstance(bid, Bid)
    hands = zip(players, state.hands, strict=True)
    lines = [f"{to.who(player)} had {hand(shown)}." for player, shown in hands]
    return [*lines, _count(rules, bid, rules.ending(state))]


def _count(rules: Bluff, bid: Bid, end: Ending) -> str:
    wild = rules.wild_face
    also = f", {side(wild, 2)} counted" if wild and wild != bid.face else ""
    there = f"{count(end.found)} {side(bid.face, end.found)}"
    are = "is" if end.found == 1 else "are"
    return f"There {are} {there} in all{also}; {say_bid(bid)} {'was' if bid.quantity == 1 else 'were'} bid."


def lay_round(rules: Bluff, to: Listener, state: BluffState, seat: int, over: bool) -> list[Thing]:
    """Both hands, for the listener in this seat of the round."""
    mine = state.hands[seat] if seat < len(state.hands) else ()
    theirs: Sequence[int | None] = (None,) * rules.dice[1 - seat]
    known = f"{dice(len(theirs))} hidden"
    if over:
        theirs, known = state.hands[1 - seat], hand(state.hands[1 - seat])
    return [Hand(theirs, known, to.name, False), Hand(mine, hand(mine), "your dice", True)]


def page_scene(rules: Bluff, players: tuple[int, int], ended: BluffState | None) -> dict[str, Any]:
    """What everybody knows of a round, and how it ended if it has: then all dice are shown."""
    wild = rules.wild_face
    found: dict[str, Any] = {
        "opener": SEATS[players[0]],
        "wild": f"{side(wild, 2).capitalize()} are wild." if wild else None,
    }
    if ended is not None:
        bid, end = ended.said[-2], rules.ending(ended)
        assert isinstance(bid, Bid)
        found["end"] = {
            "found": end.found,
            "face": bid.face,
            "faces": sorted({bid.face, wild or bid.face}),
            "words": _count(rules, bid, end),
            "winner": SEATS[players[end.caller if end.right else other(end.caller)]],
        }
    return found


def page_round(game: Bluff, state: BluffState, opener: int, seat: int | None, over: bool) -> dict[str, Any]:
    """A round as the page shows it; its first seat is the opener's."""
    said = game.view(state, FIRST).said
    ended = over or bool(said and isinstance(said[-1], str))
    hands: list[list[int] | None] = []
    for player in (0, 1):
        view = game.view(state, player if opener == FIRST else other(player))
        hands.append(list(view.mine) if ended or player == seat else None)
    dice = game.dice if opener == FIRST else (game.dice[1], game.dice[0])
    return {
        "dice": list(dice),
        "sides": game.sides,
        "wild": game.wild_face,
        "hands": hands,
        "mine": [] if seat is None else hands[seat] or [],
        "theirs": None if seat is None else hands[other(seat)],
        "said": [
            {
                "who": SEATS[place % 2 if opener == FIRST else other(place % 2)],
                "bid": game.show_choice(word),
                "cell": word if isinstance(word, Bid) else None,
            }
            for place, word in enumerate(said)
        ],
        "opener": SEATS[opener],
    }
