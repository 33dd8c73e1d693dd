"""Two texts are the same if their words are, and their numbers but for the last digits."""

import re
from difflib import unified_diff
from importlib.metadata import version

NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[+-]?\d+)?(?![\w.])|(?<![\w.])-?\d+e[+-]?\d+(?![\w.])")
TOLERANCE = 1e-9  # of floats that another processor or compiler may round otherwise


def difference(before: str, after: str, most: int = 60) -> str | None:
    """What differs, as the lines of a diff, or None."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) == len(new) and all(map(_alike, old, new)):
        return None
    lines = list(unified_diff(old, new, "caught", "now", n=1, lineterm=""))
    return "\n".join(
        [
            *(line[:300] for line in lines[:most]),
            *([f"... {len(lines) - most} lines more"] if len(lines) > most else []),
        ]
    )


def _alike(old: str, new: str) -> bool:
    if old == new:
        return True
    if NUMBER.sub("#", old) != NUMBER.sub("#", new):
        return False
    pairs = zip(NUMBER.findall(old), NUMBER.findall(new), strict=True)
    return all(abs(float(a) - float(b)) <= TOLERANCE * max(1.0, abs(float(a))) for a, b in pairs)


def solver() -> str:
    """The linear programs' solver: of several optimal strategies another version may find another."""
    return f"highspy {version('highspy')}"
