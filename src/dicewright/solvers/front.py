"""The front door of the solvers: `solve` for any game."""

from typing import Any

from ..core.check import QUESTIONS, Checked
from ..core.errors import RulesError
from ..core.solution import Solution
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.calling_keep import KeepGame
from ..games.race import RaceGame

FAMILIES = (RaceGame, Bluff, BluffMatch, CallingGame, KeepGame)


def admit(game: Any) -> None:
    """RulesError unless this is a game: one of a family, with the family's own rules, or any that can be asked.

    The solvers of a family read a game's fields and never ask its methods, so other methods would be ignored.
    """
    if type(game) in FAMILIES:
        return
    for family in FAMILIES:
        if isinstance(game, family):
            for question in QUESTIONS:
                if getattr(type(game), question) is not getattr(family, question):
                    raise RulesError(
                        f"{type(game).__name__} has its own {question}, which the solvers of {family.__name__} "
                        f"never ask; a class of its own with the questions {', '.join(QUESTIONS)} is allowed"
                    )
            return
    Checked(game)


def solve(game: Any, method: str = "auto", **options: Any) -> Solution:
    """Solve a game: strategies for both players and a certificate of the value.

    A game of no family of the catalog is solved in sequence form, if its tree fits. `options` go to the
    family's solver (`gap` for rounds and matches of Bluff).

    >>> from dicewright.games.catalog import parse
    >>> solve(parse("piglet:goal=3")).certificate.exact
    Fraction(1, 11)
    >>> solve(parse("liars-die")).certificate.exact
    Fraction(11, 30)
    """
    admit(game)
    match game:
        case RaceGame():
            from .race_certificate import solve_race

            return solve_race(game, method)
        case Bluff():
            from .bluff import solve_bluff

            return solve_bluff(game, method, **options)  # type: ignore[arg-type]
        case BluffMatch():
            from .match import solve_match

            return solve_match(game, **options)
        case CallingGame():
            from .calling import solve_calling

            return solve_calling(game)
        case KeepGame():
            from .calling_keep import solve_keep

            return solve_keep(game)
        case _:
            from .sequence_form import solve_sequence_form

            return solve_sequence_form(game)
