"""Rounds of Bluff solved by CFR for files: small ones of users, and those that come with the package."""

from collections.abc import Callable
from typing import Any, NamedTuple

from .cfr import Keeper, solve_cfr
from .people import Population
from .rows_form import check_size, rounded
from .rules import Bluff
from .slips import Rare, Support, answered, supported
from .solution import LEAST, BluffSolution
from .solve import solve_bluff

SMALL = Population(chance=4e-5, slip=4e-6, skip=1e-8, after=2000, until=4000)
LARGE = Population(chance=4e-4, slip=4e-5, skip=1e-6, after=862, until=1024)
CLOSE = Support(least=1e-3, comes=1e-4, lost=1e-4, most=5000)
NEVER = Support(least=1e-2, comes=1e-4, lost=1e-3, most=600, people=False)
SELDOM = Support(least=1e-2, comes=1e-3, lost=1e-2, most=300, alone=150, people=False)
FEW = Rare(share=5e-3, slip=5e-2, loss=5e-3, comes=1e-2)


class Recipe(NamedTuple):
    """How a table that ships is made."""

    gap: float  # where CFR stops
    least: float  # the chance below which nothing is left
    population: Population
    searches: tuple[Support, ...]
    rare: Rare | None = None  # only openings are searched for slips, and this is dropped


RECIPES = {
    "bluff:dice=2v1": Recipe(8e-5, 1e-7, SMALL, (CLOSE,)),
    "bluff:dice=1v2": Recipe(8e-5, 1e-7, SMALL, (CLOSE,)),
    "bluff:dice=2v2": Recipe(8e-4, 1e-6, LARGE, (NEVER._replace(most=3000),), FEW),
    "bluff:dice=3v1": Recipe(8e-4, 3e-7, LARGE, (NEVER,), FEW),
    "bluff:dice=1v3": Recipe(8e-4, 3e-6, LARGE, (NEVER, SELDOM), FEW),
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
    gap, least, population, searches, rare = RECIPES[game.name]
    found = solve_cfr(game, gap, progress=progress, checkpoint=checkpoint, population=population)
    if rare is None:
        return rounded(supported(found, searches[0]), least)
    return rounded(answered(rounded(found, least), searches, rare), least)
