"""`solve` takes the methods and options of the game's solver, and refuses all others by name."""

from fractions import Fraction

import pytest
from tests.reference.levels import CHANCE, FIRST, Levels

import dicewright as dw
from dicewright.core.errors import RulesError
from dicewright.families.bluff.match_solve import solve_match
from dicewright.families.bluff.rules import Bluff
from dicewright.families.bluff.solve import solve_bluff

GAMES = {
    "race": dw.game("piglet:goal=3"),
    "bluff": dw.game("bluff:sides=2"),
    "fixed": dw.game("bluff:sides=2,wild=none,order=fixed"),
    "match": dw.game("bluff-match:dice=1v1,sides=2"),
    "calling": dw.game("liars-die:sides=2"),
    "keep": dw.game("mia:sides=2,keep=yes"),
    "classic": dw.game("kuhn-poker"),
    "own": Levels((CHANCE, FIRST), (2, 2)),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("option", ["gapp", "goal", "Gap", "game_", "prove", "iterations"])
def test_unknown_options_are_refused_by_name(game, option):
    with pytest.raises(RulesError, match=f"unknown option '{option}' for {game.name}; ") as caught:
        dw.solve(game, **{option: 1})
    with pytest.raises(RulesError, match=f"unknown option '{option}'"):
        dw.solve(game, **{option: None})
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("family", ["race", "calling", "keep", "classic", "own"])
def test_an_option_of_another_family_is_unknown(family):
    for option in ("gap", "progress", "solver"):
        with pytest.raises(RulesError, match=f"unknown option '{option}' for .*; it has none beside method"):
            dw.solve(GAMES[family], **{option: 0.1})


def test_what_is_allowed_is_told():
    with pytest.raises(RulesError, match=r"unknown option 'solver' for .*; gap or progress is allowed"):
        dw.solve(GAMES["bluff"], solver=print)
    with pytest.raises(RulesError, match=r"unknown option 'progress' for .*; gap is allowed"):
        dw.solve(GAMES["match"], progress=print)
    with pytest.raises(RulesError, match="unknown option 'goal' for piglet"):
        dw.solve(dw.piglet(), goal=50, gapp=1)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("method", ["nonsense", "", "Auto", None, 1, ["auto"], "race-pairs"])
def test_unknown_methods_are_refused_by_name(game, method):
    with pytest.raises(RulesError, match=r"method is .* for .*; auto.* is allowed") as caught:
        dw.solve(game, method=method)
    assert repr(method) in str(caught.value)
    assert game.name in str(caught.value)


@pytest.mark.parametrize("method", ["cfr", "prove", "fractions"])
def test_a_method_of_another_family_is_unknown(method):
    with pytest.raises(
        RulesError, match=f"method is '{method}' for kuhn-poker; auto, sequence-form is allowed"
    ):
        dw.solve(GAMES["classic"], method=method)


@pytest.mark.parametrize(
    ("family", "method", "value"),
    [
        ("race", "fractions", Fraction(1, 11)),
        ("race", "prove", Fraction(1, 11)),
        ("bluff", "sequence-form", None),
        ("fixed", "sequence-form", None),
        ("classic", "sequence-form", Fraction(-1, 18)),
    ],
)
def test_known_methods_are_taken(family, method, value):
    certificate = dw.solve(GAMES[family], method=method).certificate
    assert certificate.proved
    assert certificate.exact == (value if value is not None else dw.solve(GAMES[family]).certificate.exact)


@pytest.mark.parametrize("family", ["bluff", "match"])
@pytest.mark.parametrize("gap", [-1, float("nan"), float("inf"), "0.1", True, [], 1j])
def test_gaps_that_are_no_width_are_refused(family, gap):
    with pytest.raises(RulesError, match=r"gap is .*; a finite number from 0 on is allowed"):
        dw.solve(GAMES[family], gap=gap)


def test_options_that_are_no_functions_are_refused():
    with pytest.raises(RulesError, match=r"progress is 'loud' for .*; a function is allowed"):
        dw.solve(GAMES["bluff"], progress="loud")


def test_the_rounds_of_a_match_are_solved_by_nobody_else():
    """2v1 was proved to be worth 7/8 by the value of another round, which is 15/16."""
    match = dw.game("bluff-match:dice=2v1,sides=2")
    other = dw.solve(GAMES["bluff"])
    with pytest.raises(RulesError, match="unknown option 'solver' for bluff-match"):
        dw.solve(match, solver=lambda game: other)
    with pytest.raises(
        RulesError, match=r"answered bluff:sides=2; a solution of bluff:dice=.*sides=2 is allowed"
    ):
        solve_match(match, solver=lambda game: other)
    with pytest.raises(RulesError, match="the solver of rounds answered 5; a solution of bluff"):
        solve_match(match, solver=lambda game: 5)
    exact = dw.solve(match).certificate.exact
    assert solve_match(match, solver=dw.solve).certificate.exact == exact == Fraction(15, 16)
    assert dw.solution_of(match).certificate.exact == exact


def test_known_options_are_taken():
    exact = dw.solve(GAMES["bluff"]).certificate.exact
    assert dw.solve(GAMES["bluff"], gap=0.1, progress=None).certificate.exact == exact
    assert dw.solve(GAMES["match"], gap=None).certificate.proved


def test_the_solver_of_bluff_refuses_methods_too():
    with pytest.raises(
        RulesError, match="method is 'nonsense' for bluff; auto, sequence-form, cfr, nearest is allowed"
    ):
        solve_bluff(Bluff(), "nonsense")
