"""Where a sweep keeps what it has measured: a line of JSON for each number, written through to the disk at once.

A line that a power cut left half written is cut off when the file is opened again; its number is measured anew.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.errors import StorageError
from ..storage.files import read_file
from .measures import REFUSED, Measuring, Reading

MOST_BYTES = 1 << 32
Key = tuple[Any, ...]


class Cells:
    """The numbers in the file, by what was asked; those of another version of the package are measured again."""

    def __init__(self, path: Path, version: str) -> None:
        self.path, self.version = path, version
        self.known: dict[Key, Reading] = {}
        if path.exists():
            self._load()

    def _load(self) -> None:
        data = read_file(self.path, MOST_BYTES)
        whole = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                found = json.loads(line)
                *asked, value, low, high, how = found if type(found) is list else []
                numbers = all(each is None or type(each) in (int, float) for each in (value, low, high))
                if (
                    len(asked) != 7
                    or not numbers
                    or type(how) is not str
                    or {*map(type, asked)} & {list, dict}
                ):
                    raise ValueError
            except (ValueError, RecursionError):
                raise StorageError(
                    f"line {number} of {self.path} is no number of a sweep; the file was changed, or is another's"
                ) from None
            self.known[tuple(asked)] = Reading(value, low, high, how)
        if whole < len(data):
            if not data[whole:].startswith(b'["'):
                raise StorageError(f"{self.path} ends in what is no number of a sweep; the file is another's")
            os.truncate(self.path, whole)

    def keys(self, task: Measuring) -> list[Key]:
        """What each number of a task is known by."""
        rest = (task.sample, task.seed, task.prove, task.gap, self.version)
        return [(task.game, name, *rest) for name in task.measures]

    def missing(self, task: Measuring) -> Measuring:
        """The task with those measures alone that are not known."""
        pairs = zip(task.measures, self.keys(task), strict=True)
        return task._replace(measures=tuple(name for name, key in pairs if key not in self.known))

    def keep(self, task: Measuring, found: Sequence[Reading]) -> None:
        """Keep the numbers of a task but for refusals; when this returns they are on the disk."""
        rows = list(zip(self.keys(task), found, strict=True))
        self.known.update(rows)
        rows = [(key, number) for key, number in rows if not number.how.startswith(REFUSED)]
        text = "".join(f"{json.dumps([*key, *number], allow_nan=False)}\n" for key, number in rows)
        try:
            with self.path.open("ab", buffering=0) as stream:
                rest = text.encode()
                while rest:
                    rest = rest[stream.write(rest) or 0 :]
                os.fsync(stream.fileno())
        except OSError as error:
            raise StorageError(f"cannot write {self.path}: {error.strerror or error}") from error
