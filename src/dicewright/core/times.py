"""When a decision was shown and how long it took, as a comment of a record says it.

The comment stands behind the choice, alone: `{[%shown 2026-11-15T20:15:00.250Z] [%time 5210]}`. To whoever knows
nothing of it, it is a comment like any other.
"""

import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from .record import Note, Record

SAID = re.compile(r"\[%shown (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z\] \[%time (\d{1,15})\]", re.ASCII)
START = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


class Times(NamedTuple):
    """When a choice was shown, in milliseconds since 1970 (UTC), and how many milliseconds later it was made."""

    shown: int
    time: int

    def __str__(self) -> str:
        """The comment.

        >>> str(Times(1763237700250, 5210))
        '[%shown 2025-11-15T20:15:00.250Z] [%time 5210]'
        """
        when = (START + self.shown * MILLISECOND).replace(tzinfo=None)
        return f"[%shown {when.isoformat(timespec='milliseconds')}Z] [%time {self.time}]"


class Watch(NamedTuple):
    """A decision that somebody has been shown: the time runs.

    The clock on the wall says when that was, and may be set back or forth meanwhile; how long it took is measured by
    one that nobody sets.
    """

    ply: int  # choices made before it
    shown: int
    started: int  # nanoseconds

    @classmethod
    def start(cls, ply: int) -> "Watch":
        """It is shown now."""
        return cls(ply, time.time_ns() // 1_000_000, time.monotonic_ns())

    def stop(self) -> Times:
        """It is made now."""
        return Times(self.shown, (time.monotonic_ns() - self.started) // 1_000_000)


def read_times(text: str) -> Times | None:
    """The times that a comment says; None if it says something else.

    >>> read_times(str(Times(1763237700250, 5210)))
    Times(shown=1763237700250, time=5210)
    """
    said = SAID.fullmatch(text)
    if said is None:
        return None
    try:
        when = datetime.fromisoformat(said[1]).replace(tzinfo=UTC)
    except ValueError:  # the 31st of February
        return None
    return Times((when - START) // MILLISECOND, int(said[2]))


def times_of(record: Record) -> dict[int, Times]:
    """The times of a record's decisions, by the number of choices made before each."""
    said = (
        (note.ply - 1, read_times(note.text)) for note in record.notes if note.text.startswith("[%shown ")
    )
    return {ply: times for ply, times in said if times is not None}


def with_times(notes: tuple[Note, ...], times: Mapping[int, object]) -> tuple[Note, ...]:
    """The notes with these times (or lies of dice), each behind its choice and before what else is said of it."""
    added = [(ply + 1, 0, Note(ply + 1, str(each))) for ply, each in times.items()]
    kept = [(note.ply, 1, note) for note in notes]
    return tuple(note for *_, note in sorted([*added, *kept], key=lambda part: part[:2]))
