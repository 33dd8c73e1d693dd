"""Entrants from texts and from a folder of files; one bad file is refused and reported, never fatal.

.csv, .npz    a table, as storage/strategies.py reads it
.txt          an expression over mine, yours, turn, goal (on as many lines as it likes; # begins a comment)
.py           Python that defines strategy(mine, yours, turn), run in a process of its own

Endings count in any case. Only regular files are read, no links: a link would show what the organiser may read.
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
    number_namesakes,
)
from ..core.effort import Limits
from ..core.errors import DicewrightError, NotationError, StorageError, StrategyError, TooLarge
from ..core.shown import shown
from ..families import family
from .files import decoding, encoding_of, read_file
from .strategies import parse, read_table

ENDINGS = (".csv", ".npz", ".txt", ".py")
MOST_BYTES = 1_000_000
MOST_NAME, MOST_REASON = 100, 500  # letters
MOST_GOAL = 250  # a table of all states has goal^3 / 2 entries


def gather(
    game: Any,
    texts: Sequence[str],
    folder: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    progress: Callable[[str], None] | None = None,
    seed: int = 0,
) -> Field:
    """The strategies that the texts name and the folder holds; a wrong text raises, a wrong file is refused.

    Names and reasons are one printable line each. `seed` is where the random numbers of
    Python files start.
    """
    names = [name for text in texts for name in expand(text)]
    if len(names) > MOST_ENTRANTS:
        raise NotationError(f"{len(names)} strategies were named; {MOST_ENTRANTS} is allowed")
    entrants = [Entrant(shown(name), parse(name, game)) for name in names]
    refusals = []
    for path in _files(folder, game) if folder else []:
        if progress is not None:
            progress(f"reading {path.name} ...")
        try:
            entrants.append(Entrant(shown(path.stem, MOST_NAME), _strategy(path, game, limits, seed)))
        except Exception as error:  # the referee's rule: no file stops a tournament
            known = isinstance(error, DicewrightError)
            reason = str(error) if known else f"{type(error).__name__} ({error})"
            refusals.append(Refusal(shown(path.name, MOST_NAME), shown(reason, MOST_REASON)))
    return Field(number_namesakes(entrants), tuple(refusals))


def _files(folder: Path, game: Any) -> list[Path]:
    if not family(game).entries():
        raise StrategyError(f"a folder holds strategies for race games; {game.name} is none")
    if not folder.is_dir():
        raise StorageError(f"{folder} is no folder")
    try:
        files = sorted(path for path in folder.iterdir() if path.is_symlink() or not path.is_dir())
    except OSError as error:
        raise StorageError(f"cannot read {folder}: {error.strerror}") from error
    files = [path for path in files if not path.name.startswith(".")]
    if not files:
        raise StorageError(f"the folder {folder} is empty; {', '.join(ENDINGS)} files are allowed")
    return files


def _strategy(path: Path, game: Any, limits: Limits, seed: int) -> Any:
    if game.goal > MOST_GOAL:
        raise TooLarge(f"the goal of {game.name} is {game.goal}; files can enter up to {MOST_GOAL}")
    ending = path.suffix.lower()
    if ending in (".csv", ".npz"):
        return read_table(path, game, links=False)
    if (reader := family(game).entries().get(ending)) is not None:
        return reader(path.stem, _text(path), game, limits, seed)
    raise StrategyError(f"its name ends in {path.suffix!r}; {', '.join(ENDINGS)} are allowed")


def _text(path: Path) -> str:
    data = read_file(path, MOST_BYTES, links=False)
    with decoding("it"):
        return data.decode(encoding_of(data[:2]))
