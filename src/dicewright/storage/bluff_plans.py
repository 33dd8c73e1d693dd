"""Exact solutions of rounds of Bluff in files: both strategies in the fractions they are proved in.

bluff-plans-1     plans on the public tree: for every node and hand the weight of coming there and of ending there
bluff-weights-1   where the face is fixed by the opening bid: the weight of every sequence of the tree

A file of our own making, in the package or in the store, is read on trust of its digest. Any other is proved
again: the strategies must be legal, and exact best responses to them give the bounds, which must be the file's.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from ..core.errors import DicewrightError, StorageError, TooLarge, VerificationError
from ..core.game import FIRST, SEATS, SECOND
from ..core.solution import Certificate, Solution
from ..families import catalog
from ..games.bluff import Bluff, round_tables
from ..solvers.best_response import TreeStrategy, bracket, strategy_from
from ..solvers.bluff import choose_method
from ..solvers.bluff_solution import BluffSolution
from ..solvers.bluff_strategy import PlanStrategy
from ..solvers.bluff_tree import Plan, Round, as_fraction, best_reply, is_legal, win_or_lose
from ..solvers.tree import MOST_STATES, Side, build_tree
from . import container
from .container import Array
from .solutions import read_fraction

FORMAT, TREE_FORMAT = FORMATS = ("bluff-plans-1", "bluff-weights-1")
PARTS = {"_reach": "<i4", "_ends": "<i4", "_reply": "|i1"}
TYPES = {f"{seat}{part}": kind for seat in SEATS for part, kind in PARTS.items()} | {"numbers": "|u1"}
TREE_TYPES = {**dict.fromkeys(SEATS, "<i4"), "numbers": "|u1"}
MOST_BYTES = 2 * 10**8
METHOD = "exact best responses"


def is_exact(solution: Solution) -> bool:
    """Whether a solution can be written here: both strategies are plans, or tables of a tree, in fractions."""
    strategies: Any = solution.strategies
    return all(isinstance(strategy, PlanStrategy) and strategy.plan for strategy in strategies) or all(
        isinstance(strategy, TreeStrategy) and strategy.shares.dtype == object for strategy in strategies
    )


def save_plans(path: Path, solution: Solution, seconds: float = 0.0) -> None:
    """Write both strategies: every number once, as text, and its place wherever it stands."""
    if not is_exact(solution):
        raise StorageError(f"{solution.method} has no strategies in fractions; sequence-form has")
    game: Any = solution.game
    strategies: Any = solution.strategies
    places: dict[Fraction, int] = {}
    arrays: dict[str, Any] = {}
    for seat, strategy in zip(SEATS, strategies, strict=True):
        if isinstance(strategy, TreeStrategy):
            parts = {seat: _weights(strategy)}
        else:
            parts = {f"{seat}_reach": strategy.plan.reach, f"{seat}_ends": strategy.plan.ends}
            arrays[f"{seat}_reply"] = strategy.reply
        for name, numbers in parts.items():
            found = [places.setdefault(as_fraction(number), len(places)) for number in numbers.ravel()]
            arrays[name] = np.array(found, np.int32).reshape(numbers.shape)
    arrays["numbers"] = np.frombuffer(",".join(map(str, places)).encode(), np.uint8)
    certificate = solution.certificate
    header = {
        "format": TREE_FORMAT if game.order == "fixed" else FORMAT,
        "game": game.name,
        "method": solution.method,
        "proof": certificate.method,
        "proved": certificate.proved,
        "lower": str(certificate.lower),
        "upper": str(certificate.upper),
        "seconds": round(seconds, 3),
    }
    container.write(path, header, arrays, level=9)


def plan_header(path: Path, header: dict[str, Any]) -> tuple[Bluff, Certificate]:
    """The game and the bounds that a header says."""
    try:
        game = catalog.parse(str(header["game"]))
        if not isinstance(game, Bluff):
            raise ValueError(f"{game.name} is no round of Bluff")
        if (header["format"] == TREE_FORMAT) != (game.order == "fixed"):
            raise ValueError(f"the format {header['format']} is not that of {game.name}")
        bounds = read_fraction(header["lower"]), read_fraction(header["upper"])
        return game, Certificate(*bounds, header["proved"] is True, str(header["proof"]))
    except (KeyError, ValueError, ZeroDivisionError, DicewrightError) as error:
        raise VerificationError(f"{path} has a wrong header: {error}") from error


def load_plans(path: Path, prove: bool = False) -> Solution:
    """Read both strategies; with `prove` a file that does not prove what it says is a VerificationError.

    Without, it is taken as it was written: for files of our own making, whose digest is right.
    """
    game, _ = plan_header(path, container.read_header(path))
    if (method := choose_method(game))[0] != "sequence-form":
        raise TooLarge(f"{path} solves {game.name} exactly; that is not allowed: {method[1]}")
    return _load_tree(path, game, prove) if game.order == "fixed" else _load_round(path, game, prove)


def _load_round(path: Path, game: Bluff, prove: bool) -> Solution:
    shapes: dict[str, tuple[int, ...]] = {}
    for player, seat in enumerate(SEATS):
        shape = (1 << len(game.bids), len(game.hands(player)))
        shapes |= {f"{seat}_reach": shape, f"{seat}_ends": (2, *shape), f"{seat}_reply": shape}
    header, arrays = container.read(path, TYPES, MOST_BYTES, shapes)
    numbers = _numbers(path, arrays, fmpq)
    plans = [Plan(numbers[arrays[f"{seat}_reach"]], numbers[arrays[f"{seat}_ends"]]) for seat in SEATS]
    replies = [arrays[f"{seat}_reply"] for seat in SEATS]
    _, certificate = plan_header(path, header)
    if prove:
        tables = win_or_lose(round_tables(game))
        legal = all(
            is_legal(tables, player, plans[player]) and _are_actions(tables, player, replies[player])
            for player in (FIRST, SECOND)
        )
        lower = -as_fraction(best_reply(tables, SECOND, plans[FIRST]).value)
        upper = as_fraction(best_reply(tables, FIRST, plans[SECOND]).value)
        found = Certificate(min(lower, upper), max(lower, upper), legal, METHOD)  # no strategies, no order
        certificate = _proved(path, game, certificate, found)
    first, second = (PlanStrategy(game, player, plans[player], replies[player]) for player in (FIRST, SECOND))
    return BluffSolution(game, str(header["method"]), (first, second), certificate)


def _load_tree(path: Path, game: Bluff, prove: bool) -> BluffSolution:
    header, arrays = container.read(path, TREE_TYPES, MOST_BYTES)
    numbers = _numbers(path, arrays, Fraction)
    one, two = (numbers[arrays[seat]] for seat in SEATS)
    try:  # A pair of hands and an action lead to each state but the first few, so so many are enough for these
        tree = build_tree(game, min(MOST_STATES, 5 * one.size * two.size))
        found = tuple((side.sequences,) for side in tree.sides)
    except TooLarge:
        if 5 * one.size * two.size >= MOST_STATES:
            raise
        found = None
    if (one.shape, two.shape) != found:
        raise VerificationError(f"{path} has {one.shape}, {two.shape} weights; {game.name} has others")
    _, certificate = plan_header(path, header)
    if prove:
        certificate = _proved(path, game, certificate, bracket(tree, one, two, METHOD))
    first, second = (strategy_from(side, part) for side, part in zip(tree.sides, (one, two), strict=True))
    return BluffSolution(game, str(header["method"]), (first, second), certificate)


def _proved(path: Path, game: Bluff, said: Certificate, found: Certificate) -> Certificate:
    """What was found, if the strategies keep the rules and the file says the same."""
    if not found.proved:
        raise VerificationError(f"{path} has strategies that break the rules of {game.name}")
    if (said.lower, said.upper, said.proved) != (found.lower, found.upper, True):
        says, proves = (" to ".join(bounds.decimals()) for bounds in (said, found))
        raise VerificationError(f"{path} says that the value is {says}; its strategies prove {proves}")
    return found


def _numbers(path: Path, arrays: dict[str, Array], kind: Any) -> Array:
    """The numbers of a file, exact; VerificationError if they are none, or a place among them is none."""
    text, places = (
        arrays["numbers"].tobytes(),
        [array for name, array in arrays.items() if array.dtype == "<i4"],
    )
    count = text.count(b",") + 1
    if count > sum(array.size for array in places) or any(
        (array < 0).any() or (array >= count).any() for array in places
    ):
        raise VerificationError(f"{path} has {count} numbers, and places that are not among them")
    try:
        found = [read_fraction(part) for part in text.decode("ascii").split(",")]
    except (ValueError, ZeroDivisionError) as error:
        raise VerificationError(f"{path} has numbers that are none: {error}") from error
    return np.array([kind(number.numerator, number.denominator) for number in found], object)


def _are_actions(tables: Round, player: int, reply: Array) -> bool:
    """Whether the reply is an allowed action at every node where the player moves."""
    for bid in range(-1, tables.bids):
        nodes = np.arange(1 << bid, 2 << bid) if bid >= 0 else np.arange(1)
        here = reply[[node for node in nodes.tolist() if node.bit_count() % 2 == player]]
        allowed = np.flatnonzero(tables.opening) if bid < 0 else np.arange(bid + 1, tables.bids)
        ends = [-1 - kind for kind in tables.kinds] if bid >= 0 else []
        if not np.isin(here, [*allowed, *ends]).all():
            return False
    return True


def _weights(strategy: TreeStrategy) -> Array:
    """The weight of each sequence: the product of the shares of its actions."""
    side: Side = strategy.side
    weights = strategy.shares.copy()
    weights[0] = Fraction(1)
    for number, (start, stop) in enumerate(zip(side.first[:-1], side.first[1:], strict=True)):
        weights[start:stop] = weights[side.parent[number]] * strategy.shares[start:stop]
    return weights
