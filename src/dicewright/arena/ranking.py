"""What a round robin says of its entrants: standings, ratings, the average that clones cannot move, and circles."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import log

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components

from ..core.arrays import Floats
from ..core.errors import PrecisionError
from .tournament import Tournament

TIE = 1e-12  # exact margins below this are rounding
ELO = 400 / log(10)  # points of the Elo scale for each unit of log-odds
SURE = 1.959963984540054  # a normal variable is within this many standard deviations with chance 95 %
WEIGHT = 1000  # games that an exact chance counts for where a prior is needed
MOST_NEWTON = 50  # steps; some ten are needed
SETTLED = 1e-12  # in log-odds
CLOSE = 1e-12  # of all games
MOST_STEPS = 2_000_000  # partial circles looked at before the list is cut off

Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Ranked:
    """One entrant's place and its reasons."""

    name: str
    place: int
    beaten: int  # entrants it beats more often than they beat it
    lost: int
    score: float  # its chance of beating an entrant drawn from the others
    elo: float  # Bradley-Terry, the mean of the field is 0
    elo_interval: tuple[float, float] | None  # 95 %; None if the chances are exact
    nash_weight: float  # its part of the maximin mix
    nash_margin: float  # its expected margin against that mix; 0 at most


def standings(tournament: Tournament) -> list[Ranked]:
    """All entrants, most beaten opponents first, then by score; equal ones share a place, in the order of names."""
    beaten, lost = beats(tournament).sum(axis=1), beats(tournament).sum(axis=0)
    count = len(tournament.names)
    score = (tournament.wins.sum(axis=1) - tournament.wins.diagonal()) / (count - 1)
    elo, width = bradley_terry(tournament)
    nash = nash_average(tournament.margins)
    return [
        Ranked(
            tournament.names[n],
            place,
            int(beaten[n]),
            int(lost[n]),
            float(score[n]),
            float(elo[n]),
            None if width is None else (float(elo[n] - width[n]), float(elo[n] + width[n])),
            float(nash.mix[n]),
            float(nash.margins[n]),
        )
        for place, n in _places(tournament, beaten, score)
    ]


def _places(tournament: Tournament, beaten: Floats, score: Floats) -> Iterator[tuple[int, int]]:
    """Places and who has them. Twins that played stand by their mean result: what sets them apart is luck."""
    twins = np.array(tournament.twins or range(len(score)))
    members = np.bincount(twins)[twins]
    beaten, score = (np.bincount(twins, numbers)[twins] / members for numbers in (beaten, score))
    order = sorted(range(len(score)), key=lambda n: (-beaten[n], -score[n]))
    place = 0
    while place < len(order):
        best = order[place]
        equal = [n for n in order[place:] if beaten[n] == beaten[best] and score[best] - score[n] <= TIE]
        yield from ((place + 1, n) for n in sorted(equal, key=lambda n: tournament.names[n]))
        place += len(equal)


def beats(tournament: Tournament) -> Truths:
    """Who beats whom more often than not; differences of rounding size are ties."""
    return tournament.margins > TIE


def bradley_terry(tournament: Tournament) -> tuple[Floats, Floats | None]:
    """Ratings on the Elo scale whose odds fit the results best, and half the width of their 95 % intervals.

    Maximum likelihood (Bradley & Terry 1952). Where it has no finite answer, because somebody never loses to the
    rest, half a win each way is added to every pair; an exact chance counts for 1000 games then. The widths come
    from the Fisher information of the games played; exact chances have none.
    """
    wins = tournament.wins * (tournament.games or WEIGHT)
    np.fill_diagonal(wins, 0.0)
    if connected_components(wins > 0, directed=True, connection="strong")[0] > 1:
        wins += 0.5 * (1 - np.eye(len(wins)))
    if (ratings := _likeliest(wins)) is None:
        raise PrecisionError(f"the Bradley-Terry ratings of {tournament.game} did not settle")
    if tournament.games is None:
        return ELO * ratings, None
    return ELO * ratings, ELO * SURE * np.sqrt(np.linalg.pinv(_information(wins, ratings)).diagonal())


def _likeliest(wins: Floats) -> Floats | None:
    """Ratings of mean 0 under which these wins are likeliest, by Newton's steps; None if they do not settle.

    The likelihood is concave, so that a step that does not raise it, as a long one may, is halved. At its top the
    expected wins are the wins:  sum_b games(a, b) / (1 + exp(r(b) - r(a))) = sum_b wins(a, b)
    """

    def likelihood(ratings: Floats) -> float:
        return -float((wins * np.logaddexp(0.0, ratings[None, :] - ratings[:, None])).sum())

    games, ratings = wins + wins.T, np.zeros(len(wins))
    for _ in range(MOST_NEWTON):
        slope = (wins - games * _chances(ratings)).sum(axis=1)
        step = np.linalg.solve(
            _information(wins, ratings) + 1 / len(wins), slope
        )  # the sum of ratings stays 0
        if np.abs(step).max() < SETTLED:
            break
        reached = likelihood(ratings)
        while likelihood(ratings + step) < reached - abs(reached) * 1e-14 and np.abs(step).max() > SETTLED:
            step /= 2
        ratings = ratings + step
    # Where somebody hardly ever wins, rounding moves the ratings further than SETTLED; the wins still have to agree.
    return ratings - ratings.mean() if np.abs(slope).max() <= CLOSE * games.sum() else None


def _chances(ratings: Floats) -> Floats:
    """Of each (row) to beat each (column)."""
    return np.asarray(1 / (1 + np.exp(ratings[None, :] - ratings[:, None])), float)


def _information(wins: Floats, ratings: Floats) -> Floats:
    """What the games tell of the ratings (Fisher): minus the second derivatives of the logarithm of the likelihood."""
    chance = _chances(ratings)
    information = -(wins + wins.T) * chance * chance.T
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1))
    return information


@dataclass(frozen=True, eq=False)
class Hodge:
    """Margins split into a part that ratings explain and a part that runs in circles; energies sum to 1."""

    ratings: Floats = field(repr=False)
    cyclic: Floats = field(repr=False)
    transitive_energy: float
    cyclic_energy: float


def hodge_split(margins: Floats) -> Hodge:
    """The least-squares potential on margins: margins[a, b] = r[a] - r[b] + cyclic[a, b].

    On a complete round robin r is the mean margin of each entrant, and the rest is a sum of circular flows
    over triangles (Jiang, Lim, Yao & Ye 2011). Energy is the sum of squares.
    """
    ratings = margins.mean(axis=1)
    cyclic = margins - (ratings[:, None] - ratings[None, :])
    energy = float((margins**2).sum())
    share = float((cyclic**2).sum()) / energy if energy > 0 else 0.0
    return Hodge(ratings, cyclic, 1.0 - share, share)


@dataclass(frozen=True, eq=False)
class NashAverage:
    """The maximin mix over entrants, and everybody's expected margin against it."""

    mix: Floats = field(repr=False)
    margins: Floats = field(repr=False)
    unique: bool  # whether it is the only maximin mix over entrants that differ


def nash_average(margins: Floats) -> NashAverage:
    """Rate entrants by their margin against the mix that no entrant beats (Balduzzi et al. 2018).

    Entrants with the same margins against everybody are one entrant to the linear program and share its weight,
    so a clone changes nobody else's rating. Of several such mixes the program takes one with as many entrants
    as any has: it maximises the least p(a) + loss(a), and an entrant that can be in the mix loses nothing to it.
    """
    clones = _clones(margins)
    kept = np.unique(clones, return_index=True)[1]
    reduced = margins[np.ix_(kept, kept)]
    mix = _maximin(reduced)
    support = mix > 1e-9
    inside = np.vstack([reduced[np.ix_(support, support)].T, np.ones(support.sum())])
    unique = bool(np.linalg.matrix_rank(inside, tol=1e-9) == support.sum())
    shared = mix[clones] / np.bincount(clones)[clones]
    against = margins @ shared
    return NashAverage(shared, np.where(np.abs(against) > TIE, against, 0.0), unique)


def _clones(margins: Floats) -> npt.NDArray[np.int64]:
    """The group of each entrant, numbered by first appearance."""
    groups = np.full(len(margins), -1)
    for n in range(len(margins)):
        if groups[n] < 0:
            same = (np.abs(margins - margins[n]) <= TIE).all(axis=1) & (groups < 0)
            groups[same] = groups.max() + 1
    return groups


def _maximin(margins: Floats) -> Floats:
    """max t over mixes p with loss = p margins >= 0 and p + loss >= t (Goldman & Tucker 1956)."""
    count = len(margins)
    if count == 1:
        return np.ones(1)
    losses = np.hstack([-margins.T, np.zeros((count, 1))])
    complement = np.hstack([-np.eye(count) - margins.T, np.ones((count, 1))])
    found = linprog(
        np.append(np.zeros(count), -1.0),
        A_ub=np.vstack([losses, complement]),
        b_ub=np.zeros(2 * count),
        A_eq=np.append(np.ones(count), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * (count + 1),
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if not found.success:
        raise PrecisionError(f"the Nash average was not found: {found.message}")
    mix = np.where(found.x[:count] > 1e-9, found.x[:count], 0.0)
    return np.asarray(mix / mix.sum(), float)


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
    listed: tuple[Cycle, ...] = field(repr=False)
    complete: bool  # whether every circle is listed


def find_cycles(margins: Floats, tie: float = TIE, most: int = 10) -> Cycles:
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
