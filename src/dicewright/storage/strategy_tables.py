"""The table of a strategy as columns, and as a file: CSV, Parquet or an array of numpy.

A race strategy has the columns mine, yours, turn and action, one that mixes also chance; in other games the columns are
view, action and chance. Left out is where only one action is allowed. `file:FILE.csv` reads the CSV back.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..core.errors import NotationError
from ..core.game import WrittenGame
from ..families import admit, family
from .columns import write_parquet
from .files import safe_csv, whole_file

Columns = Mapping[str, Any]


def columns_of(game: WrittenGame, strategy: Any) -> Columns:
    """What the strategy does wherever it has a choice, a row an action, as columns of equal length."""
    admit(game)
    found: Columns = family(game).columns(game, strategy)
    return found


def save_columns(path: Path, columns: Columns, form: str | None = None) -> int:
    """Write the columns to a file, in this form or that of its ending, whole or not at all; how many rows they have."""
    if (write := FORMS.get(form or path.suffix.lower().removeprefix("."))) is None:
        raise NotationError(f"the ending of {str(path)!r} is unknown; .{', .'.join(FORMS)} are allowed")
    with whole_file(path) as stream:
        write(stream, columns)
    return len(next(iter(columns.values())))


def _csv(stream: BinaryIO, columns: Columns) -> None:
    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    stream.write(safe_csv([list(columns)]).encode())
    stream.write(safe_csv(rows).encode())


def _parquet(stream: BinaryIO, columns: Columns) -> None:
    write_parquet(stream, {name: np.asarray(column) for name, column in columns.items()})


def _npy(stream: BinaryIO, columns: Columns) -> None:
    arrays = {name: np.asarray(column) for name, column in columns.items()}
    rows = np.empty(len(next(iter(arrays.values()))), [(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        rows[name] = array
    np.save(stream, rows, allow_pickle=False)


FORMS: dict[str, Callable[[BinaryIO, Columns], None]] = {"csv": _csv, "parquet": _parquet, "npy": _npy}
