"""The kinds of claims, by what makes the verdict: a number, a statement, a share of games, a time.

What follows the arguments of a kind is the rest of a Claim: because, depth and command.
"""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from scipy.stats import binomtest

from .claims import Because, Claim, Depth, Finding, Found, Verdict

CONFIDENCE = 0.999  # of each interval, so that all of them together hold with some 95 %
Number = Callable[[], float | Fraction]


def rounds_to(ours: float | Fraction, paper: str) -> bool:
    """Whether rounding ours to the digits of a printed decimal number gives it."""
    places = len(paper.partition(".")[2])
    shown = f"{float(ours):.{places}f}"
    return shown == paper or (float(shown) == 0 == float(paper))


def number(source: str, place: str, what: str, paper: str, compute: Number, *more: Any, **rest: Any) -> Claim:
    """A printed decimal number: the same if rounding ours to its digits gives it."""

    def check() -> Finding:
        ours = compute()
        whole = "." not in paper and float(ours).is_integer()
        text = f"{float(ours):.0f}" if whole else f"{float(ours):.{len(paper.partition('.')[2]) + 4}f}"
        if isinstance(ours, Fraction) and ours.denominator > 1:
            text = f"{ours} = {text}"
        return Finding(text, Verdict.SAME if rounds_to(ours, paper) else Verdict.DIFFERS, ours)

    return Claim(source, place, what, paper, check, *more, **rest)


def fact(
    source: str, place: str, what: str, paper: str, compute: Callable[[], Found], *more: Any, **rest: Any
) -> Claim:
    """A statement in words: it holds or not; `compute` says what was found, and gives the figure of `because`."""
    check = _told(compute, Verdict.HOLDS, Verdict.DIFFERS)
    return Claim(source, place, what, paper, check, *more, **rest)


def missing(
    source: str, place: str, what: str, paper: str, lacks: Because, compute: Callable[[], Found], **rest: Any
) -> Claim:
    """A result that the source does not describe fully; `compute` says whether some reading gives it after all."""
    return Claim(source, place, what, paper, _told(compute, Verdict.SAME, Verdict.CANNOT), lacks, **rest)


def _told(compute: Callable[[], Found], yes: Verdict, no: Verdict) -> Callable[[], Finding]:
    def check() -> Finding:
        ours, holds, *figure = compute()
        return Finding(ours, yes if holds else no, *figure)

    return check


def shown(
    source: str, place: str, what: str, compute: Callable[[], str], paper: str = "no figure", **rest: Any
) -> Claim:
    """What the source describes without printing a figure: there is nothing to compare, only our answer."""
    return Claim(source, place, what, paper, lambda: Finding(compute(), Verdict.COMPUTED), **rest)


def timed(source: str, place: str, what: str, paper: str, theirs: float, run: Callable[[], object]) -> Claim:
    """A printed running time, in seconds, beside ours (run once before, so that nothing is compiled)."""

    def check() -> Finding:
        run()
        started = time.perf_counter()
        run()
        return Finding(speed(time.perf_counter() - started, theirs), Verdict.MEASURED)

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
    source: str, place: str, what: str, wins: int, games: int, compute: Number, *more: Any, paper: str = ""
) -> Claim:
    """A share the source got by playing: consistent if the exact chance lies in the interval around it."""

    def check() -> Finding:
        chance, (low, high) = compute(), interval(wins, games)
        text = f"exactly {chance:.6f}; {100 * CONFIDENCE:g} % interval of the printed share {low:.4f} to {high:.4f}"
        return Finding(text, _within(chance, low, high), chance)

    return Claim(source, place, what, paper or f"{wins:,} of {games:,}", check, *more)


def played(
    source: str, place: str, what: str, paper: str, exact: Number, play: Callable[[], tuple[int, int]]
) -> Claim:
    """Games played here: consistent if the exact chance lies in the interval around our share."""

    def check() -> Finding:
        wins, games = play()
        chance, (low, high) = exact(), interval(wins, games)
        text = f"{wins / games:.5f} in {games:,} games ({low:.5f} to {high:.5f}); exactly {chance:.6f}"
        return Finding(text, _within(chance, low, high))

    return Claim(source, place, what, paper, check, depth=Depth.DEFAULT)


def _within(chance: float | Fraction, low: float, high: float) -> Verdict:
    return Verdict.CONSISTENT if low <= chance <= high else Verdict.DIFFERS
