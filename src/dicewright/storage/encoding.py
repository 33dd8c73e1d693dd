"""Texts as editors on any system save them: UTF-8 with or without its mark, or Windows' "Unicode", UTF-16."""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager

from ..core.errors import StorageError


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
