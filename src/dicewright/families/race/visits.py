"""Which states a game between two race strategies visits, with what chance, and how long it lasts.

Visits form a Markov chain, in which a set S of states is visited at least once with chance

    sum_s w_s,   where  G(start, t) = sum_s w_s G(s, t)  for all t in S,

G(x, t) being the mean number of visits to t of play that stands at x, and w_s the chance that s is the first of S.
For one state that is G(start, s) / G(s, s). S is one state of the game with all memories the players may have there.

Scores fall only by a ruin, which lands on few states, the *entries* e: one score is 0. Between falls scores rise,
but for busts, which lead to and fro between the two states of a pair (mover A or B at the same seats). So with

    N(e, t)   the mean number of visits to t before the first fall     (one sweep, lowest scores first)
    R(x, e)   the chance that the first fall after x lands on e        (one sweep, highest scores first)

G(x, t) = N(x, t) + sum_e R(x, e) G(e, t), and on the entries themselves this is the linear system (I - R) G = N. The
start is entry 0. A state inside a turn, at turn total k after the start s of the turn, is visited r(k) times a turn,
so G(start, k) = G(start, s) r(k), and G(k, k) = 1 + r(k) times the mean of G(x, s) over the ends x of the turn from k;
every x but a bust's lies above s or is an entry, so that N(x, s) is known. Nothing is subtracted but R from I, so
rounding costs small chances no more digits than large ones: about as many as the mean number of falls has.

With n turn starts that can occur, f ends of a turn and E entries it takes 3 n f E + n E^2 multiplications and
16 n E bytes: n = 2 goal^2, E = 2 goal and f = 25 for two players without memory, so 600 million and 64 MB for
`two-dice-pig`. Without ruin E = 1, and all is linear in n f.
"""

from collections.abc import Sequence
from math import inf, isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import PrecisionError, RulesError, TooLarge
from ...core.strategy import MemoryStrategy, Strategy, line_of
from . import visit_kernels as kernels
from .duel import check_meeting, duel_tables
from .duel_kernels import TURNS
from .kernels import Floats, Ints, Rules
from .rules import RaceGame
from .tabled import RaceTable, rules_of, tabulate

MOST_GOAL = 250  # the cube of chances takes 16 goal^3 bytes
MOST_BYTES = 2 << 30
NEAR = 1e-6  # two ways to the mean number of turns may differ by so much of it

Tables = tuple[RaceTable, RaceTable]


def visit_chances(game: RaceGame, a: Strategy | MemoryStrategy, b: Strategy | MemoryStrategy) -> Floats:
    """chances[mover, mine, yours, turn]: that the state occurs at least once, A (mover 0) starting.

    Exact up to rounding, also where a die can ruin a score. Where play may never end, a pair of scores at which
    neither player ever changes anything is fine; strategies that keep rising and falling for ever are refused.
    """
    from scipy.linalg import lu_solve

    if game.goal > MOST_GOAL:
        need = 16 * game.goal**3 >> 20
        raise TooLarge(f"visits of {game.name} need {need} MB; goals up to {MOST_GOAL} are allowed")
    rules, tables = rules_of(game), (tabulate(game, a), tabulate(game, b))
    place, most, known, factors = _stretches(game, tables, (a, b))
    visits = lu_solve(factors, known.visits.T, trans=1, overwrite_b=True).T
    cube = np.zeros((2, game.goal, game.goal, game.goal))
    known = known._replace(visits=visits)
    for mover in (0, 1):
        kernels.chances(rules, tables[mover], mover, place, most, known, cube[mover])
    return np.minimum(cube, 1.0, out=cube)  # rounding may add a little to a sure visit


class MeanVisits(NamedTuple):
    """How often each start of a turn is visited on average; `turns[2 * place[a's seat, b's seat] + mover]`.

    A pair of seats that is never left (`ends` is 0) counts as often as it is entered, at both its states.
    """

    place: Ints
    turns: Floats
    ends: Floats


def mean_visits(game: RaceGame, tables: Tables, players: Sequence[Any]) -> MeanVisits:
    """The mean numbers of visits of a game between these tables; the players are named if play may never end."""
    from scipy.linalg import lu_solve

    place, _, known, factors = _stretches(game, tables, players)
    start = np.zeros(len(factors[0]))
    start[0] = 1.0
    return MeanVisits(place, known.visits @ lu_solve(factors, start), known.ends)


def _stretches(game: RaceGame, tables: Tables, players: Sequence[Any]) -> tuple[Ints, int, Any, Any]:
    """The chain between falls: the numbers of pairs, how many share scores, N and R, and I - R transposed, factored."""
    from scipy.linalg import lu_factor

    rules = rules_of(game)
    check_meeting(game, *tables)
    met, steps = _met(rules, tables)
    place, most = _numbered(met, game.goal)
    states = 2 * (place.max() + 1)
    movers, u, v = np.nonzero(met & kernels.FALLEN)
    entries = np.unique(np.append(2 * place[u, v] + movers, 0))
    if (need := 16 * states * (len(entries) + 1)) > MOST_BYTES:
        raise TooLarge(f"visits of {game.name} need {need >> 20} MB; {MOST_BYTES >> 20} MB is allowed")
    chain, ends = _chain(rules, tables, met, place, steps)
    entry = np.full(states, -1)
    entry[entries] = np.arange(len(entries))
    land = np.zeros((states, len(entries) + 1))
    kernels.falls(chain, ends, entry, land)
    if not _all_end(land[entries]):
        one, two = map(line_of, players)
        raise RulesError(
            f"{game.name} can rise and fall for ever between {one} and {two}; visits need an end"
        )
    visits = np.zeros((states, len(entries)))
    visits[entries, entry[entries]] = 1.0
    kernels.rises(chain, ends, visits)
    # Transposed, no column has a larger number than its diagonal: no rows change places, so tiny visits stay precise.
    factors = lu_factor((np.eye(len(entries)) - land[entries, :-1]).T)
    return place, most, kernels.Visits(chain, ends, entry, land, visits), factors


def game_lengths(
    game: RaceGame,
    a: Strategy | MemoryStrategy,
    b: Strategy | MemoryStrategy,
    tail: float = 1e-12,
    most: int = 100_000,
) -> Floats:
    """The chance that the game lasts 1, 2, ... turns, A starting; at most `tail` is cut off.

    Play that never ends (or lasts more than `most` turns) is what is missing from 1.
    """
    rules, tables = rules_of(game), (tabulate(game, a), tabulate(game, b))
    check_meeting(game, *tables)
    met, steps = _met(rules, tables)
    place, _ = _numbered(met, game.goal)
    chain, _ = _chain(rules, tables, met, place, steps)
    room = 1000
    while True:
        finish = np.zeros(min(room, most))
        count, under_way, stuck = kernels.lengths(chain, place, tail, finish)
        if under_way <= tail or stuck or count >= most:
            return finish[:count]
        room *= 10


def length_spread(game: RaceGame, a: Strategy | MemoryStrategy, b: Strategy | MemoryStrategy) -> float:
    """The standard deviation of the number of turns, A starting, however long games are; infinite as their mean is.

    Of T turns the k-th from the end adds 2 k - 1 to T^2. So with G(x) the mean number of visits to the start x of a
    turn, and m(x) the mean number of turns from there on, the mean of T^2 is the sum of G(x) (2 m(x) - 1).
    """
    tables = tabulate(game, a), tabulate(game, b)
    x, y = duel_tables(game, *tables)
    left = x[:, :, TURNS], y[:, :, TURNS].T  # with A to move, with B
    mean = float(left[0][0, 0])
    if not isfinite(mean):
        return inf
    place, turns, _ = mean_visits(game, tables, (a, b))
    met = place >= 0
    visits = [turns[2 * place[met] + mover] for mover in (0, 1)]
    if abs(sum(map(np.sum, visits)) - mean) > NEAR * mean:
        raise PrecisionError(f"the {mean:.1e} turns of {game.name} are too many for their spread to be told")
    square = sum(float(often @ (2 * rest[met] - 1)) for often, rest in zip(visits, left, strict=True))
    return sqrt(max(0.0, square - mean**2))


def _met(rules: Rules, tables: Tables) -> tuple[Any, int]:
    """Marks met[mover, a's seat, b's seat] of the turn starts that can occur, and how many steps they have."""
    met = np.zeros((2, *(table.memories * rules.goal for table in tables)), np.int8)
    met[0, 0, 0] = kernels.MET
    steps = 0
    while found := sum(kernels.meet(rules, tables[mover], mover, met) for mover in (0, 1)):
        steps += found
    return met, steps + int(np.count_nonzero(met))  # each may have the step OVER as well


def _numbered(met: Any, goal: int) -> tuple[Ints, int]:
    """place[a's seat, b's seat], the number of the pair by rising scores, and how many pairs share two scores."""
    u, v = np.nonzero(met.any(axis=0))
    scores = u % goal * goal + v % goal
    order = np.argsort(scores, kind="stable")
    place = np.full(met.shape[1:], -1)
    place[u[order], v[order]] = np.arange(len(u))
    return place, int(np.bincount(scores).max())


def _chain(rules: Rules, tables: Tables, met: Any, place: Ints, steps: int) -> tuple[kernels.Chain, Floats]:
    """The steps of the chain, and for each pair 1 - p q, the chance that a round of turns there is not two busts."""
    states = 2 * (place.max() + 1)
    begin, end = np.zeros(states, np.int64), np.zeros(states, np.int64)
    then, score, chance = np.zeros(steps, np.int64), np.zeros(steps, np.int64), np.zeros(steps)
    bust, leaves = np.zeros(states), np.ones(states)
    chain = kernels.Chain(begin, end, then, score, chance, bust, leaves)
    count = kernels.follow(rules, tables[0], 0, met, place, 0, chain)
    kernels.follow(rules, tables[1], 1, met, place, count, chain)
    return chain, leaves[::2] + bust[::2] * leaves[1::2]


def _all_end(land: Floats) -> bool:
    """Whether play from every entry can come to a stretch that no fall ends."""
    ends = land[:, -1] > 0.0
    while (more := ends | (land[:, :-1] > 0.0) @ ends).sum() > ends.sum():
        ends = more
    return bool(ends.all())
