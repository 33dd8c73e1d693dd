"""Rounds of Bluff solved by CFR for files: small ones of users, and those that come with the package."""

from collections.abc import Callable
from typing import Any

from .cfr import Keeper, solve_cfr
from .people import Population
from .rows_form import check_size, rounded
from .rules import Bluff
from .slips import Support, supported
from .solution import LEAST, BluffSolution
from .solve import solve_bluff

SMALL = Population(chance=4e-5, slip=4e-6, skip=1e-8, after=2000, until=4000)
LARGE = Population(chance=4e-4, slip=4e-5, skip=1e-6, after=862, until=1024)
CLOSE = Support(least=1e-3, comes=1e-4, lost=1e-4, most=5000)
WIDE = Support(least=1e-2, comes=1e-3, lost=1e-3, most=1000)
RECIPES = {  # the gap where CFR stops, the chance below which nothing is left, who else is expected, and which slips
    "bluff:dice=2v1": (8e-5, 1e-7, SMALL, CLOSE),
    "bluff:dice=1v2": (8e-5, 1e-7, SMALL, CLOSE),
    "bluff:dice=2v2": (8e-4, 1e-6, LARGE, WIDE),
    "bluff:dice=3v1": (8e-4, 3e-7, LARGE, WIDE),
    "bluff:dice=1v3": (8e-4, 3e-6, LARGE, WIDE),
}


def solve_rounded(
    game: Bluff,
    gap: float,
    least: float = LEAST,
    progress: Callable[[Any], None] | None = None,
    checkpoint: Keeper | None = None,
    population: Population | None = None,
) -> BluffSolution:
    """The solution as a file has it, without what is reached below `least`."""
    check_size(game)
    found = solve_cfr(game, gap, progress=progress, checkpoint=checkpoint, population=population)
    return rounded(found, least)


def solve_to_ship(
    game: Bluff, progress: Callable[[Any], None] | None = None, checkpoint: Keeper | None = None
) -> BluffSolution:
    """By its recipe, or exactly; docs/cfr.md says how long each takes."""
    if game.name not in RECIPES:
        return solve_bluff(game)
    gap, least, population, support = RECIPES[game.name]
    found = solve_cfr(game, gap, progress=progress, checkpoint=checkpoint, population=population)
    return rounded(supported(found, support), least)
