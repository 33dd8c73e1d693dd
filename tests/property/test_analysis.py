"""Skill and luck add up to the result in every game of the catalog, and luck has mean zero."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicewright.analysis.analyse import analyse
from dicewright.analysis.exact import judge_of
from dicewright.arena.table import play_match
from dicewright.core.game import CHANCE, FIRST, OVER
from dicewright.families.catalog import parse
from dicewright.families.race.rules import RaceGame
from dicewright.families.solving import solve

GAMES = [
    "piglet:goal=4",
    "piglet:goal=3,skip=yes",
    "pig:goal=12",
    "pig:goal=12,finish=exact",
    "pig:goal=12,payoff=margin",
    "pig:goal=12,payoff=difference",
    "pig:goal=15,one=scores",
    "two-dice-pig:goal=20",
    "big-pig:goal=30",
    "hog:goal=15,dice=3",
    "pass-the-pigs:goal=25",
    "rock-paper-scissors",
    "kuhn-poker",
    "textbook-tree",
    "liars-die",
    "mia",
    "mia:sides=3,keep=yes",
    "liars-dice-poker:dice=2",
    "bluff:sides=3",
    "bluff:dice=2v1,sides=2",
    "bluff:sides=3,spot_on=yes",
    "bluff:sides=3,order=fixed",
    "bluff-match:dice=2v1,sides=2",
    "bluff-match:dice=2v2,sides=2,loss=give",
    "bluff-match:dice=2v1,sides=2,loss=difference",
    "bluff-match:dice=2v2,sides=2,palifico=yes",
]


@cache
def solved(name):
    game = parse(name)
    solution = solve(game)
    return game, solution, judge_of(game, solution)


def at_random(game):
    return lambda view: dict.fromkeys(game.actions(view), 1 / len(game.actions(view)))


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), sensible=st.tuples(st.booleans(), st.booleans()))
def test_skill_and_luck_add_up_to_the_result(name, seed, sensible):
    game, solution, judge = solved(name)
    players = tuple(solution.strategies[p] if sensible[p] else at_random(game) for p in (0, 1))
    found = analyse(play_match(game, players, Random(seed), most=2000), judge)
    one, two = found.figures
    assert found.start + one.luck + one.hidden_luck - one.loss + two.loss == pytest.approx(
        found.end, abs=1e-9
    )
    assert two.luck == pytest.approx(-one.luck)
    assert one.adjusted + one.luck + one.hidden_luck == pytest.approx(found.end, abs=1e-9)
    if found.record.ended == "over":
        assert found.adjudged == 0
        assert found.chances[-1] == pytest.approx(found.result, abs=1e-12)
    for figures in found.figures:
        assert 0 <= figures.accuracy <= 100
        if all(sensible):  # where solved play never leads, the worth of an action rests on a belief
            assert figures.loss == pytest.approx(0, abs=1e-6)
    if isinstance(game, RaceGame):
        for moment in found.moments:
            assert moment.hidden_luck == 0
            if moment.who != CHANCE:  # nothing is hidden: the chance falls by the loss and by nothing else
                fall = moment.before - moment.after
                assert (fall if moment.who == FIRST else -fall) == pytest.approx(moment.loss, abs=1e-9)


SMALL = [
    "piglet:goal=2",
    "kuhn-poker",
    "liars-die:sides=3",
    "mia:sides=2,keep=yes",
    "bluff:sides=3",
    "bluff:dice=2v1,sides=2",
    "bluff-match:dice=2v1,sides=2,loss=difference",
]


@pytest.mark.parametrize("name", SMALL)
def test_luck_has_mean_zero_against_solved_play(name):
    """Over everything hidden, at each view that solved play reaches: hidden luck and the luck of dice vanish.

    Piglet returns to its states, so only a part of its tree is walked.
    """
    game, solution, judge = solved(name)
    sums: dict[object, list[float]] = {}
    walk = [(game.start(), 1.0, 0)]
    while walk:
        state, reach, depth = walk.pop()
        mover, here = game.mover(state), judge.worth(state)
        if mover == OVER or depth > 12:
            continue
        if mover == CHANCE:
            shares = {choice: float(chance) for choice, chance in game.outcomes(state).items()}
            after = {choice: judge.worth(game.play(state, choice)) for choice in shares}
            assert sum(shares[c] * after[c] for c in shares) == pytest.approx(here, abs=1e-9)
        else:
            view = game.view(state, mover)
            shares = (
                solution.strategies[mover](view)
                if len(game.actions(view)) > 1
                else {game.actions(view)[0]: 1.0}
            )
            shares = {action: share for action, share in shares.items() if share > 0}
            advice = judge.advise(view)
            unit = 1 if judge.points else 2
            for action in game.actions(view):
                change = judge.worth(game.play(state, action)) - here
                loss = unit * (max(advice.worth.values()) - advice.worth[action])
                hidden = (change if mover == FIRST else -change) + loss
                total = sums.setdefault((mover, view, action), [0.0, 0.0])
                total[0] += reach * hidden
                total[1] += reach
        walk += [(game.play(state, choice), reach * share, depth + 1) for choice, share in shares.items()]
    assert sums
    for (_, view, action), (total, reach) in sums.items():
        assert total / reach == pytest.approx(0, abs=1e-6), (view, action)
