"""Whether a game is solved while somebody waits for it."""

from typing import Any

from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.race import RaceGame

MOST_GOAL = 500
MOST_RANKS = 300
MOST_SEQUENCES = 120_000  # both players' hands times the ways bids can go: some seconds
MOST_DICE = 4  # of a match, or where the tree itself is solved


def is_quick(game: Any) -> bool:
    """Whether solving the game takes seconds; by its size, nothing is tried.

    >>> from dicewright.games.catalog import parse
    >>> [is_quick(parse(text)) for text in ("pig", "mia", "bluff", "bluff:dice=2v2", "bluff:dice=2v2,sides=3")]
    [True, True, True, False, True]
    """
    match game:
        case RaceGame():
            return game.goal <= MOST_GOAL
        case CallingGame():
            return len(game.labels) <= MOST_RANKS
        case Bluff():
            return _is_small(game)
        case BluffMatch():
            return sum(game.dice) <= MOST_DICE and _is_small(game.round_of(game.first))
    return True


def _is_small(game: Bluff) -> bool:
    if game.order == "fixed":
        return sum(game.dice) <= MOST_DICE
    hands = len(game.hands(0)) + len(game.hands(1))
    return hands << len(game.bids) <= MOST_SEQUENCES
