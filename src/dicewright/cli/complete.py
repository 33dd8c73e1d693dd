"""What the shell offers when TAB is pressed: the names of games and of their strategies."""

from collections.abc import Iterator, Mapping
from typing import Any

import typer

from ..core.errors import DicewrightError
from ..families import catalog


def games(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games whose names begin so, each with a line about it."""
    yield from _beginning(incomplete, catalog.GAMES)


def strategies(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The strategies of the game given before, or of pig; of a game that has none, or is none, no names."""
    from ..families.strategies import known

    try:
        names = known(catalog.parse(context.params.get("game") or "pig"))
    except DicewrightError:
        return
    yield from _beginning(incomplete, names)


def _beginning(incomplete: str, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, builder in known.items():
        if name.startswith(incomplete):
            yield name, " ".join((builder.__doc__ or "").split("\n\n")[0].split())
