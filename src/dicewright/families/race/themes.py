"""Kinds of places in a race, by the scores; and whether somebody holds."""

from types import MappingProxyType

from ...core.themes import Deed, Theme
from .rules import RaceGame, RaceView

LATE = 0.75  # of the goal: from there on one good turn may reach it
SMALL = 0.15  # of the goal: a lead that one turn makes up for
THEMES = MappingProxyType(
    {
        "goal": Theme("goal in reach", "when the goal is in reach"),
        "late": Theme("behind, late", "when you are behind and the other is near the goal"),
        "ahead": Theme("clear lead", "with a clear lead"),
        "lead": Theme("level or a small lead", "when it is level or your lead is small"),
        "behind": Theme("behind, early", "when you are behind and it is early"),
    }
)
DEEDS = MappingProxyType({"hold": Deed("hold", "you hold too early", "you hold too late")})


def theme(game: RaceGame, view: RaceView) -> str:
    """By the scores: near the goal, or by who leads."""
    late = LATE * game.goal
    if view.mine >= late:
        return "goal"
    if view.yours >= late:
        return "late"
    if view.mine < view.yours:
        return "behind"
    return "ahead" if view.mine - view.yours > SMALL * game.goal else "lead"
