"""The one registry of games: `parse("pig:goal=200")` gives the game, its `name` gives the text back."""

from collections.abc import Callable
from typing import Any

from ..core.notation import build
from . import pig

GAMES: dict[str, Callable[..., Any]] = {
    builder.__name__.replace("_", "-"): builder
    for builder in (pig.pig, pig.piglet, pig.two_dice_pig, pig.big_pig, pig.hog, pig.pass_the_pigs)
}


def parse(text: str) -> Any:
    """The game written as one line; NotationError or RulesError says what is wrong with it.

    >>> parse("pig:goal=200").name
    'pig:goal=200'
    """
    return build("game", text, GAMES)
