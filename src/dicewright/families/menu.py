"""What menus say of the games of a family: fields and their values, players, ways of looking."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log10
from types import MappingProxyType
from typing import NamedTuple

from .minds import BOUND
from .spoken import count


class Saying(NamedTuple):
    """A field in words: those of each value, or one text with {} where any number may be chosen."""

    label: str
    words: Mapping[str, str] | str
    usual: Sequence[int] = ()  # the numbers that are offered
    main: bool = False  # said with the game itself, not among the house rules
    apart: bool = False  # chosen by itself where strategies are looked at
    most: int | None = None  # the highest number there

    @property
    def otherwise(self) -> str:
        """What is said of a value that has no words of its own, with {} for it."""
        return self.words if isinstance(self.words, str) else f"{self.label.lower()} {{}}"

    def say(self, value: str) -> str:
        """A value in words."""
        known = self.words.get(value) if isinstance(self.words, Mapping) else None
        return known or self.otherwise.format(value)

    def offered(self, values: Iterable[str] | None) -> list[dict[str, str]]:
        """What a menu offers, of all `values` that the field has if they are few, with its words."""
        listed = values or (map(str, self.usual) if isinstance(self.words, str) else self.words)
        return [{"value": value, "words": self.say(value)} for value in listed]


class MenuPlayer(NamedTuple):
    """A strategy as an opponent; {} in its name stands for its number."""

    called: str
    about: str


class Sight(NamedTuple):
    """A way of looking at strategies: the word on its tab, the script that draws it, the games that are offered."""

    words: str
    script: str
    games: Sequence[str]
    pair: bool = False  # whether two strategies are seen side by side
    first: bool = False  # whether they are offered before those of other families
    captions: Mapping[str, str] = MappingProxyType({})  # that stand in the picture and around it


class Front(NamedTuple):
    """A game that people come for: its place before the others, and the dice drawn with it, 0 for a hidden one."""

    place: int
    dice: Sequence[int]


class Menu(NamedTuple):
    """All of it; a field that games of the family mean differently stands under `field/game`."""

    about: Mapping[str, str] = MappingProxyType({})  # each game in a line
    front: Mapping[str, Front] = MappingProxyType({})  # those that stand before the others
    fields: Mapping[str, Saying] = MappingProxyType({})
    players: Mapping[str, MenuPlayer] = MappingProxyType({})  # by name, or by name and number
    meetings: Sequence[str] = ()  # games that tournaments are offered of
    usual: Mapping[str, str] = MappingProxyType(
        {}
    )  # games that stand in front, with the rules that are offered first
    rule: str = ""  # a strategy as one line of arithmetic, where a rule of one's own is asked for
    says: Mapping[str, tuple[str, str]] = MappingProxyType(
        {}
    )  # at the table: to a player, and of {}, another

    def saying(self, game: str, field: str) -> Saying:
        """How a field of a game is said.

        >>> Menu().saying("nerve", "sides").say("4")
        'sides 4'
        """
        label = field.replace("_", " ").capitalize()
        usual = FIELDS.get(field) or Saying(label, f"{label.lower()} {{}}")
        return self.fields.get(f"{field}/{game}") or self.fields.get(field) or usual

    def called(self, strategy: str) -> str:
        """A strategy as a player.

        >>> menu = Menu(players={"hold": MenuPlayer("the hold-at-{} player", "")})
        >>> menu.called("hold:20"), menu.called("optimal"), menu.called("roll-by:9")
        ('the hold-at-20 player', 'the optimal player', 'roll by 9')
        """
        name, _, rest = strategy.partition(":")
        known = {**EVERYWHERE, **self.players}
        if strategy in known:
            return known[strategy].called
        if name in known and "{}" in known[name].called:
            return known[name].called.format(rest)
        return f"{name.replace('-', ' ')} {rest}".strip()

    def tells(self, strategy: str, lost: float = 0.0, where: str = "") -> str | None:
        """A strategy in a line; None if there is none. A solution may lose so much winning chance against anybody.

        >>> Menu().tells("optimal"), Menu().tells("optimal", lost=0.000307)
        ('Plays exactly: nobody does better against it.', 'Plays within 0.031 % of perfect.')
        """
        if lost > SHOWN:
            return nearly(lost, where)
        found = {**EVERYWHERE, **self.players}.get(strategy.partition(":")[0])
        return found.about if found else None


SHOWN = (
    1e-5  # of winning chance, the last digit that is shown: bounds no wider than this are as good as exact
)


def nearly(chance: float, where: str = "") -> str:
    """How well one plays who may lose so much, rounded up to two digits.

    >>> nearly(0.00004, "each round ")
    'Plays each round within 0.004 % of perfect.'
    """
    places = 1 - floor(log10(100 * chance))
    most = ceil(100 * chance * 10**places) / 10**places
    return f"Plays {where}within {most:g} % of perfect."


_LIVES = (
    {"1": "one game"}
    | {str(n): f"{count(n)} lives each, the best of {count(2 * n - 1)}" for n in (2, 3, 4, 5)}
    | {"9": "nine lives each"}
)
FIELDS: Mapping[str, Saying] = {"lives": Saying("Lives", _LIVES)}  # of games of every family
EVERYWHERE: Mapping[str, MenuPlayer] = {
    "optimal": MenuPlayer("the optimal player", "Plays exactly: nobody does better against it."),
    "learner": MenuPlayer(
        "the learner",
        f"Learns how you play from your finished games, and answers it; loses at most {100 * BOUND:g} % to anybody.",
    ),
    "random": MenuPlayer("a random player", "Does anything that is allowed."),
    "level": MenuPlayer("level {}", "Plays the better the higher its level, from 1 to 8."),
    "expr": MenuPlayer("the “{}” player", "Plays by one line of arithmetic."),
}
