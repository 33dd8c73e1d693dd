"""A person's name and code: what is allowed, and which names would be taken for another."""

import re
import secrets
import unicodedata

from .errors import NotationError, shown

MOST_LETTERS = 40
MARKS = " -'’._"  # beside letters and digits
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no letter is taken for another
LENGTH, GROUP = 16, 4
ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")  # scripts that share shapes
TWINS = str.maketrans(  # letters of other scripts, and digits, by the letter that they look like
    "абвеёзикмнорстухіјѕһԁԛԝαβεηικνορτυχωο01i|",
    "a6beë3nkmhopctyxljshdqwabenlkvoptuxwooll|",
)


def check_name(text: str) -> str:
    """The name as it is kept; a NotationError says what is wrong with it.

    >>> check_name("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split(" ")).strip()
    name = re.sub(" +", " ", name)
    if not name or len(name) > MOST_LETTERS:
        raise NotationError(
            f"a name has 1 to {MOST_LETTERS} letters; {shown(repr(text), 60)} has {len(name)}"
        )
    if strange := [one for one in name if one not in MARKS and unicodedata.category(one)[0] not in "LMN"]:
        raise NotationError(
            f"a name has letters, digits, spaces and - ' . _; {_called(strange[0])} is none of them"
        )
    scripts = {unicodedata.name(one, "").split(" ")[0] for one in name if unicodedata.category(one)[0] == "L"}
    if len(mixed := [script for script in ALIKE if script in scripts]) > 1:
        both = " and ".join(script.capitalize() for script in mixed[:2])
        raise NotationError(
            f"{name!r} mixes {both} letters, which look alike; a name in one alphabet is allowed"
        )
    if not any(unicodedata.category(one)[0] in "LN" for one in name):
        raise NotationError(f"{name!r} has no letter and no digit; a name has at least one")
    return name


def likeness(name: str) -> str:
    """The same for all names that look alike.

    >>> likeness("Bill") == likeness("BI11")
    True
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(one for one in plain if unicodedata.category(one)[0] in "LN")
    return bare.translate(TWINS)


def fresh_code() -> str:
    """A new code: 75 random bits and a letter that tells slips of the pen.

    >>> read_code(fresh_code().lower().replace("-", " ")).count("-")
    3
    """
    drawn = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH - 1))
    return _grouped(drawn + _check(drawn))


def read_code(text: str) -> str:
    """The code as it is written, from what was typed, or from the end of a link; a NotationError if it is none."""
    typed = text.rpartition("code=")[2].upper()
    letters = re.sub(r"[\s-]", "", typed).translate(str.maketrans("OIL", "011"))
    if len(letters) != LENGTH or set(letters) - set(ALPHABET):
        said = f"this has {len(letters)}" if not set(letters) - set(ALPHABET) else "this has others"
        raise NotationError(f"a code has {LENGTH} letters and digits, such as 7K2M-XW4P-9RTD-V3HN; {said}")
    if _check(letters[:-1]) != letters[-1]:
        raise NotationError("a letter of this code is wrong or in the wrong place; look at it once more")
    return _grouped(letters)


def _check(letters: str) -> str:
    return ALPHABET[sum((2 * at + 1) * ALPHABET.index(one) for at, one in enumerate(letters)) % len(ALPHABET)]


def _grouped(letters: str) -> str:
    return "-".join(letters[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def _called(letter: str) -> str:
    named = unicodedata.name(letter, "").lower()
    return (
        f"{letter!r}" if letter.isprintable() else f"U+{ord(letter):04X} ({named or 'a control character'})"
    )
