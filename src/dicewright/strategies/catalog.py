"""The one registry of strategies: `parse("hold:20", game)` gives the strategy, `str` gives the text back."""

from collections.abc import Callable, Mapping
from typing import Any

from ..core.errors import NotationError
from ..core.game import Game
from ..core.notation import build
from ..games.race import RaceGame
from .race import RACE


def known(game: Game) -> Mapping[str, Callable[..., Any]]:
    """The strategies of a game's family, by name."""
    if isinstance(game, RaceGame):
        return RACE
    raise NotationError(f"there are no named strategies for {game}")


def parse(text: str, game: Game) -> Any:
    """The strategy written as one line, for this game.

    >>> from dicewright.games.catalog import parse as game
    >>> str(parse("hold:20", game("pig")))
    'hold:20'
    """
    return build("strategy", text, known(game), game=game)
