"""Records as Parquet, a record a row: the parts of a document with lists as columns."""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from ...core.errors import NotationError
from ...core.record import Record
from ..parquet import (
    NUMBER,
    SMALL,
    TEXT,
    Column,
    Damage,
    Group,
    Kind,
    List,
    Reader,
    Struct,
    Writer,
    assembled,
)
from .lexicon import Fault, Lexicon
from .tables import document_of, record_of

TOGETHER = 1000  # records in one group of rows
FEW = 100  # records made at once from a group that was read
MOST_TOGETHER = 1_000_000  # choices in one group of rows
MOST_HELD = 200_000_000  # bytes that the records made at once may take
MOST_GROUP = 1_000_000_000  # bytes of a group of rows, unpacked
MOST_VALUES = 20_000_000  # in one column of a group
KINDS: dict[str, Kind] = {
    "game": TEXT,
    "tags": List(Struct((("name", TEXT), ("value", TEXT)))),
    "choices": List(TEXT),
    "payoff": NUMBER,
    "ended": TEXT,
    "forfeit": Struct((("player", TEXT), ("why", TEXT))),
    "notes": List(Struct((("ply", SMALL), ("text", TEXT), ("mark", TEXT)))),
}


def write_parquet(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the records, a thousand at a time, or fewer long ones."""
    writer = Writer(stream, KINDS)
    rows: list[dict[str, Any]] = []
    choices = 0
    for record in records:
        row = document_of(record)
        rows.append({**row, "tags": [{"name": name, "value": value} for name, value in record.tags]})
        choices += len(row["choices"])
        if len(rows) == TOGETHER or choices >= MOST_TOGETHER:
            writer.write(_columns(rows))
            rows, choices = [], 0
    writer.write(_columns(rows))
    writer.close()


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in KINDS}


def read_parquet(stream: BinaryIO, source: str) -> Iterator[Record]:
    """The records of a file that `write_parquet` made; errors give the row, counted from 1, and the column.

    A text that stands a thousand times in a column is in the file, and in the reader's memory, once: what a record
    takes is known before it is made.
    """
    try:
        file = Reader(stream, KINDS)
    except Damage as error:
        raise NotationError(f"{source} footer: the file is damaged: {error}") from error
    if file.differs is not None:
        found, allowed = file.differs
        raise NotationError(f"{source} footer: it has the columns {found[:200]!r}; {allowed} is allowed")
    for number, group in enumerate(file.groups, start=1):
        _check(group, f"{source} group {number}")
    lexicon, before = Lexicon(), 0
    for group in file.groups:
        columns = _columns_of(file, group, f"{source} row {before + 1}")
        for start in range(0, group.rows, FEW):
            for row, parts in _rows(columns, start, min(start + FEW, group.rows)):
                place = f"{source} row {before + row + 1} column"
                if isinstance(parts, Fault):
                    raise NotationError(f"{place} {parts.part}: {parts}")
                try:
                    record = record_of({**parts, "tags": _tags(parts["tags"] or [])}, lexicon)
                except Fault as fault:
                    raise NotationError(f"{place} {fault.part}: {fault}") from fault
                yield record
        before += group.rows


def _check(group: Group, place: str) -> None:
    """Refuse a group of rows that says itself to be larger than any of ours, before it is unpacked."""
    values = max(chunk.values for chunk in group.chunks)
    if group.size > MOST_GROUP or values > MOST_VALUES:
        allowed = f"{MOST_GROUP:,} and {MOST_VALUES:,} are allowed"
        raise NotationError(f"{place} has {group.size:,} bytes, {values:,} values in a column; {allowed}")


Columns = dict[str, list[Column]]  # the leaves of each


def _columns_of(file: Reader, group: Group, place: str) -> Columns:
    """The columns of a group, not yet made objects of Python."""
    found = {}
    for name in KINDS:
        try:
            found[name] = file.column(group, name)
        except Damage as error:
            raise NotationError(f"{place} column {name}: the file is damaged: {error}") from error
    return found


def _rows(columns: Columns, start: int, end: int) -> Iterator[tuple[int, dict[str, Any] | Fault]]:
    """The parts of these records with their rows, together or, where they are large or damaged, one by one."""
    part = {name: [leaf.part(start, end) for leaf in leaves] for name, leaves in columns.items()}
    held = {name: sum(int(leaf.held().sum()) for leaf in leaves) for name, leaves in part.items()}
    try:
        if (size := sum(held.values())) > MOST_HELD:
            told = f"the record takes some {size:,} bytes; {MOST_HELD:,} is allowed"
            raise Fault(max(held, key=lambda name: held[name]), told)
        made = [_made(name, leaves) for name, leaves in part.items()]
    except Fault as fault:
        if end - start == 1:
            yield start, fault
        else:
            for row in range(start, end):
                yield from _rows(columns, row, row + 1)
    else:
        rows = (dict(zip(KINDS, parts, strict=True)) for parts in zip(*made, strict=True))
        yield from enumerate(rows, start)


def _made(name: str, leaves: list[Column]) -> list[Any]:
    try:
        return assembled(KINDS[name], leaves)
    except Damage as error:
        raise Fault(name, f"the file is damaged: {error}") from error


def _tags(pairs: list[dict[str, str | None] | None]) -> dict[str, Any]:
    """The tags as an object; a Fault if one stands twice or lacks its name."""
    tags: dict[Any, Any] = {}
    for pair in pairs:
        if pair is None or pair["name"] is None or pair["name"] in tags:
            raise Fault("tags", f"a tag is {pair}; each with its name and once is allowed")
        tags[pair["name"]] = pair["value"]
    return tags
