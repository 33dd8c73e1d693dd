"""One file with a header and arrays: a zip that numpy reads, sealed by a digest, never half written.

The first member, `header.json`, is read alone in a moment, under its own seal. The digest covers the header and
every array.
"""

import hashlib
import json
import math
import os
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ..core.errors import VerificationError
from .files import regular_file, whole_file

HEADER = "header.json"
HEADER_BYTES = 1_000_000
MOST_FILE = 2**31 - 1  # bytes as packed: the largest race takes a quarter; beyond, zip has another form
MOST_DIRECTORY = 10_000  # bytes of the list of parts at the end
MOST_RATIO = 100  # unpacked to packed: files of ours reach 10
FREE = 64_000_000  # bytes that any file may unpack to
CHUNK = 1 << 20
END, END_64 = b"PK\5\6", b"PK\6\7"
Array = npt.NDArray[Any]
# What a damaged or hostile file makes the zip and array readers raise.
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError, SyntaxError, EOFError, OSError),
    *(ValueError, TypeError, KeyError, OverflowError, RuntimeError),
)


def seal(header: Mapping[str, Any]) -> str:
    """SHA-256 over the header alone, without its seal and digest: what a quick look can check."""
    rest = {key: value for key, value in header.items() if key not in ("seal", "digest")}
    return hashlib.sha256(canonical(rest).encode()).hexdigest()


def digest(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> str:
    """SHA-256 over the header's seal, and over names, types, shapes and bytes of the arrays."""
    total = hashlib.sha256(seal(header).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        total.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        total.update(array.data)
    return total.hexdigest()


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def write(path: Path, header: Mapping[str, Any], arrays: Mapping[str, Array], level: int = 1) -> None:
    """Write the file whole or not at all, packed at this level (9 is smallest); the header gets its digest."""
    sealed = {**header, "seal": seal(header), "digest": digest(header, arrays)}
    with (
        whole_file(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as bundle,
    ):
        bundle.writestr(HEADER, json.dumps(sealed, indent=1))
        for member, array in arrays.items():
            with bundle.open(f"{member}.npy", "w", force_zip64=True) as part:
                np.lib.format.write_array(part, np.ascontiguousarray(array), (1, 0), False)


def read_header(path: Path, file: BinaryIO | None = None) -> dict[str, Any]:
    """The header alone, checked by its own seal; the arrays are not read. `file` is the file if it is open."""
    with _bundle(path, file) as bundle:
        header = _header(path, bundle)
    if header.get("seal") != seal(header):
        raise VerificationError(f"{path} was changed: the seal of its header does not match")
    return header


def read(
    path: Path,
    types: Mapping[str, str],
    most_bytes: int,
    shapes: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
    file: BinaryIO | None = None,
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Header and arrays with the digest checked; each array must have the given type, and shape if there is one.

    All together have a limited size, also against the size of the file. What an array says of itself is checked
    before it is unpacked, and no more is unpacked than it says.
    """
    with _bundle(path, file) as bundle:
        header = _header(path, bundle)
        try:
            if sorted(bundle.namelist()) != sorted([HEADER, *(f"{name}.npy" for name in types)]):
                raise ValueError("it has other parts than a solution has")
            left = min(most_bytes, max(FREE, MOST_RATIO * _size(bundle)))
            arrays = {}
            for name, kind in types.items():
                with bundle.open(_plain(bundle, f"{name}.npy")) as part:
                    arrays[name] = _array(part, name, kind, shapes.get(name), left)
                left -= arrays[name].nbytes
        except DAMAGE as error:
            raise VerificationError(f"{path} is damaged: {error}") from error
    if digest(header, arrays) != header.get("digest"):
        raise VerificationError(f"{path} was changed: its digest does not match")
    return header, arrays


@contextmanager
def _bundle(path: Path, file: BinaryIO | None) -> Iterator[zipfile.ZipFile]:
    with regular_file(path, MOST_FILE) if file is None else nullcontext(file) as data:
        try:
            _check_directory(data)
            bundle = zipfile.ZipFile(data)
        except DAMAGE as error:
            raise VerificationError(f"{path} is no file of dicewright: {error}") from error
        with bundle:
            yield bundle


def _size(bundle: zipfile.ZipFile) -> int:
    """The bytes of the file that is open, whatever stands under its name by now."""
    assert bundle.fp is not None
    return bundle.fp.seek(0, os.SEEK_END)


def _check_directory(data: BinaryIO) -> None:
    """Refuse a list of parts that is longer than ours, before it is read: zipfile reads all of it."""
    data.seek(0, os.SEEK_END)
    data.seek(max(0, data.tell() - 42))
    tail = data.read(42)
    ending = tail[-22:]
    if ending[:4] != END or ending[-2:] != b"\0\0" or tail[:4] == END_64:
        raise ValueError("it does not end as a zip of ours")
    if int.from_bytes(ending[12:16], "little") > MOST_DIRECTORY:
        raise ValueError("it has too many parts")


def _plain(bundle: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """A part packed as ours are; what zipfile unpacks in another way it unpacks whole, however large."""
    part = bundle.getinfo(name)
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is packed in another way")
    return part


def _header(path: Path, bundle: zipfile.ZipFile) -> dict[str, Any]:
    try:
        with bundle.open(_plain(bundle, HEADER)) as part:
            text = part.read(HEADER_BYTES + 1)
        if len(text) > HEADER_BYTES:
            raise ValueError("its header is too long")
        header = json.loads(text)
    except (*DAMAGE, RecursionError) as error:
        raise VerificationError(f"{path} is no file of dicewright: {error}") from error
    if not isinstance(header, dict):
        raise VerificationError(f"{path} is no file of dicewright: its header is no table")
    return header


def _array(part: IO[bytes], name: str, kind: str, shape: tuple[int, ...] | None, most_bytes: int) -> Array:
    """One array, made only after its own header was found to be allowed, and filled as far as that says."""
    if np.lib.format.read_magic(part) != (1, 0):
        raise ValueError(f"{name} is in another format of numpy")
    found, by_columns, dtype = np.lib.format.read_array_header_1_0(part, max_header_size=1000)
    if dtype.str != kind or by_columns:
        raise ValueError(f"{name} has the type {dtype.str}; {kind} by rows is allowed")
    if not found:
        raise ValueError(f"{name} is one number; an array is allowed")
    if shape is not None and found != shape:
        raise ValueError(f"{name} has the shape {found}; {shape} is allowed")
    if (size := math.prod(found) * dtype.itemsize) > most_bytes:
        raise ValueError(f"{name} unpacks to {size:,} bytes; {most_bytes:,} more are allowed")
    array: Array = np.empty(found, dtype)
    view = array.reshape(-1).view(np.uint8).data
    for start in range(0, size, CHUNK):
        piece = part.read(min(CHUNK, size - start))
        view[start : start + len(piece)] = piece
        if len(piece) < min(CHUNK, size - start):
            raise ValueError(f"{name} is shorter than it says")
    if part.read(1):
        raise ValueError(f"{name} is longer than it says")
    return array
