"""The one registry of games: `parse("pig:goal=200")` gives the game, its `name` gives the text back."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..core.notation import build
from . import kins, own


class _Games(Mapping[str, Callable[..., Any]]):
    """The builders of all families' games by name: this package's own first, then those of packages installed."""

    def __getitem__(self, name: str) -> Callable[..., Any]:
        for kin in kins():
            if name in kin.games:
                return kin.games[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for kin in kins():
            yield from kin.games

    def __len__(self) -> int:
        return sum(1 for _ in self)


GAMES: Mapping[str, Callable[..., Any]] = _Games()


def parse(text: str) -> Any:
    """The game written as one line; NotationError or RulesError says what is wrong with it.

    OpenSpiel's `liars_dice(...)` is the same game as ours for two players with equal numbers of dice.

    >>> parse("pig:goal=200").name
    'pig:goal=200'
    >>> parse("liars_dice(numdice=2,dice_sides=3)").name
    'bluff:dice=2v2,sides=3'
    """
    foreign = () if text.strip().partition(":")[0] in GAMES else own()
    found = next((game for kin in foreign if (game := kin.read_foreign(text)) is not None), None)
    return build("game", text, GAMES) if found is None else found
