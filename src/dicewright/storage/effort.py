"""Whether somebody may wait for the solution of a game."""

from ..core.game import WrittenGame
from ..families import family
from .store import is_kept


def is_quick(game: WrittenGame) -> bool:
    """Whether `solve` answers within seconds: the solution is kept, or small. Nothing is tried.

    >>> from dicewright.families.catalog import parse
    >>> [is_quick(parse(text)) for text in ("pig", "mia", "bluff:dice=2v2", "bluff:dice=2v2,wild=ones")]
    [True, True, True, False]
    """
    kin = family(game)
    return is_kept(game) or (kin.effort(game).quick and all(map(is_quick, kin.needs(game))))
