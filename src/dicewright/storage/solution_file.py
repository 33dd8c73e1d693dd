"""Solutions in files, of every family: save, load, verify.

A file is a zip that numpy reads, never half written: first the header, which is read alone in a moment under its own
seal, then the arrays. A digest covers all of it. What a file says of itself is checked before it is unpacked.

A file says its game by name. One whose name does not say its rules has none in its file: who reads it gives the game,
and the file is proved again before it is believed.
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
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import NotationError, RulesError, StorageError, VerificationError, name_of
from ..core.game import Game, WrittenGame
from ..core.solution import Certificate, Header, Solution
from ..families import admit, catalog, family
from .files import regular_file, whole_file
from .games import parse_game

HEADER, HEADER_BYTES = "header.json", 1_000_000
MOST_FILE = 2**31 - 1  # bytes as packed: the largest race takes a quarter; beyond, zip has another form
MOST_DIRECTORY = 10_000  # bytes of the list of parts at the end
MOST_RATIO = 100  # unpacked to packed: files of ours reach 10
FREE = 64_000_000  # bytes that any file may unpack to
CHUNK = 1 << 20
END, END_64 = b"PK\5\6", b"PK\6\7"
Array = npt.NDArray[Any]
# What wrong headers and arrays make the families raise, and damaged or hostile files the readers of zip and numpy.
WRONG = (KeyError, ValueError, TypeError, AttributeError, IndexError, ZeroDivisionError, OverflowError)
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError, SyntaxError, EOFError, OSError),
    *(ValueError, TypeError, KeyError, OverflowError, RuntimeError),
)


class Unproved(NamedTuple):
    """What the header of a file says, nothing of which is proved yet."""

    game: WrittenGame
    certificate: Certificate
    seconds: float
    header: Header


def game_of(game: Game | str) -> Any:
    """The game that a text names, or that stands in the file it names; any other is itself."""
    return parse_game(game) if isinstance(game, str) else game


def save(path: Path | str, solution: Solution, seconds: float = 0.0) -> None:
    """Write a solution of any family to a file, whole or not at all; `seconds` is what it took to find.

    A game whose name does not say its rules is not named in the file: `load` and `verify` are then given it.
    StorageError if it cannot be written so that `load` reads it.
    """
    try:
        header, arrays = solution.arrays()
    except ValueError as error:  # a number of more digits than Python writes
        raise StorageError(f"{solution} cannot be written: {error}") from error
    game = solution.game
    try:
        header["version"] = version("dicewright")
    except PackageNotFoundError:
        header["version"] = "unknown"
    header |= {"seconds": round(seconds, 3), "game": game.name if is_named(game) else None}
    write(Path(path), header, arrays, family(game).form(game, header).level)


def load(path: Path | str, game: Game | str | None = None, prove: bool = False) -> Solution:
    """The solution in a file; VerificationError if it is damaged, or its strategies are none of the game.

    Its certificate is what the file says. With `prove` it is what is proved here and now, and so it always is of a
    game that is given because no name says its rules.
    """
    place = Path(path)
    with regular_file(place, MOST_FILE) as file:
        claim = read_claim(place, None if game is None else game_of(game), file)
        solution = restored(place, claim, file)
    with about(place):
        if not prove and claim.header["game"] is not None:
            solution.check()
            return solution
        return replace(solution, certificate=solution.prove())


def verify(path: Path | str, game: Game | str | None = None) -> Certificate:
    """Prove a saved solution again with code no solver shares: the certificate proved here and now.

    VerificationError if the digest, the rules, the strategies, their worths or the bounds are not right. A value that
    the file only estimates is estimated again from the strategy.
    """
    return load(path, game, prove=True).certificate


def save_bluff(path: Path, solution: Any, least: float = 1e-5, seconds: float = 0.0) -> None:
    """Write a round of Bluff that was solved on the public tree, without what is reached below `least`."""
    if not hasattr(solution, "rounded"):
        raise StorageError(f"{solution.method} has no rows of a public tree; solutions by cfr are allowed")
    save(path, solution.rounded(least), seconds)


def load_bluff(path: Path, threads: int = 1, measure: bool = True) -> Any:
    """Read such a round and certify it anew; without `measure` its bounds and worths are taken as they were written."""
    claim = read_claim(path)
    if "least" not in claim.header:
        raise StorageError(f"{path} holds no strategies of a round of Bluff")
    solution: Any = restored(path, claim)
    with about(path):
        return replace(solution, certificate=solution.prove(threads)) if measure else solution


def read_claim(path: Path, game: WrittenGame | None = None, file: BinaryIO | None = None) -> Unproved:
    """What a file says of its game, without its strategies; `file` is the file if it is open.

    VerificationError if it is none of ours or not about the game that is given, StorageError if it needs one.
    """
    header = read_header(path, file)
    try:
        rules = _game(path, header["game"], game)
        certificate, seconds = family(rules).claimed(rules, header), float(header["seconds"])
        if not 0.0 <= seconds < 1e9:
            raise ValueError(f"seconds {seconds} cannot be")
    except KeyError as error:
        raise VerificationError(f"{path} lacks {error} in its header") from error
    except (*WRONG, NotationError, RulesError) as error:
        raise VerificationError(f"{path} has a wrong header: {error}") from error
    return Unproved(rules, certificate, seconds, header)


def _game(path: Path, name: Any, given: Any) -> Any:
    """The game that a file is about: its own, which must be the one given, or that one.

    Another name, or words of its own, may be given where rules are told in full.
    """
    if name is None and given is None:
        raise StorageError(f"{path} names no game; load and verify take the game that it solves")
    if given is not None:
        admit(given)
        if name is None or (is_named(given) and given.name == name):
            return given
    known = catalog.parse(str(name))
    if known.name != name:
        raise ValueError(f"{name!r} is not the name of a game")
    if given is None:
        return known
    kin, rules = family(given), family(given).all_rules(given)
    if rules is None or family(known) is not kin or kin.all_rules(known) != rules:
        raise VerificationError(f"{path} solves {known.name}, not {name_of(given)}")
    return given


def restored(path: Path, claim: Unproved, file: BinaryIO | None = None) -> Solution:
    """The solution of a file whose digest is right, as it was written; its strategies may yet break the rules."""
    game, header = claim.game, claim.header
    with about(path):
        form = family(game).form(game, header)
        return form.restore(game, *read(path, form.types(header), form.most_bytes(game), file))


def is_named(game: WrittenGame) -> bool:
    """Whether the name of a game says its rules: who reads a file knows nothing else."""
    try:
        return _is_named(game)
    except Exception:  # a game of one's own, which may answer anything; or a name that is none
        return False


@lru_cache(maxsize=64)
def _is_named(game: WrittenGame) -> bool:
    known = catalog.parse(game.name)
    return type(known) is type(game) and bool(known == game)


def check_whole(path: Path) -> None:
    """VerificationError if a part of the file is damaged: its sums alone are checked, nothing is believed of it."""
    with about(path), _bundle(path, None) as bundle:
        try:
            damaged = bundle.testzip()
        except DAMAGE as error:
            raise VerificationError(f"{path} is damaged: {error}") from error
        if damaged is not None:
            raise VerificationError(f"{path} is damaged: {damaged} does not have the sum that it says")


@contextmanager
def about(path: Path) -> Iterator[None]:
    """Errors name the file; what a hostile one makes the readers raise is a VerificationError."""
    try:
        yield
    except VerificationError as error:
        text = str(error)
        raise VerificationError(text if text.startswith(str(path)) else f"{path}: {text}") from error
    except WRONG as error:
        raise VerificationError(f"{path} is damaged: {type(error).__name__} {error}") from error


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


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


def write(path: Path, header: Mapping[str, Any], arrays: Mapping[str, Array], level: int = 1) -> None:
    """Write header and arrays, packed at this level (9 is smallest); the header gets its digest."""
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
    path: Path, types: Mapping[str, str], most_bytes: int, file: BinaryIO | None = None
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Header and arrays with the digest checked; each array must have the given type.

    All together have a limited size, also against the size of the file. No more is unpacked than an array says.
    """
    with _bundle(path, file) as bundle:
        header = _header(path, bundle)
        try:
            if sorted(bundle.namelist()) != sorted([HEADER, *(f"{name}.npy" for name in types)]):
                raise ValueError("it has other parts than a solution has")
            assert bundle.fp is not None  # the file that is open, whatever stands under its name by now
            left = min(most_bytes, max(FREE, MOST_RATIO * bundle.fp.seek(0, os.SEEK_END)))
            arrays = {}
            for name, kind in types.items():
                with bundle.open(_plain(bundle, f"{name}.npy")) as part:
                    arrays[name] = _array(part, name, kind, left)
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


def _check_directory(data: BinaryIO) -> None:
    """Refuse a list of parts that is longer than ours, before it is read: zipfile reads all of it."""
    data.seek(max(0, data.seek(0, os.SEEK_END) - 42))
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
        if not isinstance(header, dict):
            raise ValueError("its header is no table")
    except (*DAMAGE, RecursionError) as error:
        raise VerificationError(f"{path} is no file of dicewright: {error}") from error
    return header


def _array(part: IO[bytes], name: str, kind: str, most_bytes: int) -> Array:
    """One array, made only after its own header was found to be allowed, and filled as far as that says."""
    if np.lib.format.read_magic(part) != (1, 0):
        raise ValueError(f"{name} is in another format of numpy")
    found, by_columns, dtype = np.lib.format.read_array_header_1_0(part, max_header_size=1000)
    if dtype.str != kind or by_columns:
        raise ValueError(f"{name} has the type {dtype.str}; {kind} by rows is allowed")
    if not found:
        raise ValueError(f"{name} is one number; an array is allowed")
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
