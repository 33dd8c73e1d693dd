"""What a column holds: numbers, texts, and lists, structures or pairs of those; every value may be missing (None).

A column becomes one stream of values for each leaf. A level beside each place says how much of the path is there
(Dremel, Melnik et al. 2010); as no list of ours stands in a list, a place begins a row or goes on with one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

REQUIRED, OPTIONAL, REPEATED = 0, 1, 2
Levels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Leaf:
    """Values of one type: its number in the format, that of what it means, and the type in numpy (None: texts)."""

    physical: int
    meaning: int | None
    dtype: str | None


@dataclass(frozen=True)
class List:
    """Values of any number."""

    element: "Leaf | Struct"


@dataclass(frozen=True)
class Struct:
    """Values with names."""

    parts: tuple[tuple[str, Leaf], ...]


@dataclass(frozen=True)
class Map:
    """Pairs of a key and a value."""

    key: Leaf
    value: Leaf


Kind = Leaf | List | Struct | Map
TEXT = Leaf(6, 0, None)
TRUTH = Leaf(0, None, "?")
SMALL = Leaf(1, None, "<i4")
WHOLE = Leaf(2, None, "<i8")
NUMBER = Leaf(5, None, "<f8")
NUMPY = {
    "int8": Leaf(1, 15, "<i4"),
    "int16": Leaf(1, 16, "<i4"),
    "int32": SMALL,
    "int64": WHOLE,
    "uint8": Leaf(1, 11, "<i4"),
    "uint16": Leaf(1, 12, "<i4"),
    "uint32": Leaf(1, 13, "<u4"),
    "uint64": Leaf(2, 14, "<u8"),
    "float32": Leaf(4, None, "<f4"),
    "float64": NUMBER,
    "bool": TRUTH,
}
LIST, MAP = 3, 1  # what groups mean


class Element(NamedTuple):
    """A line of the schema as the file has it."""

    name: str
    repetition: int
    physical: int | None = None
    children: int | None = None
    meaning: int | None = None


class Stream(NamedTuple):
    """One leaf of a column: its path, how deep it may be, the levels of its places, and the values that are there."""

    path: tuple[str, ...]
    leaf: Leaf
    deep: int  # the level at which a value is there
    listed: bool
    begins: Levels  # 0 where a row begins, 1 where it goes on; of no length if not listed
    levels: Levels
    values: Any


def kind_of(column: npt.NDArray[Any]) -> Leaf:
    """The kind of an array of numpy; objects are texts, numbers or truths with None for what is missing."""
    if column.dtype.kind == "U":
        return TEXT
    if column.dtype.kind != "O":
        return NUMPY[column.dtype.name]
    types = {type(value) for value in column if value is not None}
    if types <= {bool, np.bool_} and types:
        return TRUTH
    if types and all(issubclass(one, (int, np.integer)) for one in types):
        return WHOLE
    if types and all(issubclass(one, (int, float, np.number)) for one in types):
        return NUMBER
    return TEXT


def elements(name: str, kind: Kind, repetition: int = OPTIONAL) -> Iterator[Element]:
    """The lines of the schema for a column.

    >>> [element.name for element in elements("said", List(TEXT))]
    ['said', 'list', 'element']
    """
    if isinstance(kind, Leaf):
        yield Element(name, repetition, kind.physical, None, kind.meaning)
    elif isinstance(kind, Struct):
        yield Element(name, repetition, None, len(kind.parts))
        for part, leaf in kind.parts:
            yield from elements(part, leaf)
    elif isinstance(kind, List):
        yield Element(name, repetition, None, 1, LIST)
        yield Element("list", REPEATED, None, 1)
        yield from elements("element", kind.element)
    else:
        yield Element(name, repetition, None, 1, MAP)
        yield Element("key_value", REPEATED, None, 2)
        yield from elements("key", kind.key, REQUIRED)
        yield from elements("value", kind.value)


def leaves(name: str, kind: Kind) -> Iterator[tuple[tuple[str, ...], Leaf, int, bool]]:
    """Of each leaf of a column its path, itself, the level at which it is there, and whether it is listed."""
    if isinstance(kind, Leaf):
        yield (name,), kind, 1, False
    elif isinstance(kind, Struct):
        yield from (((name, part), leaf, 2, False) for part, leaf in kind.parts)
    elif isinstance(kind, Map):
        yield (name, "key_value", "key"), kind.key, 2, True
        yield (name, "key_value", "value"), kind.value, 3, True
    elif isinstance(kind.element, Struct):
        yield from (((name, "list", "element", part), leaf, 4, True) for part, leaf in kind.element.parts)
    else:
        yield (name, "list", "element"), kind.element, 3, True


def streams(name: str, kind: Kind, column: Sequence[Any]) -> Iterator[Stream]:
    """What is written of a column, leaf by leaf."""
    begins, levels, inner = _spread(column) if isinstance(kind, (List, Map)) else (_NONE, None, column)
    for (*_, part), (path, leaf, deep, listed) in ((each[0], each) for each in leaves(name, kind)):
        if isinstance(kind, Map):
            values: Any = [pair[part == "value"] for pair in inner]
        elif len(path) in (2, 4):
            values = [value and value[part] for value in inner]
        else:
            values = inner
        there = _there(values)
        depth = there.astype(np.uint8)
        if len(path) in (2, 4):
            depth += np.fromiter((value is not None for value in inner), np.uint8, len(inner))
        if levels is not None:
            mine = levels.copy()
            mine[levels == 2] += depth if deep > 2 else 0
        else:
            mine = depth
        kept = values if there.all() else [value for value in values if value is not None]
        yield Stream(path, leaf, deep, listed, begins, mine, kept)


_NONE = np.zeros(0, np.uint8)


def _there(values: Any) -> npt.NDArray[np.bool_]:
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        return np.ones(len(values), bool)
    return np.fromiter((value is not None for value in values), bool, len(values))


def _spread(column: Sequence[Any]) -> tuple[Levels, Levels, list[Any]]:
    """Of lists: where rows begin, whether there is no list (0), an empty one (1) or a value (2), and all values."""
    sizes = np.fromiter((-1 if each is None else len(each) for each in column), np.int64, len(column))
    places = np.maximum(sizes, 1)
    starts = np.cumsum(places) - places
    begins = np.ones(int(places.sum()), np.uint8)
    begins[starts] = 0
    levels = np.full(len(begins), 2, np.uint8)
    levels[starts[sizes < 1]] = sizes[sizes < 1] + 1
    return begins, levels, list(chain.from_iterable(each for each in column if each))
