"""How the games between two strategies are played fastest: one engine for each family, made once for many games.

An engine plays a block of games with random numbers of its own, so blocks can be played in any order and by any
number of workers with the same totals.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import TooLarge
from ..core.game import FIRST, SECOND
from ..core.solution import seats
from ..core.strategy import decide
from ..families.solving import admit
from ..games.bluff import Bluff, round_tables
from ..games.calling import ACCEPT, NOTHING, CallingGame, CallingView
from ..games.race import RaceGame
from ..solvers.bluff_strategy import PlanStrategy, check_size, plan_of
from ..solvers.duel import arrays
from ..solvers.race import rules_of
from ..solvers.race_table import RaceTable, tabulate
from . import bidding_kernels, race_play_kernels, race_roll_kernels
from .play import play_match
from .tally import Series, Tally

Counts = npt.NDArray[np.float64]
Seed = np.random.SeedSequence

BLOCK = 1 << 14  # games that a compiled engine plays at once: some milliseconds
SLOW_BLOCK = 64  # and one in Python
MOST_TURNS = 100_000
MOST_ROWS = 1 << 24  # of whole turns: 12 bytes each
MOST_VIEWS = 1_000_000  # that a strategy for Bluff is asked about before play
MOST_RANKS = 128  # of a calling game, whose tables are cubes


@dataclass(frozen=True)
class Engine:
    """Plays blocks of games between A and B.

    play(words, games, starter, count) plays with A (0) or B (1) starting and adds to the counts of the starter.
    """

    method: str
    block: int
    play: Callable[[npt.NDArray[np.uint64], int, int, Counts], object]

    def tally(self, seed: Seed, games: int) -> Tally:
        """A block of games, every other one started by A, the first one too."""
        words = words_of(seed)

        def series(starter: int, number: int) -> Series:
            count = np.zeros(8)
            self.play(words, number, starter, count)
            return Series.counted(number, count.tolist(), starter == 0)

        return Tally(series(0, (games + 1) // 2), series(1, games // 2))


def words_of(seed: Seed) -> npt.NDArray[np.uint64]:
    """The four words that start the random numbers of a block."""
    return seed.generate_state(4, np.uint64).astype(np.uint64)


def engine_of(game: Any, a: Any, b: Any) -> Engine:
    """The fastest engine for these players; any Game that no kernel plays is played by `play_match`."""
    admit(game)
    (one, one_second), (two, two_second) = seats(a), seats(b)
    alike = one is one_second and two is two_second  # in either seat
    match game:
        case RaceGame() if alike:
            try:
                return _race(game, tabulate(game, one), tabulate(game, two))
            except TooLarge:  # too many views to ask in before play
                return _python(game, a, b)
        case Bluff() if game.order != "fixed" and few_views(game, a) and few_views(game, b):
            return _bluff(game, a, b)
        case CallingGame() if alike and len(game.labels) <= MOST_RANKS:
            return _calling(game, one, two)
        case _:
            return _python(game, a, b)


def _race(game: RaceGame, a: RaceTable, b: RaceTable) -> Engine:
    """Whole turns at once where their tables fit in memory, else die by die.

    Choices within a turn depend on both scores and the turn total alone, and the opponent's score stands still
    during a turn. So the score after the turn has a distribution that is known before it begins: drawing from it
    (the one that exact evaluation uses, `turn_scores`) is the same as rolling the dice one by one.
    """
    rules = rules_of(game)
    one, two = _turns(game, a, b), _turns(game, b, a)
    if one is None or two is None:
        players = (arrays(a), arrays(b))
        nothing = np.zeros((0, 0, 0, 0))
        return Engine(
            "die by die",
            BLOCK,
            lambda words, games, starter, count: race_roll_kernels.by_rolls(
                words, games, rules, players[starter], players[1 - starter], nothing, 0.0, MOST_TURNS, count
            ),
        )
    stalls = bool(one[1].any() and two[1].any())
    turns = tuple((*part[0], part[1], stalls, *part[2]) for part in (one, two))
    return Engine(
        "whole turns",
        BLOCK,
        lambda words, games, starter, count: race_play_kernels.by_turns(
            words, games, rules, turns[starter], turns[1 - starter], MOST_TURNS, count
        ),
    )


def _turns(game: RaceGame, table: RaceTable, other: RaceTable) -> Any:
    """A player's whole turns: ((place, rows), stuck, (seats, columns, sees)); None if they are too many."""
    rules, seats = rules_of(game), table.memories * game.goal
    columns = 1 if table.solo else (len(table.first) - 1) // seats
    if seats * columns > MOST_ROWS:
        return None
    bits = np.ones(seats * columns, np.int64)  # at least one: a shift by all 64 bits is undefined
    size = race_play_kernels.count_columns(rules, arrays(table), columns, MOST_ROWS, bits)
    if size > MOST_ROWS:
        return None
    place, stuck = np.zeros(seats * columns, np.int64), np.zeros(seats * columns, np.bool_)
    rows = np.zeros((size, 3), np.uint32)
    race_play_kernels.fill_turns(rules, arrays(table), columns, bits, place, rows, stuck)
    return (place, rows), stuck, (seats, columns, np.arange(other.memories * game.goal) % columns)


def few_views(game: Bluff, strategy: Any) -> bool:
    """Whether a plan of the strategy is known, or made by few enough questions."""
    try:
        check_size(game, len(game.bids))
    except TooLarge:
        return False
    if all(isinstance(part, PlanStrategy) for part in seats(strategy)):
        return True
    return max(len(game.hands(0)), len(game.hands(1))) << len(game.bids) <= MOST_VIEWS


def _bluff(game: Bluff, a: Any, b: Any) -> Engine:
    tables = round_tables(game)
    hands = tuple(_sums(chance) for chance in (tables.chance1, tables.chance2))
    match = (tables.match1, tables.match2)
    plans = [[plan_of(game, seat, seats(player)[seat]) for seat in (0, 1)] for player in (a, b)]

    def play(words: npt.NDArray[np.uint64], games: int, starter: int, count: Counts) -> None:
        one, two = plans[starter][0], plans[1 - starter][1]
        pair = (one.reach, one.ends), (two.reach, two.ends)
        bidding_kernels.bluff_rounds(words, games, hands, match, tables.need, *pair, count)

    return Engine("plans", BLOCK, play)


def _calling(game: CallingGame, a: Any, b: Any) -> Engine:
    size = len(game.labels)
    calls, accepts = np.zeros((2, size, size, size)), np.zeros((2, size, size))
    for number, player in enumerate((a, b)):
        for accepted in range(NOTHING, game.top):
            for roll in range(size):
                for call, chance in decide(game, CallingView(accepted, roll), player).items():
                    calls[number, accepted + 1, roll, call] = chance
            for call in range(accepted + 1, size):
                mix = decide(game, CallingView(accepted, None, call), player)
                accepts[number, accepted + 1, call] = mix.get(ACCEPT, 0.0)
    true = np.array([[game.true(roll, call) for call in range(size)] for roll in range(size)])
    rolls, sums = _sums(np.array(game.chances, np.float64)), _sums(calls)
    order = (np.array([0, 1]), np.array([1, 0]))
    players = [(sums[seats], accepts[seats]) for seats in order]
    return Engine(
        "mixes",
        BLOCK,
        lambda words, games, starter, count: bidding_kernels.calling_games(
            words, games, rolls, true, *players[starter], count
        ),
    )


def _sums(chances: Counts) -> Counts:
    """Cumulative chances along the last axis; from the last possible place on they are above any random number."""
    sums = np.cumsum(chances, axis=-1)
    later = np.cumsum(chances[..., ::-1], axis=-1)[..., ::-1]
    sums[later - chances <= 0.0] = 2.0
    return sums


def _python(game: Any, a: Any, b: Any) -> Engine:
    def play(words: npt.NDArray[np.uint64], games: int, starter: int, count: Counts) -> None:
        rng = Random(int.from_bytes(words.tobytes(), "little") + starter)
        first, second = (a, b) if starter == 0 else (b, a)
        pair = seats(first)[FIRST], seats(second)[SECOND]
        for _ in range(games):
            record = play_match(game, pair, rng)
            if record.ended == "cut-off":
                count[race_play_kernels.CUT_OFFS] += 1
            else:
                race_play_kernels.note(count, record.payoff)

    return Engine("matches in Python", SLOW_BLOCK, play)
