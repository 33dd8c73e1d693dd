"""How a player is trained for a game that is too large to be solved: part by part, and each part is a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .game import WrittenGame
from .solution import Arrays, Header, Solution

Tell = Callable[
    [int, float | None], object
]  # iterations done, and what a best response gets at least if it was measured


class Takes(NamedTuple):
    """What training a part takes, known before it is begun."""

    memory: int  # bytes
    disk: int  # bytes of its checkpoints
    size: int  # bytes that are left at the end, at most
    seconds: float  # of a processor, about


class Taught(NamedTuple):
    """A part that was trained, as a file has it."""

    header: Header
    arrays: Arrays


@dataclass(frozen=True)
class Lessons:
    """A training: its parts need not wait for each other.

    train    of a part, `tell` and a checkpoint: what was taught; the same bytes whenever it was stopped in between
    solution of functions that read a part, say its value, and give its exact solution if that is at hand: who plays
             what was taught, and says what actions are worth
    """

    form: str
    parts: tuple[WrittenGame, ...]  # the longest first
    iterations: int
    types: Mapping[str, str]  # of the arrays
    takes: Callable[[Any], Takes]
    train: Callable[[Any, Tell, Any], Taught]
    check: Callable[[Any, Header, Arrays], None]  # ValueError for what is not of this part
    solution: Callable[
        [Callable[[Any], Taught], Callable[[Any], float], Callable[[Any], Solution | None]], Solution
    ]
