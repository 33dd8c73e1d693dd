"""Files of arrays: one line of JSON that says what they are, then their bytes; never any code.

    {"format": ..., "sha256": ..., "arrays": [["float32", 30710], ...], ...}\\n<bytes of each array>

A file is written beside its place, flushed to the disk and renamed, so a reader finds the old one or the new
one, whole, whatever is killed in between.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy.typing as npt

from ..core.errors import StorageError

Array = npt.NDArray[Any]
CHUNK = 1 << 24


def pieces(array: Array) -> Iterator[memoryview]:
    """The bytes of an array, CHUNK at a time, without copying them."""
    view = memoryview(array).cast("B")  # type: ignore[arg-type]
    for start in range(0, len(view), CHUNK):
        yield view[start : start + CHUNK]


def digest(arrays: Sequence[Array]) -> str:
    """The sha256 of the bytes of the arrays, one after the other."""
    sha = hashlib.sha256()
    for array in arrays:
        for piece in pieces(array):
            sha.update(piece)
    return sha.hexdigest()


def replace_file(path: Path, parts: Iterator[bytes | memoryview]) -> None:
    """Write a file whole or not at all: temporary file, fsync, rename."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise StorageError(f"{path} could not be written: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)


def header_line(header: Mapping[str, Any]) -> bytes:
    """The header as one line."""
    return json.dumps(header, sort_keys=True).encode() + b"\n"


def read_header(path: Path, file: BinaryIO, expected: str) -> dict[str, Any]:
    """The header of an open file, which must have the expected format."""
    line = file.readline(CHUNK)
    try:
        header = json.loads(line)
        known = header["format"] == expected
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise StorageError(f"{path} is no {expected} file")
    return dict(header)
