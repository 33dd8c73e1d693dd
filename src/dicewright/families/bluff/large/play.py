"""The engine of matches between strategies that have books."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.effort import BLOCK, Engine
from ...random_kernels import Floats, cumulative
from ..match import BluffMatch
from ..rules import DICE, Bluff
from .books import FIXED, MOST, book_of, rounds_of
from .play_kernels import bluff_matches


def _hands(match: BluffMatch) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Cumulative chances of hands by dice, and [fixed, dice, hand, face]: how many dice count for the face."""
    rolls = [Bluff((dice, 1), match.sides).hands(0) for dice in DICE]
    widest = len(rolls[-1])
    sums = np.full((MOST + 1, widest), 2.0)
    counts = np.zeros((2, MOST + 1, widest, match.sides + 1), np.int64)
    wild = match.round_of(match.first).wild_face
    for dice, each in zip(DICE, rolls, strict=True):
        ways = np.array(list(each.values()), np.float64)
        sums[dice, : len(ways)] = cumulative(ways / ways.sum())
        for place, hand in enumerate(each):
            for face in range(1, match.sides + 1):
                counts[1, dice, place, face] = hand.count(face)
                counts[0, dice, place, face] = sum(die in (face, wild) for die in hand)
    return sums, counts


def match_engine(match: BluffMatch, a: Any, b: Any) -> Engine | None:
    """Both players' books; None where a strategy has none, or a round may end otherwise than by a call."""
    if match.spot_on or (books := [book_of(match, player) for player in (a, b)]).count(None):
        return None
    rounds = rounds_of(match)
    most = max(len(game.bids) for game in rounds.values())
    bids = np.zeros((2 * FIXED, most, 2), np.int64)
    numbers = np.zeros((2, 2 * FIXED, most), np.int64)
    for number, game in rounds.items():
        bids[number, : len(game.bids)] = game.bids
        for player, book in enumerate(books):
            live = book.parts[6][number, : len(game.bids)]  # type: ignore[union-attr]
            numbers[player, number, live[live >= 0]] = np.flatnonzero(live >= 0)
    sums, counts = _hands(match)
    ends = np.array(
        [
            ("one", "difference", "give").index(match.loss),
            ("loser", "winner", "alternate").index(match.opens),
            int(match.palifico),
        ]
    )
    dice = np.array(match.dice)

    def play(words: npt.NDArray[np.uint64], games: int, starter: int, count: Floats) -> None:
        one, two = books[starter], books[1 - starter]
        assert one is not None
        assert two is not None
        order = np.array([starter, 1 - starter])
        remember = np.array([one.remembers, two.remembers])
        bluff_matches(
            words,
            games,
            dice,
            sums,
            counts,
            bids,
            ends,
            one.parts,
            two.parts,
            remember,
            numbers[order],
            count,
        )

    return Engine("books", BLOCK, play)
