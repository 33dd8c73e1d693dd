"""The checker of race games: right values are proved, wrong strategies refused."""

from fractions import Fraction

import numpy as np
import pytest
from tests.reference.race_files import runs_of

from dicewright.core.errors import VerificationError
from dicewright.families.catalog import parse
from dicewright.families.race.proof import bounds_kernels
from dicewright.families.race.proof.balls import prove
from dicewright.families.race.proof.bounds import bounds, check_tables
from dicewright.families.race.proof.bounds_kernels import Runs
from dicewright.families.race.rules import BUST, RUIN, RaceGame, add, bank, roll_of
from dicewright.families.race.solution import certify_race, solve_values
from dicewright.families.race.tabled import well_formed


def solved(game):
    values = solve_values(game)
    return *values.worth, values.table(game)


def changed(choices, where, k, choice):
    """The strategy with another choice at one decision."""

    def answer(i, j):
        plan = list(choices(i, j))
        if (i, j) == where:
            plan[k] = choice
        return plan

    return answer


@pytest.mark.parametrize(
    ("name", "first_wins"),
    [
        ("pig:goal=2", Fraction(6, 7)),
        ("pig:goal=3", Fraction(36, 43)),
        ("pig:goal=10", Fraction(7776, 10961)),
        ("piglet:goal=2", Fraction(4, 7)),
        ("piglet:goal=3", Fraction(6, 11)),
    ],
)
def test_small_goals_are_exact_fractions(name, first_wins):
    game = parse(name)
    certificate = certify_race(game, *solved(game))
    assert certificate.method == "fractions"
    assert (1 + certificate.exact) / 2 == first_wins


@pytest.mark.parametrize(
    "name",
    [
        "pig:goal=25",
        "pig:goal=20,finish=exact",
        "pig:goal=20,finish=exact,skip=yes",
        "pig:goal=12,one=scores,finish=exact",
        "pig:goal=20,one=scores",
        "pig:goal=20,payoff=margin",
        "pig:goal=20,payoff=difference",
        "pig:goal=20,skip=yes",
        "hog:goal=20,dice=3",
        "big-pig:goal=30",
    ],
)
def test_balls_and_bounds_hold_the_exact_value(name):
    game = parse(name)
    win, loss, runs = solved(game)
    exact, same = prove(game, runs.choices, exact=True)
    assert exact == same
    lower, upper = prove(game, runs.choices)
    assert lower <= exact <= upper
    assert upper - lower < Fraction(1, 10**30)
    if game.finish == "reach":
        lower, upper = bounds(game, win, loss, runs)
        assert lower <= exact <= upper
        assert upper - lower < Fraction(1, 10**10)


def test_every_form_of_a_strategy_is_checked_by_the_same_compiled_code():
    game = parse("pig:goal=5")
    win, loss, table = solved(game)
    found = {bounds(game, win, loss, table)}
    for kind in (np.uint8, np.int32, np.int64):
        runs = Runs(table.first, table.starts.astype(kind), table.rows.astype(kind))
        found.add(bounds(game, win, loss, runs))
        check_tables(game, win, loss, runs)
    assert len(found) == 1
    assert len(bounds_kernels.widen.compiled.signatures) == 1


@pytest.mark.slow
def test_pig_is_proved_to_thirty_digits():
    """FACTS.md: first wins 0.530592725273747 with optimal play of both."""
    game = parse("pig")
    certificate = certify_race(game, *solved(game))
    assert certificate.proved
    assert certificate.method == "balls"
    assert certificate.gap < 1e-30
    assert (1 + certificate.value) / 2 == pytest.approx(0.530592725273747, abs=1e-15)


def test_ruin_is_proved_by_bounds():
    game = parse("two-dice-pig:goal=60")
    certificate = certify_race(game, *solved(game))
    assert (certificate.method, certificate.proved) == ("bounds", True)
    assert certificate.gap < 1e-11
    with pytest.raises(VerificationError, match="ruin"):
        prove(game, solved(game)[2].choices)


def test_a_large_goal_is_estimated_unless_proof_is_asked_for(monkeypatch):
    monkeypatch.setattr("dicewright.families.race.solution.BOUNDS_GOAL", 50)
    monkeypatch.setattr("dicewright.families.race.solution.BALL_WORK", 0)
    game = parse("pig:goal=60")
    tables = solved(game)
    estimate, proof = certify_race(game, *tables), certify_race(game, *tables, "prove")
    assert (estimate.proved, proof.proved) == (False, True)
    assert estimate.lower <= proof.lower <= proof.upper <= estimate.upper


def test_an_unknown_method_is_named():
    with pytest.raises(ValueError, match="method is 'guess'; auto, prove"):
        certify_race(parse("pig:goal=5"), *solved(parse("pig:goal=5")), "guess")


@pytest.mark.parametrize("exact", [True, False])
def test_a_wrong_hold_is_refused_with_its_place(exact):
    game = parse("pig:goal=30")
    choices = solved(game)[2].choices
    assert choices(0, 0)[5] == 1
    with pytest.raises(VerificationError, match=r"at 0-0\+5, roll gains"):
        prove(game, changed(choices, (0, 0), 5, 0), exact=exact)


def test_a_wrong_roll_is_refused_with_its_place():
    game = parse("pig:goal=60")
    choices = solved(game)[2].choices
    assert choices(0, 0)[30] == 0
    with pytest.raises(VerificationError, match=r"at 0-0\+30, hold gains"):
        prove(game, changed(choices, (0, 0), 30, 1))


def test_a_total_that_no_rolls_reach_does_not_matter():
    game = parse("pig:goal=30")
    choices = solved(game)[2].choices
    assert prove(game, changed(choices, (0, 0), 1, 0)) == prove(game, choices)


@pytest.mark.parametrize("choice", [-1, 2])
def test_a_choice_that_is_no_action_is_refused(choice):
    game = parse("pig:goal=10")
    with pytest.raises(VerificationError, match=r"no allowed action at 3-2\+4"):
        prove(game, changed(solved(game)[2].choices, (3, 2), 4, choice))


def test_holding_at_zero_is_refused_as_illegal_or_as_stalling():
    for name, reason in (("pig:goal=10", r"no allowed action at 3-2\+0"), ("pig:goal=10,skip=yes", "stall")):
        game = parse(name)
        with pytest.raises(VerificationError, match=reason):
            prove(game, changed(solved(game)[2].choices, (3, 2), 0, 0))


def test_a_short_strategy_is_refused():
    with pytest.raises(VerificationError, match=r"no allowed action at 9-9\+0"):
        prove(parse("pig:goal=10"), lambda i, j: [])


def test_two_players_who_cannot_finish_draw():
    """In exact Pig a score of goal - 1 is stuck, and endless play pays nothing."""
    only_twos = RaceGame("twos", 5, (("roll", roll_of({add(2): 1, BUST: 1})),), "exact")
    assert prove(only_twos, lambda i, j: [1] * (5 - i), exact=True) == (0, 0)


def test_equal_actions_are_accepted():
    """Two rolls that are the same: any choice between them is optimal, and balls cannot tell."""
    roll = roll_of({bank(1): 1, bank(2): 1, BUST: 1})
    game = RaceGame("twins", 6, (("left", roll), ("right", roll)))
    exact, _ = prove(game, lambda i, j: [1] * (6 - i), exact=True)
    lower, upper = prove(game, lambda i, j: [1 + (i + j) % 2] * (6 - i))
    assert lower <= exact <= upper
    assert upper - lower < Fraction(1, 10**30)


def test_bounds_refuse_wrong_strategies_and_tables():
    game = parse("two-dice-pig:goal=40")
    win, loss, runs = solved(game)
    with pytest.raises(VerificationError, match="off an optimum"):
        bounds(game, win, loss, runs_of(40, changed(runs.choices, (0, 0), 12, 0)))
    wrong = win.copy()
    wrong[3, 4] += 1e-6
    with pytest.raises(VerificationError, match="off an optimum"):
        bounds(game, wrong, 1 - wrong, runs)
    with pytest.raises(VerificationError, match="sum to"):
        bounds(game, wrong, loss, runs)
    with pytest.raises(VerificationError, match="off an optimum"):
        check_tables(game, wrong, 1 - wrong, runs)


def test_bounds_refuse_what_they_cannot_prove():
    for name, choices, reason in (
        ("pig:goal=10,finish=exact", lambda i, j: [1] * (10 - i), "cannot win any more"),
        ("pig:goal=10,skip=yes", lambda i, j: [0] * (10 - i), "stall for ever at 0-0"),
    ):
        with pytest.raises(VerificationError, match=reason):
            bounds(parse(name), np.zeros((10, 10)), np.zeros((10, 10)), runs_of(10, choices))


def test_bounds_hold_a_game_of_certain_ruin():
    """Whoever moves first wins one point in one roll or falls back to 0: worth 1/3 by hand."""
    game = RaceGame("all or nothing", 2, (("roll", roll_of({add(2): 1, RUIN: 1})),))
    half = np.full((2, 2), 2 / 3)
    lower, upper = bounds(game, half, 1 - half, runs_of(2, lambda i, j: [1] * (2 - i)))
    assert lower <= Fraction(1, 3) <= upper
    assert upper - lower < Fraction(1, 10**12)


def test_runs_give_the_choices_back():
    game = parse("pig:goal=50")
    runs = solved(game)[2]
    again = runs_of(50, runs.choices)
    assert all(np.array_equal(a, b) for a, b in zip(runs[1:4], again, strict=True))
    assert well_formed(game, runs)


def test_malformed_runs_are_noticed():
    game = parse("pig:goal=12")
    good = solved(game)[2]
    assert well_formed(game, good)
    assert not well_formed(game, good._replace(rows=good.rows + np.int32(1)))
    assert not well_formed(game, good._replace(starts=good.starts + np.int32(1)))
    assert not well_formed(game, good._replace(first=good.first[:-1]))
    assert not well_formed(game, good._replace(first=good.first * 0))
    assert not well_formed(game, good._replace(rows=good.rows[:-1]))
