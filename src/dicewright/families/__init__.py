"""The families of games, and the one question which of them a game is of.

A game says the key of its family (`family = "race"`). A family that is not of this package is found by its key among
the entry points `dicewright.families` of the packages that are installed. A game without a key is of no family: it is
asked the seven questions, and all that is known of it follows from the answers.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from ..core.errors import RulesError
from ..core.game import Game
from .family import Family

GROUP = "dicewright.families"
# The families of this package, in the order of the catalog, and the modules that hold each as FAMILY.
OWN = {
    "race": "race.family",
    "classic": "tree.classics",
    "calling": "calling.family",
    "bluff": "bluff.family",
    "match": "bluff.match_family",
}


def family(game: Game) -> Family[Any]:
    """The family of a game; of a game that is of none, the one that knows the seven questions alone."""
    key = getattr(type(game), "family", None)
    found = named(key) if isinstance(key, str) else None
    return found if found is not None and isinstance(game, found.kind) else Family()


@cache
def named(key: str) -> Family[Any] | None:
    """The family with this key, loaded when it is first asked for; None if there is none."""
    if key in OWN:
        found: Family[Any] = import_module(f".{OWN[key]}", __name__).FAMILY
        return found
    return next((kin for kin in others() if kin.key == key), None)


def own() -> Iterator[Family[Any]]:
    """The families of this package, in the order of the catalog."""
    return (kin for key in OWN if (kin := named(key)) is not None)


def kins() -> Iterator[Family[Any]]:
    """All families; those of other packages are looked for when this package's own are through."""
    yield from own()
    yield from others()


@cache
def others() -> tuple[Family[Any], ...]:
    """The families of other packages that are installed."""
    found = []
    for point in entry_points(group=GROUP):
        kin = point.load()
        if not isinstance(kin, Family):
            raise RulesError(f"{point.value} is {type(kin).__name__}; a Family is allowed in {GROUP}")
        found.append(kin)
    return tuple(found)
