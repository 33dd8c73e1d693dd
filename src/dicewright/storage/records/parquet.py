"""Records as Parquet, a record a row: the parts of a document with lists as columns; needs pyarrow."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

from ...core.errors import NotationError, StorageError, how_to_install
from ...core.record import Record
from .lexicon import Fault, Lexicon
from .tables import document_of, record_of

TOGETHER = 1000  # records in one group of rows
FEW = 100  # records held while reading
MOST_HELD = 200_000_000  # bytes that they may take
MOST_GROUP = 1_000_000_000  # bytes of a group of rows, unpacked
MOST_VALUES = 50_000_000  # in one column of a group
VALUE = 60  # bytes of an empty text


def arrow_of() -> Any:
    """The module pyarrow; a StorageError says how to install it."""
    try:
        import pyarrow
        import pyarrow.compute
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
    arrow = arrow_of()
    schema, left = _schema(arrow), iter(records)
    with arrow.parquet.ParquetWriter(stream, schema, write_page_checksum=True) as writer:
        while rows := [_row(record) for record in islice(left, TOGETHER)]:
            writer.write_table(arrow.Table.from_pylist(rows, schema))


def _row(record: Record) -> dict[str, Any]:
    document = document_of(record)
    tags = [{"name": name, "value": value} for name, value in record.tags]
    return {**document, "tags": tags, "payoff": float(record.payoff)}


def read_parquet(stream: BinaryIO, source: str) -> Iterator[Record]:
    """The records of a file that `write_parquet` made; errors give the row, counted from 1, and the column.

    A text that stands a thousand times in a column is in the file, and in the reader's memory, once: what the
    records take is known before they are made.
    """
    arrow = arrow_of()
    damage = (arrow.ArrowException, OSError, ValueError, TypeError, OverflowError, MemoryError)
    try:
        footer = arrow.parquet.ParquetFile(stream)
        schema, wanted = footer.schema_arrow, _schema(arrow)
        file = arrow.parquet.ParquetFile(
            stream,
            metadata=footer.metadata,
            read_dictionary=[column.path for column in footer.schema],
            page_checksum_verification=True,
        )
    except damage as error:
        raise NotationError(f"{source} footer: the file is damaged: {_reason(error)}") from error
    if not schema.equals(wanted):
        found, allowed = (", ".join(f"{one.name}: {one.type}" for one in each) for each in (schema, wanted))
        raise NotationError(f"{source} footer: it has the columns {found[:200]!r}; {allowed} is allowed")
    _check_groups(file, source)
    lexicon, number = Lexicon(), 0
    try:
        for batch in file.iter_batches(batch_size=FEW):
            for row in _rows(batch):
                yield record_of({**row, "tags": _tags(row["tags"] or [])}, lexicon)
                number += 1
    except Fault as fault:
        raise NotationError(f"{source} row {number + 1} column {fault.part}: {fault}") from fault
    except damage as error:
        place, column = _damaged(file, schema.names, damage)
        told = f"row {place} column {column}: the file is damaged: {_reason(error)}"
        raise NotationError(f"{source} {told}") from error


def _check_groups(file: Any, source: str) -> None:
    """Refuse a group of rows that says itself to be larger than any of ours, before it is unpacked."""
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        values = max(group.column(column).num_values for column in range(group.num_columns))
        if group.total_byte_size > MOST_GROUP or values > MOST_VALUES:
            told = f"has {group.total_byte_size:,} bytes, {values:,} values in a column"
            allowed = f"{MOST_GROUP:,} and {MOST_VALUES:,} are allowed"
            raise NotationError(f"{source} group {number + 1} {told}; {allowed}")


def _rows(batch: Any) -> Iterator[dict[str, Any]]:
    """The rows together, or one by one where together they are large; a Fault for one too large, before it is made."""
    sizes = dict(zip(batch.schema.names, map(_held, batch.columns), strict=True))
    if (size := sum(sizes.values())) <= MOST_HELD:
        yield from batch.to_pylist()
    elif batch.num_rows == 1:
        largest = max(sizes, key=lambda name: sizes[name])
        raise Fault(largest, f"the record takes some {size:,} bytes; {MOST_HELD:,} is allowed")
    else:
        for place in range(batch.num_rows):
            yield from _rows(batch.slice(place, 1))


def _held(array: Any) -> int:
    """The bytes that these values take as objects of Python, every text as often as it stands there."""
    arrow, kind = arrow_of(), array.type
    size = VALUE * len(array)
    if arrow.types.is_list(kind):
        return size + _held(array.flatten())
    if arrow.types.is_struct(kind):
        return size + sum(map(_held, array.flatten()))
    if arrow.types.is_dictionary(kind) and len(array.dictionary):
        lengths = arrow.compute.binary_length(array.dictionary)
        return size + int(arrow.compute.sum(lengths.take(array.indices)).as_py() or 0)
    return size


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
                if _held(batch.column(0)) > MOST_HELD:
                    break
                for value in batch.column(0):
                    value.as_py()
                    row += 1
        except damage:
            found.append((row, column))
    return min(found, default=(1, columns[0]))


def _reason(error: BaseException) -> str:
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
