"""The one registry of strategies: `parse("hold:20", game)` gives the strategy, `str` gives the text back."""

from collections.abc import Callable, Mapping
from typing import Any

from ..core.notation import build
from . import family


def known(game: Any) -> Mapping[str, Callable[..., Any]]:
    """The strategies of a game's family, by name."""
    return family(game).strategies(game)


def parse(text: str, game: Any) -> Any:
    """The strategy written as one line, for this game.

    >>> from dicewright.families.catalog import parse as game
    >>> str(parse("hold:20", game("pig")))
    'hold:20'
    """
    return build("strategy", text, known(game), game=game)
