"""The one registry of strategies: `parse("hold:20", game)` gives the strategy, `str` gives the text back.

Players who play alike in either seat, and pairs who do not, are met and answered by one function.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..core.game import FIRST, SECOND, WrittenGame
from ..core.notation import build
from ..core.results import Duel, Evaluation, Response
from ..core.solution import Pair, seats
from . import family


def known(game: WrittenGame) -> Mapping[str, Callable[..., Any]]:
    """The strategies of a game's family, by name."""
    return family(game).strategies(game)


def parse(text: str, game: WrittenGame) -> Any:
    """The strategy written as one line, for this game.

    >>> from dicewright.families.catalog import parse as game
    >>> str(parse("hold:20", game("pig")))
    'hold:20'
    """
    return build("strategy", text, known(game), game=game)


def seated(evaluate: Callable[[Any, Any, Any], Evaluation], game: WrittenGame, a: Any, b: Any) -> Evaluation:
    """The evaluation of players who play alike in either seat, or else of each meeting by itself."""
    one, two = seats(a), seats(b)
    if one[FIRST] is one[SECOND] and two[FIRST] is two[SECOND]:
        return evaluate(game, one[FIRST], two[FIRST])
    return met(lambda game, first, second: evaluate(game, first, second).a_first, game, a, b)


def met(duel: Callable[[Any, Any, Any], Duel], game: WrittenGame, a: Any, b: Any) -> Evaluation:
    """Both meetings, each by itself."""
    one, two = seats(a), seats(b)
    return Evaluation(duel(game, one[FIRST], two[SECOND]), duel(game, two[FIRST], one[SECOND]))


def answered(respond: Callable[[Any, Any], Response], game: WrittenGame, b: Any) -> Response:
    """The response to a player who plays alike in either seat, or else to each seat's strategy by itself."""
    first, second = seats(b)
    if first is second:
        return respond(game, first)
    as_first, as_second = respond(game, second), respond(game, first)
    answer = Pair(seats(as_first)[FIRST], seats(as_second)[SECOND], label="best response")
    return Response(
        answer, as_first.first_payoff, as_second.second_payoff, as_first.first_wins, as_second.second_wins
    )
