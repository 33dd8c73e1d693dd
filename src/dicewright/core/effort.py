"""What solving a game takes, known before anything is begun; and the compiled way to play many games."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

LITTLE = 1_000_000  # bytes
# What an engine counts, for the player who starts: games, then sums of payoffs and of their squares.
WINS, LOSSES, STALEMATES, CUT_OFFS, PAYOFF, SQUARES, ADJUSTED, ADJUSTED_SQUARES = range(8)
BLOCK = 1 << 14  # games that a compiled engine plays at once: some milliseconds


class Effort(NamedTuple):
    """About what it takes on one processor; what is kept or shipped takes a moment, whatever this says."""

    seconds: float = 5.0
    size: int = 4 * LITTLE  # bytes that the solution takes in memory
    quick: bool = True  # whether somebody may wait for it
    brief: bool = False  # whether it keeps others waiting for a moment only
    proof: float = 0.0  # seconds of the proof, where that takes longer than solving


@dataclass(frozen=True)
class Engine:
    """Plays blocks of games between A and B, with random numbers of its own, in any order.

    play(words, games, starter, count) plays with A (0) or B (1) starting and adds to the counts of the starter;
    `words` are the four that start its random numbers, `count` its eight counts. It may answer who forfeited (the
    starter is 0) and why.
    """

    method: str
    block: int
    play: Callable[[Any, int, int, Any], Sequence[tuple[int, str]] | None]
    sent: tuple[Any, Any, Any] | None = None  # game, A and B, where another process may play blocks as well
    alone: bool = False  # whether games are played one after the other, whatever the number of workers


@dataclass(frozen=True)
class Limits:
    """What a stranger's program may use: a file that enters a tournament to answer for all views, a program that
    plays for each answer."""

    seconds: float = 20.0
    megabytes: int = 512


SECONDS, MEGABYTES = 5.0, 1024  # of a program that plays, unless told otherwise


UNTOLD = 4 << 30  # bytes that are taken to be free where the system does not tell


def free_memory() -> int:
    """Bytes that can be allocated now, as the system says."""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    if not hasattr(os, "sysconf"):  # Windows
        return UNTOLD
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
