"""One file with a header and arrays: a zip that numpy reads, sealed by a digest, never half written.

The first member, `header.json`, is read alone in a moment, under its own seal. The digest covers the header and
every array.
"""

import hashlib
import io
import json
import math
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import StorageError, VerificationError
from .whole_file import whole_file

HEADER = "header.json"
HEADER_BYTES = 1_000_000
Array = npt.NDArray[Any]
# What a damaged or hostile file makes the zip and array readers raise.
DAMAGE = (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, RuntimeError, OSError, SyntaxError)


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


def read_header(path: Path) -> dict[str, Any]:
    """The header alone, checked by its own seal; the arrays are not read."""
    with _opened(path) as bundle:
        header = _header(path, bundle)
    if header.get("seal") != seal(header):
        raise VerificationError(f"{path} was changed: the seal of its header does not match")
    return header


def read(path: Path, types: Mapping[str, str], most_bytes: int) -> tuple[dict[str, Any], dict[str, Array]]:
    """Header and arrays with the digest checked; each array must have the given type, all a limited size."""
    with _opened(path) as bundle:
        header = _header(path, bundle)
        try:
            if sorted(bundle.namelist()) != sorted([HEADER, *(f"{name}.npy" for name in types)]):
                raise ValueError("it has other parts than a solution has")
            if sum(part.file_size for part in bundle.infolist()) > most_bytes:
                raise ValueError(f"it is larger than {most_bytes} bytes")
            arrays = {name: _array(bundle, name) for name in types}
        except DAMAGE as error:
            raise VerificationError(f"{path} is damaged: {error}") from error
    for name, array in arrays.items():
        if array.dtype.str != types[name]:
            raise VerificationError(f"{path} has {name} of type {array.dtype.str}; {types[name]} is allowed")
    if digest(header, arrays) != header.get("digest"):
        raise VerificationError(f"{path} was changed: its digest does not match")
    return header, arrays


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        data = path.open("rb")
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}") from error
    with data:
        try:
            bundle = zipfile.ZipFile(data)
        except DAMAGE as error:
            raise VerificationError(f"{path} is no file of dicewright: {error}") from error
        with bundle:
            yield bundle


def _header(path: Path, bundle: zipfile.ZipFile) -> dict[str, Any]:
    try:
        if bundle.getinfo(HEADER).file_size > HEADER_BYTES:
            raise ValueError("its header is too long")
        header = json.loads(bundle.read(HEADER))
    except (*DAMAGE, RecursionError) as error:
        raise VerificationError(f"{path} is no file of dicewright: {error}") from error
    if not isinstance(header, dict):
        raise VerificationError(f"{path} is no file of dicewright: its header is no table")
    return header


def _array(bundle: zipfile.ZipFile, name: str) -> Array:
    """One array, made only after the promised shape was found to fit the bytes that are there."""
    data = bundle.read(f"{name}.npy")
    stream = io.BytesIO(data)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError(f"{name} is in another format of numpy")
    shape, by_columns, dtype = np.lib.format.read_array_header_1_0(stream, max_header_size=1000)
    if by_columns or dtype.hasobject or math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
        raise ValueError(f"{name} is no plain array of its size")
    array: Array = np.frombuffer(data, dtype, offset=stream.tell()).reshape(shape).copy()
    return array
