"""Solutions in files, of every family: save, load, verify.

A file says its game by name. One whose name does not say its rules has none in its file: who reads it gives the game,
and the file is proved again before it is believed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ..core.errors import NotationError, RulesError, StorageError, VerificationError, name_of
from ..core.game import WrittenGame
from ..core.solution import Certificate, Header, Solution
from ..families import admit, catalog, family
from . import container
from .files import regular_file

WRONG = (KeyError, ValueError, TypeError, AttributeError, IndexError, ZeroDivisionError, OverflowError)


class Claim(NamedTuple):
    """What the header of a file says, nothing of which is proved yet."""

    game: WrittenGame
    certificate: Certificate
    seconds: float
    header: Header


def save(path: Path | str, solution: Solution, seconds: float = 0.0) -> None:
    """Write a solution to a file, whole or not at all; `seconds` is what it took to find.

    StorageError if it cannot be written so that `load` reads it.
    """
    try:
        header, arrays = solution.arrays()
    except ValueError as error:  # a number of more digits than Python writes
        raise StorageError(f"{solution} cannot be written: {error}") from error
    game = solution.game
    header |= {"version": _version(), "seconds": round(seconds, 3)}
    header["game"] = game.name if is_named(game) else None
    container.write(Path(path), header, arrays, family(game).form(game, header).level)


def load(path: Path | str, game: WrittenGame | None = None, prove: bool = False) -> Solution:
    """The solution in a file; VerificationError if it is damaged, or its strategies are none of the game.

    Its certificate is what the file says. With `prove` it is what is proved here and now, and so it always is of a
    game that is given because no name says its rules.
    """
    place = Path(path)
    with regular_file(place, container.MOST_FILE) as file:
        claim = read_claim(place, game, file)
        solution = restored(place, claim, file)
    with about(place):
        if not prove and claim.header["game"] is not None:
            solution.check()
            return solution
        return replace(solution, certificate=solution.prove())


def verify(path: Path | str, game: WrittenGame | None = None) -> Certificate:
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


def read_claim(path: Path, game: WrittenGame | None = None, file: BinaryIO | None = None) -> Claim:
    """What a file says of its game, without its strategies; `file` is the file if it is open.

    VerificationError if it is none of ours or not about the game that is given, StorageError if it needs one.
    """
    header = container.read_header(path, file)
    try:
        rules = _game(path, header["game"], game)
        certificate, seconds = family(rules).claimed(rules, header), float(header["seconds"])
        if not 0.0 <= seconds < 1e9:
            raise ValueError(f"seconds {seconds} cannot be")
    except KeyError as error:
        raise VerificationError(f"{path} lacks {error} in its header") from error
    except (*WRONG, NotationError, RulesError) as error:
        raise VerificationError(f"{path} has a wrong header: {error}") from error
    return Claim(rules, certificate, seconds, header)


def _game(path: Path, name: Any, given: Any) -> Any:
    """The game that a file is about: its own, which must be the one given, or that one."""
    if name is None and given is None:
        raise StorageError(f"{path} names no game; load and verify take the game that it solves")
    if given is not None:
        admit(given)
    if name is None:
        return given
    if given is not None and is_named(given) and given.name == name:
        return given
    known = catalog.parse(str(name))
    if known.name != name:
        raise ValueError(f"{name!r} is not the name of a game")
    if given is not None and not _same_rules(known, given):
        raise VerificationError(f"{path} solves {known.name}, not {name_of(given)}")
    return known if given is None else given


def _same_rules(known: Any, given: Any) -> bool:
    """Whether a game is that of the catalog, but for a name or words of its own where its rules are told in full."""
    rules = family(given).all_rules(given)
    return rules is not None and family(known) is family(given) and family(known).all_rules(known) == rules


def restored(path: Path, claim: Claim, file: BinaryIO | None = None) -> Solution:
    """The solution of a file whose digest is right, as it was written; its strategies may yet break the rules."""
    with about(path):
        form = family(claim.game).form(claim.game, claim.header)
        header, arrays = container.read(
            path, form.types(claim.header), form.most_bytes(claim.game), file=file
        )
        return form.restore(claim.game, header, arrays)


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


def _version() -> str:
    try:
        return version("dicewright")
    except PackageNotFoundError:
        return "unknown"
