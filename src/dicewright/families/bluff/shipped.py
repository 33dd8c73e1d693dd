"""Rounds of Bluff solved by CFR for files: small ones of users, and those that come with the package."""

from collections.abc import Callable
from typing import Any

from .cfr import Keeper, solve_cfr
from .rows_form import LEAST, check_size, rounded
from .rules import Bluff
from .solution import BluffSolution
from .solve import solve_bluff

RECIPES = {  # the gap where CFR stops, and the chance below which nothing is left
    "bluff:dice=2v1": (2.5e-4, 1e-7),
    "bluff:dice=1v2": (2.5e-4, 1e-7),
    "bluff:dice=2v2": (6e-3, 2e-5),
}


def solve_rounded(
    game: Bluff,
    gap: float,
    least: float = LEAST,
    progress: Callable[[Any], None] | None = None,
    checkpoint: Keeper | None = None,
) -> BluffSolution:
    """The solution as a file has it, without what is reached below `least`."""
    check_size(game)
    return rounded(solve_cfr(game, gap, progress=progress, checkpoint=checkpoint), least)


def solve_to_ship(game: Bluff) -> BluffSolution:
    """By its recipe, or exactly: an hour and 4.3 GB of memory for two dice each, some minutes with one against two."""
    return solve_rounded(game, *RECIPES[game.name]) if game.name in RECIPES else solve_bluff(game)
