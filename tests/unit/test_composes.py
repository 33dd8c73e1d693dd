"""What `solve` returns is taken by everything else, and all of it says the same numbers."""

import json
import subprocess
import sys
from math import sqrt
from pathlib import Path

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


@pytest.mark.slow
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


def numbers_of(game, solution):
    """What is asked of a solution, here and in another process."""
    met = dw.evaluate(game, solution, solution)
    return {
        "bounds": [str(solution.certificate.lower), str(solution.certificate.upper)],
        "payoffs": [met.a_first.payoff, met.b_first.payoff, met.a_overall],
        "worth": solution.worth(game.start()),
        "advice": [
            list(solution.advise(game.view(state, game.mover(state))).worth.values())
            for state in decisions(game, 5)
        ],
    }


def read_elsewhere(paths):
    """The other process: each file read, verified and asked."""
    answers = []
    for path, name in zip(paths, [*GAMES, None], strict=True):
        game = OWN if name is None else dw.game(name)
        solution = dw.load(path, game)
        proved = dw.verify(path, game)
        answers.append(numbers_of(game, solution) | {"proved": [str(proved.lower), str(proved.upper)]})
    print(json.dumps(answers))


@pytest.mark.slow
def test_saved_solutions_are_the_same_in_another_process(tmp_path):
    paths, expected = [], []
    for number, name in enumerate([*GAMES, None]):
        game = OWN if name is None else dw.game(name)
        solution = dw.solve(game)
        paths.append(str(tmp_path / f"{number}.npz"))
        dw.save(paths[-1], solution)
        expected.append(numbers_of(game, solution))
    script = f"from tests.unit.test_composes import read_elsewhere; read_elsewhere({paths})"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stderr
    for name, here, there in zip([*GAMES, "own"], expected, json.loads(done.stdout), strict=True):
        proved = there.pop("proved")
        assert there == here, name
        assert proved == here["bounds"], name


@pytest.mark.slow
def test_what_was_solved_is_kept_for_every_family(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path))
    for name in [
        "pig:goal=12",
        "kuhn-poker",
        "mia:sides=3",
        "mia:sides=3,keep=yes",
        "bluff:sides=3",
        *GAMES[-4:],
    ]:
        game = dw.game(name)
        first, second = dw.solve(game), dw.solve(name)
        assert (first.source, second.source) == ("solved", "kept"), name
        assert numbers_of(game, second) == numbers_of(game, first), name
        assert dw.solve(game, fresh=True).source == "solved"
    assert dw.solve(OWN).source == dw.solve(OWN).source == "solved"
