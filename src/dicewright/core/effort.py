"""What solving a game takes, known from its rules before anything is begun."""

from dataclasses import dataclass
from typing import NamedTuple

LITTLE = 1_000_000  # bytes


class Effort(NamedTuple):
    """About what it takes on one processor; what is kept or shipped takes a moment, whatever this says."""

    seconds: float = 5.0
    size: int = 4 * LITTLE  # bytes that the solution takes in memory
    quick: bool = True  # whether somebody may wait for it
    brief: bool = False  # whether it keeps others waiting for a moment only


@dataclass(frozen=True)
class Limits:
    """What a stranger's program that enters a tournament may use to answer for all views."""

    seconds: float = 20.0
    megabytes: int = 512
