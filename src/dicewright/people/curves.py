"""Exeter's figures 7 to 14 as numbers of any games: total scores by turn, their average, and its trend line.

The average at a turn is over the players who are still in the game: late turns exist only for players whom nobody has
beaten yet, so the curve bends by selection, whatever anybody does.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.crowd import Turns
from ..core.game import WrittenGame
from .games import Games, meetings, play_crowd, robots


class Tracks(NamedTuple):
    """totals[track, turn]: the total score after each turn of a player in a game, nan once the game is over."""

    player: Ints
    match: Ints
    totals: Floats


class Trend(NamedTuple):
    """The least-squares line through the average curve, every turn alike as a spreadsheet draws it."""

    slope: float
    level: float  # at turn 0

    def at(self, turn: float) -> float:
        """Its height."""
        return self.level + self.slope * turn


def tracks(turns: Turns, pairs: Ints) -> Tracks:
    """The tracks of both players of every game (figures 7 to 9, 13 and 14)."""
    place = 2 * turns.match + turns.seat
    totals = np.full((2 * len(pairs), int(turns.number.max(initial=1))), np.nan)
    totals[place, turns.number - 1] = turns.mine + turns.gained
    match = np.repeat(np.arange(len(pairs)), 2)
    return Tracks(pairs.reshape(-1), match, totals)


def average(totals: Floats) -> tuple[Floats, Ints]:
    """The mean total at each turn over the tracks that get so far, and how many do (figures 10 to 12)."""
    still = np.isfinite(totals).sum(axis=0)
    reached = still > 0
    return np.nanmean(totals[:, reached], axis=0), still[reached]


def trend(curve: Floats) -> Trend:
    """The line through the points (1, curve[0]), (2, curve[1]), ..."""
    slope, level = np.polyfit(np.arange(1, len(curve) + 1), curve, 1)
    return Trend(float(slope), float(level))


def dips(curve: Floats, turns: Sequence[int]) -> Floats:
    """How far the curve lies above its own trend line at these turns; nan where it does not get that far."""
    line, found = trend(curve), np.full(len(turns), np.nan)
    for n, turn in enumerate(turns):
        if turn <= len(curve):
            found[n] = curve[turn - 1] - line.at(turn)
    return found


class Samples(NamedTuple):
    """Many samples of robots: the slope of each averaged curve, and its dips at some turns."""

    slopes: Floats
    dips: Floats  # [sample, turn]

    @property
    def both_below(self) -> float:
        """The share of the samples that get that far in which all these turns lie below the sample's own line."""
        far = np.isfinite(self.dips).all(axis=1)
        return float((self.dips[far] < 0).all(axis=1).mean()) if far.any() else float("nan")


def sample_robots(
    game: WrittenGame,
    strategy: object,
    players: int,
    samples: int,
    turns: Sequence[int] = (15, 16),
    seed: int = 0,
) -> Samples:
    """So many samples of so many robots of one strategy, each from a game of its own against another, by turns first.

    O(samples players) games, some 50 us each.
    """
    found = play_robots(game, strategy, 2 * players * samples, seed)
    seat = np.arange(players * samples) % 2
    totals = tracks(found.turns, found.pairs).totals[2 * np.arange(players * samples) + seat]
    curves = [average(part)[0] for part in np.split(totals, samples)]
    slopes = np.array([trend(curve).slope for curve in curves])
    return Samples(slopes, np.array([dips(curve, turns) for curve in curves]))


def play_robots(game: WrittenGame, strategy: object, players: int, seed: int) -> Games:
    """One game each of robots of one strategy, in pairs."""
    pairs = meetings(players, 1, np.random.default_rng(seed))
    return play_crowd(game, robots(game, strategy, players), pairs, seed)
