"""What a family says of a game under way: to a person at the table, and for those who count what was said."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ..core.game import Action, Outcome, View

OTHER = "the other player"  # where the page says who that is


class Word(NamedTuple):
    """One thing said. A bid: whether it was a bluff and whether it was false. An answer: whether it was a call."""

    who: int
    bid: bool
    bluff: bool = False  # of a bid
    false: bool = False  # of a bid, or of the bid answered (for spot-on: whether it was right); the dice tell
    call: bool = False  # of an answer


class RecordPly(Protocol):
    """One choice of a record."""

    @property
    def who(self) -> int:
        """FIRST, SECOND or CHANCE."""

    @property
    def choice(self) -> Action | Outcome:
        """What was done or rolled."""

    @property
    def view(self) -> View:
        """What the mover saw."""


@dataclass(frozen=True)
class Listener:
    """The person in seat `me`, to whom a game is told; the other has a name."""

    me: int
    name: str

    @property
    def other(self) -> str:
        """The other's name at the start of a sentence."""
        return self.name[:1].upper() + self.name[1:]

    def who(self, player: int) -> str:
        """The subject of a sentence."""
        return "You" if player == self.me else self.other

    def does(self, player: int, verb: str) -> str:
        """Subject and verb, and what follows it.

        >>> Listener(0, "optimal").does(0, "roll"), Listener(0, "optimal").does(1, "pass the cup")
        ('You roll', 'Optimal passes the cup')
        """
        if player == self.me:
            return f"You {verb}"
        first, *rest = verb.split(" ", 1)
        return " ".join([self.other, f"{first}{'es' if first.endswith('s') else 's'}", *rest])


class Sentence(NamedTuple):
    """Words on the table; whose: the listener's (True), the other's (False) or nobody's."""

    words: str
    mine: bool | None = None


class Rail(NamedTuple):
    """A score on its way to the goal, the turn total ahead of it."""

    name: str
    score: int
    turn: int
    goal: int
    mine: bool


class Hand(NamedTuple):
    """Dice that lie together, None for a hidden one, and what they are in words."""

    dice: Sequence[int | None]
    words: str
    label: str = ""
    mine: bool | None = None


class Rolls(NamedTuple):
    """The dice of a turn one after another, or words where no dice are known."""

    dice: Sequence[int]
    words: str


Thing = Sentence | Rail | Hand | Rolls  # on the table


def as_data(things: Iterable[Thing]) -> list[dict[str, Any]]:
    """What lies on the table as JSON knows it, each thing with its kind.

    >>> as_data([Hand((5, None), "a five", mine=True)])
    [{'kind': 'hand', 'dice': (5, None), 'words': 'a five', 'label': '', 'mine': True}]
    """
    return [{"kind": type(thing).__name__.lower(), **thing._asdict()} for thing in things]
