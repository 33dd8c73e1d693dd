"""Files as users name them: regular ones only, never more than so many bytes, texts of any editor; written whole.

No text in a cell of a CSV is a formula to the spreadsheet that opens it. That computes a cell which begins with `=`,
`+`, `-` or `@`, and names of players and files are strangers' text. An apostrophe before it makes it text there, and
`plain` takes it away again. Numbers stay numbers.
"""

import codecs
import csv
import errno
import io
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from ..core.errors import DicewrightError, NotationError, StorageError

locks: Any
try:
    import fcntl as locks
except ImportError:  # Windows
    locks = None

T = TypeVar("T")
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
# A pipe is opened without waiting for somebody to write into it, so that it can be refused.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)

FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-](inf|nan)", re.IGNORECASE)


def form_of(name: str, form: str | None, endings: Mapping[str, str]) -> str:
    """The form that was asked, else that of the name's ending."""
    found = form or endings.get(Path(name).suffix.lower())
    if found is None or found not in endings.values():
        given = f"the form {form!r}" if form else f"the ending of {name!r}"
        forms = ", ".join(dict.fromkeys(endings.values()))
        raise NotationError(f"{given} is unknown; {', '.join(endings)} ({forms}) are allowed")
    return found


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


def encoding_of(start: bytes) -> str:
    """How a text whose first two bytes are these is read; without a mark, UTF-16 shows in the zero of a letter.

    >>> encoding_of("turn < 20".encode("utf-16")[:2]), encoding_of(b"tu"), encoding_of(b"t\\0")
    ('utf-16', 'utf-8-sig', 'utf-16-le')
    """
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    if len(start) == 2 and 0 in start:
        return "utf-16-le" if start[1] == 0 else "utf-16-be"
    return "utf-8-sig"


@contextmanager
def decoding(source: str) -> Iterator[None]:
    """Bytes that are no text are a StorageError that says how to save it."""
    try:
        yield
    except UnicodeError as error:
        raise StorageError(
            f"{source} is no text in UTF-8: {getattr(error, 'reason', error)}; save it again with the encoding "
            "UTF-8 (in Notepad: Save as, then Encoding)"
        ) from error


def read_text(path: Path, most_bytes: int) -> str:
    """The text of a regular file, as any editor saves it."""
    data = read_file(path, most_bytes)
    with decoding(str(path)):
        return data.decode(encoding_of(data[:2]))


def from_toml(path: Path, most_bytes: int, build: Callable[[dict[str, Any]], T]) -> T:
    """What is built of a file of TOML; whatever is wrong with it, the file is named."""
    import tomllib

    text = read_text(path, most_bytes)
    try:
        return build(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise NotationError(f"{path} is no TOML: {error}") from error
    except DicewrightError as error:
        raise type(error)(f"{path}: {error}") from error


@contextmanager
def written(path: Path) -> Iterator[None]:
    """What the block cannot write is a StorageError; the path is named where the error names none."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"cannot write {error.filename or path}: {error.strerror or error}") from error


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A stream whose bytes stand at the path once the block is left; after an error what stood there still does."""
    if path.exists() and not path.is_file():
        raise StorageError(f"cannot write {path}: it is there already and is no regular file")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        mask = os.umask(0o077)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def held(path: Path, who: str) -> Iterator[None]:
    """Hold the file, made if it is not there; a StorageError at once if somebody does, here or in another process.

    A process that is killed holds nothing. Where the system or the disk has no such locks nobody is refused.
    """
    if locks is None:
        yield
        return
    try:
        handle = os.open(path, FLAGS | os.O_CREAT, 0o666)
    except OSError as error:
        raise StorageError(f"cannot open {path}: {error.strerror or error}") from error
    try:
        try:
            locks.flock(handle, locks.LOCK_EX | locks.LOCK_NB)
        except BlockingIOError:
            raise StorageError(
                f"{path} is in use by {who}; wait until that has ended, or name another file"
            ) from None
        except OSError:
            pass  # a disk of the network without locks
        yield
    finally:
        os.close(handle)


@contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """The bytes of standard output, written when the block is left; that the reader has left is no fault of ours."""
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StorageError(f"cannot write standard output: {error.strerror}") from error


def sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be opened."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """The rows as CSV."""
    return safe_csv(map(safe, row) for row in rows)


def safe_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Rows whose cells went through `safe` already, as CSV."""
    lines = _Lines()
    # Both signs of this end of a line are quoted in a cell.
    csv.writer(lines, lineterminator="\r\n").writerows(rows)
    return "".join([f"{line[:-2]}\n" for line in lines])


class _Lines(list[str]):
    """Where a CSV writer puts its rows."""

    write = list[str].append


def safe(cell: Any) -> Any:
    """The cell as it is written: an apostrophe before text that would be a formula.

    >>> safe("=1+1"), safe("+6"), safe(-1.5), safe("-x"), safe("'=1"), safe("Ada")
    ("'=1+1", '+6', -1.5, "'-x", "''=1", 'Ada')
    """
    if not isinstance(cell, str) or not FORMULA.match(cell) or NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def plain(cell: str) -> str:
    """The text of a cell that was read: what `safe` was given.

    >>> plain("'=1+1"), plain("''=1"), plain("'tis"), plain("+6")
    ('=1+1', "'=1", "'tis", '+6')
    """
    return cell[1:] if cell[:1] == "'" and FORMULA.match(cell) else cell


def save_picture(path: Path, picture: bytes, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    """Write the picture to `path` and its numbers beside it; the path of the numbers."""
    numbers = path.with_suffix(".csv")
    with written(path):
        path.write_bytes(picture)
        numbers.write_text(csv_text([columns, *rows]), encoding="utf-8")
    return numbers


def save_report(folder: Path, page: str, results: dict[str, Any]) -> Path:
    """Write index.html and results.json into the folder, made if it is not there; the path of the page."""
    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
        told = json.dumps(results, indent=2, ensure_ascii=False)
        (folder / "results.json").write_text(f"{told}\n", encoding="utf-8")
        (folder / "index.html").write_text(page, encoding="utf-8")
    return folder / "index.html"


def save_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Write texts by name into the folder, made if it is not there: each whole or not at all."""
    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages.items():
        with whole_file(folder / name) as file:
            file.write(page.encode())


def save_page(path: Path, page: str) -> None:
    """Write one web page."""
    with written(path):
        path.write_text(page, encoding="utf-8")
