"""Exact solutions of rounds of Bluff in files: both plans in the fractions they are proved in."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from ..core.errors import VerificationError
from ..core.game import FIRST, SEATS, SECOND
from ..core.solution import Certificate, Solution
from ..games import catalog
from ..games.bluff import Bluff
from ..solvers.bluff_strategy import PlanStrategy
from ..solvers.bluff_tree import Plan, as_fraction
from . import container
from .solutions import read_fraction

FORMAT = "bluff-plans-1"
PARTS = {"_reach": "<i4", "_ends": "<i4", "_reply": "|i1"}
TYPES = {f"{seat}{part}": kind for seat in SEATS for part, kind in PARTS.items()} | {"numbers": "|u1"}
MOST_BYTES = 2 * 10**8


def save_plans(path: Path, solution: Solution, seconds: float = 0.0) -> None:
    """Write both plans: every number once, as text, and its place wherever it stands."""
    strategies: Any = solution.strategies
    places: dict[Fraction, int] = {}
    arrays: dict[str, Any] = {}
    for seat, strategy in zip(SEATS, strategies, strict=True):
        for part, numbers in (("_reach", strategy.plan.reach), ("_ends", strategy.plan.ends)):
            found = [places.setdefault(as_fraction(number), len(places)) for number in numbers.ravel()]
            arrays[seat + part] = np.array(found, np.int32).reshape(numbers.shape)
        arrays[f"{seat}_reply"] = strategy.reply
    arrays["numbers"] = np.frombuffer(",".join(map(str, places)).encode(), np.uint8)
    game, certificate = strategies[FIRST].game, solution.certificate
    header = {
        "format": FORMAT,
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
        bounds = read_fraction(header["lower"]), read_fraction(header["upper"])
        return game, Certificate(*bounds, header["proved"] is True, str(header["proof"]))
    except (KeyError, ValueError, ZeroDivisionError) as error:
        raise VerificationError(f"{path} has a wrong header: {error}") from error


def load_plans(path: Path) -> Solution:
    """Read both plans of a file of our own making, on trust of its digest."""
    header, arrays = container.read(path, TYPES, MOST_BYTES)
    game, certificate = plan_header(path, header)
    numbers = np.array([_number(text) for text in arrays["numbers"].tobytes().decode().split(",")], object)
    strategies = []
    for player, seat in enumerate(SEATS):
        shape = (1 << len(game.bids), len(game.hands(player)))
        reach, ends, reply = (arrays[seat + part] for part in PARTS)
        if (reach.shape, ends.shape, reply.shape) != (shape, (2, *shape), shape):
            raise VerificationError(f"{path} has plans of other shapes than {game.name}")
        plan = Plan(numbers[reach], numbers[ends])
        strategies.append(PlanStrategy(game, player, plan, reply))
    return Solution(game, str(header["method"]), (strategies[FIRST], strategies[SECOND]), certificate)


def _number(text: str) -> fmpq:
    value = Fraction(text)
    return fmpq(value.numerator, value.denominator)
