"""A claim of a source document, and the row it becomes once it has been recomputed."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple, TypeVar

EXETER, JOHNSON, CROCCE, LANCTOT, NORVIG = "Exeter", "Johnson", "Crocce-Mordecki", "Lanctot-Long", "Norvig"
BEYOND = "Beyond the sources"
SMALL = 1e-9  # figures this close are equal


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


class Finding(NamedTuple):
    """What was found, as text, the verdict, and the figure itself where it is checked a second time."""

    text: str
    verdict: Verdict
    figure: object = None


class Because(NamedTuple):
    """Why the source and we differ, or what it leaves out; and our figure, found by another way or known.

    The figure is what makes a difference no failure: the reason alone would also excuse a wrong program.
    """

    reason: str
    figure: Callable[[], object]


Compute = TypeVar("Compute", bound=Callable[[], object])
Found = tuple[str, bool] | tuple[str, bool, object]  # as text, whether it is so, the figure to check


@dataclass(frozen=True)
class Claim:
    """What a source prints at some place, and how to recompute it.

    `because` is there if ours is known to differ or the source leaves something out; `command` shows the same.
    """

    source: str
    place: str
    what: str
    paper: str
    compute: Callable[[], Finding]
    because: Because | None = None
    depth: Depth = Depth.QUICK
    command: str = ""


class Source(list[Claim]):
    """The claims of one source, in order, each of a kind of `kinds`.

    `@source(fact, place, what, paper)` stands above the function that recomputes it; `add` takes one that is there.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def __call__(self, kind: Callable[..., Claim], *told: Any, **more: Any) -> Callable[[Compute], Compute]:
        def claim(compute: Compute) -> Compute:
            self.add(kind, *told, compute=compute, **more)
            return compute

        return claim

    def add(self, kind: Callable[..., Claim], *told: Any, **more: Any) -> None:
        """One more claim."""
        self.append(kind(self.name, *told, **more))


@dataclass(frozen=True)
class Row:
    """A claim recomputed.

    `failed` is whether it differs without an explanation, or ours is not the figure of its explanation.
    """

    source: str
    place: str
    what: str
    paper: str
    ours: str
    verdict: Verdict
    reason: str
    expected: str
    failed: bool
    command: str
    seconds: float


@dataclass(frozen=True)
class Exhibit:
    """A table of a source, whole: what does not fit into one row."""

    source: str
    title: str
    columns: Sequence[str]
    lines: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Branch:
    """A part of a game tree: what happens, how likely (None if a player decides), and the chance to win then."""

    label: str
    chance: float | None
    wins: float
    branches: Sequence["Branch"] = ()


@dataclass(frozen=True)
class GameTree:
    """A game tree of a source, whole."""

    source: str
    title: str
    root: Branch


def recompute(claims: Iterable[Claim]) -> Iterator[Row]:
    """Recompute claims one by one, and the figures of their explanations."""
    for claim in claims:
        started = time.perf_counter()
        text, verdict, figure = claim.compute()
        seconds = time.perf_counter() - started
        excused = verdict in (Verdict.DIFFERS, Verdict.CANNOT)
        reason, expected, failed = "", "", excused
        if claim.because is not None:
            known = claim.because.figure()
            failed = not equal(figure, known)
            reason = claim.because.reason if excused or failed else ""
            expected = brief(known)
        head = (claim.source, claim.place, claim.what, claim.paper)
        yield Row(*head, text, verdict, reason, expected, failed, claim.command, seconds)


def equal(ours: Any, known: Any) -> bool:
    """Whether two figures are equal: floats but for rounding, lists one by one.

    >>> from fractions import Fraction
    >>> equal((1 / 3, "roll"), (Fraction(1, 3), "roll")), equal([1], [1, 2]), equal(None, 0.5)
    (True, False, False)
    """
    if isinstance(ours, tuple | list) and isinstance(known, tuple | list):
        return len(ours) == len(known) and all(map(equal, ours, known))
    if isinstance(ours, float) or isinstance(known, float):
        return ours is not None and abs(ours - known) <= SMALL
    return bool(ours == known)


def brief(figure: Any) -> str:
    """A figure as short text.

    >>> from fractions import Fraction
    >>> brief((1 / 3, (Fraction(7, 12), 20)))
    '0.3333333, 7/12, 20'
    """
    if isinstance(figure, tuple | list):
        return ", ".join(map(brief, figure))
    if isinstance(figure, float):
        return f"{figure:.7g}"
    return f"{figure:,}" if isinstance(figure, int) else str(figure)
