"""The one registry of games: `parse("pig:goal=200")` gives the game, its `name` gives the text back."""

from collections.abc import Callable
from typing import Any

from ..core.notation import read_values, split, unknown
from . import bluff, classics, cups, pig

GAMES: dict[str, Callable[..., Any]] = {
    build.__name__.replace("_", "-"): build
    for build in (
        *(pig.pig, pig.piglet, pig.two_dice_pig, pig.big_pig, pig.hog, pig.pass_the_pigs),
        *(classics.rock_paper_scissors, classics.kuhn_poker, classics.textbook_tree),
        *(cups.liars_die, cups.mia, cups.liars_dice_poker),
    )
} | {"bluff": bluff.Bluff}


def parse(text: str) -> Any:
    """The game written as one line; NotationError or RulesError says what is wrong with it.

    >>> parse("pig:goal=200").name
    'pig:goal=200'
    """
    name, rest = split(text)
    if name not in GAMES:
        raise unknown("game", name, GAMES)
    return GAMES[name](**read_values("game", text, rest, GAMES[name]))
