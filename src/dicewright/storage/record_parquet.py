"""Records as Parquet, a record a row: the parts of a document with lists as columns; needs pyarrow."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

from ..core.errors import NotationError, StorageError
from ..core.extras import how_to_install
from ..core.record import Record
from .record_labels import Fault
from .record_tables import document_of, record_of
from .records import Library

TOGETHER = 1000  # records in one group of rows
FEW = 100  # records held while reading


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise StorageError(f"Parquet needs pyarrow: {how_to_install('scale')}") from error
    return pyarrow


def _schema(arrow: Any) -> Any:
    text = arrow.string()
    pair = arrow.struct([("name", text), ("value", text)])
    note = arrow.struct([("ply", arrow.int32()), ("text", text), ("mark", text)])
    return arrow.schema(
        [
            ("game", text),
            ("tags", arrow.list_(pair)),
            ("choices", arrow.list_(text)),
            ("payoff", arrow.float64()),
            ("ended", text),
            ("forfeit", arrow.struct([("player", text), ("why", text)])),
            ("notes", arrow.list_(note)),
        ]
    )


def write_parquet(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the records, a thousand at a time."""
    arrow = _arrow()
    schema, left = _schema(arrow), iter(records)
    with arrow.parquet.ParquetWriter(stream, schema, write_page_checksum=True) as writer:
        while rows := [_row(record) for record in islice(left, TOGETHER)]:
            writer.write_table(arrow.Table.from_pylist(rows, schema))


def _row(record: Record) -> dict[str, Any]:
    document = document_of(record)
    tags = [{"name": name, "value": value} for name, value in record.tags]
    return {**document, "tags": tags, "payoff": float(record.payoff)}


def read_parquet(stream: BinaryIO, source: str) -> Iterator[Record]:
    """The records of a file that `write_parquet` made; errors give the row, counted from 1, and the column."""
    arrow = _arrow()
    damage = (arrow.ArrowException, OSError, ValueError, TypeError, OverflowError, MemoryError)
    try:
        file = arrow.parquet.ParquetFile(stream, page_checksum_verification=True)
        schema, wanted = file.schema_arrow, _schema(arrow)
    except damage as error:
        raise NotationError(f"{source} footer: the file is damaged: {_reason(error)}") from error
    if not schema.equals(wanted):
        found, allowed = (
            ", ".join(f"{field.name}: {field.type}" for field in each) for each in (schema, wanted)
        )
        raise NotationError(f"{source} footer: it has the columns {found[:200]!r}; {allowed} is allowed")
    library, number = Library(), 0
    try:
        for batch in file.iter_batches(batch_size=FEW):
            for row in batch.to_pylist():
                number += 1
                yield record_of({**row, "tags": _tags(row["tags"] or [])}, library)
    except Fault as fault:
        raise NotationError(f"{source} row {number} column {fault.part}: {fault}") from fault
    except damage as error:
        row, column = _damaged(file, schema.names, damage)
        raise NotationError(
            f"{source} row {row} column {column}: the file is damaged: {_reason(error)}"
        ) from error


def _tags(pairs: list[dict[str, str | None] | None]) -> dict[str, Any]:
    """The tags as an object; a Fault if one stands twice or lacks its name."""
    tags: dict[Any, Any] = {}
    for pair in pairs:
        if pair is None or pair["name"] is None or pair["name"] in tags:
            raise Fault("tags", f"a tag is {pair}; each with its name and once is allowed")
        tags[pair["name"]] = pair["value"]
    return tags


def _damaged(file: Any, columns: list[str], damage: tuple[type[BaseException], ...]) -> tuple[int, str]:
    """The first row that cannot be read and its column, found by reading each column alone."""
    found = []
    for column in columns:
        row = 1
        try:
            for batch in file.iter_batches(batch_size=FEW, columns=[column]):
                for value in batch.column(0):
                    value.as_py()
                    row += 1
        except damage:
            found.append((row, column))
    return min(found, default=(1, columns[0]))


def _reason(error: BaseException) -> str:
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
