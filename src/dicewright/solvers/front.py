"""The door of the solvers: any game is checked, and solved anew by the solver of its family."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from inspect import getattr_static
from math import inf
from typing import Any, NamedTuple, get_args

from ..core.check import QUESTIONS, Checked, name_of
from ..core.errors import RulesError
from ..core.game import Notation
from ..core.shown import quoted
from ..core.solution import Solution
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.calling import CallingGame
from ..games.calling_keep import KeepGame
from ..games.race import RaceGame

FAMILIES = (RaceGame, Bluff, BluffMatch, CallingGame, KeepGame)
WORDS = frozenset(name for name in vars(Notation) if not name.startswith("_"))  # all that an heir may change
LOOKED_UP = ("__getattribute__", "__getattr__", "__class__")  # with these it could answer anything


def admit(game: Any) -> None:
    """RulesError unless this is a game: one of a family, with the family's own rules, or any that can be asked.

    The solvers of a family read a game's fields and ask few of its methods, so others would be ignored.
    """
    family = next((family for family in FAMILIES if isinstance(game, family)), None)
    if family is None:
        Checked(game)
        return
    if type(game) is not family:
        _check_heir(game, family)
    if isinstance(game, KeepGame):
        admit(game.pair)


def _check_heir(game: Any, family: Any) -> None:
    """RulesError if a class of one's own has another part of its family than words, or fields that make no game."""
    fields = family.__dataclass_fields__
    for name in sorted({*dir(family), *fields} - WORDS):
        own, inherited = (getattr_static(kind, name, None) for kind in (type(game), family))
        default = name in fields and not hasattr(own, "__get__")
        if own is not inherited and not default and (name in LOOKED_UP or not name.startswith("__")):
            raise RulesError(
                f"{type(game).__name__} has its own {name}, which the solvers of {family.__name__} may never ask; "
                f"a class of its own with the questions {', '.join(QUESTIONS)} is allowed"
            )
    values = {name: getattr(game, name) for name in fields if fields[name].init}
    settled = family(**values)
    for name, value in values.items():
        if getattr(settled, name) != value:
            raise RulesError(
                f"{name} is {quoted(value)} in {name_of(game)}; {quoted(getattr(settled, name))} is allowed"
            )


class Way(NamedTuple):
    """How games of a family are solved, and what may be asked for."""

    methods: Collection[str]
    options: Collection[str]
    solve: Callable[..., Solution]


def way_of(game: Any) -> Way:
    """How this game is solved; a game of no family in sequence form, if its tree fits."""
    match game:
        case RaceGame():
            from .race_certificate import METHODS, solve_race

            return Way(METHODS, (), solve_race)
        case Bluff():
            from .bluff import Method, solve_bluff

            return Way(get_args(Method), ("gap", "progress"), solve_bluff)
        case BluffMatch():
            from .match import solve_match

            return Way(("auto",), ("gap",), lambda game, method, **options: solve_match(game, **options))
        case CallingGame():
            from .calling import solve_calling

            return Way(("auto",), (), lambda game, method: solve_calling(game))
        case KeepGame():
            from .calling_keep import solve_keep

            return Way(("auto",), (), lambda game, method: solve_keep(game))
        case _:
            from .sequence_form import solve_sequence_form

            return Way(("auto", "sequence-form"), (), lambda game, method: solve_sequence_form(game))


def asked(game: Any, method: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not None; RulesError for a method or an option that this game's solver does not know."""
    name, way = name_of(game), way_of(game)
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


def solve(game: Any, method: str = "auto", **options: Any) -> Solution:
    """Solve a game anew: strategies for both players and a certificate of the value.

    `options` go to the family's solver (`gap` for rounds and matches of Bluff).

    >>> from dicewright.games.catalog import parse
    >>> solve(parse("piglet:goal=3")).certificate.exact
    Fraction(1, 11)
    >>> solve(parse("liars-die")).certificate.exact
    Fraction(11, 30)
    """
    admit(game)
    given = asked(game, method, options)
    return way_of(game).solve(game, method, **given)
