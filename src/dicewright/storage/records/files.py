"""Where records come from and go to: files in any form, chosen by the ending of the name, and games of the shelf."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ...core.errors import StorageError
from ...core.record import Record
from ..files import form_of, regular_file, standard_output, whole_file
from ..shelf.saved_game import SavedGame, exported
from .lexicon import wrong
from .rows import read_parquet, write_parquet
from .tables import read_csv, read_jsonl, write_csv, write_jsonl
from .text import read_records, write_texts

ENDINGS = {".dwr": "text", ".txt": "text", ".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet"}
MOST_BYTES = 200_000_000  # of one line, or of a table that must be held whole
MOST_FILE = 20_000_000_000  # bytes, read record by record
ID = re.compile(r"(?!-$)[A-Za-z0-9_-]{1,40}")  # or its beginning; - alone is standard input


class Format(NamedTuple):
    """How records are read from the lines of a file, and written as parts of one; Parquet has no lines."""

    read: Callable[[Iterable[str], str], Iterator[Record]]
    write: Callable[[Iterable[Record]], Iterator[str]]


LINES = {
    "text": Format(read_records, write_texts),
    "jsonl": Format(read_jsonl, write_jsonl),
    "csv": Format(read_csv, write_csv),
}
FORMS = (*LINES, "parquet")


def load_records(path: Path, form: str | None = None) -> Iterator[Record]:
    """The records of a file, one after another; `-` is standard input, read as text unless a form is given."""
    if str(path) == "-":
        yield from read_stream(sys.stdin.buffer, form or "text", "standard input")
        return
    chosen = form_of(path.name, form, ENDINGS)
    with regular_file(path, MOST_FILE) as stream:
        yield from read_stream(stream, chosen, str(path))


def read_stream(stream: BinaryIO, form: str, source: str) -> Iterator[Record]:
    """The records of an open file."""
    if form != "parquet":
        return LINES[form].read(_lines(stream, source), source)
    if stream.seekable():
        return read_parquet(stream, source)
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise StorageError(f"{source} is larger than the {MOST_BYTES:,} bytes that are allowed")
    return read_parquet(BytesIO(data), source)


def _lines(stream: BinaryIO, source: str) -> Iterator[str]:
    """The lines of a file in UTF-8; a NotationError gives the place of the first byte that is none."""
    number = 0
    while line := stream.readline(MOST_BYTES):
        number += 1
        if len(line) == MOST_BYTES:
            raise wrong(source, number, 1, f"more than {MOST_BYTES:,} bytes in one line")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            told = f"byte {line[error.start]:#04x} is no UTF-8; only UTF-8 text is allowed"
            raise wrong(source, number, error.start + 1, told) from error


def save_records(path: Path, records: Iterable[Record], form: str | None = None) -> None:
    """Write records to a file, whole or not at all."""
    chosen = form_of(path.name, form, ENDINGS)
    with whole_file(path) as stream:
        write_stream(stream, records, chosen)


def print_records(records: Iterable[Record], form: str) -> None:
    """Write records to standard output."""
    with standard_output() as stream:
        write_stream(stream, records, form)


def write_stream(stream: BinaryIO, records: Iterable[Record], form: str) -> None:
    """Write records to an open file."""
    if form == "parquet":
        write_parquet(records, stream)
        return
    for part in LINES[form].write(records):
        stream.write(part.encode())


def records_from(where: str, database: str | None = None) -> Iterator[Record]:
    """The records of a file, read as they are needed, or the saved game whose id begins so.

    A saved game that goes on and hides dice is refused.
    """
    saved = saved_at(where, database)
    return load_records(Path(where)) if saved is None else iter([exported(saved, unfinished=True)])


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
