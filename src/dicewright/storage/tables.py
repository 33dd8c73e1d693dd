"""Rounds of Bluff whose solutions come with the package, as files of `bluff_files`.

`make tables` (python -m dicewright.storage.tables) solves them again and writes the files: some minutes for one
die against two, an hour and 4.3 GB of memory for two dice each.
"""

import time
from pathlib import Path
from typing import NamedTuple

from ..core.game import WrittenGame
from ..families.bluff.rules import Bluff

FOLDER = Path(__file__).parent.parent / "tables"


class Recipe(NamedTuple):
    """How a table was made: the gap where CFR stopped, and the chance below which nothing is kept."""

    gap: float
    least: float


RECIPES = {
    Bluff(dice=(2, 1)): Recipe(2.5e-4, 1e-7),
    Bluff(dice=(1, 2)): Recipe(2.5e-4, 1e-7),
    Bluff(dice=(2, 2)): Recipe(6e-3, 2e-5),
}


def shipped(game: WrittenGame) -> Path | None:
    """The table of this game in the package, or None."""
    if not isinstance(game, Bluff) or game not in RECIPES:
        return None
    path = FOLDER / f"bluff-{game.dice[0]}v{game.dice[1]}.npz"
    return path if path.exists() else None


def build() -> None:
    """Solve every round of the recipes and write its table."""
    from ..families.bluff.cfr import solve_cfr
    from .bluff_files import load_bluff, save_bluff

    FOLDER.mkdir(exist_ok=True)
    for game, recipe in RECIPES.items():
        path = FOLDER / f"bluff-{game.dice[0]}v{game.dice[1]}.npz"
        started = time.perf_counter()
        solution = solve_cfr(game, recipe.gap)
        save_bluff(path, solution, recipe.least, time.perf_counter() - started)
        lower, upper = load_bluff(path, measure=False).certificate.decimals()
        print(f"{game.name}: {lower} to {upper}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    build()
