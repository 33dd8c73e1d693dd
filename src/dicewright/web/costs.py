"""About what a piece of work costs, from the rules alone: known before it is begun, and corrected once it is done."""

from dataclasses import dataclass
from typing import Any

from ..core.effort import LITTLE
from ..families import family
from ..families.race import PAIR
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.race import RaceGame
from .playable import BUILT, OPTIMAL

A_MOMENT = 0.1  # seconds: what is at hand is loaded, what is simple is written down
TOURNAMENT = 10.0
CELL, HAND, PLY = 2e-5, 4e-5, 5e-3  # seconds for a cell of a map, a hand with an action, a ply judged
OPENED, REPLAYED = 1e-3, 5e-5  # seconds for a game, and for each of its plies
TRIED = 2.5e-6  # seconds for a choice that is tried


@dataclass(frozen=True)
class Cost:
    """Seconds of a processor, and bytes that stay."""

    seconds: float = A_MOMENT
    size: int = LITTLE


def solving(game: Any, at_hand: bool) -> Cost:
    """Of the solution."""
    effort = family(game).effort(game)
    return Cost(A_MOMENT + (0.0 if at_hand else effort.seconds), effort.size)


def opponent(game: Any, text: str) -> Cost:
    """Of a player; solving, if it needs that, is counted by itself, unless it is another solution than the game's."""
    if not isinstance(game, RaceGame):
        return Cost(4 * A_MOMENT if isinstance(game, BluffMatch) else A_MOMENT)
    built = text.partition(":")[0] in BUILT and text != OPTIMAL
    return Cost(solving(game, not built).seconds, LITTLE + PAIR * game.goal**2)


def race_map(game: RaceGame) -> Cost:
    """Of choices and worths at all own scores and turn totals."""
    return Cost(A_MOMENT + CELL * game.goal**2 * (1 + len(game.rolls)))


def surface(game: RaceGame) -> Cost:
    """Of a number for each pair of scores."""
    return Cost(A_MOMENT + 2 * CELL * game.goal**2)


def ranges(game: Any) -> Cost:
    """Of a mix and a worth for each hand and action."""
    if isinstance(game, Bluff):
        return Cost(A_MOMENT + 50 * HAND * len(game.hands(0)) * len(game.bids))
    return Cost(A_MOMENT + HAND * len(game.labels) ** 2)


def dealing(game: Any, plies: int) -> Cost:
    """Of a game taken up after so many choices: each roll that was hidden is tried with all that came after it."""
    ranks = len(getattr(game, "labels", ()))  # elsewhere the dice of one round are hidden at the most
    return Cost(A_MOMENT + TRIED * ranks * plies**2 / 12, 0)


def replaying(plies: int) -> Cost:
    """Of a game that is replayed or written out."""
    return Cost(OPENED + REPLAYED * plies, 0)


def analysis(plies: int) -> Cost:
    """Of every ply judged."""
    return Cost(A_MOMENT + PLY * plies)
