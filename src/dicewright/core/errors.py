"""Everything that can go wrong for a user, as one small family.

    DicewrightError            exit code 1
      NotationError            2   text that names no game, state, action or strategy
      RulesError               2   rules that make no game (chances that do not sum to 1, goal 0)
      IllegalAction            2   an action that is not allowed in this view
      StrategyError            2   a strategy that answered something else, raised or looped
      TooLarge                 2   the work would not fit: the message gives the bytes or the count
      PrecisionError           3   the asked precision was not reached, or a proof was asked of an estimate
      VerificationError        4   a saved solution was refused
      StorageError             1   a file that could not be read or written

Messages name the value, the place and what is allowed.
"""


class DicewrightError(Exception):
    """Any failure that is explained to the user in one sentence."""

    exit_code = 1


class NotationError(DicewrightError, ValueError):
    """Text that names no game, state, action or strategy."""

    exit_code = 2


class RulesError(DicewrightError, ValueError):
    """Rules that make no game."""

    exit_code = 2


class IllegalAction(DicewrightError, ValueError):  # noqa: N818 (reads as what happened)
    """An action that is not allowed in this view."""

    exit_code = 2


class StrategyError(DicewrightError):
    """A strategy that answered something else than a mix of allowed actions, raised or looped."""

    exit_code = 2


class TooLarge(DicewrightError):  # noqa: N818
    """Work that would not fit in memory or time; the message says how much was needed."""

    exit_code = 2


class PrecisionError(DicewrightError):
    """The asked precision was not reached."""

    exit_code = 3


class VerificationError(DicewrightError):
    """A saved solution that does not prove what it says."""

    exit_code = 4


class StorageError(DicewrightError):
    """A file that could not be read or written."""
