"""Where records come from: a file of records, or the id of a game on the shelf."""

import re
from collections.abc import Iterator
from pathlib import Path

from ..core.errors import StorageError
from ..core.record import Record
from .record_text import read_records

ID = re.compile(r"[A-Za-z0-9_-]{4,40}")


def records_from(where: str) -> Iterator[Record]:
    """The records of a file, read as they are needed, or the saved game whose id begins so."""
    path = Path(where)
    if path.is_file():
        return _lines(path)
    if path.exists() or not ID.fullmatch(where):
        raise StorageError(f"cannot read {where}: a file of records or the id of a saved game is needed")
    from .shelf import Shelf

    try:
        with Shelf.open() as shelf:
            return iter([shelf.match(where).record()])
    except StorageError as error:
        raise StorageError(f"there is no file {where}, and {error}") from error


def _lines(path: Path) -> Iterator[Record]:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            yield from read_records(file, str(path))
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise StorageError(f"{path} is no text in UTF-8: {error.reason}") from error
