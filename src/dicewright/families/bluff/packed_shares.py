"""The shares of a strategy of which nearly all are 0, kept packed: two dice each have 528 million, in 35 MB.

A bit says of each GROUP of shares whether it is kept; the others are 0. What is asked for is unpacked anew each time:
a hint looks at a few thousandths of the tree, and pages of memory for all of it would take 0.2 GB and 0.2 s.
"""

import mmap
from dataclasses import dataclass
from typing import Any

import numpy as np

from .public_kernels import Row

GROUP = 32
SPAN = 8 * GROUP  # shares that a byte of bits stands for
ONES = np.array([number.bit_count() for number in range(256)], np.uint8)


@dataclass(frozen=True, eq=False)
class PackedShares:
    """Shares in 255ths; `shares[start:stop]` and `np.asarray(shares)` are arrays of their own."""

    bits: Row  # which groups are kept
    groups: Row  # those, one after the other
    before: Row  # how many of them stand before each byte of bits, and all at the end
    size: int

    def __getitem__(self, part: slice) -> Row:
        """A part of the shares, in time that grows with the part."""
        start, stop, step = part.indices(self.size)
        stop = max(start, stop)
        first, last = start // SPAN, -(-stop // SPAN)
        there = np.unpackbits(self.bits[first:last]).view(np.bool_)
        found = np.zeros((len(there), GROUP), np.uint8)
        found[there] = self.groups[self.before[first] * GROUP : self.before[last] * GROUP].reshape(-1, GROUP)
        return found.reshape(-1)[start - first * SPAN : stop - first * SPAN : step]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Row:
        """All shares, in fresh pages of memory of which only those with a share in them are taken."""
        shares = blank(len(self.bits) * SPAN)
        there = np.flatnonzero(np.unpackbits(self.bits))
        shares.reshape(-1, GROUP)[there] = self.groups.reshape(-1, GROUP)
        return shares[: self.size] if dtype is None else shares[: self.size].astype(dtype)


def packed(shares: Row) -> PackedShares:
    """These shares without the groups that are all 0; no copy of all of them is made."""
    whole = len(shares) // GROUP * GROUP
    groups = np.ascontiguousarray(shares[:whole]).reshape(-1, GROUP)
    last = np.zeros((1 if whole < len(shares) else 0, GROUP), np.uint8)
    last.ravel()[: len(shares) - whole] = shares[whole:]
    there = np.concatenate([np.bitwise_or.reduce(groups.view(np.uint64), axis=1) != 0, last.any(axis=1)])
    kept = np.concatenate([groups[there[: len(groups)]], last[there[len(groups) :]]])
    return of_groups(np.packbits(there), kept.reshape(-1), len(shares))


def of_groups(bits: Row, groups: Row, size: int) -> PackedShares:
    """The shares whose groups are kept as these bits say; ValueError if they are not so many."""
    before = np.zeros(len(bits) + 1, np.int32)
    np.cumsum(ONES[bits], out=before[1:])
    if len(bits) != -(-size // SPAN) or groups.ndim != 1 or len(groups) != int(before[-1]) * GROUP:
        raise ValueError(f"its groups are not those of {size} shares")
    return PackedShares(bits, groups, before, size)


def blank(size: int) -> Row:
    """Zeros, in small pages that are taken only when something is written there, where the system allows."""
    pages = mmap.mmap(-1, max(1, size))
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        pages.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(pages, np.uint8)[:size]
