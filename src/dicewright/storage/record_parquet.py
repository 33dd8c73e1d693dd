"""Records as Parquet, a record a row: the parts of a document with lists as columns; needs pyarrow."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

from ..core.errors import DicewrightError, NotationError, StorageError
from ..core.record import Record
from .record_tables import document_of, record_of
from .records import Library

TOGETHER = 1000  # records in one group of rows


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise StorageError("Parquet needs pyarrow: pip install 'dicewright[scale]'") from error
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
    """The records of a file that `write_parquet` made; errors give the row, counted from 1."""
    arrow = _arrow()
    library, number = Library(), 0
    damage = (arrow.ArrowException, OSError, ValueError, TypeError, OverflowError, MemoryError)
    try:
        file = arrow.parquet.ParquetFile(stream, page_checksum_verification=True)
        schema, wanted = file.schema_arrow, _schema(arrow)
        if not schema.equals(wanted):
            found = ", ".join(f"{field.name}: {field.type}" for field in schema)[:200]
            allowed = ", ".join(f"{field.name}: {field.type}" for field in wanted)
            raise NotationError(f"{source} row 0: it has the columns {found!r}; {allowed} is allowed")
        for batch in file.iter_batches(batch_size=100):
            for row in batch.to_pylist():
                number += 1
                tags = row["tags"] or []
                if any(pair is None or None in pair.values() for pair in tags):
                    raise NotationError("a tag lacks its name or value")
                names = [pair["name"] for pair in tags]
                if len(set(names)) < len(names):
                    raise NotationError(f"tags are {names[:20]}; each once is allowed")
                yield record_of({**row, "tags": {pair["name"]: pair["value"] for pair in tags}}, library)
    except DicewrightError as error:
        raise NotationError(f"{source} row {number}: {error}") from error
    except damage as error:
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise NotationError(f"{source} row {number + 1}: the file is damaged: {reason}") from error
