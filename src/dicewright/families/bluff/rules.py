"""Bluff (Liar's Dice, each player with hidden dice): bid on all the dice, raise or call. Rules are fields.

Both players roll in secret. The players then speak in turn: a bid `2x5` says that at least two of all dice
show a five; the next player bids higher, or calls. After a call all dice are shown, and the caller wins
exactly if there are fewer than the bid said. A wild die counts as every face.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Annotated, ClassVar, Literal, NamedTuple

from ...core.errors import IllegalAction, NotationError, RulesError
from ...core.game import CHANCE, FIRST, OVER, SECOND, Action, Outcome
from ...core.notation import Kind, notation, settle, show_int
from ..shown import ShownGame

CALL, SPOT_ON = "call", "spot-on"
DICE, SIDES = range(1, 6), range(2, 11)

Hand = tuple[int, ...]  # sorted faces
Wild = Literal["none", "high", "ones"]
Order = Literal["face", "quantity", "dudo", "fixed"]


class Bid(NamedTuple):
    """At least `quantity` of all dice show `face`."""

    quantity: int
    face: int


class BluffState(NamedTuple):
    """The hands dealt so far (the opener's, then the other's), what has been said, and who opens."""

    hands: tuple[Hand, ...] = ()
    said: tuple[Bid | str, ...] = ()
    opener: int = FIRST


class BluffView(NamedTuple):
    """What a player knows: the own dice (none before they are rolled) and what has been said."""

    mine: Hand
    said: tuple[Bid | str, ...] = ()
    my_turn: bool = True


class EndRule(NamedTuple):
    """A way to end a round after a bid; its words are in words.py, and nothing else knows of it."""

    key: str  # its letter at the table
    allowed: Callable[["Bluff"], bool]  # in a round with these rules
    right: Callable[[int, int], bool]  # whether its player wins where so many match, and so many were bid
    costs: int = 1  # dice of the loser in a match
    regains: bool = False  # whether it earns what a match gives for a right spot-on


ENDINGS = {
    CALL: EndRule(
        "c", lambda game: True, lambda found, quantity: found < quantity
    ),  # what one can always say
    SPOT_ON: EndRule("s", lambda game: game.spot_on, lambda found, quantity: found == quantity, regains=True),
}


class Ending(NamedTuple):
    """The end of a round: who ended it (0 is the opener), how, on how many, and how many matched."""

    caller: int
    word: str
    quantity: int
    found: int

    @property
    def rule(self) -> EndRule:
        """The way it ended."""
        return ENDINGS[self.word]

    @property
    def right(self) -> bool:
        """Whether the caller won the round."""
        return self.rule.right(self.found, self.quantity)


@cache  # every roll that is played is looked up here; there are few numbers of dice and sides
def _rolls(dice: int, sides: int) -> dict[Hand, int]:
    """The hands of so many dice, each with the number of rolls that show it."""
    return {
        hand: factorial(dice) // prod(factorial(times) for times in Counter(hand).values())
        for hand in combinations_with_replacement(range(1, sides + 1), dice)
    }


def _read_dice(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,2})v([0-9]{1,2})", text)
    if match is None:
        raise ValueError(text)
    return int(match[1]), int(match[2])


def _show_dice(dice: tuple[int, int]) -> str:
    one, two = dice
    return f"{show_int(one)}v{show_int(two)}"


DICE_KIND = Kind(_read_dice, _show_dice, "the dice of each, such as 2v1,")


@dataclass(frozen=True)
class Bluff(ShownGame):
    """One round of Bluff; the player with `dice[0]` dice bids first.

    wild        the face that counts as every face: the highest, the ones, or none
    wild_bids   whether the wild face itself may be bid (then only wild dice count for it)
    order       "face": more dice, or as many and a higher face.  "quantity": a higher face, or the same face
                and more dice.  "dudo": as "face", but n of the wild face stand just before 2n of the lowest.
                "fixed": more dice of the face that opened (Perudo's palifico)
    spot_on     whether a player may say that the bid is exactly right (Lanctot & Long's "check")
    wild_opens  whether the first bid may be on the wild face

    >>> game = Bluff(dice=(2, 1), sides=4)
    >>> game.name, [game.show_choice(bid) for bid in game.bids[:5]]
    ('bluff:dice=2v1,sides=4', ['1x1', '1x2', '1x3', '1x4', '2x1'])
    """

    family: ClassVar[str] = "bluff"

    dice: Annotated[tuple[int, int], DICE_KIND] = (1, 1)
    sides: int = 6
    wild: Wild = "high"
    order: Order = "face"
    spot_on: bool = False
    wild_bids: bool = True
    wild_opens: bool = True

    def __post_init__(self) -> None:
        settle("bluff", self)
        for number in self.dice:
            if number not in DICE:
                raise RulesError(f"a player has {number} dice in bluff; {DICE[0]} to {DICE[-1]} is allowed")
        if self.sides not in SIDES:
            raise RulesError(f"sides is {self.sides} in bluff; {SIDES[0]} to {SIDES[-1]} is allowed")
        if self.wild == "none" and not (self.wild_bids and self.wild_opens):
            raise RulesError("wild is none in bluff, so wild_bids and wild_opens say nothing; leave them out")
        if not self.wild_bids and not self.wild_opens:
            raise RulesError("wild_bids is no in bluff, so wild_opens says nothing; leave it out")
        if self.order == "dudo" and (self.wild == "none" or not self.wild_bids):
            raise RulesError("order is dudo in bluff, which places the wild face's bids; there are none")

    @property
    def name(self) -> str:
        """The game in one line, such as `bluff:dice=2v1,wild=ones`."""
        return notation("bluff", Bluff, {field.name: getattr(self, field.name) for field in fields(self)})

    @property
    def wild_face(self) -> int:
        """The wild face, or 0."""
        return {"none": 0, "high": self.sides, "ones": 1}[self.wild]

    @cached_property
    def bids(self) -> tuple[Bid, ...]:
        """All bids, lowest first; any later one may follow any earlier one, unless the face is fixed."""
        faces = [face for face in range(1, self.sides + 1) if self.wild_bids or face != self.wild_face]
        bids = [Bid(quantity, face) for quantity in range(1, sum(self.dice) + 1) for face in faces]
        return tuple(sorted(bids, key=self._rank))

    def _rank(self, bid: Bid) -> tuple[int, int]:
        if self.order in ("quantity", "fixed"):
            return bid.face, bid.quantity
        if self.order == "dudo" and bid.face == self.wild_face:
            return 2 * bid.quantity, 0
        return bid.quantity, bid.face

    @cached_property
    def opening_bids(self) -> tuple[Bid, ...]:
        """The bids that may open."""
        return tuple(bid for bid in self.bids if self.wild_opens or bid.face != self.wild_face)

    @property
    def endings(self) -> tuple[str, ...]:
        """The words that may end the round, a call first."""
        return tuple(word for word, rule in ENDINGS.items() if rule.allowed(self))

    def hands(self, player: int) -> dict[Hand, int]:
        """The player's hands, each with the number of rolls that show it."""
        return dict(_rolls(self.dice[player], self.sides))

    def matching(self, hand: Hand, bid: Bid) -> int:
        """How many dice of the hand count for the bid."""
        return sum(face in (bid.face, self.wild_face) for face in hand)

    @property
    def decided(self) -> bool:
        """Bids rise, and what ends the round decides."""
        return True

    def start(self) -> BluffState:
        """No dice rolled."""
        return BluffState()

    def begun(self, opener: int) -> BluffState:
        """No dice rolled; the opener has `dice[0]` of them and bids first."""
        return BluffState(opener=opener)

    def mover(self, state: BluffState) -> int:
        """CHANCE until both have rolled, then the players in turn until a call."""
        if len(state.hands) < 2:
            return CHANCE
        return OVER if state.said and isinstance(state.said[-1], str) else len(state.said) % 2 ^ state.opener

    def view(self, state: BluffState, player: int) -> BluffView:
        """The player's own dice and everything said, never the other dice."""
        seat = player ^ state.opener
        mine = state.hands[seat] if seat < len(state.hands) else ()
        return BluffView(mine, state.said, len(state.said) % 2 == seat)

    def actions(self, view: BluffView) -> Sequence[Bid | str]:
        """Higher bids and what ends the round; nothing but bids at the start."""
        if not view.said:
            return self.opening_bids
        last = view.said[-1]
        if not isinstance(last, Bid):
            return ()
        higher = self.bids[self.bids.index(last) + 1 :]
        if self.order == "fixed":
            higher = tuple(bid for bid in higher if bid.face == last.face)
        return (*higher, *self.endings)

    def outcomes(self, state: BluffState) -> Mapping[Outcome, Fraction]:
        """The hands of the next player to roll."""
        player = len(state.hands)
        rolls = self.sides ** self.dice[player]
        return {hand: Fraction(ways, rolls) for hand, ways in self.hands(player).items()}

    def play(self, state: BluffState, choice: Action | Outcome) -> BluffState:
        """The state after a roll, a bid or a call."""
        if self.mover(state) == CHANCE:
            rolls = _rolls(self.dice[len(state.hands)], self.sides)
            if isinstance(choice, Bid) or choice not in rolls:  # a pair equals a bid
                raise IllegalAction(f"{choice} is no sorted roll of {self.dice[len(state.hands)]} dice")
            return BluffState((*state.hands, choice), state.said, state.opener)
        allowed = self.actions(BluffView((), state.said))
        if choice not in allowed or not isinstance(choice, (Bid, str)):
            words = ", ".join(map(self.show_choice, allowed)) or "nothing, the round is over"
            raise IllegalAction(f"{choice} is not allowed at {self.show_state(state)}; allowed: {words}")
        return BluffState(state.hands, (*state.said, choice), state.opener)

    def payoff(self, state: BluffState) -> float:
        """+1 if FIRST won the round, -1 if SECOND did."""
        end = self.ending(state)
        return 1.0 if end.right == (end.caller == state.opener) else -1.0

    def ending(self, state: BluffState) -> "Ending":
        """How a finished round ended."""
        *_, bid, word = state.said
        assert isinstance(bid, Bid)
        assert isinstance(word, str)
        found = sum(self.matching(hand, bid) for hand in state.hands)
        return Ending((len(state.said) - 1) % 2, word, bid.quantity, found)

    def show_view(self, view: BluffView) -> str:
        """`5,5 | 1x3 2x5`: my dice, what was said; `/other` at the end when the turn is not mine."""
        said = "".join(f" {self.show_choice(word)}" for word in view.said)
        return f"{_show_hand(view.mine)} |{said}{'' if view.my_turn else ' /other'}"

    def read_view(self, text: str) -> BluffView:
        """The view that `show_view` wrote, dice in any order."""
        dice, bar, rest = text.partition("|")
        if not bar:
            raise NotationError(f"view {text!r} is not dice | bids, such as '5,5 | 1x3 2x5'")
        words = rest.split()
        my_turn = words[-1:] != ["/other"]
        said = self._read_said(text, words if my_turn else words[:-1])
        player = (len(said) + (not my_turn)) % 2
        return BluffView(self._read_hand(text, dice, player), said, my_turn)

    def _read_said(self, text: str, words: Sequence[str]) -> tuple[Bid | str, ...]:
        said: tuple[Bid | str, ...] = ()
        for word in words:
            allowed = {self.show_choice(action): action for action in self.actions(BluffView((), said))}
            if word not in allowed:
                raise NotationError(
                    f"{word!r} is not allowed in {text!r} of {self.name} after {len(said)} bids; "
                    f"allowed: {', '.join(allowed) or 'nothing, the round is over'}"
                )
            said = (*said, allowed[word])
        return said

    def _read_hand(self, text: str, dice: str, player: int) -> Hand:
        """The player's dice, or none yet if written `-`."""
        if dice.strip() == "-":
            return ()
        faces = [int(word) if re.fullmatch(r" *[0-9]{1,2} *", word) else 0 for word in dice.split(",")]
        if len(faces) != self.dice[player]:
            raise NotationError(
                f"{dice.strip()!r} is {len(faces)} dice in {text!r}; the {('first', 'second')[player]} "
                f"player, who is meant after these bids, has {self.dice[player]} in {self.name}"
            )
        if not all(1 <= face <= self.sides for face in faces):
            raise NotationError(f"{dice.strip()!r} in {text!r} is no roll; 1 to {self.sides} is allowed")
        return tuple(sorted(faces))

    def show_state(self, state: BluffState) -> str:
        """`5,5 v 1 | 1x3 2x5`: both hands, the opener's first, what was said; `/2` where SECOND opens."""
        one, two = (*map(_show_hand, state.hands), "-", "-")[:2]
        said = "".join(f" {self.show_choice(word)}" for word in state.said)
        return f"{one} v {two} |{said}{' /2' if state.opener else ''}"

    def read_state(self, text: str) -> BluffState:
        """The state that `show_state` wrote."""
        match = re.fullmatch(r"([^v|]*) v ([^v|]*) \|(.*?)( /2)?", text.strip())
        if match is None:
            raise NotationError(f"state {text!r} is not dice v dice | bids, such as '5,5 v 1 | 1x3 2x5'")
        hands = tuple(self._read_hand(text, match[player + 1], player) for player in (0, 1))
        said = self._read_said(text, match[3].split())
        dealt = tuple(hand for hand in hands if hand)
        if dealt != hands[: len(dealt)] or (said and len(dealt) < 2):
            raise NotationError(f"state {text!r} lacks dice; the first player rolls first, then the second")
        return BluffState(dealt, said, SECOND if match[4] else FIRST)

    def show_choice(self, choice: Action | Outcome) -> str:
        """`2x5`, `call`, `spot-on`, or a roll such as `5,5`."""
        if isinstance(choice, Bid):
            return f"{choice.quantity}x{choice.face}"
        return choice if isinstance(choice, str) else _show_hand(choice)

    def read_choice(self, text: str) -> Bid | str | Hand:
        """The action or roll that `show_choice` wrote."""
        words: dict[str, Bid | str] = {self.show_choice(bid): bid for bid in self.bids}
        words |= {word: word for word in self.endings}
        if text in words:
            return words[text]
        if re.fullmatch(r"[0-9]+(,[0-9]+)*", text) and text.count(",") + 1 in self.dice:
            return self._read_hand(text, text, self.dice.index(text.count(",") + 1))
        raise NotationError(
            f"{text!r} is no bid, call or roll of {self.name}; bids go from "
            f"{self.show_choice(self.bids[0])} to {self.show_choice(self.bids[-1])}"
        )


bluff = Bluff  # rules are the fields: the class is its own builder


def _show_hand(hand: Hand) -> str:
    return ",".join(map(str, hand)) or "-"


def chance_true(game: Bluff, view: BluffView, bid: Bid) -> float:
    """The chance that a bid is true as the own dice alone tell it: the other dice are a binomial draw."""
    return chance_with(game, game.matching(view.mine, bid), game.dice[1 - len(view.said) % 2], bid)


def chance_right(game: Bluff, view: BluffView, rule: EndRule) -> float:
    """The chance that ending the round so is right, as the own dice alone tell it."""
    bid = view.said[-1]
    assert isinstance(bid, Bid)
    own, dice = game.matching(view.mine, bid), game.dice[1 - len(view.said) % 2]
    least = [chance_with(game, own, dice, bid._replace(quantity=own + n)) for n in range(dice + 1)]
    exactly = [more - most for more, most in zip(least, [*least[1:], 0.0], strict=True)]
    return sum(chance for n, chance in enumerate(exactly) if rule.right(own + n, bid.quantity))


def chance_with(game: Bluff, own: int, dice: int, bid: Bid) -> float:
    """The same of so many own dice that match, and so many others."""
    hit = len({bid.face, game.wild_face} - {0}) / game.sides
    missing = max(0, bid.quantity - own)
    return sum(comb(dice, k) * hit**k * (1 - hit) ** (dice - k) for k in range(missing, dice + 1))
