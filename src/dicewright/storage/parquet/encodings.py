"""How the values of a page become bytes: plain ones, runs of small numbers, and compression."""

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from .thrift import Damage, Scanner, varint

PLAIN, PLAIN_DICTIONARY, RLE, DICTIONARY = 0, 2, 3, 8
NOTHING, SNAPPY, GZIP = 0, 1, 2
CODECS = {NOTHING: "none", SNAPPY: "Snappy", GZIP: "GZIP"}
BLOCK = 1 << 16  # places unpacked at once
LEVEL = 1  # of compression: numbers that hardly repeat cost most and gain least
Indices = npt.NDArray[np.int32]


def plain_texts(texts: list[bytes]) -> bytes:
    """Each with its length before it."""
    return b"".join([part for text in texts for part in (len(text).to_bytes(4, "little"), text)])


def texts_of(data: memoryview, count: int) -> list[bytes]:
    """So many texts, each with its length before it."""
    found, place, end = [], 0, len(data)
    for _ in range(count):
        start = place + 4
        place = start + int.from_bytes(data[place:start], "little")
        if start > end or place > end:
            raise Damage("a text is longer than its page")
        found.append(bytes(data[start:place]))
    return found


def width_of(most: int) -> int:
    """The bits of numbers up to this.

    >>> [width_of(most) for most in (0, 1, 2, 255)]
    [0, 1, 2, 8]
    """
    return int(most).bit_length()


def runs(numbers: npt.NDArray[Any], width: int) -> bytes:
    """Numbers of so many bits: one run if all are the same, else packed bit by bit in groups of eight."""
    if not len(numbers):
        return b""
    if (numbers == numbers[0]).all():
        return varint(len(numbers) << 1) + int(numbers[0]).to_bytes((width + 7) // 8, "little")
    groups = -(-len(numbers) // 8)
    parts = [varint(groups << 1 | 1)]
    for start in range(0, len(numbers), BLOCK):
        block = numbers[start : start + BLOCK].astype("<u4")
        block = np.concatenate([block, np.zeros(-len(block) % 8, "<u4")])
        bits = np.unpackbits(block.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little")[:, :width]
        parts.append(np.packbits(bits.reshape(-1), bitorder="little").tobytes())
    return b"".join(parts)


def numbers_of(data: memoryview, width: int, count: int) -> Indices:
    """So many numbers of so many bits, from runs and packed groups."""
    if width > 31:
        raise Damage(f"numbers of {width} bits are packed")
    found, done, head = np.zeros(count, np.int32), 0, Scanner(data)
    size = (width + 7) // 8
    while done < count:
        mark = head.varint()
        if mark & 1:
            length = (mark >> 1) * width
            packed = np.frombuffer(data[head.place : head.place + length], np.uint8)
            if len(packed) < length:
                raise Damage("packed numbers end too early")
            head.place += length
            many = min((mark >> 1) * 8, count - done)
            _unpack(packed, width, found[done : done + many])
        else:
            if head.place + size > len(data):
                raise Damage("a run ends too early")
            many = min(mark >> 1, count - done)
            found[done : done + many] = (
                int.from_bytes(data[head.place : head.place + size], "little") & 0x7FFFFFFF
            )
            head.place += size
        if not many:
            raise Damage("a run has no length")
        done += many
    return found


def _unpack(packed: npt.NDArray[np.uint8], width: int, into: Indices) -> None:
    if not width:
        into[:] = 0
        return
    weights = 1 << np.arange(width, dtype=np.int32)
    for start in range(0, len(into), BLOCK):
        many = min(BLOCK, len(into) - start)
        begin = start * width // 8
        bits = np.unpackbits(packed[begin : begin + -(-many * width // 8)], bitorder="little")
        into[start : start + many] = bits[: many * width].reshape(many, width) @ weights


def compressed(data: bytes) -> bytes:
    """By gzip."""
    packer = zlib.compressobj(LEVEL, wbits=31)
    return packer.compress(data) + packer.flush()


def unpacked(data: bytes, codec: int, size: int) -> bytes:
    """The bytes of a page, `size` of them and never more."""
    if codec == NOTHING:
        found = data
    elif codec == SNAPPY:
        found = _snappy(data, size)
    else:
        try:
            found = zlib.decompressobj(wbits=47).decompress(data, size + 1)
        except zlib.error as error:
            raise Damage(str(error)) from error
    if len(found) != size:
        raise Damage(f"a page has not the {size:,} bytes that it says")
    return found


def _snappy(data: bytes, size: int) -> bytes:
    """Literal bytes and copies of what came before (format_description.txt of Snappy)."""
    head = Scanner(data)
    if head.varint() != size:
        raise Damage("a page says two sizes")
    place, end, found = head.place, len(data), bytearray()
    while place < end and len(found) <= size:
        mark = data[place]
        place += 1
        if not mark & 3:
            length = (mark >> 2) + 1
            if length > 60:
                more = length - 60
                length = int.from_bytes(data[place : place + more], "little") + 1
                place += more
            found += data[place : place + length]
            place += length
            continue
        if mark & 3 == 1:
            length, back = (mark >> 2 & 7) + 4, (mark >> 5) << 8 | int.from_bytes(data[place : place + 1])
            place += 1
        else:
            more = 2 if mark & 3 == 2 else 4
            length, back = (mark >> 2) + 1, int.from_bytes(data[place : place + more], "little")
            place += more
        if not 0 < back <= len(found):
            raise Damage("a copy begins before its page")
        begin = len(found) - back
        part = found[begin : begin + length]  # a copy that reaches into itself repeats its beginning
        found += part if back >= length else (part * (length // back + 1))[:length]
    return bytes(found)
