"""Nerve, as a package of somebody else brings it: the rules of one small game, and its words."""

from .words import FAMILY

__all__ = ["FAMILY"]
