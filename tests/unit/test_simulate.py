"""Many games: the same totals for any number of workers, good random numbers, and totals that add up."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import stats

from dicewright.arena.simulate import Series, Tally, engine_of, simulate, words_of
from dicewright.core.errors import RulesError
from dicewright.families.catalog import parse as game
from dicewright.families.catalog import strategy
from dicewright.families.compiled import njit
from dicewright.families.race import play as race_engine
from dicewright.families.race.duel import best_response_race
from dicewright.families.race.named import pig
from dicewright.families.race.strategies import Function, HoldAt
from dicewright.families.random_kernels import step, uniform
from dicewright.families.tree.classics import rock_paper_scissors


@njit()
def numbers(words, out):
    """Fill an array with 64 random bits each."""
    for n in range(out.size):
        out[n], words[0], words[1], words[2], words[3] = step(words[0], words[1], words[2], words[3])


def test_xoshiro_gives_the_numbers_of_its_authors():
    """The reference program xoshiro256plusplus.c started with the words 1, 2, 3, 4."""
    words, out = np.array([1, 2, 3, 4], np.uint64), np.zeros(6, np.uint64)
    numbers(words, out)
    assert out.tolist() == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
    ]


def test_random_numbers_are_uniform():
    """Chi-square over 256 cells for the high bits, the low bits and pairs: fails by chance once in 3000."""
    out = np.zeros(400_000, np.uint64)
    numbers(words_of(np.random.SeedSequence(7)), out)
    high, low = out >> np.uint64(56), out & np.uint64(255)
    pairs = (out[::2] >> np.uint64(60)) * np.uint64(16) + (out[1::2] >> np.uint64(60))
    for cells in (high, low, pairs):
        assert stats.chisquare(np.bincount(cells.astype(int), minlength=256)).pvalue > 1e-4


def test_uniform_lies_between_0_and_1():
    words = words_of(np.random.SeedSequence(1))
    drawn = [uniform(words) for _ in range(10_000)]
    assert 0.0 <= min(drawn) < 0.01
    assert 0.99 < max(drawn) < 1.0


PAIRS = [
    ("pig", "hold:20", "keep-pace", 50_001),
    ("pig:payoff=difference", "optimal", "random", 40_000),
    ("bluff:sides=4", "optimal", "random", 40_000),
    ("mia", "optimal", "tree", 40_000),
]


@pytest.mark.parametrize(("text", "a", "b", "games"), PAIRS)
def test_totals_depend_on_the_seed_alone(text, a, b, games):
    rules = game(text)
    one, two = strategy(a, rules), strategy(b, rules)
    alone = simulate(rules, one, two, games, seed=11)
    assert alone == simulate(rules, one, two, games, seed=11, workers=2)
    assert alone == simulate(rules, one, two, games, seed=11, workers=4)
    assert alone != simulate(rules, one, two, games, seed=12)


def test_games_in_python_depend_on_the_seed_alone_too():
    rules, dull = rock_paper_scissors(), (lambda view: {"rock": 0.5, "paper": 0.25, "scissors": 0.25})
    rock = lambda view: {"rock": 1.0}  # noqa: E731
    alone = simulate(rules, dull, rock, 300, seed=3)
    assert alone == simulate(rules, dull, rock, 300, seed=3, workers=4)
    assert alone.both.stalemates > 0


def test_the_starts_are_shared_and_the_totals_add_up():
    told = []
    tally = simulate(pig(), HoldAt(20), HoldAt(25), 40_001, seed=1, progress=lambda *at: told.append(at))
    assert (tally.a_first.games, tally.b_first.games) == (20_001, 20_000)
    for part in (tally.a_first, tally.b_first):
        assert part.wins + part.losses + part.stalemates + part.cut_offs == part.games
        assert part.payoff == part.wins - part.losses
    assert told == [(16384, 40001), (32768, 40001), (40001, 40001)]


def test_ctrl_c_keeps_the_blocks_that_are_complete():
    def stop(played, games):
        if played >= 20_000:
            raise KeyboardInterrupt

    whole = simulate(pig(), HoldAt(20), HoldAt(25), 2 * 16384, seed=4)
    for workers in (1, 3):
        part = simulate(pig(), HoldAt(20), HoldAt(25), 10**9, seed=4, workers=workers, progress=stop)
        assert part == Tally(whole.a_first, whole.b_first, interrupted=True)


@pytest.mark.parametrize(
    "counts", [{"games": 0}, {"games": -5}, {"games": 10, "workers": 0}, {"games": 10, "seed": -1}]
)
def test_counts_below_what_is_allowed_are_refused(counts):
    with pytest.raises(RulesError, match="is allowed"):
        simulate(pig(), HoldAt(20), HoldAt(25), **counts)


def test_stalemates_are_counted_and_do_not_hang(monkeypatch):
    """Skip-when-equal meets itself: at equal scores both skip for ever."""
    rules = pig(skip=True)
    wait = strategy("skip-when-equal", rules)
    tally = simulate(rules, wait, wait, 20_000, seed=1)
    assert 0.2 < tally.both.stalemates / 20_000 < 0.25  # Exeter 2.3.4: around a quarter; exactly 0.2188
    monkeypatch.setattr(race_engine, "MOST_ROWS", 1)
    assert engine_of(rules, wait, wait).method == "die by die"
    tally = simulate(rules, wait, wait, 2_000, seed=1)
    assert 0.15 < tally.both.stalemates / 2_000 < 0.3


def test_games_too_long_are_cut_off(monkeypatch):
    monkeypatch.setattr(race_engine, "MOST_TURNS", 10)
    rules = pig(goal=200)
    never = strategy("roll-to-win", rules)
    tally = simulate(rules, never, never, 1000, seed=1)
    assert tally.both.cut_offs > 900
    assert tally.a_rate + tally.b_rate < 0.1


def test_a_table_may_know_the_opponents_memory():
    rules = game("pig:goal=40")
    four = strategy("four-scoring-turns", rules)
    response = best_response_race(rules, four)
    tally = simulate(rules, response.strategy, four, 200_000, seed=2)
    assert tally.a_first.wins / 100_000 == pytest.approx(response.first_wins, abs=5 * 0.0016)


def test_a_large_round_of_bluff_is_played_without_a_plan():
    rules = game("bluff:dice=3v3")
    player = strategy("call-below:0.3", rules)
    assert engine_of(rules, player, player).method == "matches in Python"
    assert simulate(rules, player, player, 20, seed=1).games == 20


def test_a_strategy_with_too_many_views_is_asked_while_playing():
    rules = pig(goal=300)
    player = Function(lambda mine, yours, turn: turn < 25)
    assert engine_of(rules, player, HoldAt(25)).method == "matches in Python"
    assert simulate(rules, player, HoldAt(25), 3, seed=1).games == 3


def test_tallies_add_up():
    one = Tally(Series(2, 1, 1, 0, 0, 0.0, 2.0), Series(1, 0, 1, 0, 0, -1.0, 1.0))
    both = one + one
    assert (both.games, both.a_rate, both.b_rate) == (6, 2 / 6, 4 / 6)
    assert both.payoff == pytest.approx(-1 / 3)


def test_games_in_python_are_played_by_any_executor_to_the_same_totals():
    rules = game("pig:goal=20")
    remembers, other = strategy("expr:turn < 8 + busts", rules), strategy("hold:10", rules)
    alone = simulate(rules, remembers, other, 300, seed=7)
    heard = []
    with ThreadPoolExecutor(2) as threads:
        spread = simulate(
            rules, remembers, other, 300, seed=7, progress=lambda *far: heard.append(far), executor=threads
        )
    assert spread == alone
    assert heard == [(64, 300), (128, 300), (192, 300), (256, 300), (300, 300)]
