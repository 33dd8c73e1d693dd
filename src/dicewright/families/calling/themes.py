"""Kinds of places in a calling game; and whether somebody challenges or lies."""

from collections.abc import Mapping
from types import MappingProxyType

from ...core.game import Action
from ...core.themes import Deed, Theme
from .rules import CHALLENGE, NOTHING, CallingGame, CallingView

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


def traits(game: CallingGame, view: CallingView, action: Action) -> Mapping[str, float]:
    """Of a challenge by how high the call is, of a call by how high it is, and whether it lies."""
    if action == CHALLENGE and view.call is not None:
        height, step = view.call / game.top, (view.call - view.accepted) / game.top
        top = float(view.call == game.top)
        return {
            "challenge": 1.0,
            "challenge height": height - 0.5,
            "challenge step": step,
            "challenge top": top,
        }
    if view.roll is None or not isinstance(action, int):
        return {}
    lowest = float(action == game.lowest_call(view.accepted, view.roll))
    found = {"height": action / game.top, "lowest": lowest}
    if not game.true(view.roll, action):
        found |= {"lie": 1.0, f"lie {theme(view)}": 1.0, "lie height": action / game.top - 0.5}
    return found
