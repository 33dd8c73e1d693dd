"""The front door of the solvers: `solve` for any game of the catalog."""

from typing import Any

from ..core.errors import DicewrightError
from ..core.game import Game
from ..core.solution import Solution
from ..games.race import RaceGame


def solve(game: Game, method: str = "auto", **options: Any) -> Solution:
    """Solve a game of any family: strategies for both players and a certificate of the value.

    >>> from dicewright.games.catalog import parse
    >>> solve(parse("piglet:goal=3")).certificate.exact
    Fraction(1, 11)
    """
    if isinstance(game, RaceGame):
        from .race_certificate import solve_race

        return solve_race(game, method)
    raise DicewrightError(f"no solver knows the game {game}")
