"""Whether somebody may wait for the solution of a game."""

from typing import Any

from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.race import RaceGame
from .store import is_kept

MOST_GOAL = 500
MOST_RANKS = 300
MOST_SEQUENCES = 120_000  # both players' hands times the ways bids can go: some seconds
MOST_DICE = 4  # of a match, or where the tree itself is solved


def is_quick(game: Any) -> bool:
    """Whether `solution_of` answers within seconds: the solution is kept, or small. Nothing is tried.

    >>> from dicewright.games.catalog import parse
    >>> [is_quick(parse(text)) for text in ("pig", "mia", "bluff:dice=2v2", "bluff:dice=2v2,wild=ones")]
    [True, True, True, False]
    """
    match game:
        case RaceGame():
            return game.goal <= MOST_GOAL or is_kept(game)
        case CallingGame():
            return len(game.labels) <= MOST_RANKS
        case Bluff():
            return _is_small(game) or is_kept(game)
        case BluffMatch():
            return sum(game.dice) <= MOST_DICE and all(map(is_quick, rounds_of(game)))
    return True


def rounds_of(match: BluffMatch) -> set[Bluff]:
    """The different rounds a match may come to."""
    from ..solvers.standings import standings

    return {match.round_of(standing) for standing in standings(match)}


def _is_small(game: Bluff) -> bool:
    if game.order == "fixed":
        return sum(game.dice) <= MOST_DICE
    hands = len(game.hands(0)) + len(game.hands(1))
    return hands << len(game.bids) <= MOST_SEQUENCES
