"""Reads Parquet files of known columns: those written here, and those that pyarrow wrote for earlier versions.

Nothing is believed of what a file says of its sizes before it was compared with what is allowed, or with its bytes.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import SEEK_END
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from .columns import Column, Texts
from .encodings import (
    CODECS,
    DICTIONARY,
    PLAIN,
    PLAIN_DICTIONARY,
    RLE,
    Indices,
    numbers_of,
    texts_of,
    unpacked,
    width_of,
)
from .kinds import Element, Kind, Leaf, Levels, elements, leaves
from .thrift import Damage, Scanner
from .writer import DATA_PAGE, DICTIONARY_PAGE, MAGIC

KINDS = {None: "parts", 0: "truth", 1: "int32", 2: "int64", 5: "double", 6: "text"}
MOST_FOOTER = 50_000_000
MOST_HEADER = 1 << 16  # bytes of a page's header


@dataclass(frozen=True)
class Chunk:
    """What the footer says of one leaf of a group."""

    values: int
    codec: int
    start: int
    size: int


@dataclass(frozen=True)
class Group:
    """What the footer says of a group of rows."""

    rows: int
    size: int  # bytes, unpacked
    chunks: tuple[Chunk, ...]


class Reader:
    """An open file; Damage if it is none that is read here."""

    def __init__(self, stream: BinaryIO, kinds: Mapping[str, Kind]) -> None:
        self.stream, self.kinds = stream, dict(kinds)
        footer = self._footer()
        found = [_element(one) for one in _listed(footer, 2)]
        wanted = [line for name, kind in self.kinds.items() for line in elements(name, kind)]
        differ = found[1:] != wanted
        self.differs = (
            (_told(found[1:]), _told(wanted)) if differ else None
        )  # the columns here, and those asked for
        self.groups = [] if differ else [self._group(group) for group in _listed(footer, 4)]

    def _footer(self) -> dict[int, Any]:
        self.end = self.stream.seek(0, SEEK_END)
        if self.end < 12 or self._bytes(0, 4) != MAGIC or self._bytes(self.end - 4, 4) != MAGIC:
            raise Damage("it does not begin and end as a Parquet file")
        size = int.from_bytes(self._bytes(self.end - 8, 4), "little")
        if size > min(self.end - 12, MOST_FOOTER):
            raise Damage(f"the footer has {size:,} bytes")
        return Scanner(self._bytes(self.end - 8 - size, size)).struct()

    def _bytes(self, start: int, size: int) -> bytes:
        if start < 0 or start + size > self.end:
            raise Damage("a part lies outside of the file")
        self.stream.seek(start)
        return self.stream.read(size)

    def _group(self, said: Any) -> Group:
        chunks = []
        for one in _listed(said, 1):
            about = _struct(one, 3)
            starts = [_whole(about, key) for key in (9, 11) if about.get(key) is not None]
            chunks.append(Chunk(_whole(about, 5), _whole(about, 4), min(starts, default=0), _whole(about, 7)))
        if len(chunks) != sum(1 for name, kind in self.kinds.items() for _ in leaves(name, kind)):
            raise Damage("a group has another number of columns")
        return Group(_whole(said, 3), _whole(said, 2), tuple(chunks))

    def column(self, group: Group, name: str) -> list[Column]:
        """The leaves of a column of a group."""
        every = [(top, *leaf) for top, kind in self.kinds.items() for leaf in leaves(top, kind)]
        found = [
            self._column(chunk, leaf, deep, listed)
            for chunk, (top, _, leaf, deep, listed) in zip(group.chunks, every, strict=True)
            if top == name
        ]
        for column in found:
            if len(column.starts) != group.rows + 1 or column.starts[0]:
                raise Damage("it has another number of rows than its group")
        return found

    def _column(self, chunk: Chunk, leaf: Leaf, deep: int, listed: bool) -> Column:
        if chunk.codec not in CODECS:
            raise Damage(
                f"its compression has the number {chunk.codec}; {', '.join(CODECS.values())} is allowed"
            )
        data = memoryview(self._bytes(chunk.start, chunk.size))
        pages, found, left = _Pages(leaf, deep, listed), [(_EMPTY, _EMPTY, _NOWHERE)], chunk.values
        while left > 0:
            scanner = Scanner(data[:MOST_HEADER])
            header = scanner.struct()
            size = _whole(header, 3)
            packed, data = bytes(data[scanner.place :][:size]), data[scanner.place + size :]
            if len(packed) != size:
                raise Damage("a page ends too early")
            if header.get(4) is not None and zlib.crc32(packed) != _number(header, 4) & 0xFFFFFFFF:
                raise Damage("the checksum of a page is wrong")
            page = memoryview(unpacked(packed, chunk.codec, _whole(header, 2)))
            if (kind := _whole(header, 1)) == DICTIONARY_PAGE:
                pages.dictionary(page, _struct(header, 7))
            elif kind == DATA_PAGE:
                found.append(pages.data(page, _struct(header, 5), left))
                left -= len(found[-1][1])
            else:
                raise Damage(f"a page has the kind {kind}; one of data and one of a dictionary is allowed")
        begins, levels, places = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Column(deep, listed, begins, levels, pages.those(places))


class _Pages:
    """The pages of one leaf: values go into a pool, and each place says which of them stands there."""

    def __init__(self, leaf: Leaf, deep: int, listed: bool) -> None:
        self.leaf, self.deep, self.listed = leaf, deep, listed
        self.texts: list[bytes] = []
        self.numbers: list[npt.NDArray[Any]] = []
        self.count, self.known = 0, 0  # in the pool, and of them in its dictionary

    def dictionary(self, page: memoryview, head: dict[int, Any]) -> None:
        """The values that places refer to."""
        if self.count or _whole(head, 2) not in (PLAIN, PLAIN_DICTIONARY):
            raise Damage("a dictionary stands late, or is no plain one")
        self.known = self._plain(page, _whole(head, 1))

    def data(self, page: memoryview, head: dict[int, Any], most: int) -> tuple[Levels, Levels, Indices]:
        """The levels of a page, and for each value its place in the pool."""
        count, encoding = _whole(head, 1), _whole(head, 2)
        if not 0 < count <= most or (_whole(head, 3), _whole(head, 4)) != (RLE, RLE):
            raise Damage("a page has more values than its column, or levels in another encoding")
        begins = _EMPTY
        if self.listed:
            begins, page = _levels(page, 1, count)
        levels, page = _levels(page, self.deep, count)
        there = int(np.count_nonzero(levels == self.deep))
        if encoding in (DICTIONARY, PLAIN_DICTIONARY):
            places = numbers_of(page[1:], Scanner(page).byte(), there) if there else _NOWHERE
            if there and places.max() >= self.known:
                raise Damage("a value is not in its dictionary")
        elif encoding == PLAIN:
            places = np.arange(self.count, self.count + self._plain(page, there), dtype=np.int32)
        else:
            raise Damage(f"a page has the encoding {encoding}; plain and dictionary are allowed")
        return begins, levels, places

    def _plain(self, page: memoryview, count: int) -> int:
        if self.leaf.dtype is None:
            self.texts += texts_of(page, count)
        else:
            size = np.dtype(self.leaf.dtype).itemsize * count
            if len(page) < size:
                raise Damage("a page ends too early")
            self.numbers.append(np.frombuffer(page[:size], self.leaf.dtype))
        self.count += count
        return count

    def those(self, places: Indices) -> "Texts | npt.NDArray[Any]":
        """The values at these places of the pool."""
        if self.leaf.dtype is None:
            return Texts(self.texts, places)
        return np.concatenate([np.zeros(0, self.leaf.dtype), *self.numbers])[places]


_EMPTY = np.zeros(0, np.uint8)
_NOWHERE = np.zeros(0, np.int32)


def _levels(page: memoryview, deep: int, count: int) -> tuple[Levels, memoryview]:
    """Levels, with their length before them, and what follows."""
    size = int.from_bytes(page[:4], "little")
    levels = numbers_of(page[4 : 4 + size], width_of(deep), count)
    if levels.max() > deep:
        raise Damage("a level is deeper than its column")
    return levels.astype(np.uint8), page[4 + size :]


def _number(fields: dict[int, Any], key: int) -> int:
    found = fields.get(key)
    if type(found) is not int:
        raise Damage(f"a header has {repr(found)[:40]} where a number should be")
    return found


def _whole(fields: dict[int, Any], key: int) -> int:
    if not 0 <= (found := _number(fields, key)) < 1 << 62:
        raise Damage(f"a header has {found} where a size should be")
    return found


def _struct(fields: Any, key: int) -> dict[int, Any]:
    found = fields.get(key) if isinstance(fields, dict) else None
    if not isinstance(found, dict):
        raise Damage("a header lacks a part")
    return found


def _listed(fields: Any, key: int) -> list[Any]:
    found = fields.get(key) if isinstance(fields, dict) else None
    if not isinstance(found, list):
        raise Damage("a header lacks a list")
    return found


def _element(said: Any) -> Element:
    if not isinstance(said, dict) or not isinstance(said.get(4), bytes):
        raise Damage("a column has no name")
    numbers = [None if said.get(key) is None else _number(said, key) for key in (3, 1, 5, 6)]
    return Element(said[4].decode("utf-8", "replace"), numbers[0] or 0, *numbers[1:])


def _told(columns: list[Element]) -> str:
    return ", ".join(f"{one.name}: {KINDS.get(one.physical, one.physical)}" for one in columns)
