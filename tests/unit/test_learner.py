"""The opponent that learns you: what it knows after how many games, what it gains of modelled people, what it says."""

from random import Random

import numpy as np
import pytest

from dicewright.arena.table import play_game
from dicewright.core.solution import seats
from dicewright.families import catalog, family
from dicewright.families.minds import BOUND, Mind
from dicewright.families.safe import Scale
from dicewright.people.learner import ENOUGH, bound_of, decisions_in, learn
from dicewright.people.mind import PRECISION, learn_mind
from dicewright.storage.store import solution_of
from dicewright.storage.strategies import parse


def played(game, person, other, count, seed):
    """Games of a person against somebody, in both seats in turn."""
    rng, (mine, theirs) = Random(seed), (seats(person), seats(other))
    found = []
    for number in range(count):
        seat = number % 2
        pair = (mine[0], theirs[1]) if seat == 0 else (theirs[0], mine[1])
        found.append((play_game(game, pair, rng).choices, seat))
    return found


def known(name, text, count, seed=1):
    game = catalog.parse(name)
    solution = solution_of(game)
    person = parse(text, game) if isinstance(text, str) else family(game).minded(solution, text, "somebody")
    player = family(game).quick_player(game, solution.player)
    return solution, person, played(game, person, player, count, seed)


def gained(solution, person, found):
    if found.strategy is None:
        return 0.0
    scale = Scale(family(solution.game), solution, person)
    return scale.gain(found.strategy) * (1.0 if solution.points else 0.5)


# Seeds are fixed, so that nothing fails by chance.
PEOPLE = [
    ("pig:goal=50", "averse", 40, 0.002), ("pig:goal=50", "influenced", 60, 0.001), ("mia", "truthful", 80, 0.02),
    ("mia", "level:4", 80, 0.02), ("liars-die", "level:3", 60, 0.003), ("bluff:sides=4", "call-below:0.3", 60, 0.005),
    ("bluff:sides=4", "truthful", 60, 0.005),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text", "count", "least"), PEOPLE)
def test_of_modelled_people_it_gains_and_the_bound_holds_against_anybody(name, text, count, least):
    solution, person, games = known(name, text, count)
    found = learn(solution, games)
    assert gained(solution, person, found) > least
    assert found.gain > 0
    loss = Scale(family(solution.game), solution, person).loss(found.strategy)
    assert loss <= bound_of(solution) + 1e-9
    assert found.loss == pytest.approx(loss / 2, abs=1e-9)
    assert found.loss <= BOUND + 1e-9


def test_while_it_knows_little_it_plays_perfectly_and_says_so():
    solution, _, games = known("mia", "truthful", 5)
    for few in ([], games[:1]):
        found = learn(solution, few)
        assert found.strategy is None
        assert found.decisions < ENOUGH
        assert "plays perfectly until it knows 30" in found.sentences[0]
    assert learn(solution, []).document()["gain"] == 0.0


@pytest.mark.slow
def test_whoever_plays_perfectly_loses_nothing_to_it_and_has_no_habits():
    solution, person, games = known("mia", "optimal", 100)
    found = learn(solution, games)
    assert gained(solution, person, found) == pytest.approx(0, abs=1e-3)
    assert found.lessons == ()


def test_the_mind_that_was_put_in_is_found_within_its_errors():
    """Four parameters of 400 games: each within 4 errors, which by chance fails less than once in 4,000 seeds."""
    put = Mind(25.0, {"hold": -0.4, "hold ahead": 0.8, "turn": 1.0})
    solution, _, games = known("pig:goal=50", put, 400)
    seen = list(decisions_in(solution, games))
    found = learn_mind(seen, 1.0)
    errors = dict(zip(("precision", *found.names), np.sqrt(np.diagonal(found.covariance)), strict=True))
    assert abs(found.mind.precision - put.precision) < 4 * errors["precision"]
    apart = found.mind.pulls["hold ahead"] + found.mind.pulls["hold"] - 0.4
    assert abs(apart) < 4 * (errors["hold"] + errors["hold ahead"])
    assert abs(found.mind.pulls["turn"] - put.pulls["turn"]) < 4 * errors["turn"]


def test_of_somebody_who_has_done_nothing_a_good_player_is_believed():
    found = learn_mind([], 1.0)
    assert found.mind.precision == PRECISION
    assert found.mind.pulls == {}


def test_it_tells_how_many_points_too_late_with_the_interval():
    solution, _, games = known("pig", "hold:25", 30)
    told = learn(solution, games, answer=False)
    assert len(told.lessons) == 2
    assert any("with a clear lead (" in each or "when it is level" in each for each in told.lessons)
    for each in told.lessons:
        assert "points too" in each
        assert "decisions, between" in each
    assert told.sentences[-1].endswith("finished games.")


def test_it_tells_shares_with_the_interval():
    solution, _, games = known("mia", "truthful", 80)
    told = learn(solution, games, answer=False).lessons
    assert any(each.startswith("You lie too seldom in the first call: 0 % against") for each in told)
    assert all("decisions, between" in each for each in told)


def test_of_perfect_players_habits_are_told_no_oftener_than_the_intervals_say():
    """60 careers of 40 games: a lesson's interval fails once in a hundred; there are some seven a career.

    More than 14 careers with a lesson come by chance less than once in 10,000.
    """
    wrong = 0
    solution, person, _ = known("liars-die", "optimal", 0)
    for seed in range(60):
        games = played(solution.game, person, person, 40, seed)
        wrong += bool(learn(solution, games, answer=False).lessons)
    assert wrong <= 14


@pytest.mark.parametrize("name", ["mia", "pig:payoff=margin"])
def test_the_bound_stands_in_what_is_said_of_it(name):
    assert "loses at most 2 % to anybody" in family(catalog.parse(name)).menu.tells("learner")
