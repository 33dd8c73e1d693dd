"""Where records come from: a file of records in any form, or the id of a game on the shelf."""

import re
from collections.abc import Iterator
from pathlib import Path

from ..core.errors import StorageError
from ..core.record import Record
from .record_files import load_records

ID = re.compile(r"[A-Za-z0-9_-]{4,40}")


def records_from(where: str) -> Iterator[Record]:
    """The records of a file, read as they are needed, or the saved game whose id begins so.

    A saved game that goes on and hides dice is refused.
    """
    path = Path(where)
    if path.exists() or not ID.fullmatch(where):
        return load_records(path)
    from .plies import exported
    from .shelf import Shelf

    try:
        with Shelf.open() as shelf:
            return iter([exported(shelf.match(where), unfinished=True)])
    except StorageError as error:
        raise StorageError(f"there is no file {where}, and {error}") from error
