"""Weights that are nearly best become exact ones nearby."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import dicewright as dw
from dicewright.core.errors import RulesError, TooLarge
from dicewright.families.bluff.exact import as_fraction, best_reply, is_legal, win_or_lose
from dicewright.families.bluff.program import nearest_plans, round_program, spread
from dicewright.families.bluff.rules import Bluff
from dicewright.families.bluff.solve import choose_method, solve_bluff
from dicewright.families.tree import nearest as module
from dicewright.families.tree.nearest import nearest
from dicewright.families.tree.program import Search
from dicewright.storage.store import find, header_of, save_solution


def programs_of(game):
    model = round_program(win_or_lose(game), slips=False)
    return model, (model.program, model.program.mirrored())


def shaken(program, seed, much):
    """Best weights, with a little of everything added."""
    weights = Search(program).weights
    side = module.side_of(program.constraints[0], program.totals[0])
    noise = np.random.default_rng(seed).random(len(weights)) * much
    return module.carry(side, weights + noise, 1.0, False)


def bounds(game, weights):
    rules = win_or_lose(game)
    plans = [spread(programs_of(game)[0], player, found) for player, found in enumerate(weights)]
    assert all(is_legal(rules, player, plan) for player, plan in enumerate(plans))
    lower, upper = -best_reply(rules, 1, plans[0]).value, best_reply(rules, 0, plans[1]).value
    return as_fraction(lower), as_fraction(upper)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "value"),
    [(Bluff(sides=3), "1/9"), (Bluff((2, 1), 2), "3/4"), (Bluff(sides=3, wild="none"), "-1/9")],
)
def test_shaken_weights_become_exact(game, value):
    programs = programs_of(game)[1]
    start = [shaken(program, 1, 1e-3) for program in programs]
    lower, upper = bounds(game, [np.rint(weights * 1e9).astype(np.int64).astype(object) for weights in start])
    assert lower < Fraction(value) < upper
    found = [nearest(program, weights) for program, weights in zip(programs, start, strict=True)]
    assert bounds(game, found) == (Fraction(value), Fraction(value))


def test_best_weights_stay_as_they_are():
    game = Bluff(sides=4)
    model, programs = programs_of(game)
    for player, program in enumerate(programs):
        weights = Search(program).choice().weights
        found = nearest(program, weights.astype(float))
        before, after = (spread(model, player, one) for one in (weights, found))
        moved = np.abs((before.reach - after.reach).astype(float)).max()
        assert moved < 1e-6  # whole numbers of 10^7 a roll


def test_without_fractions_the_weights_are_floats_and_prove_a_bracket(monkeypatch):
    game = Bluff(sides=3)
    monkeypatch.setattr(module.Square, "solve", lambda *given: None)
    lower, upper = bounds(
        game, [nearest(program, shaken(program, 1, 1e-3)) for program in programs_of(game)[1]]
    )
    assert lower <= Fraction(1, 9) <= upper
    assert upper - lower < 1e-5


def test_weights_without_the_support_prove_a_bracket():
    game = Bluff(sides=3)
    found = []
    for program in programs_of(game)[1]:
        weights = np.zeros(program.payoffs.shape[0])
        weights[module.side_of(program.constraints[0], program.totals[0]).starts[:-1]] = 1.0
        found.append(nearest(program, weights))
    lower, upper = bounds(game, found)
    assert lower < Fraction(1, 9) < upper


@pytest.mark.parametrize(("dice", "sides"), [((2, 1), 2), pytest.param((2, 1), 3, marks=pytest.mark.slow)])
def test_rounds_are_solved_from_cfr(dice, sides):
    game = Bluff(dice, sides)
    found = solve_bluff(game, "nearest")
    assert found.method == "nearest"
    assert found.certificate.exact == solve_bluff(game, "sequence-form").certificate.exact
    assert found.advise(game.read_view("1 | 1x1")).worth


def test_a_gap_that_the_nearest_plans_miss_is_met_by_cfr(monkeypatch):
    monkeypatch.setattr(module, "LEAST", 0.2)
    game = Bluff(sides=4)
    assert solve_bluff(game, "nearest", gap=1.0).certificate.gap > 1e-3
    found = solve_bluff(game, "nearest", gap=1e-3)
    assert (found.method, found.certificate.proved) == ("cfr:discounted", True)
    assert found.certificate.gap <= 1e-3


def test_narrow_bounds_are_asked_of_the_nearest_plans(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))
    monkeypatch.setattr("dicewright.families.bluff.solve.MOST_SEQUENCES", 10)
    game, path = Bluff((2, 1), 2), tmp_path / "round.npz"
    assert [choose_method(game, gap)[0] for gap in (1e-3, 1e-9)] == ["cfr", "nearest"]
    assert header_of(game, gap=1e-9)["exact"] == "3/4"
    assert find(game) is None  # nor will it stand before a table that wins more from those who err
    assert save_solution(game, path, gap=1e-9)["exact"] == "3/4"
    assert dw.load(path).method == "nearest"
    assert dw.verify(path).exact == Fraction(3, 4)


def test_a_match_of_nearest_plans_is_exact_and_not_kept_either(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path / "store"))
    monkeypatch.setattr("dicewright.families.bluff.solve.MOST_SEQUENCES", 10)
    match = dw.game("bluff-match:dice=2v1,sides=2")
    assert header_of(match, gap=1e-9)["exact"] == "15/16"
    assert find(match) is None


def test_rounds_too_large_are_refused():
    assert choose_method(Bluff((2, 2)), 1e-9)[0] == "cfr"
    with pytest.raises(TooLarge, match=r"has 704,643,0\d\d sequences; up to 8,000,000 are allowed"):
        solve_bluff(Bluff((2, 2)), "nearest")


@pytest.mark.long
@pytest.mark.parametrize(("dice", "value"), [((1, 2), "-22/135"), ((2, 1), "1065675293639/5035964369544")])
def test_two_dice_against_one_with_six_sides(dice, value):
    """Found and proved here: 89 and 134 s of processor, at most 2.1 GB."""
    assert solve_bluff(Bluff(dice), "nearest").certificate.exact == Fraction(value)


def test_nearest_plans_are_of_rounds_won_or_lost():
    """Their prices are set for payoffs of 1, so a round that pays otherwise is refused."""
    paid = win_or_lose(Bluff(sides=2))
    with pytest.raises(RulesError, match="pay 1 or -1"):
        nearest_plans(replace(paid, pays=2 * paid.pays), (None, None))
