"""Tables of decisions written as CSV, JSON Lines, JSON or Parquet, or made a DataFrame of pandas."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..analysis.decisions import COLUMNS, Decision
from ..core.errors import NotationError, StorageError, how_to_install
from .files import safe, safe_csv, standard_output, whole_file
from .parquet import NUMBER, TEXT, WHOLE, Kind, Map, Writer

if TYPE_CHECKING:
    from pandas import DataFrame

ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".json": "json", ".parquet": "parquet"}
FORMS = tuple(ENDINGS.values())
COLUMN_KINDS: dict[str, Kind] = {
    **dict.fromkeys(COLUMNS, TEXT),
    **dict.fromkeys(("ply", "shown", "time"), WHOLE),
    **dict.fromkeys(("loss", "luck_before", "luck_after"), NUMBER),
    "worths": Map(TEXT, NUMBER),
}
_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class Written(dict[Any, str]):
    """Texts of values that come again and again, each made once; forgotten when they are too many."""

    MOST = 200_000

    def __init__(self, write: Callable[[Any], str]) -> None:
        super().__init__()
        self.write = write

    def __missing__(self, value: Any) -> str:
        if len(self) >= self.MOST:
            self.clear()
        text = self[value] = self.write(value)
        return text


def save_decisions(path: Path, blocks: Iterable[Decision], form: str) -> int:
    """Write the decisions to a file, whole or not at all; how many they are."""
    with whole_file(path) as stream:
        return write_decisions(stream, blocks, form)


def print_decisions(blocks: Iterable[Decision], form: str) -> None:
    """Write the decisions to standard output."""
    if form == "parquet":
        raise NotationError("Parquet is written to a file; name one with --output")
    with standard_output() as stream:
        write_decisions(stream, blocks, form)


def write_decisions(stream: BinaryIO, blocks: Iterable[Decision], form: str) -> int:
    """Write the decisions to an open file; how many they are."""
    count = 0

    def counted() -> Iterator[Decision]:
        nonlocal count
        for block in blocks:
            count += len(block.ply)
            yield block

    if form == "parquet":
        _write_parquet(stream, counted())
    else:
        for part in LINES[form](counted()):
            stream.write(part.encode())
    return count


def _csv(blocks: Iterable[Decision]) -> Iterator[str]:
    """A header, then a row a decision; the worths are a JSON object, and no text is a formula."""
    yield f"{','.join(COLUMNS)}\n"
    told, plain = Written(lambda worths: _text(dict(worths))), Written(safe)
    for block in blocks:
        texts = {name: map(plain.__getitem__, getattr(block, name)) for name in TEXTS}
        rows = block._replace(worths=map(told.__getitem__, block.worths), **texts)
        yield safe_csv(zip(*rows, strict=True))


TEXTS = ("game", "player", "strategy", "position", "choice", "best")


def _jsonl(blocks: Iterable[Decision]) -> Iterator[str]:
    """An object a line."""
    for block in blocks:
        yield "".join([f"{row}\n" for row in _objects(block)])


def _json(blocks: Iterable[Decision]) -> Iterator[str]:
    """One list of objects."""
    before = "[\n"
    for block in blocks:
        for row in _objects(block):
            yield f"{before}{row}"
            before = ",\n"
    yield "\n]\n" if before == ",\n" else "[]\n"


def _objects(block: Decision) -> Iterator[str]:
    """Each decision as a JSON object, from the texts of its parts."""
    told = Written(lambda worths: _text(dict(worths)))
    written = Written(_text)
    pattern = "{" + ",".join(f'"{name}":%s' for name in COLUMNS) + "}"
    numbers = ("loss", "luck_before", "luck_after", "worths")  # written as they are, or in a way of their own
    cells = {name: map(written.__getitem__, getattr(block, name)) for name in COLUMNS if name not in numbers}
    rows = block._replace(worths=map(told.__getitem__, block.worths), **cells)
    return (pattern % row for row in zip(*rows, strict=True))


LINES = {"csv": _csv, "jsonl": _jsonl, "json": _json}


def _write_parquet(stream: BinaryIO, blocks: Iterable[Decision]) -> None:
    writer = Writer(stream, COLUMN_KINDS)
    for block in blocks:
        writer.write(block._replace(record=list(map(str, block.record)))._asdict())
    writer.close()


def frame(blocks: Iterable[Decision]) -> "DataFrame":
    """The decisions as a DataFrame, a row each; `shown` and `time` are whole numbers or missing."""
    try:
        import pandas
    except ImportError as error:
        raise StorageError(f"a DataFrame needs pandas: {how_to_install('people')}") from error
    whole: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for block in blocks:
        for name, column in zip(COLUMNS, block, strict=True):
            whole[name].extend(column)
    return pandas.DataFrame({name: _series(pandas, name, column) for name, column in whole.items()})


KINDS = {
    **dict.fromkeys(
        ("game", "player", "seat", "strategy", "position", "choice", "best", "worths", "undo"), "object"
    ),
    "ply": "int64",
    **dict.fromkeys(("shown", "time"), "Int64"),
    **dict.fromkeys(("loss", "luck_before", "luck_after"), "float64"),
}


def _series(pandas: Any, name: str, column: Sequence[Any]) -> Any:
    if name == "record":
        numbers = all(type(cell) is int for cell in column)
        return pandas.Series(column, dtype="int64" if numbers else "object")
    return pandas.Series(column, dtype=KINDS[name])
