"""The front door of the solvers: `solve` for any game."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any, get_args

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


def _asked(
    game: Any, method: Any, methods: Collection[str], options: Mapping[str, Any], known: Collection[str] = ()
) -> dict[str, Any]:
    """The options that are not None; RulesError for a method or an option that this game's solver does not know."""
    name = getattr(game, "name", type(game).__name__)
    if method not in methods:
        raise RulesError(f"method is {method!r} for {name}; {', '.join(methods)} is allowed")
    for option in options:
        if option not in known:
            allowed = f"{' or '.join(known)} is allowed" if known else "it has none beside method"
            raise RulesError(f"unknown option {option!r} for {name}; {allowed}")
    given = {option: value for option, value in options.items() if value is not None}
    gap = given.get("gap", 0.0)
    if isinstance(gap, bool) or not isinstance(gap, (int, float, Fraction)) or not gap >= 0:
        raise RulesError(f"gap is {gap!r} for {name}; a number from 0 on is allowed")
    for option in ("progress", "solver"):
        if option in given and not callable(given[option]):
            raise RulesError(f"{option} is {given[option]!r} for {name}; a function is allowed")
    return given


def solve(game: Any, method: str = "auto", **options: Any) -> Solution:
    """Solve a game: strategies for both players and a certificate of the value.

    A game of no family of the catalog is solved in sequence form, if its tree fits. `options` go to the
    family's solver (`gap` for rounds and matches of Bluff); RulesError names a method or an option it has not.

    >>> from dicewright.games.catalog import parse
    >>> solve(parse("piglet:goal=3")).certificate.exact
    Fraction(1, 11)
    >>> solve(parse("liars-die")).certificate.exact
    Fraction(11, 30)
    """
    admit(game)
    match game:
        case RaceGame():
            from .race_certificate import METHODS, solve_race

            _asked(game, method, METHODS, options)
            return solve_race(game, method)
        case Bluff():
            from .bluff import Method, solve_bluff

            given = _asked(game, method, get_args(Method), options, ("gap", "progress"))
            return solve_bluff(game, method, **given)  # type: ignore[arg-type]
        case BluffMatch():
            from .match import solve_match

            return solve_match(game, **_asked(game, method, ("auto",), options, ("gap", "solver")))
        case CallingGame():
            from .calling import solve_calling

            _asked(game, method, ("auto",), options)
            return solve_calling(game)
        case KeepGame():
            from .calling_keep import solve_keep

            _asked(game, method, ("auto",), options)
            return solve_keep(game)
        case _:
            from .sequence_form import solve_sequence_form

            _asked(game, method, ("auto", "sequence-form"), options)
            return solve_sequence_form(game)
