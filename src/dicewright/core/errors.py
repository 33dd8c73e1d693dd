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

Messages name the value, the place and what is allowed; a text of somebody else's becomes one line of letters that
command nothing.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, TypeVar

T = TypeVar("T")
MOST_SHOWN = 4000
MOST_QUOTED = 200
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
JOINERS = "\u200c\u200d"  # Persian words and some pictures are written with these; they move nothing


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


def shown(text: str, most: int = MOST_SHOWN) -> str:
    r"""The text as one printable line of at most so many letters.

    Control characters, ends of lines, letters that turn the direction of writing, halves of letters and whatever
    else nobody sees become escapes as Python writes them; what is too long ends in three dots. Shown again,
    it stays as it is.

    >>> print(shown("red: \x1b[31m\nrefused \ud800"), shown("a long text", 6))
    red: \x1b[31m\nrefused \ud800 a lon…
    """
    line = "".join(map(_shown, text[: most + 1]))
    return line if len(line) <= most else line[: most - 1] + "…"


def quoted(value: Any) -> str:
    """A value in a message: as Python writes it, without its address, cut if that is long.

    What holds whole games and tables is named by its own line, or by its type, as is what cannot be written.

    >>> quoted("pig"), quoted(object())
    ("'pig'", '<object object>')
    """
    return _written(value, repr, MOST_QUOTED)


def told(value: Any) -> str:
    """A value in a message as `str` writes it, else like `quoted`: texts stand without quotes, and are not cut."""
    return _written(value, str, MOST_SHOWN)


def attempt(ask: Callable[[], T], otherwise: T) -> T:
    """What is asked of a stranger's value, or what stands for it where even asking fails."""
    try:
        return ask()
    except Exception:
        return otherwise


def name_of(given: Any) -> str:
    """The name of whatever is handed in as a game, in a message; its class if it has none that can be asked."""
    return attempt(lambda: shown(str(given.name), MOST_QUOTED), type(given).__name__)


def _written(value: Any, write: Callable[[Any], str], most: int) -> str:
    kind = type(value)
    unwritten = f"a value of type {kind.__name__}"
    if not is_dataclass(kind):
        return attempt(lambda: shown(ADDRESS.sub("", write(value)), most), unwritten)
    return attempt(lambda: shown(str(value), most), unwritten) if has_line(kind) else unwritten


def has_line(kind: Any) -> bool:
    """Whether values of this class say in one line what they are; a dataclass only lists its fields."""
    own = getattr(kind, "__dataclass_params__", None)
    by_repr = own is not None and not own.repr and kind.__repr__ is not object.__repr__
    return bool(by_repr or kind.__str__ is not object.__str__)


def _shown(sign: str) -> str:
    if sign.isprintable() or sign in JOINERS:
        return sign
    if unicodedata.category(sign) == "Zs":
        return " "
    return sign.encode("unicode_escape").decode("ascii")


def how_to_install(extra: str) -> str:
    """The command that installs an extra: by the names of its packages, for ours may have come from a folder.

    >>> how_to_install("plots")
    'pip install "matplotlib>=..."'
    """
    from importlib.metadata import PackageNotFoundError, requires

    try:
        lines = requires("dicewright") or []
    except PackageNotFoundError:  # a folder on the path that nobody has installed
        return f'pip install ".[{extra}]" in the folder of dicewright'
    marked = re.compile(rf"(.+?)\s*;\s*(?:\(?([^()]*)\)?\s+and\s+)?extra\s*==\s*['\"]{extra}['\"]")
    matched = (found for line in lines if (found := marked.fullmatch(line)))
    packages = ["; ".join(filter(None, found.groups())) for found in matched]
    return " ".join(["pip install", *(f'"{package}"' for package in packages)])
