"""What the store holds: each file with its game and what it proves, checked, and removed when it is of no more use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.errors import DicewrightError, NotationError, StorageError, shown
from ..core.solution import Certificate
from ..families import family
from . import solution_file, store
from .games import parse_game

OURS = re.compile(r"[0-9a-f]{64}\.npz")  # how the store names its files


@dataclass(frozen=True)
class Item:
    """A file of the store: the solution of a game, or what is wrong with it."""

    path: Path
    size: int
    written: datetime
    game: str | None = None
    certificate: Certificate | None = None
    seconds: float = 0.0  # that solving took
    fault: str | None = None


def items() -> Iterator[Item]:
    """The files of the store by the names of their games; those that cannot be read come last, others are not ours."""
    folder = store.store_folder()
    paths = [path for path in folder.glob("*.npz") if OURS.fullmatch(path.name)] if folder.is_dir() else []
    found = [item for path in paths if (item := _item(path)) is not None]
    return iter(sorted(found, key=lambda item: (item.game is None, item.game or item.path.name)))


def _item(path: Path) -> Item | None:
    try:
        about = path.stat()
    except OSError:  # it was removed meanwhile
        return None
    bare = Item(path, about.st_size, datetime.fromtimestamp(about.st_mtime, UTC))
    try:
        claim = solution_file.read_claim(path)
        game, fault = claim.game, None
        if family(game).outdated(claim.header):
            fault = "it is of an older form, and is solved again when it is asked for"
        elif store.kept_path(game) != path:
            fault = "its name is not that of its rules, so that it is never found"
    except (DicewrightError, OSError) as error:
        return replace(bare, fault=shown(str(error).replace(str(path), "it")))
    return replace(bare, game=game.name, certificate=claim.certificate, seconds=claim.seconds, fault=fault)


def chosen(words: list[str]) -> list[Item]:
    """The items of these games (all, if none is named); NotationError for a game of which nothing is kept."""
    found = list(items())
    if not words:
        return found
    names = [parse_game(word).name for word in words]
    for name in names:
        if name not in {item.game for item in found}:
            raise NotationError(f"nothing is kept of {name}; dicewright store list shows what is")
    return [item for item in found if item.game in names]


def remove(item: Item) -> None:
    """Take a file out of the store; what is asked for again is solved again."""
    try:
        item.path.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"cannot remove {item.path}: {error.strerror}") from error


def told(item: Item) -> dict[str, Any]:
    """An item as plain data."""
    known = item.certificate
    lower, upper = known.decimals() if known is not None else (None, None)
    return {
        "game": item.game,
        "lower": lower,
        "upper": upper,
        "proved": None if known is None else known.proved,
        "method": None if known is None else known.method,
        "seconds": item.seconds,
        "bytes": item.size,
        "written": item.written.isoformat(timespec="seconds"),
        "file": str(item.path),
        "fault": item.fault,
    }
