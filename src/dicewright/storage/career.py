"""The games of one person on the shelf, and what they show together."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ..analysis.analyse import analyse
from ..analysis.sides import figures
from ..arena.career import Judged, career, sentences
from ..core.errors import DicewrightError
from ..core.solution import Solution
from .games import parse_game
from .shelf.players import Player
from .shelf.saved_game import SavedGame
from .shelf.shelf import Shelf

Theirs = Sequence[tuple[SavedGame, int]]  # finished games with the person's seat, the oldest first


def unjudged(games: Theirs) -> list[SavedGame]:
    """Those whose figures are not kept yet."""
    return [game for game, _ in games if not {"sides", "error"} & (game.figures or {}).keys()]


def career_of(player: Player, games: Theirs) -> dict[str, Any]:
    """What the games show as far as they are judged; the document of page and terminal."""
    rules = cache(parse_game)
    known = [(game, seat, game.figures or {}) for game, seat in games]
    found = [
        Judged(game.id, rules(game.game), game.date, kept["unit"], kept["sides"][seat])
        for game, seat, kept in known
        if "sides" in kept
    ]
    document = career(player.name, found, len(games) - len(found))
    return {**document, "since": player.date, "sentences": sentences(document)}


def judge_all(shelf: Shelf, games: Theirs, judge_for: Callable[[Any], Solution]) -> None:
    """Judge what is not judged yet, and keep it; what cannot be is left out."""
    judges: Callable[[str], Any] = cache(lambda text: judge_for(parse_game(text)))
    for game in unjudged(games):
        try:
            found: dict[str, Any] = figures(analyse(game.record(), judges(game.game)))
        except DicewrightError as error:
            found = {"error": str(error)}
        shelf.keep_figures(game.id, found)
