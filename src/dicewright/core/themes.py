"""What a person's decisions are grouped by: kinds of places, and kinds of actions done too often or too seldom."""

from typing import NamedTuple


class Theme(NamedTuple):
    """A kind of place where somebody decides."""

    words: str  # its name: `behind, late`
    at: str  # after what is done there: `when you are behind late in the game`


class Deed(NamedTuple):
    """A kind of action."""

    words: str  # its name: `hold`
    often: str  # of whoever does it more often than the solved player: `you hold too early`
    seldom: str
