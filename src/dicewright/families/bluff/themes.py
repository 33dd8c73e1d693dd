"""Kinds of places in a round of Bluff, by what was said; and whether somebody calls or bluffs."""

from types import MappingProxyType

from ...core.themes import Deed, Theme
from .rules import BluffView

THEMES = MappingProxyType(
    {
        "open": Theme("open", "when you open"),
        "answer": Theme("raise or call, the first bid", "after the first bid"),
        "later": Theme("raise or call, later", "after your bid was raised"),
    }
)
DEEDS = MappingProxyType(
    {
        "call": Deed("call", "you call too early", "you call too late"),
        "bluff": Deed("bluff", "you bluff too often", "you bluff too seldom"),
    }
)


def theme(view: BluffView) -> str:
    """By how much was said."""
    return ("open", "answer")[len(view.said)] if len(view.said) < 2 else "later"
