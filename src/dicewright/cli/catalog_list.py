"""A catalog of games or strategies as a list."""

from collections.abc import Callable
from typing import Any

from ..core.notation import fields
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
