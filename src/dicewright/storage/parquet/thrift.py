"""The compact protocol of Thrift, in which Parquet writes its headers.

A structure that is read is a dictionary of its fields by their numbers; one that is written names the kind of each.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from ...core.errors import StorageError

MOST_DEPTH = 16


class Damage(StorageError):  # noqa: N818 (reads as what happened)
    """The bytes are no Parquet file that can be read here; the message says why."""


class Wire(IntEnum):
    """How a value is written."""

    TRUE = 1
    FALSE = 2
    BYTE = 3
    I16 = 4
    I32 = 5
    I64 = 6
    DOUBLE = 7
    BINARY = 8
    LIST = 9
    SET = 10
    MAP = 11
    STRUCT = 12


class Scanner:
    """Reads structures from bytes, one after another."""

    def __init__(self, data: bytes | memoryview, place: int = 0) -> None:
        self.data, self.place = data, place

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """The structure that begins here."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            fields[number] = (
                kind == Wire.TRUE if kind in (Wire.TRUE, Wire.FALSE) else self._value(kind, depth)
            )
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > MOST_DEPTH:
            raise Damage("a header is too deep")
        if kind in (Wire.I16, Wire.I32, Wire.I64):
            return self._whole()
        if kind == Wire.BINARY:
            return self._take(self.varint())
        if kind in (Wire.LIST, Wire.SET):
            head = self.byte()
            size = self.varint() if head >> 4 == 15 else head >> 4
            if size > len(self.data) - self.place:
                raise Damage("a list is longer than the header")
            return [self._value(head & 15, depth + 1) for _ in range(size)]
        if kind == Wire.STRUCT:
            return self.struct(depth + 1)
        if kind in (Wire.BYTE, Wire.TRUE, Wire.FALSE):
            return self.byte()
        if kind == Wire.DOUBLE:
            return self._take(8)
        raise Damage(f"a header has a value of the kind {kind}")

    def _whole(self) -> int:
        number = self.varint()
        return number >> 1 ^ -(number & 1)

    def varint(self) -> int:
        """A whole number from 0 on."""
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift > 63:
                raise Damage("a number in a header is too long")

    def byte(self) -> int:
        """The next byte."""
        if self.place >= len(self.data):
            raise Damage("a header ends too early")
        self.place += 1
        return self.data[self.place - 1]

    def _take(self, size: int) -> bytes:
        if size > len(self.data) - self.place:
            raise Damage("a header ends too early")
        self.place += size
        return bytes(self.data[self.place - size : self.place])


Fields = Mapping[int, tuple[Wire, Any]]  # by number; None is left out


def written(fields: Fields) -> bytes:
    """A structure as bytes; the values of a list are pairs of their kind and themselves, all of one kind.

    >>> written({1: (Wire.I32, 3), 4: (Wire.BINARY, b"a")}).hex()
    '150638016100'
    """
    parts, before = [], 0
    for number, (kind, value) in sorted(fields.items()):
        if value is not None:
            assert 0 < number - before < 16
            parts += [bytes([number - before << 4 | kind]), _written(kind, value)]
            before = number
    return b"".join([*parts, b"\0"])


def _written(kind: Wire, value: Any) -> bytes:
    if kind == Wire.BINARY:
        return varint(len(value)) + bytes(value)
    if kind == Wire.STRUCT:
        return written(value)
    if kind == Wire.LIST:
        inner, values = value
        head = (
            bytes([len(values) << 4 | inner])
            if len(values) < 15
            else bytes([240 | inner]) + varint(len(values))
        )
        return head + b"".join(_written(inner, each) for each in values)
    assert kind in (Wire.I32, Wire.I64)
    return varint((value << 1) ^ (value >> 63))


def varint(number: int) -> bytes:
    """A whole number from 0 on, seven bits a byte, the low ones first.

    >>> varint(300).hex()
    'ac02'
    """
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)
