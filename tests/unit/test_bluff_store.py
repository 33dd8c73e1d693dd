"""Solved rounds of Bluff: tables of the package, the store, advice and worth from them."""

import logging
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from tests.reference.by_play import random_states, worth_by_play

import dicewright as dw
from dicewright.core.errors import IllegalAction, RulesError, VerificationError
from dicewright.core.game import CHANCE, OVER
from dicewright.families.bluff.public_tree import RowsStrategy
from dicewright.families.bluff.rules import Bluff, BluffState
from dicewright.families.bluff.solution import plan_types
from dicewright.families.bluff.worth import bidder_worth, deal_worths
from dicewright.families.catalog import parse
from dicewright.storage import solution_file, strategies
from dicewright.storage.store import header_of, is_kept, solution_of

TWO = Bluff(dice=(2, 2))


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("DICEWRIGHT_STORE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("game", "gap"), [(TWO, 0.01), (Bluff((2, 1)), 0.0025), (Bluff((1, 2)), 0.0025)])
def test_shipped_tables_are_read_with_their_bounds(game, gap):
    solution = solution_of(game)
    assert is_kept(game)
    assert header_of(game, gap=gap)["kept"]
    assert solution.certificate.proved
    assert 0 < solution.certificate.gap < gap
    assert float(solution.certificate.lower) < solution.worth(game.start())
    assert solution.worth(game.start()) < float(solution.certificate.upper)


def test_a_value_is_taken_from_a_table_only_if_solving_would_take_long():
    assert header_of(TWO)["kept"]
    narrow = header_of(Bluff((2, 1), 3), gap=1e-3)
    assert not narrow["kept"]
    assert narrow["gap"] <= 1e-3


def test_two_dice_each_are_played_by_their_table():
    """Spot checks of the compiled walks against the rules alone, from eleven bids below the highest on."""
    solution = solution_of(TWO)
    for seed in range(8):
        for state in random_states(TWO, Random(seed)):
            if TWO.mover(state) == CHANCE or not state.said:
                continue
            slow = (
                worth_by_play(TWO, state, solution.strategies) if TWO.bids.index(state.said[0]) > 5 else None
            )
            fast = solution.worth(state)
            assert fast == (pytest.approx(slow, abs=1e-9) if slow is not None else fast)
    deals = solution.strategies[0].deals
    assert solution.worth(BluffState(((1, 1), (2, 2)))) == pytest.approx(deals[0, 6], abs=1e-12)


def test_the_worths_at_the_top_are_those_of_a_walk():
    solution = solution_of(TWO)
    for text, seat in (("1,1 | 1x3 2x2", 1), ("1,1 | 2x2", 0)):
        rows, said = solution.rows[1 - seat], TWO.read_view(text).said
        np.testing.assert_allclose(
            bidder_worth(rows, said), bidder_worth(replace(rows, top=None), said), rtol=1e-6, atol=1e-12
        )


@pytest.mark.parametrize(
    "text", ["5,5 |", "3,3 | 1x1", "1,2 | 1x1 1x2 1x3", "5,5 | 1x3 2x5", "1,1 | 4x5", "1,2 | 4x6"]
)
def test_advice_with_two_dice_each(text):
    view = TWO.read_view(text)
    advice = dw.advise(TWO, view, solution_of(TWO))
    assert set(advice.worth) == set(TWO.actions(view))
    assert all(0.0 <= worth <= 1.0 for worth in advice.worth.values())
    assert sum(advice.mix.values()) == pytest.approx(1)
    likely = max(advice.mix, key=advice.mix.get)
    assert advice.worth[likely] > advice.worth[advice.best] - 0.1


@pytest.mark.slow
def test_a_match_of_two_dice_each_is_advised_by_its_tables():
    match = parse("bluff-match")
    solution = solution_of(match)
    assert solution.certificate.gap < 0.02
    start = dw.state_worth(match, match.start(), solution)
    assert abs(start) < 0.05
    view = match.read_view("5,5 | 1x3 2x5")
    in_round = dw.advise(TWO, view.now, solution_of(TWO))
    advice = dw.advise(match, view, solution)
    assert advice.best == in_round.best
    assert 0 < advice.worth["call"] < advice.worth[advice.best] < 1
    optimal, random = (strategies.parse(name, match) for name in ("optimal", "random"))
    assert (str(optimal), str(random)) == ("optimal", "random")
    tally = dw.simulate(match, optimal, random, games=300, seed=1)
    assert tally.a_rate > 0.8  # 0.93 is found; 300 games below 0.8 have a chance under 1e-12


def test_matches_without_two_outcomes_are_advised_on_what_their_rounds_pay():
    match = parse("bluff-match:dice=2v1,sides=2,loss=difference")
    solution, view = dw.solve(match), match.read_view("1,1 |")
    advice = dw.advise(match, view)
    assert advice.worth == solution.advise(view).worth
    assert advice.worth[advice.best] > min(advice.worth.values())
    assert solution.worth(match.start()) == pytest.approx(solution.certificate.value)
    with pytest.raises(RulesError, match="None is no solution; one of pig is allowed"):
        dw.state_worth(parse("pig"), None, None)
    match = parse("bluff-match:dice=1v1,sides=2")
    with pytest.raises(IllegalAction, match="the match is over"):
        dw.advise(match, match.read_view("1 v 1 | 1x1 call / over"))


def test_exact_rounds_are_kept_as_they_are(store):
    game = Bluff(sides=3, spot_on=True)
    assert not is_kept(game)
    fresh = dw.solve(game)
    first, second = solution_of(game), solution_of(game)
    assert is_kept(game)
    assert first is second
    assert second.certificate == fresh.certificate
    for state in random_states(game, Random(1)):
        if (mover := game.mover(state)) not in (CHANCE, OVER):
            view = game.view(state, mover)
            assert second.strategies[mover].exact(view) == fresh.strategies[mover].exact(view)
    header = header_of(game)
    assert (header["kept"], header["exact"]) == (True, "0")


def test_rounds_by_cfr_are_kept_and_damaged_files_written_anew(store, monkeypatch, caplog):
    monkeypatch.setattr("dicewright.families.bluff.solve.MOST_SEQUENCES", 10)
    game = Bluff(sides=4)
    first = solution_of(game)
    assert isinstance(first.strategies[0], RowsStrategy)
    assert first.certificate.lower <= 1 / 16 <= first.certificate.upper
    assert header_of(game, gap=1e-2)["kept"]
    assert not header_of(game, gap=1e-5)["kept"]
    (path,) = store.iterdir()
    whole = path.read_bytes()
    for damaged in (b"damaged", whole[:-30]):
        path.write_bytes(damaged)
        with caplog.at_level(logging.WARNING, "dicewright"):
            again = solution_of(game)
        assert "will be written again" in caplog.text
        caplog.clear()
        assert again.certificate == first.certificate
        assert path.read_bytes() != damaged
    np.testing.assert_allclose(again.strategies[0].deals, deal_worths(again))


def test_plans_of_another_shape_are_refused(store):
    game = Bluff(sides=2)
    path = store / "plans"
    dw.save(path, dw.solve(game))
    header, arrays = solution_file.read(path, plan_types(solution_file.read_header(path)), 10**7)
    kept = {key: value for key, value in header.items() if key not in ("seal", "digest")}
    solution_file.write(path, kept | {"game": "bluff:sides=3"}, arrays)
    with pytest.raises(VerificationError, match="first_reach has the shape"):
        dw.load(path)
    solution_file.write(path, kept | {"game": "pig"}, arrays)
    with pytest.raises(VerificationError, match="lacks 'kind' in its header"):
        dw.load(path)


def test_optimal_comes_from_the_store():
    optimal = strategies.parse("optimal", TWO)
    assert optimal[0] is solution_of(TWO).strategies[0]
    assert str(optimal) == "optimal"


class Misnamed(Bluff):
    @property
    def name(self):
        return "bluff:sides=3,wild=none"


def test_what_a_name_of_one_s_own_says_is_not_kept_under_it(store):
    """The two rounds have equal tables, so the wrong one would have been read as proved ever after."""
    solution_of(Misnamed(sides=3))
    assert not list(store.iterdir())
    named = solution_of(parse("bluff:sides=3,wild=none"))
    assert named.certificate.exact == dw.solve(parse("bluff:sides=3,wild=none")).certificate.exact
    assert is_kept(parse("bluff:sides=3,wild=none"))
    assert solution_of(Misnamed(sides=3)).certificate.exact == dw.solve(Bluff(sides=3)).certificate.exact
