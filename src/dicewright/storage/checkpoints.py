"""Checkpoints of long runs: after a kill, a run goes on from the last one and ends at the same bytes."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..core.errors import StorageError
from .array_files import Array, digest, header_line, pieces, read_header, replace_file

FORMAT = "dicewright-checkpoint-1"


@dataclass
class Checkpoint:
    """Keeps the arrays of a run in one file, at most every `every` seconds."""

    path: Path
    every: float = 180.0
    _saved: float = field(default_factory=time.monotonic)

    def due(self) -> bool:
        """Whether `every` seconds have passed since the last save."""
        return time.monotonic() - self._saved >= self.every

    def load(self, about: Mapping[str, str], arrays: tuple[Array, ...]) -> int:
        """Fill the arrays from the file and give the iterations done; 0 if there is no file.

        A checkpoint of another game, rule or precision, or with other bytes than were written, is refused.
        """
        if not self.path.exists():
            return 0
        with self.path.open("rb") as file:
            header = read_header(self.path, file, FORMAT)
            for key, value in about.items():
                if header.get(key) != value:
                    raise StorageError(f"{self.path} is about {key} {header.get(key)}; {value} was asked")
            if header["arrays"] != [[array.dtype.name, array.size] for array in arrays]:
                raise StorageError(f"{self.path} holds arrays of other sizes than {about['game']} has")
            for array in arrays:
                for piece in pieces(array):
                    file.readinto(piece)
        if digest(arrays) != header["sha256"]:
            raise StorageError(f"{self.path} is damaged: its bytes are not those that were written")
        return int(header["iteration"])

    def save(self, about: Mapping[str, str], iteration: int, arrays: tuple[Array, ...]) -> None:
        """Put the arrays in place of the last checkpoint."""
        header = {
            **about,
            "format": FORMAT,
            "iteration": iteration,
            "arrays": [[array.dtype.name, array.size] for array in arrays],
            "sha256": digest(arrays),
        }

        def parts() -> Iterator[bytes | memoryview]:
            yield header_line(header)
            for array in arrays:
                yield from pieces(array)

        replace_file(self.path, parts())
        self._saved = time.monotonic()
