"""Titles of one's own games, as they stand in a line: `race:+2/bust,title=Mean_Pig`, `pig:title=Hers`."""

import re
from unicodedata import normalize

from ...core.errors import NotationError, quoted
from ...core.notation import Kind

MOST_TITLE = 40


def read_title(text: str) -> str:
    """A title as it stands in a line: `_` for a space.

    >>> read_title("Grandma's pig, never")
    Traceback (most recent call last):
    dicewright.core.errors.NotationError: the title is "Grandma's pig, never"; up to 40 letters, ...
    """
    title = "_".join(normalize("NFC", text).replace("'", "’").replace("_", " ").split())
    if len(title) > MOST_TITLE or not all(sign.isalnum() or sign in "_-’" for sign in title):
        allowed = f"up to {MOST_TITLE} letters, digits, hyphens, apostrophes and spaces (or _) is allowed"
        raise NotationError(f"the title is {quoted(text)}; {allowed}")
    return title


def _show_title(value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def title_of(name: str) -> str:
    """The title that the name of a game gives, or nothing.

    >>> title_of("race:+2/bust,title=Mean_Pig"), title_of("pig:title=Hers"), title_of("pig")
    ('Mean Pig', 'Hers', '')
    """
    found = re.search(r"[:,]title=([^,]*)", name)
    return found[1].replace("_", " ") if found else ""


TITLE = Kind(read_title, _show_title, "a title with _ for spaces")
