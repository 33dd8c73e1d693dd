"""Writes a Parquet file group by group: a page for each leaf, texts by a dictionary, by gzip with checksums."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np

from .encodings import (
    DICTIONARY,
    GZIP,
    PLAIN,
    RLE,
    compressed,
    plain_texts,
    runs,
    width_of,
)
from .kinds import Element, Kind, Stream, elements, streams
from .thrift import Wire, written

MAGIC = b"PAR1"
MAKER = b"dicewright"
DATA_PAGE, DICTIONARY_PAGE = 0, 2
Fields = dict[int, tuple[Wire, Any]]


class Writer:
    """A file that is being written: `write` adds a group of rows, `close` the footer."""

    def __init__(self, stream: BinaryIO, kinds: Mapping[str, Kind]) -> None:
        self.stream, self.kinds = stream, dict(kinds)
        self.place = self.rows = 0
        self.groups: list[Fields] = []
        self._put(MAGIC)

    def write(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Add a group of rows, all of them in memory; columns without rows add none."""
        if not (rows := len(next(iter(columns.values())))):
            return
        begin, chunks = self.place, []
        for name, kind in self.kinds.items():
            chunks += [self._chunk(stream) for stream in streams(name, kind, columns[name])]
        self.groups.append(
            {
                1: (Wire.LIST, (Wire.STRUCT, chunks)),
                2: (Wire.I64, sum(chunk[3][1][6][1] for chunk in chunks)),
                3: (Wire.I64, rows),
                5: (Wire.I64, begin),
                6: (Wire.I64, self.place - begin),
            }
        )
        self.rows += rows

    def close(self) -> None:
        """Write the footer, by which the file is read."""
        lines = [Element("schema", 0, children=len(self.kinds))]
        for name, kind in self.kinds.items():
            lines += elements(name, kind)
        footer = written(
            {
                1: (Wire.I32, 2),
                2: (Wire.LIST, (Wire.STRUCT, [_line(line, n == 0) for n, line in enumerate(lines)])),
                3: (Wire.I64, self.rows),
                4: (Wire.LIST, (Wire.STRUCT, self.groups)),
                6: (Wire.BINARY, MAKER),
            }
        )
        self._put(footer + len(footer).to_bytes(4, "little") + MAGIC)

    def _put(self, data: bytes) -> None:
        self.stream.write(data)
        self.place += len(data)

    def _chunk(self, stream: Stream) -> Fields:
        """Write the pages of one leaf; what the footer says of them."""
        begin, whole, first = self.place, 0, None
        if stream.leaf.dtype is None:
            pool = {text: number for number, text in enumerate(dict.fromkeys(stream.values))}
            page = plain_texts([str(text).encode() for text in pool])
            head: Fields = {1: (Wire.I32, len(pool)), 2: (Wire.I32, PLAIN)}
            whole += self._page(DICTIONARY_PAGE, page, {7: (Wire.STRUCT, head)})
            first, begin = begin, self.place
            width = width_of(max(len(pool) - 1, 0))
            places = np.fromiter(map(pool.__getitem__, stream.values), np.int64, len(stream.values))
            values, encoding = bytes([width]) + runs(places, width), DICTIONARY
        elif stream.leaf.dtype == "?":
            values, encoding = (
                np.packbits(np.asarray(stream.values, bool), bitorder="little").tobytes(),
                PLAIN,
            )
        else:
            values, encoding = np.asarray(stream.values, stream.leaf.dtype).tobytes(), PLAIN
        levels = _levels(stream.levels, stream.deep)
        if stream.listed:
            levels = _levels(stream.begins, 1) + levels
        count = len(stream.levels)
        head = {1: (Wire.I32, count), 2: (Wire.I32, encoding), 3: (Wire.I32, RLE), 4: (Wire.I32, RLE)}
        whole += self._page(DATA_PAGE, levels + values, {5: (Wire.STRUCT, head)})
        start = begin if first is None else first
        about: Fields = {
            1: (Wire.I32, stream.leaf.physical),
            2: (Wire.LIST, (Wire.I32, sorted({PLAIN, RLE, encoding}))),
            3: (Wire.LIST, (Wire.BINARY, [part.encode() for part in stream.path])),
            4: (Wire.I32, GZIP),
            5: (Wire.I64, count),
            6: (Wire.I64, whole),
            7: (Wire.I64, self.place - start),
            9: (Wire.I64, begin),
            11: (Wire.I64, first),
        }
        return {2: (Wire.I64, start), 3: (Wire.STRUCT, about)}

    def _page(self, kind: int, data: bytes, head: Fields) -> int:
        """Write a page; its bytes before they were compressed, with its header."""
        packed = compressed(data)
        sum32 = zlib.crc32(packed)
        fields: Fields = {
            1: (Wire.I32, kind),
            2: (Wire.I32, len(data)),
            3: (Wire.I32, len(packed)),
            4: (Wire.I32, sum32 - (1 << 32) if sum32 >> 31 else sum32),
            **head,
        }
        header = written(fields)
        self._put(header + packed)
        return len(header) + len(data)


def _levels(levels: Any, deep: int) -> bytes:
    data = runs(levels, width_of(deep))
    return len(data).to_bytes(4, "little") + data


def _line(line: Element, root: bool) -> Fields:
    return {
        1: (Wire.I32, line.physical),
        3: (Wire.I32, None if root else line.repetition),
        4: (Wire.BINARY, line.name.encode()),
        5: (Wire.I32, line.children),
        6: (Wire.I32, line.meaning),
    }
