"""A claim of a source document, and the row it becomes once it has been recomputed."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How what was recomputed stands to what was printed."""

    SAME = "same to the printed digits"
    HOLDS = "holds"
    CONSISTENT = "consistent within its error"
    DIFFERS = "differs"


@dataclass(frozen=True)
class Claim:
    """What a source prints at some place, and how to recompute it.

    `compute` answers with what was found, as text, and the verdict. `reason` explains a difference that is the
    source's own; without it a difference is a failure.
    """

    source: str
    place: str
    what: str
    paper: str
    compute: Callable[[], tuple[str, Verdict]]
    reason: str = ""


@dataclass(frozen=True)
class Row:
    """A claim recomputed."""

    source: str
    place: str
    what: str
    paper: str
    ours: str
    verdict: Verdict
    reason: str
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether the row should agree and does not."""
        return self.verdict is Verdict.DIFFERS and not self.reason


def recompute(claims: Iterable[Claim]) -> Iterator[Row]:
    """Recompute claims one by one."""
    for claim in claims:
        started = time.perf_counter()
        ours, verdict = claim.compute()
        seconds = time.perf_counter() - started
        yield Row(claim.source, claim.place, claim.what, claim.paper, ours, verdict, claim.reason, seconds)


def number(
    source: str, place: str, what: str, paper: str, compute: Callable[[], float], reason: str = ""
) -> Claim:
    """A printed decimal number: the same if rounding ours to its digits gives it."""

    def check() -> tuple[str, Verdict]:
        ours = compute()
        places = len(paper.partition(".")[2])
        same = f"{ours:.{places}f}" == paper
        return f"{ours:.{places + 4}f}", Verdict.SAME if same else Verdict.DIFFERS

    return Claim(source, place, what, paper, check, reason)


def fact(source: str, place: str, what: str, paper: str, compute: Callable[[], tuple[str, bool]]) -> Claim:
    """A statement in words: it holds or it does not; `compute` also says what was found."""

    def check() -> tuple[str, Verdict]:
        ours, holds = compute()
        return ours, Verdict.HOLDS if holds else Verdict.DIFFERS

    return Claim(source, place, what, paper, check)
