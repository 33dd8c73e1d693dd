"""Nearly all shares of a strategy that was rounded are 0: the others alone are kept, each with its place.

Two dice each have 528 million shares, of which some millions are not 0. Of each SPAN of them their places are kept as
bytes, so a share takes three bytes, and a span four. What is asked for is unpacked anew each time: a hint looks at a
few thousandths of the tree, and pages of memory for all of it would take some 0.2 GB and 0.2 s.
"""

import mmap
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Row = npt.NDArray[Any]

SPAN = 256
GROUP = 32  # in older files


@dataclass(frozen=True, eq=False)
class PackedShares:
    """Shares as whole numbers; `shares[start:stop]` and `np.asarray(shares)` are arrays of their own."""

    places: Row  # in the span, of each share that is not 0
    shares: Row
    before: Row  # how many of them stand before each span, and all at the end
    size: int

    @property
    def counts(self) -> Row:
        """How many there are in each span."""
        return np.diff(self.before).astype(np.uint16)

    def __getitem__(self, part: slice) -> Row:
        """A part of the shares, in time that grows with the part."""
        start, stop, step = part.indices(self.size)
        stop = max(start, stop)
        first, last = start // SPAN, -(-stop // SPAN)
        found = np.zeros((last - first) * SPAN, self.shares.dtype)
        self._fill(found, first, last)
        return found[start - first * SPAN : stop - first * SPAN : step]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Row:
        """All shares, in fresh pages of memory of which only those with a share in them are taken."""
        shares = blank((len(self.before) - 1) * SPAN, self.shares.dtype)
        self._fill(shares, 0, len(self.before) - 1)
        return shares[: self.size] if dtype is None else shares[: self.size].astype(dtype)

    def _fill(self, target: Row, first: int, last: int) -> None:
        """Put the shares of some spans where they belong."""
        kept = slice(self.before[first], self.before[last])
        spans = np.repeat(np.arange(last - first), np.diff(self.before[first : last + 1]))
        target[spans * SPAN + self.places[kept]] = self.shares[kept]


def packed(shares: Row) -> PackedShares:
    """These shares without those that are 0."""
    there = np.flatnonzero(shares)
    counts = np.bincount(there // SPAN, minlength=-(-len(shares) // SPAN))
    return of_places((there % SPAN).astype(np.uint8), counts, shares[there], len(shares))


def of_places(places: Row, counts: Row, shares: Row, size: int) -> PackedShares:
    """The shares at these places of each span; ValueError if they are not those of so many shares."""
    before = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=before[1:])
    kept = (int(counts.sum(dtype=np.int64)),)
    if len(counts) != -(-size // SPAN) or places.shape != kept or shares.shape != kept:
        raise ValueError(f"its places are not those of {size} shares")
    if size % SPAN and np.any(places[before[-2] :] >= size % SPAN):
        raise ValueError(f"it has a place beyond its {size} shares")
    return PackedShares(places, shares, before, size)


def of_groups(bits: Row, groups: Row, size: int) -> PackedShares:
    """Shares of an older file: a bit says of each GROUP of them whether it is kept; ValueError if they are others."""
    there = np.flatnonzero(np.unpackbits(bits))
    if len(bits) != -(-size // (8 * GROUP)) or groups.ndim != 1 or len(groups) != len(there) * GROUP:
        raise ValueError(f"its groups are not those of {size} shares")
    where = (there[:, None] * GROUP + np.arange(GROUP)).ravel()
    kept = groups > 0
    if np.any(where[kept] >= size):
        raise ValueError(f"it has a share beyond its {size}")
    where = where[kept]
    counts = np.bincount(where // SPAN, minlength=-(-size // SPAN))
    return of_places((where % SPAN).astype(np.uint8), counts, groups[kept].astype(np.uint16), size)


def blank(size: int, dtype: npt.DTypeLike = np.uint8) -> Row:
    """Zeros, in small pages of our own that are taken only when something is written there, where the system allows."""
    own = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
    pages = mmap.mmap(-1, max(1, size) * np.dtype(dtype).itemsize, **own)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        pages.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(pages, dtype)[:size]
