"""How the games between two strategies are played fastest: the family's engine, or match by match.

An engine plays a block of games with random numbers of its own, so blocks can be played in any order and by any
number of workers with the same totals.
"""

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.effort import CUT_OFFS, LOSSES, PAYOFF, SQUARES, STALEMATES, WINS, Engine
from ..core.game import FIRST, SECOND, WrittenGame
from ..core.solution import seats
from ..families import admit, family
from .play import play_match
from .tally import Series, Tally

Seed = np.random.SeedSequence

SLOW_BLOCK = 64  # games in Python


def engine_of(game: WrittenGame, a: Any, b: Any) -> Engine:
    """The fastest engine for these players; any Game that no kernel plays is played by `play_match`."""
    admit(game)
    return family(game).engine(game, a, b) or _python(game, a, b)


def play_block(engine: Engine, seed: Seed, games: int) -> Tally:
    """A block of games, every other one started by A, the first one too."""
    words = words_of(seed)

    def series(starter: int, number: int) -> Series:
        count = np.zeros(8)
        engine.play(words, number, starter, count)
        return Series.counted(number, count.tolist(), starter == 0)

    return Tally(series(0, (games + 1) // 2), series(1, games // 2))


def words_of(seed: Seed) -> npt.NDArray[np.uint64]:
    """The four words that start the random numbers of a block."""
    return seed.generate_state(4, np.uint64).astype(np.uint64)


def _python(game: WrittenGame, a: Any, b: Any) -> Engine:
    def play(words: npt.NDArray[np.uint64], games: int, starter: int, count: Any) -> None:
        rng = Random(int.from_bytes(words.tobytes(), "little") + starter)
        first, second = (a, b) if starter == 0 else (b, a)
        pair = seats(first)[FIRST], seats(second)[SECOND]
        for _ in range(games):
            record = play_match(game, pair, rng)
            if record.ended == "cut-off":
                count[CUT_OFFS] += 1
                continue
            payoff = record.payoff
            count[WINS if payoff > 0 else LOSSES if payoff < 0 else STALEMATES] += 1
            count[PAYOFF] += payoff
            count[SQUARES] += payoff * payoff

    return Engine("matches in Python", SLOW_BLOCK, play)
