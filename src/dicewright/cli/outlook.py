"""The tables of every position that `evaluate` saves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import NotationError
from ..core.game import WrittenGame
from ..families import family


def save_tables(game: WrittenGame, a: Any, b: Any, files: Mapping[str, Path | None]) -> list[str]:
    """Write what A and B make of every position to the files that were named, by form; their paths."""
    named = {form: path for form, path in files.items() if path is not None}
    if not named:
        return []
    charts = family(game).charts()
    if "outlooks" not in charts:
        raise NotationError(f"tables of all positions are of race games such as pig, not of {game.name}")
    import numpy as np

    from ..storage.columns import save_array, save_columns

    if "npy" in named:
        cubes = list(charts["outlooks"](game, a, b).values())
        save_array(named["npy"], cubes[0] if len(cubes) == 1 else np.stack(cubes))
    columns = charts["outlook_columns"](game, a, b) if named.keys() - {"npy"} else {}
    for form in named.keys() - {"npy"}:
        save_columns(named[form], columns, form)
    return [str(path) for path in named.values()]
