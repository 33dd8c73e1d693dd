"""A text of somebody else's, as it may be printed: one line of letters that command nothing."""

import unicodedata
from typing import Any

MOST_SHOWN = 4000
MOST_QUOTED = 200
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
    """A value in a message: as Python writes it, cut if that is long; by its type if it cannot be written."""
    try:
        return shown(repr(value), MOST_QUOTED)
    except Exception:
        return f"a value of type {type(value).__name__}"


def _shown(sign: str) -> str:
    if sign.isprintable() or sign in JOINERS:
        return sign
    if unicodedata.category(sign) == "Zs":
        return " "
    return sign.encode("unicode_escape").decode("ascii")
