"""A text of somebody else's, as it may be printed: one line of letters that command nothing."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

MOST_SHOWN = 4000
MOST_QUOTED = 200
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
JOINERS = "\u200c\u200d"  # Persian words and some pictures are written with these; they move nothing


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


def _written(value: Any, write: Callable[[Any], str], most: int) -> str:
    kind = type(value)
    try:
        if not is_dataclass(kind):
            return shown(ADDRESS.sub("", write(value)), most)
        if has_line(kind):
            return shown(str(value), most)
    except Exception:
        pass  # what cannot be written is named by its type, too
    return f"a value of type {kind.__name__}"


def has_line(kind: type) -> bool:
    """Whether values of this class say in one line what they are; a dataclass only lists its fields."""
    own = getattr(kind, "__dataclass_params__", None)
    return _own(kind, "__str__") or (own is not None and not own.repr and _own(kind, "__repr__"))


def _own(kind: type, method: str) -> bool:
    return getattr(kind, method) is not getattr(object, method)


def _shown(sign: str) -> str:
    if sign.isprintable() or sign in JOINERS:
        return sign
    if unicodedata.category(sign) == "Zs":
        return " "
    return sign.encode("unicode_escape").decode("ascii")
