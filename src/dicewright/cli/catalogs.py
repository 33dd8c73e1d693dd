"""Catalogs of games and strategies: as a list, and as what the shell offers when TAB is pressed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import typer

from ..core.errors import DicewrightError
from ..core.notation import fields
from ..families import catalog
from . import show


def list_catalog(what: str, known: Any, json: bool, played: Callable[[str], bool] | None = None) -> None:
    """Show the names of a catalog with their fields; `played` says of a game whether `play` knows it."""
    entries = [
        {
            "name": name,
            "fields": {
                field.name: {
                    "allowed": field.kind.allowed,
                    "default": None if field.required else field.kind.show(field.default),
                }
                for field in fields(builder)
            },
            "about": (builder.__doc__ or "").strip().split("\n\n")[0].replace("\n", " "),
            **({} if played is None else {"played": played(name)}),
        }
        for name, builder in known.items()
    ]
    if json:
        show.document(entries)
        return
    lines = []
    for entry in entries:
        parts = (
            key if field["default"] is None else f"{key}={field['default']}"
            for key, field in entry["fields"].items()
        )
        mark = "" if entry.get("played", True) else " (only solved and analysed, not for `play`)"
        about = " ".join(entry["about"].split()) + mark
        lines.append([entry["name"], " ".join(" ".join(parts).split()), about])
    show.rows(
        f"{what}: {len(lines)} names; write name, name:value or name:field=value,field=value",
        ["name", "fields", "about"],
        lines,
    )


def games(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games whose names begin so, each with a line about it."""
    yield from _beginning(incomplete, catalog.GAMES)


def strategies(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The strategies of the game given before, or of pig; of a game that has none, or is none, no names."""
    from ..families.catalog import known

    try:
        names = known(catalog.parse(context.params.get("game") or "pig"))
    except DicewrightError:
        return
    yield from _beginning(incomplete, names)


def _beginning(incomplete: str, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, builder in known.items():
        if name.startswith(incomplete):
            yield name, " ".join((builder.__doc__ or "").split("\n\n")[0].split())


def strategy(metavar: str, about: str) -> Any:
    """An argument that names a strategy, as the shell completes it."""
    return typer.Argument(metavar=metavar, help=about, autocompletion=strategies)
