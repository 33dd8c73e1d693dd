"""What `solve` returns is taken by everything else, and all of it says the same numbers."""

from math import sqrt

import pytest
from tests.reference.levels import CHANCE, FIRST, Levels

import dicewright as dw

GAMES = [
    "pig:goal=30",
    "piglet:goal=6",
    "two-dice-pig:goal=20",
    "big-pig:goal=20",
    "hog:goal=20,dice=3",
    "pass-the-pigs:goal=30",
    "pig:goal=20,payoff=margin",
    "piglet:goal=4,skip=yes",
    "rock-paper-scissors",
    "kuhn-poker",
    "textbook-tree",
    "liars-die",
    "mia",
    "mia:sides=4,keep=yes",
    "liars-dice-poker:dice=2",
    "bluff:sides=4",
    "bluff:dice=2v1,sides=3,spot_on=yes",
    "bluff:sides=3,wild=none,order=fixed",
    "bluff-match:dice=2v1,sides=3",
    "bluff-match:dice=2v1,sides=2,loss=give",
    "bluff-match:dice=2v1,sides=2,palifico=yes",
]
OWN = Levels((CHANCE, FIRST), (2, 2))
OFF = 1e-9  # what float64 adds to a proved value
FAR = 5.0  # standard errors: a sound simulation is further off with a chance of 6e-7, 44 of them of 3e-5


def decisions(game, most=60):
    """States in which a player has a choice, in the order of a walk."""
    waiting, found, seen = [game.start()], [], set()
    while waiting and len(found) < most:
        state = waiting.pop(0)
        if state in seen or game.mover(state) == -2:
            continue
        seen.add(state)
        mover = game.mover(state)
        choices = game.outcomes(state) if mover == -1 else game.actions(game.view(state, mover))
        if mover >= 0 and len(choices) > 1:
            found.append(state)
        waiting += [game.play(state, choice) for choice in choices]
    return found


@pytest.fixture(scope="module", params=[*GAMES, OWN], ids=str)
def solved(request):
    game = dw.game(request.param) if isinstance(request.param, str) else request.param
    return game, dw.solve(game)


def test_solved_against_solved_gets_the_value(solved):
    game, solution = solved
    met = dw.evaluate(game, solution, solution)
    slack = solution.certificate.gap + OFF
    assert met.a_first.payoff == pytest.approx(solution.certificate.value, abs=slack)
    assert met == dw.evaluate(game, solution.player, solution.strategies)


def test_no_response_gains_more_than_the_gap(solved):
    game, solution = solved
    gap, found = solution.certificate.gap + OFF, dw.best_response(game, solution)
    assert found.first_payoff <= float(solution.certificate.upper) + OFF
    assert found.second_payoff <= -float(solution.certificate.lower) + OFF
    assert -OFF <= dw.nash_conv(game, solution) <= gap
    reply = dw.evaluate(game, found, solution)
    assert reply.a_first.payoff == pytest.approx(found.first_payoff, abs=OFF)
    assert reply.b_first.payoff == pytest.approx(-found.second_payoff, abs=OFF)


def test_simulation_lies_in_its_interval(solved):
    game, solution = solved
    tally = dw.simulate(game, solution, solution, games=2_000, seed=15)
    met = dw.evaluate(game, solution, solution)
    for series, exact in ((tally.a_first, met.a_first.payoff), (tally.b_first, -met.b_first.payoff)):
        mean = series.payoff / series.games
        spread = sqrt(max(series.squares / series.games - mean**2, 0.0) / series.games)
        assert abs(mean - exact) <= FAR * spread + OFF


def test_advice_agrees_with_the_worth_of_states(solved):
    """The mean over hidden dice is the advice's own; where nothing is hidden each state says it."""
    game, solution = solved
    assert solution.worth(game.start()) == pytest.approx(
        solution.certificate.value, abs=solution.certificate.gap + OFF
    )
    for state in decisions(game):
        view = game.view(state, game.mover(state))
        advice = solution.advise(view)
        assert set(advice.worth) == set(game.actions(view))
        assert advice.worth[advice.best] == pytest.approx(max(advice.worth.values()), abs=OFF)
        assert advice is dw.advise(game, view, solution)
        if not solution.hidden:
            after = [solution.worth(game.play(state, action)) for action in advice.worth]
            sign = 1 if game.mover(state) == 0 else -1
            unit = (
                list(advice.worth.values())
                if solution.points
                else [2 * worth - 1 for worth in advice.worth.values()]
            )
            assert [sign * worth for worth in after] == pytest.approx(unit, abs=OFF)
