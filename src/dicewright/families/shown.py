"""Games in a notebook."""

from html import escape
from typing import Any


class ShownGame:
    """A game that shows itself in a notebook: what it is called, and its rules in words."""

    def _repr_html_(self: Any) -> str:
        from .catalog import family  # which knows the games that stand on this

        kin = family(self)
        title = f"<strong>{escape(kin.title(self))}</strong> <code>{escape(self.name)}</code>"
        rules = "".join(f"<li>{escape(rule)}</li>" for rule in kin.rules(self))
        return f"<p>{title}</p><ul>{rules}</ul>"
