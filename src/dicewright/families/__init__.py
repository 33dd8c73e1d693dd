"""The families of games, and the one question which of them a game is of."""

from .catalog import admit, asked, family, kins, own, solve

__all__ = ["admit", "asked", "family", "kins", "own", "solve"]
