"""Games in files, `file:my-game.toml` beside the lines of the catalog: at one's own machine, never on a server.

    game = "race"
    title = "Grandma's pig"
    goal = 60

    [faces]
    "+5" = 2
    bust = "1/3"

`game` is a name of the catalog, all else its fields. What is read is the game that one line names: its records,
solutions and rows of the database know nothing of the file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import NotationError, quoted
from ..core.notation import Field, fields
from ..families import catalog
from .files import from_toml

MOST_BYTES = 100_000
FILE = "file:"


def parse_game(text: str) -> Any:
    """The game that a line of the catalog names, or that stands in `file:PATH`."""
    if text.strip().startswith(FILE):
        if not (place := text.strip().removeprefix(FILE)):
            raise NotationError(f"{FILE} names no file; one such as {FILE}my-game.toml is allowed")
        return read_game(Path(place).expanduser())
    return catalog.parse(text)


def read_game(path: Path) -> Any:
    """The game in a TOML file; NotationError or RulesError names the file, what is wrong in it and what is allowed."""
    return from_toml(path, MOST_BYTES, _built)


def _built(found: Mapping[str, Any]) -> Any:
    values = dict(found)
    name = values.pop("game", None)
    if name not in catalog.GAMES:
        told = 'it lacks game = "..."' if name is None else f"game is {quoted(name)}"
        raise NotationError(f"{told}; {', '.join(catalog.GAMES)} is allowed")
    builder = catalog.GAMES[name]
    known = {field.name: field for field in fields(builder)}
    for key in values:
        if key not in known:
            raise NotationError(f"{quoted(key)} is no field of {name}; allowed are game, {', '.join(known)}")
    return builder(**{key: _read(known[key], value) for key, value in values.items()})


def _read(field: Field, value: Any) -> Any:
    """A value as the line of a game has it, or as TOML does: true for yes, a number for itself, tables for faces."""
    kind = field.kind
    try:
        return kind.read(value if isinstance(value, str) else kind.show(value))
    except NotationError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError):
        raise NotationError(f"{field.name} is {quoted(value)}; {kind.allowed} is allowed") from None
