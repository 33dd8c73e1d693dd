"""The result with average luck: where its mean is the true expected result, and where it is not.

Seeds are fixed. A mean of many games leaves five standard errors around what it estimates once in 1.7 million runs.
"""

from math import sqrt
from random import Random

import pytest

from dicewright.analysis.analyse import analyse_many
from dicewright.analysis.exact import evaluate, judge_against, judge_of
from dicewright.arena.table import play_match
from dicewright.core.game import FIRST
from dicewright.families import solve
from dicewright.families.catalog import parse
from dicewright.storage.strategies import parse as strategy


def played(name, one, two, games, against=None):
    """FIRST's exact winning chance, then mean and standard error of the adjusted and of the plain results."""
    game = parse(name)
    solution = solve(game)
    named = zip((one, two), solution.strategies, strict=True)
    players = tuple(solved if text == "optimal" else strategy(text, game) for text, solved in named)
    judge = judge_against(game, strategy(against, game), FIRST) if against else judge_of(game, solution)
    records = [play_match(game, players, Random(seed)) for seed in range(games)]
    found = list(analyse_many(records, lambda _: judge))
    truth = float(evaluate(game, *players).a_first.first_wins)
    return (
        truth,
        estimate([each.figures[FIRST].adjusted for each in found]),
        estimate([f.result for f in found]),
    )


def estimate(numbers):
    count, mean = len(numbers), sum(numbers) / len(numbers)
    return mean, sqrt(sum((number - mean) ** 2 for number in numbers) / (count - 1) / count)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "two"), [("hold:20", "hold:25"), ("hold:5", "hold:25")])
def test_in_race_games_it_is_unbiased_whoever_plays(one, two):
    truth, (mean, error), (_, plain_error) = played("pig:goal=30", one, two, 3000)
    assert abs(mean - truth) < 5 * error
    assert error < plain_error


@pytest.mark.parametrize(
    ("one", "two"), [("truthful", "optimal"), ("optimal", "truthful"), ("random", "optimal")]
)
def test_with_hidden_dice_it_is_unbiased_if_one_plays_as_solved(one, two):
    truth, (mean, error), _ = played("liars-die", one, two, 2000)
    assert abs(mean - truth) < 5 * error + 1e-9


@pytest.mark.parametrize(("one", "two"), [("random", "truthful"), ("random", "random")])
def test_with_hidden_dice_it_is_biased_if_neither_plays_as_solved(one, two):
    truth, (mean, error), _ = played("liars-die", one, two, 2000)
    assert abs(mean - truth) > 8 * error


@pytest.mark.slow
def test_against_a_known_opponent_it_is_unbiased_if_that_one_plays_so():
    truth, (mean, error), _ = played("pig:goal=30", "hold:5", "hold:25", 600, against="hold:25")
    assert abs(mean - truth) < 5 * error
    truth, (mean, error), _ = played("pig:goal=30", "hold:5", "hold:5", 600, against="hold:25")
    assert abs(mean - truth) > 8 * error
