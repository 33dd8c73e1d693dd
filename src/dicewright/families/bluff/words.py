"""Rounds and matches of Bluff in plain words: their rules, what is said in them, what a person at the table is told."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...core.game import ALL_EYES, CHANCE, FIRST, SEATS, Action, Outcome, State, View, other
from ...core.notation import check_heir
from ...core.solution import Solution
from ..family import Family
from ..spoken import an, count, dice, hand, side, some
from ..told import Hand, Listener, RecordPly, Thing, Word
from .form import PLANS, WEIGHTS
from .match import BluffMatch
from .menu import MENU
from .rules import CALL, ENDINGS, Bid, Bluff, BluffState, Ending, chance_right, chance_true
from .themes import DEEDS, THEMES, theme

FIXED = "Nothing is wild, and the face of the first bid stays."  # in a palifico
WILD = {"none": ", no wild face", "high": "", "ones": ", ones wild"}


class EndWords(NamedTuple):
    """How a way to end a round is told; rules.py says what it is."""

    does: str  # of a player, as in "you do"
    doing: str
    rule: str  # what it `win`s and when one `lose`s


END_WORDS = {
    "call": EndWords(
        "call",
        "calling",
        "Or you call: all dice are shown, and {win} if there are fewer than the bid said; else {lose}.",
    ),
    "spot-on": EndWords(
        "say spot on",
        "saying spot-on",
        "Or you say “spot on”: {win} if there are exactly as many; else {lose}.",
    ),
}


def say_bid(bid: Bid) -> str:
    """`two fives`."""
    return some(bid.quantity, bid.face)


def bluff_rules(game: Bluff) -> tuple[str, ...]:
    """The dice, the bids, the call."""
    return (f"{_dice(game)}, rolled in secret.", *_bidding(game), *_ending(game, "you win", "you lose"))


def match_rules(game: BluffMatch) -> tuple[str, ...]:
    """A round, and how rounds make a match."""
    rules = game.round_of(game.first)
    loss = {
        "one": "The loser of a round loses one die.",
        "difference": "The loser of a round loses as many dice as the bid was off, at least one.",
        "give": "The loser of a round gives one die to the winner.",
    }[game.loss]
    opens = {
        "loser": "The loser of a round bids first in the next.",
        "winner": "The winner of a round bids first in the next.",
        "alternate": "The players take turns to bid first.",
    }[game.opens]
    lines = [f"{_dice(rules)}; in every round both roll in secret.", *_bidding(rules)]
    lines += [*_ending(rules, "you win the round", "you lose it"), loss, opens]
    if game.reward == "regain":
        lines.append("Whoever is right with “spot on” also gets a lost die back.")
    if game.palifico:
        lines.append(
            "When a player falls to one die for the first time, the next round has no wild dice, "
            "and the face of its first bid stays."
        )
    return (*lines, "Whoever has no dice left has lost the match.")


def _dice(game: Bluff) -> str:
    one, two = game.dice
    sides = "" if game.sides == 6 else f" with {count(game.sides)} sides"
    if one == two:
        return f"Each player has {dice(one)}{sides}"
    return f"The first player has {dice(one)}{sides}, the second has {count(two)}"


def _bidding(game: Bluff) -> list[str]:
    plain = max(face for face in range(1, game.sides + 1) if face != game.wild_face)
    means = f"at least two of all the dice show {an(plain)}"
    lines = [f"In turn you bid on all the dice together: “{say_bid(Bid(2, plain))}” says that {means}."]
    if game.wild_face:
        wild = side(game.wild_face, 2)
        lines.append(f"{wild.capitalize()} are wild: they count as every face.")
        if not game.wild_bids:
            lines.append(f"Nobody may bid on {wild}.")
        elif not game.wild_opens:
            lines.append(f"The first bid may not be on {wild}.")
        elif game.order == "dudo":
            lines.append(f"The first bid may be on {wild} too.")
    return [*lines, _higher(game)]


def _higher(game: Bluff) -> str:
    match game.order:
        case "face":
            return "Each bid must be higher: more dice, or as many of a higher face."
        case "quantity":
            return "Each bid must be higher: a higher face, or more dice of the same face."
        case "fixed":
            return "The face of the first bid stays: each bid must be for more dice."
    wild, lowest = game.wild_face, 2 if game.wild_face == 1 else 1
    return (
        f"Each bid must be higher: more dice, or as many of a higher face; but {side(wild, 2)} count double, so "
        f"that {some(1, wild)} comes just before two {side(lowest, 2)}."
    )


def _ending(game: Bluff, win: str, lose: str) -> list[str]:
    return [END_WORDS[word].rule.format(win=win, lose=lose) for word in game.endings]


class BiddingFamily(Family[Any], ABC):
    """What a round and a match of Bluff share. A bid is a bluff if by the bidder's own dice it is rather false."""

    page, keeps_optimal = "bluff", True
    believing = (PLANS, WEIGHTS)
    talks = True
    themes, deeds = THEMES, DEEDS
    secret = "both hands"
    stand_in = reference = "call-below:0.3"
    menu = MENU

    @property
    def keys(self) -> Mapping[str, Action]:  # type: ignore[override]
        """Letters for what ends a round."""
        return {rule.key: word for word, rule in ENDINGS.items()}

    @abstractmethod
    def now(self, game: Any, held: Any) -> tuple[Bluff, Any]:
        """The rules of the present round, and what a state or a view holds of it."""

    def admit(self, game: Any) -> None:
        """RulesError for an heir that plays by other rules than its fields say."""
        check_heir(game, self.kind)

    def short(self, game: Any) -> str:
        """`Bluff`, `Bluff match`, or `Perudo`."""
        if isinstance(game, Bluff):
            return "Bluff"
        return "Perudo" if game.name.startswith("perudo") else "Bluff match"

    def title(self, game: Any) -> str:
        """The kind of Bluff, the dice, and what is unusual about them."""
        one, two = game.dice
        hands = f"{dice(one)} each" if one == two else f"{dice(one)} against {count(two)}"
        sides = "" if game.sides == 6 else f", {count(game.sides)} sides"
        short = self.short(game)
        return f"{short}, {hands}{sides}{'' if short == 'Perudo' else WILD[game.wild]}"

    def say(self, game: Any, choice: Action | Outcome) -> str:
        """`two fives`, `spot on`, `a three and a five`."""
        if isinstance(choice, Bid):
            return say_bid(choice)
        return choice.replace("-", " ") if isinstance(choice, str) else hand(choice)

    def doing(self, game: Any, action: Action) -> str:
        """`bidding 2x5`, `calling`."""
        text = super().doing(game, action)
        return END_WORDS[text].doing if text in END_WORDS else f"bidding {text}"

    def acting(self, game: Any, action: Action) -> str:
        """`bidding two fives`, `saying spot on`."""
        if isinstance(action, Bid):
            return f"bidding {say_bid(action)}"
        return self.doing(game, action).replace("-", " ")

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
            return f"{done} {'' if action == CALL else 'to '}{last} with {held}"
        return f"{done} with {held}, {f'after {last}' if last else 'opening'}"

    def faces(self, game: Any, choice: Action | Outcome) -> tuple[int, ...]:
        """Those of rolled dice."""
        return tuple(choice) if isinstance(choice, tuple) and not isinstance(choice, Bid) else ()

    def uncover(self, game: Any, eyes: list[int], before: State, choice: Action) -> bool:
        """A call shows all dice; bids are pairs."""
        if isinstance(choice, str):
            eyes[:] = [ALL_EYES] * len(eyes)
        return isinstance(choice, str)

    def warm(self, solution: Solution) -> None:
        """The other player is answered."""
        from .public_kernels import best_response

        best_response.prefer()

    def points(self, game: Any) -> bool:
        """Rounds and matches are won or lost."""
        return False

    def returns(self, game: Any) -> bool:
        """Every round begins with dice, and bids rise."""
        return False

    def theme(self, game: Any, view: View) -> str:
        """By what was said in the present round."""
        return theme(self.now(game, view)[1])

    def deed(self, game: Any, view: View, action: Action) -> str:
        """Calls and bluffs."""
        if action == CALL:
            return CALL
        return "bluff" if self.is_bluff(game, view, action) else ""

    def traits(self, game: Any, view: View, action: Action) -> Mapping[str, float]:
        """Of what is said how likely it is right by the own dice alone, and of a bid how far it goes."""
        rules, now = self.now(game, view)
        if isinstance(action, Bid):
            last = rules.bids.index(now.said[-1]) if now.said else -1
            chance = chance_true(rules, now, action)
            jump = (rules.bids.index(action) - last - 1) / len(rules.bids)
            return {**super().traits(game, view, action), "bid": chance - 0.5, "jump": jump}
        found = dict(super().traits(game, view, action))
        if action == CALL:
            found["call chance"] = 0.5 - chance_true(rules, now, now.said[-1])
        return found

    def odds(self, game: Any, view: View) -> Mapping[Action, float]:
        """Of a bid that it is true, of what ends the round that it wins: the other dice as they are rolled."""
        rules, now = self.now(game, view)
        found: dict[Action, float] = {}
        for action in rules.actions(now):
            if isinstance(action, Bid):
                found[action] = min(1.0, chance_true(rules, now, action))
            else:
                found[action] = chance_right(rules, now, ENDINGS[action])
        return found

    def is_bluff(self, game: Any, view: View, action: Action) -> bool:
        """A bid that is true with a chance below one half."""
        return isinstance(action, Bid) and chance_true(*self.now(game, view), action) < 0.5

    def is_call(self, game: Any, view: View, action: Action) -> bool:
        """Whatever ends the round."""
        return not isinstance(action, Bid)

    def said(self, game: Any, plies: Iterable[RecordPly]) -> Iterator[Word]:
        """Both hands are known by then."""
        hands: list[Any] = []
        for ply in plies:
            if ply.who < 0:
                hands = [*hands, ply.choice] if len(hands) < 2 else [ply.choice]
                continue
            rules, view = self.now(game, ply.view)
            if view.said and isinstance(last := view.said[-1], Bid):
                found = sum(rules.matching(hand, last) for hand in hands)
                rule = ENDINGS[ply.choice if isinstance(ply.choice, str) else CALL]
                right = rule.right(found, last.quantity)
                yield Word(ply.who, False, False, right, self.is_call(game, ply.view, ply.choice))
            if isinstance(ply.choice, Bid):
                found = sum(rules.matching(hand, ply.choice) for hand in hands)
                bluff = self.is_bluff(game, ply.view, ply.choice)
                yield Word(ply.who, True, bluff, found < ply.choice.quantity)

    def ask(self, game: Any, to: Listener, view: Any) -> list[str]:
        """The own dice and the bid that stands."""
        _, now = self.now(game, view)
        last = f"The last bid is {self.say(game, now.said[-1])}." if now.said else "You bid first."
        return [f"Your dice: {hand(now.mine)}.", last]

    def cell(self, action: Action) -> tuple[int, int] | None:
        """Bids by quantity and face."""
        return (action.quantity, action.face) if isinstance(action, Bid) else None


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
    return [f"{to.does(who, END_WORDS[choice].does)}."]


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
    there = some(end.found, bid.face)
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


def dice_moved(number: int) -> tuple[str, str]:
    """Dice lost or gained, to the player and of {}, another.

    >>> dice_moved(-1), dice_moved(2)
    (('You lose one die.', '{} loses one die.'), ('You gain two dice.', '{} gains two dice.'))
    """
    mine, theirs = ("lose", "loses") if number < 0 else ("gain", "gains")
    return f"You {mine} {dice(abs(number))}.", f"{{}} {theirs} {dice(abs(number))}."


def page_scene(rules: Bluff, players: tuple[int, int], ended: BluffState | None) -> dict[str, Any]:
    """What everybody knows of a round, and how it ended if it has: then all dice are shown."""
    wild = rules.wild_face
    found: dict[str, Any] = {
        "opener": SEATS[players[0]],
        "wild": f"{side(wild, 2).capitalize()} are wild."
        if wild
        else FIXED
        if rules.order == "fixed"
        else None,
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
    return {
        "dice": list(game.dice if opener == FIRST else game.dice[::-1]),
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
