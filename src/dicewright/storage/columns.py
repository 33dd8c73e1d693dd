"""Columns of equal length written as CSV, Parquet or numpy's own file, whole or not at all: the one writer of tables.

Records and decisions have forms of their own, which are read back.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..core.errors import NotationError
from .files import safe, safe_csv, whole_file
from .parquet import NUMBER, Writer, kind_of

TOGETHER = 100_000  # rows that are written at once
Columns = Mapping[str, Any]  # arrays; of objects where numbers may be missing (None)


def save_columns(path: Path, columns: Columns, form: str | None = None, numbers: tuple[str, ...] = ()) -> int:
    """Write the columns to a file, in this form or that of its ending; how many rows they have.

    `numbers` are columns of objects that Parquet keeps as numbers, also if all of them are missing.
    """
    if (write := FORMS.get(form or path.suffix.lower().removeprefix("."))) is None:
        raise NotationError(f"the ending of {str(path)!r} is unknown; .{', .'.join(FORMS)} are allowed")
    arrays = {name: np.asarray(column) for name, column in columns.items()}
    with whole_file(path) as stream:
        write(stream, arrays, numbers)
    return len(next(iter(arrays.values())))


def _csv(stream: BinaryIO, columns: Columns, numbers: tuple[str, ...]) -> None:
    stream.write(safe_csv([list(columns)]).encode())
    for start in range(0, len(next(iter(columns.values()))), TOGETHER):
        parts = [column[start : start + TOGETHER].tolist() for column in columns.values()]
        words = [map(safe, part) if isinstance(part[0], str) else part for part in parts]
        stream.write(safe_csv(zip(*words, strict=True)).encode())


def _parquet(stream: BinaryIO, columns: Columns, numbers: tuple[str, ...]) -> None:
    kinds = {name: NUMBER if name in numbers else kind_of(column) for name, column in columns.items()}
    writer = Writer(stream, kinds)
    for start in range(0, len(next(iter(columns.values()))), TOGETHER):
        writer.write({name: column[start : start + TOGETHER] for name, column in columns.items()})
    writer.close()


def _npy(stream: BinaryIO, columns: Columns, numbers: tuple[str, ...]) -> None:
    kinds = [(name, column.dtype) for name, column in columns.items()]
    rows = np.empty(len(next(iter(columns.values()))), kinds)
    for name, column in columns.items():
        rows[name] = column
    np.save(stream, rows, allow_pickle=False)


FORMS: dict[str, Callable[[BinaryIO, Columns, tuple[str, ...]], None]] = {
    "csv": _csv,
    "parquet": _parquet,
    "npy": _npy,
}


def save_array(path: Path, array: Any) -> None:
    """Write one array as numpy reads it with `load`."""
    with whole_file(path) as stream:
        np.save(stream, array, allow_pickle=False)
