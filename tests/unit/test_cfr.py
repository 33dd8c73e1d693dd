"""CFR on the public tree against its slow twin, known values, and everything that can interrupt it."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import public_cfr as book

from dicewright.core.errors import NotationError, RulesError, TooLarge
from dicewright.families.bluff import cfr, rows_proof
from dicewright.families.bluff.cfr import RULES, Iteration, Run, solve_cfr
from dicewright.families.bluff.people import Population
from dicewright.families.bluff.plans import path_chance
from dicewright.families.bluff.public_tree import PublicTree
from dicewright.families.bluff.rules import Bluff, BluffView
from dicewright.families.bluff.strategies import CallBelow, RandomBluff, Truthful
from dicewright.families.bluff.streamed import evaluate

STEP = Iteration(0.5, 1.25, 3.0)


@st.composite
def rounds(draw):
    wild = draw(st.sampled_from(["none", "high", "ones"]))
    sizes = [((1, 1), 2), ((1, 1), 3), ((1, 1), 4), ((2, 1), 2), ((1, 2), 2), ((2, 2), 2)]
    dice, sides = draw(st.sampled_from(sizes))
    bids = draw(st.booleans()) if wild != "none" else True
    opens = draw(st.booleans()) if wild != "none" and bids else True
    orders = ["face", "quantity", "dudo"] if wild != "none" and bids else ["face", "quantity"]
    order = draw(st.sampled_from(orders))
    return Bluff(dice, sides, wild, order, draw(st.booleans()), bids, opens)


def as_table(tree, player, array, number=float):
    """A player's flat array as the dictionaries of the twin, addressed by views."""
    game, hands = tree.game, list(tree.game.hands(player))
    table = {}
    for said in book.histories(game):
        if len(said) % 2 == player:
            place, rows = tree.block(BluffView(hands[0], said))
            bids = game.bids if not said else game.bids[game.bids.index(said[-1]) + 1 :]
            legal = game.actions(BluffView((), said))
            actions = bids if not said else legal
            block = array[place : place + rows * len(hands)].reshape(rows, len(hands))
            block = block if rows else np.zeros((1, len(hands)))
            table[said] = {
                action: {hand: number(float(value)) for hand, value in zip(hands, row, strict=True)}
                for action, row in zip(actions, block, strict=True)
                if action in legal
            }
    return table


def random_run(game, seed, dtype=np.float64, population=None):
    """A run whose regrets and averages are random numbers, the averages of forbidden openings 0."""
    run, rng = Run(PublicTree(game), dtype, 1, population), np.random.default_rng(seed)
    for array in run.regrets:
        array[:] = rng.uniform(-1, 1, array.size)
    for array in run.averages:
        array[:] = rng.uniform(0, 1, array.size) * rng.integers(0, 2, array.size)
    opening = run.averages[0][: len(game.bids) * run.tree.hands[0]].reshape(len(game.bids), -1)
    opening[[bid not in game.opening_bids for bid in game.bids]] = 0
    opening[game.bids.index(game.opening_bids[-1])] += 0.1
    return run


# No slip over some actions is just as likely as what is skipped: the order of a sum would decide.
STEPS = [
    STEP,
    STEP._replace(skip=0.0203, slip=0.1, quick=True),
    STEP._replace(skip=0.0103, slip=0.2, chance=0.5),
]


@given(rounds(), st.integers(0, 10**6), st.sampled_from(STEPS))
@settings(max_examples=25, deadline=None)
def test_an_iteration_agrees_with_the_book(game, seed, step):
    run = random_run(game, seed, population=Population(0.5, 0.2, 0.01, 0, 1) if step.chance else None)
    tree = run.tree
    others = [RandomBluff(game), Truthful(game), CallBelow(game, 0.3), CallBelow(game, 0.5)]
    others = others if step.chance else []
    regrets, averages = {}, {}
    for player in (0, 1):
        regrets |= as_table(tree, player, run.regrets[player])
        averages |= as_table(tree, player, run.averages[player])
    with ThreadPoolExecutor(1) as pool:
        run.iterate(step, pool)
    for player in (0, 1):
        dealt = book.deal(game, 1 - player)
        few = {hand: chance * step.chance / len(others) for hand, chance in dealt.items() if others}
        book.sweep(game, player, (), [dealt, *(few for _ in others)], regrets, averages, step, others)
    for player in (0, 1):
        for array, table in ((run.regrets, regrets), (run.averages, averages)):
            for said, rows in as_table(tree, player, array[player]).items():
                if len(game.actions(BluffView((), said))) > 1:
                    for action, row in rows.items():
                        assert row == pytest.approx(table[said][action], abs=1e-12), (said, action)


@given(rounds(), st.integers(0, 10**6), st.sampled_from([np.uint8, np.float32, np.float64]))
@settings(max_examples=15, deadline=None)
def test_best_responses_are_right_to_the_stated_rounding(game, seed, dtype):
    """Against exact fractions; zeros stand for what was dropped, where the strategy calls."""
    run = random_run(game, seed)
    arrays = [(255 * array).astype(dtype) for array in run.averages]
    for player in (0, 1):
        table = as_table(run.tree, 1 - player, arrays[1 - player], Fraction)
        exact = book.response_value(game, player, table, Fraction)
        found = run.tree.response_value(player, arrays[1 - player])
        proved = rows_proof.response_value(game, player, rows_proof.in_order(arrays[1 - player]))
        assert abs(Fraction(found) - exact) <= run.tree.rounding
        assert abs(Fraction(proved) - exact) <= run.tree.rounding


@pytest.mark.parametrize(
    ("sides", "value"),
    [(2, "1/2"), (3, "1/9"), (4, "1/16"), (5, "1/125"), (6, "-7/258")],
)
def test_one_die_each_brackets_the_published_value(sides, value):
    """Lanctot & Long, table of one-die Bluff."""
    proof = solve_cfr(Bluff(sides=sides), gap=1e-3).certificate
    assert proof.lower <= Fraction(value) <= proof.upper
    assert proof.gap <= 1e-3
    assert proof.proved


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_closes_the_bracket(rule):
    proof = solve_cfr(Bluff(dice=(2, 1), sides=2), gap=0.02, rule=rule).certificate
    assert proof.gap <= 0.02


def test_with_spot_on_one_die_each_is_even():
    proof = solve_cfr(Bluff(sides=4, spot_on=True), gap=1e-3).certificate
    assert proof.lower <= 0 <= proof.upper


def test_narrow_brackets_are_found_in_double_precision():
    proof = solve_cfr(Bluff(sides=3), gap=1e-6).certificate
    assert proof.lower <= Fraction(1, 9) <= proof.upper
    assert proof.gap <= 1e-6


def test_single_precision_loses_little():
    """One iteration agrees to seven digits; after 300, float32 is at most twice as far from equilibrium."""
    short, long = (random_run(Bluff(dice=(2, 1), sides=3), 1, dtype) for dtype in (np.float32, np.float64))
    with ThreadPoolExecutor(1) as pool:
        short.iterate(STEP, pool)
        long.iterate(STEP, pool)
    for player in (0, 1):
        assert short.regrets[player] == pytest.approx(long.regrets[player], abs=2e-6)
        assert short.averages[player] == pytest.approx(long.averages[player], abs=2e-6)
    gaps = []
    for dtype in (np.float32, np.float64):
        run = Run(PublicTree(Bluff()), dtype, 1)
        with ThreadPoolExecutor(1) as pool:
            for step, _ in zip(RULES["discounted"].steps(), range(300), strict=False):
                run.iterate(step, pool)
        gaps.append(run.tree.certificate(run.averages).gap)
    assert gaps[0] < 2 * gaps[1]


def test_strategies_are_mixes_of_allowed_actions():
    game = Bluff(dice=(2, 1), sides=2, spot_on=True)
    solution = solve_cfr(game, gap=0.05)
    for said in book.histories(game):
        for hand in game.hands(len(said) % 2):
            view = BluffView(hand, said)
            mix = solution.strategies[len(said) % 2](view)
            assert sum(mix.values()) == pytest.approx(1)
            assert set(mix) <= set(game.actions(view))


def run_for(game, iterations, threads):
    run = Run(PublicTree(game), np.float32, threads)
    with ThreadPoolExecutor(threads) as pool:
        for step, _ in zip(RULES["discounted"].steps(), range(iterations), strict=False):
            run.iterate(step, pool)
    return [array.tobytes() for array in (*run.regrets, *run.averages)]


def test_threads_do_not_change_a_bit():
    game = Bluff(sides=9)
    assert Run(PublicTree(game), np.float32, 1).split
    assert run_for(game, 4, 1) == run_for(game, 4, 2)


@pytest.mark.parametrize("spot_on", [False, True])
def test_sweeping_parts_is_sweeping_the_whole(monkeypatch, spot_on):
    game = Bluff(dice=(2, 1), sides=3, spot_on=spot_on)
    whole = run_for(game, 6, 1)
    monkeypatch.setattr(cfr, "LARGE", 8)
    assert run_for(game, 6, 2) == whole


def test_too_large_says_the_bytes_and_what_fits():
    with pytest.raises(TooLarge, match=r"bluff:dice=2v2 needs 4,\d{3},\d{3},\d{3} bytes.* would fit"):
        solve_cfr(Bluff(dice=(2, 2)), memory=10**9)
    with pytest.raises(TooLarge, match="no smaller round would fit"):
        solve_cfr(Bluff(sides=2), memory=1)


def test_bad_input_is_explained():
    with pytest.raises(NotationError, match="allowed are cfr, cfr"):
        solve_cfr(Bluff(), rule="cfrr")
    with pytest.raises(RulesError, match="gap is 0"):
        solve_cfr(Bluff(), gap=0)
    with pytest.raises(RulesError, match="float64 proves no less than"):  # it would never end
        solve_cfr(Bluff(), gap=1e-14)
    with pytest.raises(RulesError, match="iterations is 0"):
        solve_cfr(Bluff(), iterations=0)
    with pytest.raises(RulesError, match="order is fixed"):
        solve_cfr(Bluff(order="fixed"))


@pytest.mark.slow
def test_who_expects_errors_wins_more_from_those_who_err():
    """Against each of the population, from both seats, and nearly as good against everybody."""
    game = Bluff()
    plain, ready = (
        solve_cfr(game, 1e-4, iterations=700, population=population)
        for population in (None, Population(1e-3, 1e-4, 1e-9, 0, 0))
    )
    assert ready.certificate.gap < 2e-3
    for foe in (RandomBluff(game), Truthful(game), CallBelow(game, 0.3), CallBelow(game, 0.5)):
        before, after = (evaluate(game, solution.player, foe) for solution in (plain, ready))
        assert after.a_first.payoff - after.b_first.payoff > before.a_first.payoff - before.b_first.payoff


def test_every_bid_of_the_other_has_a_learned_answer():
    """After a bid that the solved opponent never makes a mix was learned, in every view where the own mix comes."""
    game, population = Bluff(sides=3), Population(1e-3, 1e-3, 0.0, 0, 0)
    solution = solve_cfr(game, 1e-4, iterations=300, population=population)
    for said in book.histories(game):
        player = len(said) % 2
        for hand in game.hands(player):
            view = BluffView(hand, said)
            if (
                len(game.actions(view)) > 1
                and path_chance(game, player, solution.strategies[player], hand, said) > 0.01
            ):
                mix = solution.strategies[player](view)
                even = [pytest.approx(1 / len(game.actions(view)), rel=1e-3)] * len(mix)
                assert len(mix) < len(game.actions(view)) or list(mix.values()) != even, view
