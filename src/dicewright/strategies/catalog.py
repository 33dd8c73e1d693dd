"""The one registry of strategies: `parse("hold:20", game)` gives the strategy, `str` gives the text back."""

from collections.abc import Callable, Mapping
from typing import Any

from ..core.errors import NotationError
from ..core.notation import build
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.race import RaceGame


def known(game: Any) -> Mapping[str, Callable[..., Any]]:
    """The strategies of a game's family, by name."""
    match game:
        case RaceGame():
            from .race import RACE

            return RACE
        case Bluff():
            from .bluff import BLUFF

            return BLUFF
        case BluffMatch():
            from .bluff import MATCH

            return MATCH
        case CallingGame():
            from .calling import CALLING

            return CALLING
        case _:
            raise NotationError(
                f"no strategies are named for {game.name}; they are for race, bluff and calling games"
            )


def parse(text: str, game: Any) -> Any:
    """The strategy written as one line, for this game.

    >>> from dicewright.games.catalog import parse as game
    >>> str(parse("hold:20", game("pig")))
    'hold:20'
    """
    return build("strategy", text, known(game), game=game)
