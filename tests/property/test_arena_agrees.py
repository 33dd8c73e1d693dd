"""Simulated results lie where exact evaluation puts them.

Each pair is checked for both starters at 99.9 %, corrected for the number of checks (Bonferroni), and twice as
strictly: the whole file fails by chance with a probability below 0.1 %, and the seed is fixed.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dicewright import strategy
from dicewright.analysis.exact import evaluate
from dicewright.arena.simulate import simulate
from dicewright.arena.table import play_match
from dicewright.families.catalog import parse as game
from dicewright.families.race import play as race_engine

RACE = [
    ("pig", "hold:20", "hold:25"),
    ("pig", "hold:1", "hold:5"),
    ("pig", "optimal", "hold:25"),
    ("pig", "optimal", "keep-pace"),
    ("pig", "four-scoring-turns", "end-race"),
    ("pig", "four-scoring-turns", "four-scoring-turns:turns=3"),
    ("pig", "random", "turtle"),
    ("pig", "roll-to-win", "turtle"),
    ("pig:goal=30", "max-difference", "fewest-turns"),
    ("pig:one=scores", "hold:20", "optimal"),
    ("pig:finish=exact,goal=30", "hold:10", "random"),
    ("pig:skip=yes", "skip-when-equal", "skip-when-equal"),
    ("pig:skip=yes", "roll-and-wait", "turtle"),
    ("pig:payoff=margin", "optimal", "hold:20"),
    ("piglet", "hold:3", "optimal"),
    ("two-dice-pig", "hold:20", "optimal"),
    ("big-pig", "hold:20", "hold:30"),
    ("hog", "optimal", "random"),
    ("pass-the-pigs", "hold:20", "optimal"),
]
BIDDING = [
    ("bluff", "optimal", "truthful"),
    ("bluff", "optimal", "random"),
    ("bluff", "call-below:0.5", "truthful"),
    ("bluff:sides=4,wild=none", "random", "call-below:0.3"),
    ("bluff:dice=2v1,sides=3", "optimal", "random"),
    ("bluff:dice=1v2,sides=3,spot_on=yes", "random", "optimal"),
    ("bluff:dice=2v2,sides=2,wild=ones,order=dudo", "call-below:0.4", "random"),
    ("bluff:sides=5,spot_on=yes", "truthful", "optimal"),
]
CALLING = [
    ("liars-die", "tree", "matrix"),
    ("liars-die", "optimal", "tree"),
    ("liars-die:sides=4,below=no", "optimal", "random"),
    ("liars-die:truth=at-least", "truthful", "optimal"),
    ("mia", "optimal", "tree"),
    ("mia", "random", "truthful"),
    ("mia:sides=4", "optimal", "random"),
]
PAIRS = RACE + BIDDING + CALLING
GAMES = 40_000
CHANCE_TO_FAIL = 0.001 / (2 * len(PAIRS)) / 2


def inside(wins, games, p):
    """Whether so many wins are likely enough with a winning chance p."""
    low, high = stats.binom.interval(1 - CHANCE_TO_FAIL, games, p)
    return low <= wins <= high


def test_there_are_enough_pairs():
    assert len(PAIRS) >= 30


@pytest.mark.parametrize(("text", "a", "b"), PAIRS)
def test_simulation_agrees_with_exact_evaluation(text, a, b):
    rules = game(text)
    one, two = strategy(a, rules), strategy(b, rules)
    tally, exact = simulate(rules, one, two, GAMES, seed=2), evaluate(rules, one, two)
    assert inside(tally.a_first.wins, GAMES // 2, exact.a_first.first_wins)
    assert inside(tally.b_first.losses, GAMES // 2, exact.b_first.first_wins)
    payoff = (exact.a_first.payoff - exact.b_first.payoff) / 2
    assert abs(tally.payoff - payoff) <= 6 * tally.payoff_error + 1e-12


@pytest.mark.parametrize(
    ("text", "a", "b"),
    [
        pair
        for pair in RACE
        if pair[0] in ("pig", "pig:one=scores", "two-dice-pig", "hog", "pig:finish=exact,goal=30")
    ][::3],
)
def test_die_by_die_agrees_too(text, a, b, monkeypatch):
    monkeypatch.setattr(race_engine, "MOST_ROWS", 1)
    rules = game(text)
    one, two = strategy(a, rules), strategy(b, rules)
    tally, exact = simulate(rules, one, two, 20_000, seed=3), evaluate(rules, one, two)
    assert inside(tally.a_first.wins, 10_000, exact.a_first.first_wins)
    assert inside(tally.b_first.losses, 10_000, exact.b_first.first_wins)


@pytest.mark.parametrize(
    ("text", "a", "b"),
    [
        ("pig:goal=20", "four-scoring-turns", "hold:8"),
        ("bluff", "optimal", "random"),
        ("mia", "tree", "random"),
    ],
)
def test_matches_in_python_agree_too(text, a, b):
    rules = game(text)
    pair, rng = (strategy(a, rules), strategy(b, rules)), Random(4)
    won = sum(play_match(rules, pair, rng).payoff > 0 for _ in range(1500))
    assert inside(won, 1500, evaluate(rules, *pair).a_first.first_wins)


@settings(max_examples=25, deadline=None)
@given(n=st.integers(1, 40), m=st.integers(1, 40), goal=st.integers(2, 60), seed=st.integers(0, 1000))
def test_any_hold_at_players_agree(n, m, goal, seed):
    rules = game(f"pig:goal={goal}")
    one, two = strategy(f"hold:{n}", rules), strategy(f"hold:{m}", rules)
    tally, exact = simulate(rules, one, two, 4000, seed=seed), evaluate(rules, one, two)
    assert inside(tally.a_first.wins, 2000, exact.a_first.first_wins)
