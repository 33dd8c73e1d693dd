"""Pictures on disk: the picture itself, and its numbers as CSV under the same name."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import StorageError
from . import cells


def save_picture(path: Path, picture: bytes, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    """Write the picture to `path` and its numbers beside it; the path of the numbers."""
    numbers = path.with_suffix(".csv")
    try:
        path.write_bytes(picture)
        numbers.write_text(csv_text(columns, rows), encoding="utf-8")
    except OSError as error:
        raise StorageError(f"cannot write {error.filename or path}: {error.strerror}") from error
    return numbers


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as CSV."""
    return cells.csv_text([columns, *rows])
