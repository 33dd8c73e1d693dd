"""About what a piece of work costs, from the rules alone: known before it is begun, and corrected once it is done."""

from dataclasses import dataclass

from ...core.effort import LITTLE
from ...core.game import WrittenGame
from ...families import family
from ..rooms.playable import OPTIMAL

A_MOMENT = 0.1  # seconds: what is at hand is loaded, what is simple is written down
TOURNAMENT = 10.0
PLY = 5e-3  # seconds for a ply judged
OPENED, REPLAYED = 1e-3, 5e-5  # seconds for a game, and for each of its plies
TRIED = 2.5e-6  # seconds for a choice that is tried


@dataclass(frozen=True)
class Cost:
    """Seconds of a processor, and bytes that stay."""

    seconds: float = A_MOMENT
    size: int = LITTLE


def solving(game: WrittenGame, at_hand: bool) -> Cost:
    """Of the solution."""
    effort = family(game).effort(game)
    return Cost(A_MOMENT + (0.0 if at_hand else effort.seconds), effort.size)


def opponent(game: WrittenGame, text: str) -> Cost:
    """Of a player; solving, if it needs that, is counted by itself, unless it is another solution than the game's."""
    built = text.partition(":")[0] in family(game).built and text != OPTIMAL
    effort = family(game).player_effort(game, built)
    return Cost(A_MOMENT + effort.seconds, effort.size)


def picture(game: WrittenGame, what: str) -> Cost:
    """Of one of the game's pictures."""
    return Cost(A_MOMENT + family(game).drawn(game)[what].seconds(game))


def dealing(game: WrittenGame, plies: int) -> Cost:
    """Of a game taken up after so many choices: each roll that was hidden is tried with all that came after it."""
    rolls = family(game).rolls_tried(game)
    return Cost(A_MOMENT + TRIED * rolls * plies**2 / 12, 0)


def replaying(plies: int) -> Cost:
    """Of a game that is replayed or written out."""
    return Cost(OPENED + REPLAYED * plies, 0)


def analysis(plies: int) -> Cost:
    """Of every ply judged."""
    return Cost(A_MOMENT + PLY * plies)
