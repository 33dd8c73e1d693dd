"""About what a piece of work costs, from the rules alone: known before it is begun, and corrected once it is done."""

from dataclasses import dataclass
from typing import Any

from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.race import RaceGame
from .playable import BUILT, OPTIMAL, steps

A_MOMENT = 0.1  # seconds: what is at hand is loaded, what is simple is written down
STEPS = 1e8  # of solving a race game, in a second
SEQUENCES = 20_000.0  # of solving a round of Bluff, in a second
ROUND = 5.0  # seconds: a match or a game with kept dice
RANKS = 100.0  # of a calling game, in a second
TOURNAMENT = 10.0
CELL, HAND, PLY = 2e-5, 4e-5, 5e-3  # seconds for a cell of a map, a hand with an action, a ply judged
OPENED, REPLAYED = 1e-3, 5e-5  # seconds for a game, and for each of its plies
TRIED = 2.5e-6  # seconds for a choice that is tried
PAIR = 40  # bytes that a pair of scores takes in the solution of a race game and in its player
LITTLE = 1_000_000


@dataclass(frozen=True)
class Cost:
    """Seconds of a processor, and bytes that stay."""

    seconds: float = A_MOMENT
    size: int = LITTLE


def solving(game: Any, at_hand: bool) -> Cost:
    """Of the solution."""
    match game:
        case RaceGame():
            return Cost(A_MOMENT + (0.0 if at_hand else steps(game) / STEPS), LITTLE + PAIR * game.goal**2)
        case Bluff() if not at_hand:
            hands = len(game.hands(0)) + len(game.hands(1))
            return Cost(min(ROUND * 6, A_MOMENT + (hands << min(len(game.bids), 30)) / SEQUENCES))
        case CallingGame() if not at_hand:
            return Cost(A_MOMENT + len(game.labels) / RANKS)
    return Cost(A_MOMENT if at_hand else ROUND, 4 * LITTLE)


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
