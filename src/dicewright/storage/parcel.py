"""Solutions that no file keeps, as JSON: how they come from the process that solves to the one that asks.

None, truth values, numbers and text stand for themselves, a list is a tuple, and everything else is an object with
one key: the name of its kind, and with it what the kind is built from.

    {"Certificate": [{"Fraction": "1/3"}, {"Fraction": "1/3"}, true, "..."]}     fields in their order
    {"dict": [["call", {"Fraction": "1/3"}], ...]}                               pairs, for keys need not be text
    {"ndarray": ["<f8", [2, 3], "base64"]},  {"ndarray": ["|O", [2], [...]]}     type, shape and numbers
    {"Bluff": "bluff:sides=3"}                                                   a game by its name

KINDS is all there is: any other kind is refused by the writer and by the reader, and nothing is ever executed. Less
is sent where less will do: a plan in floats, the closed form of a calling game as its game, and of strategies that
a file keeps which ones they are.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import DicewrightError, StorageError
from ..core.game import Notation
from ..core.solution import Certificate, Solution
from ..core.strategy import Strategy
from ..families import catalog
from ..games.bluff import Bid, Bluff, BluffView
from ..games.bluff_match import BluffMatch, Standing
from ..games.calling import CallingGame
from ..games.calling_keep import KeepGame
from ..games.race import RaceGame
from ..solvers.best_response import TreeStrategy
from ..solvers.bluff_solution import BluffSolution
from ..solvers.bluff_strategy import PlanStrategy
from ..solvers.bluff_tree import Plan, as_floats
from ..solvers.calling import CallingEquilibrium, CallingSolution, equilibrium
from ..solvers.keep_solution import KeepSolution, KeepTable
from ..solvers.match_solution import MatchSolution, MatchStrategy
from ..solvers.public_tree import RowsStrategy
from ..solvers.race import RaceValues
from ..solvers.race_solution import RaceSolution
from ..solvers.tree import Side
from ..solvers.tree_solution import TreeSolution
from . import bluff_store
from .solutions import read_fraction

PLAIN = (type(None), bool, int, float, str)
FRACTIONS = "|O"
GAMES = "Game"  # of other packages, likewise by their names
TYPES = ("<f8", "<i8", "|i1", FRACTIONS)  # of arrays
Array = npt.NDArray[Any]


class Kind(NamedTuple):
    """How values of one kind travel."""

    parts: Callable[[Any], Any]  # what is sent of a value
    build: Callable[[Any], Any]  # the value that has these parts


def pack(value: Any) -> Any:
    """The value as JSON can hold it; StorageError if it is or has something of an unknown kind."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple:
        return [pack(part) for part in value]
    if kind not in KINDS:
        if isinstance(value, Notation) and _is_listed(value):  # a game of another package
            return {GAMES: value.name}
        raise _unknown(kind.__name__)
    return {kind.__name__: pack(KINDS[kind].parts(value))}


def unpack(parcel: Any) -> Solution:
    """The solution that was packed; StorageError if this is none."""
    try:
        found = _read(parcel)
    except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError) as error:
        raise StorageError(f"this is no packed solution: {error}") from error
    if not isinstance(found, Solution):
        raise StorageError(f"a {type(found).__name__} was packed; a Solution is needed")
    return found


def _read(parcel: Any) -> Any:
    if isinstance(parcel, list):
        return tuple(_read(part) for part in parcel)
    if not isinstance(parcel, dict):
        return parcel
    if len(parcel) != 1:
        raise ValueError(f"an object has {len(parcel)} keys; one, its kind, is allowed")
    ((name, parts),) = parcel.items()
    if name not in NAMED:
        raise _unknown(name)
    return NAMED[name].build(_read(parts))


def _is_listed(game: Any) -> bool:
    """Whether the catalog's game of this name is the same."""
    try:
        return bool(catalog.parse(game.name) == game)
    except DicewrightError:
        return False


def _unknown(kind: str) -> StorageError:
    return StorageError(f"a {kind} cannot be sent; allowed are {', '.join(NAMED)}")


def _by_fields(kind: type) -> Kind:
    """A frozen class of ours as the tuple of its fields; a named tuple is that already."""
    names = getattr(kind, "_fields", None) or [field.name for field in fields(kind)]
    return Kind(lambda value: tuple(getattr(value, name) for name in names), lambda parts: kind(*parts))


def _solution(kind: type[Solution]) -> Kind:
    """A solution by what it is made of; where it comes from is not sent."""
    return Kind(
        lambda found: (found.game, found.method, tuple(found.strategies), found.certificate),
        lambda parts: kind(*parts),
    )


def _plan_parts(plan: Plan) -> tuple[Array, Array]:
    rounded = as_floats(plan)
    return rounded.reach, rounded.ends


def _array_parts(array: Array) -> tuple[str, tuple[int, ...], Any]:
    kind = _checked(array.dtype.str)
    return kind, array.shape, tuple(array.flat) if kind == FRACTIONS else b64encode(array.tobytes()).decode()


def _array(parts: tuple[str, tuple[int, ...], Any]) -> Array:
    kind, shape, numbers = parts
    if _checked(kind) == FRACTIONS:
        return np.array(numbers, object).reshape(shape)
    return np.frombuffer(b64decode(numbers, validate=True), kind).reshape(shape).copy()


def _checked(kind: str) -> str:
    if kind not in TYPES:
        raise StorageError(f"an array of type {kind} cannot be sent; {', '.join(TYPES)} are allowed")
    return kind


def _kept(parts: tuple[Bluff, int]) -> Strategy:
    game, player = parts
    if (solution := bluff_store.load(game)) is None:
        raise StorageError(f"the strategies of {game.name} are kept no more; solve it again")
    return solution.strategies[player]


SOLUTIONS = (RaceSolution, BluffSolution, MatchSolution, CallingSolution, KeepSolution, TreeSolution)
GAME = Kind(lambda game: game.name, lru_cache(maxsize=16)(catalog.parse))  # some take long to be set up
KINDS: dict[type, Kind] = {
    **dict.fromkeys((RaceGame, Bluff, BluffMatch, CallingGame, KeepGame), GAME),
    **{kind: _solution(kind) for kind in SOLUTIONS},
    **{kind: _by_fields(kind) for kind in (Certificate, KeepTable, MatchStrategy, Standing)},
    **{kind: _by_fields(kind) for kind in (PlanStrategy, TreeStrategy, Side, BluffView, Bid)},
    RaceValues: Kind(lambda values: (values.game, values.worth), lambda parts: RaceValues(*parts)),
    Plan: Kind(_plan_parts, lambda parts: Plan(*parts)),
    RowsStrategy: Kind(lambda rows: (rows.tree.game, rows.player), _kept),
    CallingEquilibrium: Kind(lambda strategy: strategy.game, equilibrium),
    Fraction: Kind(str, read_fraction),
    dict: Kind(lambda table: tuple(table.items()), dict),
    np.ndarray: Kind(_array_parts, _array),
}
NAMED = {kind.__name__: way for kind, way in KINDS.items()} | {GAMES: GAME}
