"""Games where a ruin comes so often that sweeps take too long: duels by the chain of falls, and what answers them."""

import numpy as np
import pytest

from dicewright import best_response, evaluate
from dicewright.core.errors import PrecisionError
from dicewright.families import catalog
from dicewright.families.race import duel, falls
from dicewright.families.race.duel import answer_values, duel_tables
from dicewright.families.race.tabled import tabulate
from dicewright.storage.strategies import parse


def tables_of(line, *strategies):
    game = catalog.parse(line)
    return game, [tabulate(game, parse(each, game)) for each in strategies]


@pytest.mark.parametrize(
    ("line", "a", "b"),
    [
        ("two-dice-pig:goal=20", "hold:12", "keep-pace"),
        ("two-dice-pig:goal=16,payoff=difference", "four-scoring-turns", "hold:9"),
        ("race:+3/+4/bank2/ruin,goal=20", "random", "expr:turn < 9 - yours // 5"),
    ],
)
def test_the_chain_of_falls_finds_what_sweeps_find(line, a, b, monkeypatch):
    game, pair = tables_of(line, a, b)
    swept = duel_tables(game, *pair)
    answered = answer_values(game, pair[1], b)
    monkeypatch.setattr(duel, "FEW", 0)
    for found, expected in zip(duel_tables(game, *pair), swept, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    for found, expected in zip(answer_values(game, pair[1], b), answered, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


def test_a_game_of_many_falls_has_its_chances_and_its_length():
    game = "race:+3/+4/ruin.4,goal=40"
    met = evaluate(game, "hold:10", "hold:5")
    assert met.a_first.first_wins + met.a_first.second_wins == pytest.approx(1.0, abs=1e-12)
    answer = best_response(game, "hold:5")
    assert answer.first_wins > met.a_first.first_wins > met.a_first.second_wins


def test_so_many_falls_that_memory_makes_too_many_entries_are_refused(monkeypatch):
    monkeypatch.setattr(falls, "MOST_ENTRIES", 3)
    with pytest.raises(PrecisionError, match="still moved"):
        evaluate("race:+3/+4/ruin.4,goal=24", "hold:10", "hold:5")


@pytest.mark.parametrize("line", ["race:+1/ruin.9,goal=10", "race:+1/ruin.99,goal=10"])
def test_a_game_whose_worths_floats_do_not_tell_apart_is_refused_in_plain_words(line):
    refused = r"is not solved: points are lost so often .* a nearer goal or a rarer ruin"
    with pytest.raises(PrecisionError, match=refused):
        catalog.solve(catalog.parse(line), "bounds")
