"""Columns of numbers and words written as CSV or Parquet, and arrays as numpy's own file: whole or not at all."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from .files import safe, safe_csv, whole_file
from .records.parquet import arrow_of

TOGETHER = 100_000  # rows that are made text at once


def save_csv(path: Path, columns: Mapping[str, Any]) -> int:
    """Write columns of equal length, a header first; how many rows they are."""
    rows = len(next(iter(columns.values())))
    with whole_file(path) as stream:
        stream.write(safe_csv([list(columns)]).encode())
        for start in range(0, rows, TOGETHER):
            parts = [column[start : start + TOGETHER].tolist() for column in columns.values()]
            words = [map(safe, part) if part and isinstance(part[0], str) else part for part in parts]
            stream.write(safe_csv(zip(*words, strict=True)).encode())
    return rows


def save_parquet(path: Path, columns: Mapping[str, Any]) -> int:
    """The same as Parquet; needs pyarrow."""
    with whole_file(path) as stream:
        return write_parquet(stream, columns)


def write_parquet(stream: BinaryIO, columns: Mapping[str, Any]) -> int:
    """Write columns of equal length to an open file; how many rows they are."""
    arrow = arrow_of()
    table = arrow.table({name: arrow.array(column) for name, column in columns.items()})
    arrow.parquet.write_table(table, stream, write_page_checksum=True)
    return int(table.num_rows)


def save_array(path: Path, array: Any) -> None:
    """Write one array as numpy reads it with `load`."""
    import numpy as np

    with whole_file(path) as stream:
        np.save(stream, array, allow_pickle=False)
