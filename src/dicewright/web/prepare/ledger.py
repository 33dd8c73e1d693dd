"""What each address has had done lately, in processor seconds, and what is kept for it, in bytes."""

import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ..settings import Buckets, Busy, Limits
from .document import Document
from .lanes import SERVER, SHORTLY

YOURS, ALL = "you have", "all players have"
SMALL = 4_096  # bytes of an array that is not worth counting
MOST_PARTS = 20_000  # of one value that are looked at


class Ledger:
    """A piece of work is begun only if its cost, known before, is within what its asker may still have done."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.seconds = Buckets(limits.work)
        self.bytes: Counter[str] = Counter()  # of what is still in memory, by who had them made
        self.counted: set[int] = set()
        self.gone: deque[tuple[int, str, int]] = deque()  # told by Python when it frees them, in any thread

    def begin(self, who: str, seconds: float, size: int, make_room: Callable[[], None] | None = None) -> None:
        """Count the work; Busy if this address has had its share of the processor or of the memory.

        If there is no room for its result, `make_room` may make some.
        """
        if who == SERVER:
            return
        if wait := self.seconds.take(who, seconds):
            raise Busy("you have had much worked out already; wait a little", wait)
        if self.full(who, size) and make_room is not None:
            make_room()
        if whose := self.full(who, size):
            self.seconds.give(who, seconds)
            raise Busy(f"{whose} too many different games prepared at once; {SHORTLY}", 60.0)

    def full(self, who: str, size: int) -> str | None:
        """Whose share of the memory has no room for so many bytes more: YOURS, that of ALL, or None."""
        if size and self.kept(who) + size > self.limits.bytes_of_address:
            return YOURS
        return ALL if size and self.kept() + size > self.limits.bytes else None

    def settle(self, who: str, seconds: float, took: float) -> None:
        """The work took this long, not as long as was counted."""
        if who != SERVER:
            self.seconds.give(who, seconds - took)

    def keep(self, who: str, value: Any) -> int:
        """Count the arrays and documents of a result as long as anybody has them; their bytes."""
        size = 0
        self.kept()  # what is gone first: its numbers are given again
        for part in _parts(value):
            if found := _bytes_of(part):
                size += found
                if id(part) not in self.counted:
                    self.counted.add(id(part))
                    self.bytes[who] += found
                    end = weakref.finalize(part, self.gone.append, (id(part), who, found))
                    end.atexit = False
        return size

    def kept(self, who: str | None = None) -> int:
        """The bytes in memory that this address, or all addresses, had made."""
        while self.gone:
            key, of, size = self.gone.popleft()
            self.counted.discard(key)
            self.bytes[of] -= size
            if not self.bytes[of]:
                del self.bytes[of]
        return self.bytes[who] if who is not None else self.bytes.total()


def _parts(value: Any) -> Iterator[Any]:
    """The value and what it is made of, each thing once and not too many of them."""
    seen: set[int] = set()
    found = [value]
    while found and len(seen) < MOST_PARTS:
        part = found.pop()
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            found.extend(_inside(part))


def _bytes_of(part: Any) -> int:
    """The bytes that this part itself keeps in memory, 0 if they are few."""
    if isinstance(part, Document):
        return len(part.body)
    if not isinstance(part, np.ndarray) or part.base is not None or part.nbytes < SMALL:
        return 0  # part of another array, which is counted, or of a file, which is not
    return part.nbytes


def _inside(part: Any) -> Iterable[Any]:
    if isinstance(part, dict):
        return part.values()
    if isinstance(part, (tuple, list)):
        return part
    if is_dataclass(part) and not isinstance(part, type):
        return [getattr(part, field.name) for field in fields(part)]
    if isinstance(part, np.ndarray):
        return () if part.base is None else (part.base,)
    return ()
