"""On random small race games the checker proves what the slow twin finds, and refuses what it refutes."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.reference.race_files import runs_of
from tests.reference.slow_race import SlowRace

from dicewright.core.errors import VerificationError
from dicewright.families.race.proof.balls import prove
from dicewright.families.race.proof.bounds import bounds
from dicewright.families.race.rules import BUST, HOLD, Effect, RaceGame, RaceView, add, bank, roll_of

FACES = st.one_of(st.integers(1, 4).map(add), st.integers(0, 3).map(bank), st.just(BUST))
ROLLS = st.dictionaries(FACES, st.integers(1, 4), min_size=1, max_size=4).map(roll_of)
FEW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


@st.composite
def solved_games(draw):
    rolls = draw(st.lists(ROLLS, min_size=1, max_size=2))
    game = RaceGame(
        "random",
        draw(st.integers(2, 7)),
        tuple((f"roll{n}", roll) for n, roll in enumerate(rolls)),
        draw(st.sampled_from(["reach", "exact"])),
        draw(st.sampled_from(["win", "margin", "difference"])),
        draw(st.booleans()),
    )
    try:
        return SlowRace(game)
    except RuntimeError:
        assume(False)


def proof_or_stall(*args, **options):
    """The proof; games whose best play may stall are not examples."""
    try:
        return prove(*args, **options)
    except VerificationError as error:
        assume("stall" not in str(error))
        raise


@FEW
@given(solved_games())
def test_the_proof_holds_the_value_of_the_twin(twin):
    game, value = twin.game, twin.values[0, 0]
    assert proof_or_stall(game, twin.choices, exact=True) == (value, value)
    lower, upper = prove(game, twin.choices)
    assert lower <= value <= upper
    assert upper - lower < Fraction(1, 10**25)


@FEW
@given(solved_games())
def test_the_bounds_hold_the_value_of_the_twin(twin):
    game, value = twin.game, twin.values[0, 0]
    assume(game.finish == "reach")
    values = np.array([[float(twin.values[i, j]) for j in range(game.goal)] for i in range(game.goal)])
    try:
        lower, upper = bounds(game, values, -values, runs_of(game.goal, twin.choices))
    except VerificationError as error:
        assume("stall" not in str(error))
        raise
    assert lower <= value <= upper
    assert upper - lower < Fraction(1, 10**9)


def mistakes(twin):
    """All decisions that rolls can lead to, with an action that is worth less than the plan's."""
    game = twin.game
    gains = {points for _, roll in game.rolls for _, effect, points in roll if effect is Effect.ADD}
    names = [HOLD, *dict(game.rolls)]
    for (i, j), value in twin.exact.items():
        bust, lines, totals = -twin.exact[j, i], {}, {0}
        for k in range(1, game.goal - i):
            if any(k - points in totals for points in gains):
                totals.add(k)
        for k in range(game.goal - i - 1, -1, -1):
            view = RaceView(i, j, k)
            worth = {action: twin.action_line(i, j, k, action, lines) for action in game.actions(view)}
            lines[k] = worth[twin.plan[view]]
            best = lines[k][0] + lines[k][1] * bust
            for action, (a, b) in worth.items():
                if k in totals and a + b * bust < best:
                    yield i, j, k, names.index(action)
        assert lines[0][0] + lines[0][1] * bust == value


@FEW
@given(solved_games(), st.randoms(use_true_random=False), st.booleans())
def test_a_mistake_that_matters_is_refused(twin, rng, exact):
    proof_or_stall(twin.game, twin.choices, exact=True)
    found = list(mistakes(twin))
    assume(found)
    i, j, k, choice = rng.choice(found)

    def choices(mine, yours):
        plan = twin.choices(mine, yours)
        if (mine, yours) == (i, j):
            plan[k] = choice
        return plan

    with pytest.raises(VerificationError):
        prove(twin.game, choices, exact=exact)
