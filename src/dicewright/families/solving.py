"""Any game checked at the door and solved anew by the solver of its family."""

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

from ..core.check import name_of
from ..core.errors import RulesError, quoted
from ..core.game import WrittenGame
from ..core.solution import Solution
from . import family


def admit(game: WrittenGame) -> None:
    """RulesError unless this is a game: one of a family, with the family's own rules, or any that can be asked."""
    family(game).admit(game)


def asked(game: WrittenGame, method: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not None; RulesError for a method or an option that this game's solver does not know."""
    name, way = name_of(game), family(game).way(game)
    if method not in way.methods:
        raise RulesError(f"method is {quoted(method)} for {name}; {', '.join(way.methods)} is allowed")
    for option in options:
        if option not in way.options:
            allowed = f"{' or '.join(way.options)} is allowed" if way.options else "it has none beside method"
            raise RulesError(f"unknown option {quoted(option)} for {name}; {allowed}")
    given = {option: value for option, value in options.items() if value is not None}
    gap = given.get("gap", 0.0)
    if isinstance(gap, bool) or not isinstance(gap, (int, float, Fraction)) or not 0 <= gap < inf:
        raise RulesError(f"gap is {quoted(gap)} for {name}; a finite number from 0 on is allowed")
    if not callable(progress := given.get("progress", print)):
        raise RulesError(f"progress is {quoted(progress)} for {name}; a function is allowed")
    return given


def solve(game: WrittenGame, method: str = "auto", **options: Any) -> Solution:
    """Solve a game anew: strategies for both players and a certificate of the value.

    `options` go to the family's solver (`gap` for rounds and matches of Bluff).

    >>> from dicewright.families.catalog import parse
    >>> solve(parse("piglet:goal=3")).certificate.exact
    Fraction(1, 11)
    >>> solve(parse("liars-die")).certificate.exact
    Fraction(11, 30)
    """
    admit(game)
    given = asked(game, method, options)
    return family(game).way(game).solve(game, method, **given)
