"""Circles of entrants who beat one another: a beats b, b beats c, c beats a."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from ..core.arrays import Floats

Truths = npt.NDArray[np.bool_]

MOST_STEPS = 2_000_000  # partial circles looked at before the list is cut off


@dataclass(frozen=True)
class Cycle:
    """Entrants who each beat the next, the last the first; `margins` are theirs, in order."""

    members: tuple[int, ...]
    margins: tuple[float, ...]

    @property
    def strength(self) -> float:
        """The smallest margin in the circle."""
        return min(self.margins)


@dataclass(frozen=True)
class Cycles:
    """The circles of a round robin, smallest first, the strongest of a size first."""

    transitive: bool  # no circle at all
    triangles: int  # the number of circles of three
    listed: tuple[Cycle, ...]
    complete: bool  # whether every circle is listed


def find_cycles(margins: Floats, tie: float = 1e-12, most: int = 10) -> Cycles:
    """The `most` smallest circles; of those of one size, the ones whose smallest margin is largest."""
    beats = margins > tie
    _, part = connected_components(beats, directed=True, connection="strong")
    inside = beats & (part[:, None] == part[None, :])
    if not inside.any():
        return Cycles(True, 0, (), True)
    triangles, listed = _triangles(margins, inside, most)
    if triangles > most:
        return Cycles(False, triangles, tuple(listed), False)
    steps = iter(range(MOST_STEPS))
    for size in range(4, int(np.bincount(part).max()) + 1):
        circles = (Cycle(circle, _margins(margins, circle)) for circle in _circles(inside, size, steps))
        listed += sorted(circles, key=lambda cycle: -cycle.strength)
        if len(listed) > most or next(steps, None) is None:
            return Cycles(False, triangles, tuple(listed[:most]), False)
    return Cycles(False, triangles, tuple(listed), True)


def _triangles(margins: Floats, beats: Truths, most: int) -> tuple[int, list[Cycle]]:
    """How many circles of three there are, and the strongest of them."""
    count, best = 0, list[Cycle]()
    for a in range(len(beats)):
        seconds = np.flatnonzero(beats[a, a:]) + a
        thirds = np.flatnonzero(beats[a:, a]) + a
        second, third = np.nonzero(beats[np.ix_(seconds, thirds)])
        b, c = seconds[second], thirds[third]
        count += len(b)
        strength = np.minimum(np.minimum(margins[a, b], margins[b, c]), margins[c, a])
        for n in np.argsort(-strength, kind="stable")[:most]:
            circle = (a, int(b[n]), int(c[n]))
            best.append(Cycle(circle, _margins(margins, circle)))
        best = sorted(best, key=lambda cycle: -cycle.strength)[:most]
    return count, best


def _margins(margins: Floats, circle: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(float(margins[a, b]) for a, b in zip(circle, circle[1:] + circle[:1], strict=True))


def _circles(beats: Truths, size: int, steps: Iterator[int]) -> Iterator[tuple[int, ...]]:
    """Every circle of this size once, from its lowest member on, while steps are left."""
    following = [np.flatnonzero(row).tolist() for row in beats]
    for start in range(len(beats)):
        paths: list[tuple[int, ...]] = [(start,)]
        while paths and next(steps, None) is not None:
            path = paths.pop()
            if len(path) == size:
                if beats[path[-1], start]:
                    yield path
            else:
                paths += [(*path, n) for n in following[path[-1]] if n > start and n not in path]
