"""A claim of a source document, and the row it becomes once it has been recomputed."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction

from scipy.stats import binomtest

EXETER, JOHNSON, CROCCE, LANCTOT, NORVIG = "Exeter", "Johnson", "Crocce-Mordecki", "Lanctot-Long", "Norvig"
BEYOND = "Beyond the sources"
CONFIDENCE = 0.999  # of each interval, so that all of them together hold with some 95 %


class Verdict(StrEnum):
    """How what was recomputed stands to what was printed."""

    SAME = "same to the printed digits"
    HOLDS = "holds"
    CONSISTENT = "consistent within its error"
    DIFFERS = "differs"
    CANNOT = "cannot be reproduced"
    COMPUTED = "computed here"
    MEASURED = "measured here"
    NEW = "new here"


class Depth(IntEnum):
    """How much is recomputed: what takes a moment, all that fits in five minutes, or everything."""

    QUICK = 0
    DEFAULT = 1
    FULL = 2


Answer = tuple[str, Verdict]


@dataclass(frozen=True)
class Claim:
    """What a source prints at some place, and how to recompute it.

    `compute` answers with what was found, as text, and the verdict. `reason` explains a difference that is the
    source's own, or says what it leaves out; without it a difference is a failure. `command` shows the same.
    """

    source: str
    place: str
    what: str
    paper: str
    compute: Callable[[], Answer]
    reason: str = ""
    depth: Depth = Depth.QUICK
    command: str = ""


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
    command: str
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether the row should agree and does not."""
        return self.verdict in (Verdict.DIFFERS, Verdict.CANNOT) and not self.reason


@dataclass(frozen=True)
class Exhibit:
    """A table of a source, whole: what does not fit into one row."""

    source: str
    title: str
    columns: Sequence[str]
    lines: Sequence[Sequence[str]]


def recompute(claims: Iterable[Claim]) -> Iterator[Row]:
    """Recompute claims one by one."""
    for claim in claims:
        started = time.perf_counter()
        ours, verdict = claim.compute()
        seconds = time.perf_counter() - started
        explained = verdict in (Verdict.DIFFERS, Verdict.CANNOT)
        reason = claim.reason if explained else ""
        yield Row(
            claim.source,
            claim.place,
            claim.what,
            claim.paper,
            ours,
            verdict,
            reason,
            claim.command,
            seconds,
        )


def rounds_to(ours: float | Fraction, paper: str) -> bool:
    """Whether rounding ours to the digits of a printed decimal number gives it."""
    places = len(paper.partition(".")[2])
    shown = f"{float(ours):.{places}f}"
    return shown == paper or (float(shown) == 0 == float(paper))


def number(
    source: str,
    place: str,
    what: str,
    paper: str,
    compute: Callable[[], float | Fraction],
    reason: str = "",
    depth: Depth = Depth.QUICK,
) -> Claim:
    """A printed decimal number: the same if rounding ours to its digits gives it."""

    def check() -> Answer:
        ours = compute()
        whole = "." not in paper and float(ours).is_integer()
        text = f"{float(ours):.0f}" if whole else f"{float(ours):.{len(paper.partition('.')[2]) + 4}f}"
        if isinstance(ours, Fraction) and ours.denominator > 1:
            text = f"{ours} = {text}"
        return text, Verdict.SAME if rounds_to(ours, paper) else Verdict.DIFFERS

    return Claim(source, place, what, paper, check, reason, depth)


def fact(
    source: str,
    place: str,
    what: str,
    paper: str,
    compute: Callable[[], tuple[str, bool]],
    reason: str = "",
    depth: Depth = Depth.QUICK,
) -> Claim:
    """A statement in words: it holds or it does not; `compute` also says what was found."""

    def check() -> Answer:
        ours, holds = compute()
        return ours, Verdict.HOLDS if holds else Verdict.DIFFERS

    return Claim(source, place, what, paper, check, reason, depth)


def missing(
    source: str,
    place: str,
    what: str,
    paper: str,
    lacks: str,
    compute: Callable[[], tuple[str, bool]],
    depth: Depth = Depth.QUICK,
) -> Claim:
    """A result that the source does not describe fully; `compute` says whether some reading gives it after all."""

    def check() -> Answer:
        ours, found = compute()
        return ours, Verdict.SAME if found else Verdict.CANNOT

    return Claim(source, place, what, paper, check, lacks, depth)


def shown(
    source: str,
    place: str,
    what: str,
    compute: Callable[[], str],
    paper: str = "no figure",
    depth: Depth = Depth.QUICK,
    command: str = "",
) -> Claim:
    """What the source describes without printing a figure: there is nothing to compare, only our answer."""

    def check() -> Answer:
        return compute(), Verdict.COMPUTED

    return Claim(source, place, what, paper, check, "", depth, command)


def timed(source: str, place: str, what: str, paper: str, theirs: float, run: Callable[[], object]) -> Claim:
    """A printed running time, in seconds, beside ours (run once before, so that nothing is compiled)."""

    def check() -> Answer:
        run()
        started = time.perf_counter()
        run()
        return speed(time.perf_counter() - started, theirs), Verdict.MEASURED

    return Claim(source, place, what, paper, check)


def speed(ours: float, theirs: float) -> str:
    """A running time beside a printed one."""
    factor = theirs / ours
    return f"{ours:.2g} s, {factor:,.0f} times faster" if factor >= 1.5 else f"{ours:.2g} s"


def interval(wins: int, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The Clopper-Pearson interval of a share."""
    found = binomtest(wins, games).proportion_ci(confidence, "exact")
    return float(found.low), float(found.high)


def printed_share(
    source: str,
    place: str,
    what: str,
    wins: int,
    games: int,
    compute: Callable[[], float],
    reason: str = "",
    paper: str = "",
) -> Claim:
    """A share the source got by playing: consistent if the exact chance lies in the interval around it."""

    def check() -> Answer:
        chance, (low, high) = compute(), interval(wins, games)
        fits = low <= chance <= high
        text = f"exactly {chance:.6f}; {100 * CONFIDENCE:g} % interval of the printed share {low:.4f} to {high:.4f}"
        return text, Verdict.CONSISTENT if fits else Verdict.DIFFERS

    return Claim(source, place, what, paper or f"{wins:,} of {games:,}", check, reason)


def played(
    source: str,
    place: str,
    what: str,
    paper: str,
    exact: Callable[[], float],
    play: Callable[[], tuple[int, int]],
    depth: Depth = Depth.DEFAULT,
) -> Claim:
    """Games played here: consistent if the exact chance lies in the interval around our share."""

    def check() -> Answer:
        wins, games = play()
        chance, (low, high) = exact(), interval(wins, games)
        text = f"{wins / games:.5f} in {games:,} games ({low:.5f} to {high:.5f}); exactly {chance:.6f}"
        return text, Verdict.CONSISTENT if low <= chance <= high else Verdict.DIFFERS

    return Claim(source, place, what, paper, check, "", depth)
