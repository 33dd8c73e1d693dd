"""Leaves of a group of rows that were read, and the columns that are put together from them again."""

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .encodings import Indices
from .kinds import Kind, Leaf, Levels, Map, Struct
from .thrift import Damage

VALUE = 60  # bytes of an empty text, or of a number


class Texts(NamedTuple):
    """Texts that may come again and again: which of the pool stands at each place."""

    pool: list[bytes]
    places: Indices


@dataclass(frozen=True)
class Column:
    """One leaf: where rows begin and how deep each place is (see kinds), and the values that are there."""

    deep: int
    listed: bool
    begins: Levels
    levels: Levels
    values: "Texts | npt.NDArray[Any]"

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """The first place of each row, and the end."""
        rows = np.flatnonzero(self.begins == 0) if self.listed else np.arange(len(self.levels))
        return np.append(rows, len(self.levels))

    @cached_property
    def ranks(self) -> npt.NDArray[np.int64]:
        """How many values are there before each place, and in the end."""
        return np.concatenate([[0], np.cumsum(self.levels == self.deep)])

    def held(self) -> npt.NDArray[np.int64]:
        """The bytes that each row takes as objects of Python, every text as often as it stands there."""
        sizes = VALUE * np.diff(self.starts)
        if isinstance(self.values, Texts):
            lengths = np.array([len(text) for text in self.values.pool], np.int64)
            before = np.concatenate([[0], np.cumsum(lengths[self.values.places])])
            sizes += np.diff(before[self.ranks[self.starts]])
        return sizes

    def part(self, start: int, end: int) -> "Column":
        """The rows from `start` up to `end`."""
        first, last = self.starts[start], self.starts[end]
        kept = slice(self.ranks[first], self.ranks[last])
        values = self.values
        values = Texts(values.pool, values.places[kept]) if isinstance(values, Texts) else values[kept]
        begins = self.begins[first:last] if self.listed else self.begins
        return Column(self.deep, self.listed, begins, self.levels[first:last], values)

    def spread(self) -> list[Any]:
        """The value of each place, None where none is there."""
        if isinstance(self.values, Texts):
            try:
                known = {
                    place: self.values.pool[place].decode() for place in set(self.values.places.tolist())
                }
            except UnicodeDecodeError as error:
                raise Damage(f"a text is no UTF-8: {error.reason}") from error
            found: Any = [known[place] for place in self.values.places.tolist()]
        else:
            found = self.values.tolist()
        if len(found) == len(self.levels):
            return list(found)
        rest = iter(found)
        return [next(rest) if there else None for there in (self.levels == self.deep).tolist()]


def assembled(kind: Kind, columns: list[Column]) -> list[Any]:
    """The values of a column, a row each, from its leaves."""
    first, spread = columns[0], [column.spread() for column in columns]
    if isinstance(kind, Leaf):
        return spread[0]
    if isinstance(kind, Struct):
        return _structs(kind, columns, spread, 1)
    if isinstance(kind, Map):
        inner: list[Any] = list(zip(*spread, strict=True))
    elif isinstance(kind.element, Struct):
        inner = _structs(kind.element, columns, spread, 3)
    else:
        inner = spread[0]
    if any(not np.array_equal(first.starts, other.starts) for other in columns):
        raise Damage("the parts of a column have different lengths")
    levels, starts = first.levels.tolist(), first.starts.tolist()
    return [
        inner[start:end] if levels[start] >= 2 else [] if levels[start] else None
        for start, end in itertools.pairwise(starts)
    ]


def _structs(kind: Struct, columns: list[Column], spread: list[list[Any]], there: int) -> list[Any]:
    """Of each place a dictionary, or None; the level `there` says that it is one."""
    if len({len(values) for values in spread}) > 1:
        raise Damage("the parts of a column have different lengths")
    names = [name for name, _ in kind.parts]
    rows = zip((columns[0].levels >= there).tolist(), zip(*spread, strict=True), strict=True)
    return [dict(zip(names, values, strict=True)) if one else None for one, values in rows]
