"""Where records come from: a file of records in any form, or the id of a game on the shelf."""

import re
from collections.abc import Iterator
from pathlib import Path

from ...core.errors import StorageError
from ...core.record import Record
from ..shelf.saved_game import SavedGame
from .files import load_records

ID = re.compile(r"(?!-$)[A-Za-z0-9_-]{1,40}")  # or its beginning; - alone is standard input


def records_from(where: str, database: str | None = None) -> Iterator[Record]:
    """The records of a file, read as they are needed, or the saved game whose id begins so.

    A saved game that goes on and hides dice is refused.
    """
    saved = saved_at(where, database)
    if saved is None:
        return load_records(Path(where))
    from ..shelf.plies import exported

    return iter([exported(saved, unfinished=True)])


def saved_at(where: str, database: str | None = None) -> SavedGame | None:
    """The saved game whose id begins so; None if it is a file, or can be no id."""
    if Path(where).exists() or not ID.fullmatch(where):
        return None
    from ..shelf.shelf import Shelf

    try:
        with Shelf.open(database, only_read=True) as shelf:
            return shelf.match(where)
    except StorageError as error:
        raise StorageError(f"there is no file {where}, and {error}") from error
