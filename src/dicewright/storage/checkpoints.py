"""Checkpoints of long runs: after a kill, a run goes on from the last one and ends at the same bytes.

    {"format": ..., "game": ..., "iteration": ..., "sha256": ..., ...}\\n<bytes of each array>

One line of JSON, then the arrays as they lie in memory: gigabytes are written and read in place, without a
copy and without compression. A checkpoint is written beside its place, flushed to the disk and renamed, so
there is always a whole one, whatever is killed in between. The one before it is kept too (FILE.before): a run goes on
from that if the newest was damaged on the disk. Both together take twice the bytes of the arrays.
"""

import hashlib
import json
import logging
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..core.errors import StorageError, quoted
from .files import regular_file, whole_file
from .solution_file import Array

FORMAT = "dicewright-checkpoint-1"
CHUNK = 1 << 24
HEADER_BYTES = 1_000_000

log = logging.getLogger("dicewright")


class Damaged(StorageError):  # noqa: N818 (reads as what happened)
    """A checkpoint whose bytes are not those that were written."""


@dataclass
class Checkpoint:
    """Keeps the arrays of a run in one file, at most every `every` seconds."""

    path: Path
    every: float = 180.0
    _saved: float = field(default_factory=time.monotonic)
    _sound: bool = True  # whether the newest file may become the one before

    def due(self) -> bool:
        """Whether `every` seconds have passed since the last save."""
        return time.monotonic() - self._saved >= self.every

    @property
    def before(self) -> Path:
        """Where the checkpoint before the newest is."""
        return self.path.with_name(f"{self.path.name}.before")

    def load(self, about: Mapping[str, str], arrays: tuple[Array, ...]) -> int:
        """Fill the arrays from the file and give the iterations done; 0 if there is none.

        A checkpoint of another game, rule or precision is refused; of one with other bytes than were written the one
        before it is taken, if there is one.
        """
        if not self.path.exists():
            return 0
        try:
            return _fill(self.path, about, arrays)
        except Damaged as error:
            if not self.before.exists():
                raise
            log.warning("%s; going on from the checkpoint before it, %s", error, self.before)
            iteration = _fill(self.before, about, arrays)
            self._sound = False
            return iteration

    def save(self, about: Mapping[str, str], iteration: int, arrays: tuple[Array, ...]) -> None:
        """Put the arrays in place of the last checkpoint, which becomes the one before."""
        header = {**about, "format": FORMAT, "iteration": iteration, "sha256": _digest(arrays)}
        with whole_file(self.path) as file:
            file.write(json.dumps(header, sort_keys=True).encode() + b"\n")
            for piece in _pieces(arrays):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
            self._put_back()
        self._sound = True
        self._saved = time.monotonic()

    def _put_back(self) -> None:
        """Give the newest file its second name while the next is written: at no moment is there none."""
        if not self._sound or not self.path.exists():
            return
        link = self.path.with_name(f".{self.path.name}.link")
        link.unlink(missing_ok=True)
        try:
            os.link(self.path, link)
        except OSError:  # a file system without second names
            return
        link.replace(self.before)


def _fill(path: Path, about: Mapping[str, str], arrays: tuple[Array, ...]) -> int:
    with regular_file(path, HEADER_BYTES + sum(array.nbytes for array in arrays)) as file:
        try:
            header = json.loads(file.readline(HEADER_BYTES))
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise Damaged(f"{path} is no {FORMAT} file")
        for key, value in about.items():
            if header.get(key) != value:
                raise StorageError(f"{path} is about {key} {header.get(key)}; {value} was asked")
        iteration = header.get("iteration")
        if type(iteration) is not int or iteration < 0:
            what = f"its iteration is {quoted(iteration)}; a whole number from 0 on is allowed"
            raise Damaged(f"{path} is damaged: {what}")
        for piece in _pieces(arrays):
            if file.readinto(piece) != len(piece):  # type: ignore[attr-defined]
                raise Damaged(f"{path} is damaged: it ends too early")
    if _digest(arrays) != header.get("sha256"):
        raise Damaged(f"{path} is damaged: its bytes are not those that were written")
    return iteration


def _pieces(arrays: tuple[Array, ...]) -> Iterator[memoryview]:
    """The bytes of the arrays, CHUNK at a time, without copying them."""
    for array in arrays:
        view = memoryview(array).cast("B")  # type: ignore[arg-type]
        for start in range(0, len(view), CHUNK):
            yield view[start : start + CHUNK]


def _digest(arrays: tuple[Array, ...]) -> str:
    sha = hashlib.sha256()
    for piece in _pieces(arrays):
        sha.update(piece)
    return sha.hexdigest()
