"""Entrants from texts and from a folder of files; one bad file is refused and reported, never fatal.

.csv, .npz    a table, as storage/strategies.py reads it
.txt          an expression over mine, yours, turn, goal (on as many lines as it likes; # begins a comment)
.py           Python that defines strategy(mine, yours, turn), run in a process of its own
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..arena.entrants import (
    MOST_ENTRANTS,
    Entrant,
    Field,
    Refusal,
    expand,
    from_expression,
    from_python,
    number_namesakes,
)
from ..arena.sandbox import Limits
from ..core.errors import DicewrightError, NotationError, StorageError, StrategyError, TooLarge
from ..games.race import RaceGame
from .strategies import parse, read_table

MOST_BYTES = 1_000_000
MOST_GOAL = 250  # a table of all states has goal^3 / 2 entries


def gather(
    game: Any,
    texts: Sequence[str],
    folder: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    progress: Callable[[str], None] | None = None,
) -> Field:
    """The strategies that the texts name and the folder holds; a wrong text raises, a wrong file is refused."""
    names = [name for text in texts for name in expand(text)]
    if len(names) > MOST_ENTRANTS:
        raise NotationError(f"{len(names)} strategies were named; {MOST_ENTRANTS} is allowed")
    entrants = [Entrant(name, parse(name, game)) for name in names]
    refusals = []
    for path in _files(folder, game) if folder else []:
        if progress is not None:
            progress(f"reading {path.name} ...")
        try:
            entrants.append(Entrant(path.stem, _strategy(path, game, limits)))
        except Exception as error:  # the referee's rule: no file stops a tournament
            known = isinstance(error, DicewrightError)
            refusals.append(Refusal(path.name, str(error) if known else f"{type(error).__name__} ({error})"))
    return Field(number_namesakes(entrants), tuple(refusals))


def _files(folder: Path, game: Any) -> list[Path]:
    if not isinstance(game, RaceGame):
        raise StrategyError(f"a folder holds strategies for race games; {game.name} is none")
    if not folder.is_dir():
        raise StorageError(f"{folder} is no folder")
    files = sorted(path for path in folder.iterdir() if not path.is_dir() and not path.name.startswith("."))
    if not files:
        raise StorageError(f"the folder {folder} is empty; {', '.join(READERS)} files are allowed")
    return files


def _strategy(path: Path, game: RaceGame, limits: Limits) -> Any:
    if game.goal > MOST_GOAL:
        raise TooLarge(f"the goal of {game.name} is {game.goal}; files can enter up to {MOST_GOAL}")
    if not path.is_file():
        raise StrategyError("it is no regular file")
    if path.suffix not in READERS:
        raise StrategyError(f"its name ends in {path.suffix!r}; {', '.join(READERS)} are allowed")
    return READERS[path.suffix](path, game, limits)


def _table(path: Path, game: RaceGame, limits: Limits) -> Any:
    return read_table(path, game)


def _expression(path: Path, game: RaceGame, limits: Limits) -> Any:
    lines = [
        line.partition("#")[0].strip() for line in _text(path).splitlines()
    ]  # texts in quotes do not exist
    return from_expression(path.stem, " ".join(lines), game)


def _python(path: Path, game: RaceGame, limits: Limits) -> Any:
    return from_python(path.stem, _text(path), game, limits)


READERS: dict[str, Callable[[Path, RaceGame, Limits], Any]] = {
    ".csv": _table,
    ".npz": _table,
    ".txt": _expression,
    ".py": _python,
}


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise StorageError(f"it is larger than {MOST_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise StorageError(f"it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise StorageError(f"it is no text in UTF-8: {error.reason}") from error
