"""The one place where files that a user names are opened: regular files only, and never more than so many bytes."""

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ..core.errors import StorageError

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
# A pipe is opened without waiting for somebody to write into it, so that it can be refused.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def regular_file(path: Path, most_bytes: int, links: bool = True) -> Iterator[BinaryIO]:
    """A stream of the bytes at the path; a StorageError if they are no regular file or more than allowed.

    Also a file that grows, or does not say its size, gives no more than that. Without `links` a symbolic link
    is refused. What the block raises as an OSError is a StorageError too.
    """
    try:
        with _opened(path, most_bytes, links) as raw, io.BufferedReader(raw) as stream:
            yield stream
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from error


def read_file(path: Path, most_bytes: int, links: bool = True) -> bytes:
    """All bytes of a regular file that has at most so many."""
    with regular_file(path, most_bytes, links) as stream:
        return stream.read()


class _Bounded(io.FileIO):
    """A file that refuses to be read beyond its limit."""

    def __init__(self, handle: int, path: Path, most_bytes: int) -> None:
        super().__init__(handle, "rb")
        self.path, self.most_bytes = path, most_bytes

    def readinto(self, buffer: Any, /) -> int:
        count = super().readinto(buffer)
        if self.tell() > self.most_bytes:
            raise _too_large(self.path, self.most_bytes)
        return count or 0

    def readall(self) -> bytes:
        buffer, parts = bytearray(1 << 16), []
        while count := self.readinto(buffer):
            parts.append(bytes(buffer[:count]))
        return b"".join(parts)


def _opened(path: Path, most_bytes: int, links: bool) -> _Bounded:
    try:
        handle = os.open(path, FLAGS | (0 if links else getattr(os, "O_NOFOLLOW", 0)))
    except ValueError as error:  # a name that no system has
        raise StorageError(f"cannot read {str(path)!r}: {error}") from error
    except OSError as error:
        if error.errno == errno.ELOOP and not links and path.is_symlink():
            raise _no_regular(path, "a link") from error
        if error.errno == errno.ENXIO:
            raise _no_regular(path, "a socket") from error
        raise
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise _no_regular(path, KINDS.get(stat.S_IFMT(found.st_mode), "something else"))
        if found.st_size > most_bytes:
            raise _too_large(path, most_bytes)
        return _Bounded(handle, path, most_bytes)
    except BaseException:
        os.close(handle)
        raise


def _no_regular(path: Path, kind: str) -> StorageError:
    return StorageError(f"cannot read {path}: it is {kind}; a regular file is allowed")


def _too_large(path: Path, most_bytes: int) -> StorageError:
    return StorageError(f"cannot read {path}: it is larger than the {most_bytes:,} bytes that are allowed")
