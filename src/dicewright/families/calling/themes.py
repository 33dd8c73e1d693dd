"""Kinds of places in a calling game; and whether somebody challenges or lies."""

from types import MappingProxyType

from ...core.themes import Deed, Theme
from .rules import NOTHING, CallingView

THEMES = MappingProxyType(
    {
        "first": Theme("the first call", "in the first call"),
        "beat": Theme("beat a call", "when you have a call to beat"),
        "answer": Theme("believe or challenge", "when the other has called"),
        "keep": Theme("keep dice", "when you choose the dice to keep"),
    }
)
DEEDS = MappingProxyType(
    {
        "challenge": Deed("challenge", "you challenge too soon", "you believe too much"),
        "lie": Deed("lie", "you lie too often", "you lie too seldom"),
    }
)


def theme(view: CallingView) -> str:
    """By what is asked."""
    if view.seen is not None:
        return "keep"
    if view.roll is None:
        return "answer"
    return "first" if view.accepted == NOTHING else "beat"
