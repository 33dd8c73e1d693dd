"""Race players given by a chance at every state, as tables: by weights of their actions, or blended of two others."""

from typing import Any

import numpy as np

from ...core.solution import one_of
from .kernels import Floats, Ints
from .rules import RaceGame
from .tabled import RaceTable, TableStrategy, no_memory, tabulate

MOST_MIXES = 10_000  # more states share mixes, whose chances are then rounded to PARTS
PARTS, FINE = 1000, 10**9


def by_weights(game: RaceGame, weights: Floats, name: str) -> TableStrategy:
    """A player that takes actions [hold, rolls ...] with chances in proportion to exp of these [mine, yours, turn].

    Many states share mixes, whose chances are rounded: a mix is made once and then looked up, as fast as an action of
    a pure strategy.
    """
    mixes = _by_state(game, weights)
    parts = PARTS if len(mixes) > MOST_MIXES else FINE
    codes = np.zeros(len(mixes), np.int64)
    shares = np.rint(parts * mixes).astype(np.int64)
    for column in shares.T:
        codes = np.unique(codes * (parts + 1) + column, return_inverse=True)[1]
    known = np.zeros((int(codes.max()) + 1, mixes.shape[1]))
    known[codes] = shares
    return TableStrategy(game, _table(game, known / known.sum(axis=1, keepdims=True), codes), name)


def by_chances(game: RaceGame, weights: Floats, name: str) -> TableStrategy:
    """Likewise, without rounding."""
    mixes = _by_state(game, weights)
    return TableStrategy(game, _table(game, mixes, np.arange(len(mixes))), name)


def _by_state(game: RaceGame, weights: Floats) -> Floats:
    """[state, action]: the chances of actions of these weights, at one turn total after the other."""
    mixes = np.concatenate(
        [weights[mine, :, : game.goal - mine].reshape(-1, weights.shape[3]) for mine in range(game.goal)]
    )
    if not game.skip:
        mixes[_totals(game) == 0, 0] = -np.inf
    mixes = np.exp(mixes - mixes.max(axis=1, keepdims=True))
    found: Floats = mixes / mixes.sum(axis=1, keepdims=True)
    return found


def blended(game: RaceGame, one: Any, two: Any, share: float) -> TableStrategy:
    """At each state the second of two players with this chance, else the first."""
    first, second = (tabulate(game, one_of(each)) for each in (one, two))
    pairs = _rows(game, first).astype(np.int64) * len(second.mixes) + _rows(game, second)
    known, codes = np.unique(pairs, return_inverse=True)
    here, there = np.divmod(known, len(second.mixes))
    mixes = (1.0 - share) * first.mixes[here] + share * second.mixes[there]
    return TableStrategy(game, _table(game, mixes, codes), "a blend")


def _totals(game: RaceGame) -> Ints:
    """The turn total of each state."""
    goal = game.goal
    return np.concatenate([np.tile(np.arange(goal - mine), goal) for mine in range(goal)])


def _rows(game: RaceGame, table: RaceTable) -> Ints:
    """The mix of each state."""
    ends = np.append(table.starts[1:], 0)
    ends[table.first[1:] - 1] = np.repeat(game.goal - np.arange(game.goal), game.goal)
    return np.repeat(table.rows, ends - table.starts)


def _table(game: RaceGame, mixes: Floats, codes: Ints) -> RaceTable:
    """The table of a player whose mix at each state has this number."""
    starts = _totals(game)
    begins = np.ones(len(codes), np.bool_)
    begins[1:] = (codes[1:] != codes[:-1]) | (starts[1:] == 0)
    places = np.flatnonzero(begins)
    first = np.append(np.flatnonzero(starts[places] == 0), len(places))
    runs = starts[places].astype(np.int32), codes[places].astype(np.int32)
    return RaceTable(mixes, first, *runs, no_memory(game.goal), solo=False)
