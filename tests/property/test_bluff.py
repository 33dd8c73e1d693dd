"""The public-tree code of Bluff against the generic tree code, on random small rule sets."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicewright.core.errors import RulesError
from dicewright.core.game import CHANCE, OVER
from dicewright.core.strategy import sample
from dicewright.families.bluff.exact import is_legal, win_or_lose
from dicewright.families.bluff.match import BluffMatch
from dicewright.families.bluff.rules import Bluff, BluffView
from dicewright.families.bluff.solve import best_response_bluff, evaluate_bluff, solve_bluff
from dicewright.families.catalog import parse
from dicewright.families.tree.arrays import build_tree
from dicewright.families.tree.response import advise_tree, best_response_tree, evaluate_tree
from dicewright.families.tree.solve import solve_sequence_form

SMALL = [((1, 1), 2), ((1, 1), 3), ((1, 2), 2), ((2, 1), 2)]


@st.composite
def games(draw, sizes=SMALL, orders=("face", "quantity", "dudo")):
    dice, sides = draw(st.sampled_from(sizes))
    fields = {
        "dice": dice,
        "sides": sides,
        "wild": draw(st.sampled_from(["none", "high", "ones"])),
        "order": draw(st.sampled_from(orders)),
        "spot_on": draw(st.booleans()),
        "wild_bids": draw(st.booleans()),
        "wild_opens": draw(st.booleans()),
    }
    try:
        return Bluff(**fields)
    except RulesError:  # rules that say nothing, such as a ban on a wild face that is not there
        return Bluff(**{**fields, "order": "face", "wild_bids": True, "wild_opens": True})


class Noise:
    """A strategy that is random once and for all: the seed and the view decide the mix."""

    def __init__(self, game, seed):
        self.game, self.seed = game, seed

    def __call__(self, view):
        rng = Random(f"{self.seed} {view}")
        weights = [rng.choice([0.0, rng.random()]) for _ in self.game.actions(view)]
        weights[rng.randrange(len(weights))] += 0.1
        return {a: w / sum(weights) for a, w in zip(self.game.actions(view), weights, strict=True) if w > 0}


@settings(max_examples=25, deadline=None)
@given(game=games())
def test_round_solver_agrees_with_the_tree(game):
    fast, slow = solve_bluff(game).certificate, solve_sequence_form(game).certificate
    assert fast.proved
    assert slow.proved
    assert fast.exact == slow.exact is not None


@settings(max_examples=15, deadline=None)
@given(game=games(), seed=st.integers(0, 10**6))
def test_evaluation_and_best_response_agree_with_the_tree(game, seed):
    a, b = Noise(game, seed), Noise(game, seed + 1)
    fast, slow = evaluate_bluff(game, a, b), evaluate_tree(game, a, b)
    for one, two in ((fast.a_first, slow.a_first), (fast.b_first, slow.b_first)):
        assert vars(one) == pytest.approx(vars(two), abs=1e-12)
    fast, slow = best_response_bluff(game, b), best_response_tree(game, b)
    assert fast.first_payoff == pytest.approx(slow.first_payoff, abs=1e-12)
    assert fast.second_payoff == pytest.approx(slow.second_payoff, abs=1e-12)
    played = evaluate_tree(game, fast, b)
    assert played.a_first.payoff == pytest.approx(fast.first_payoff, abs=1e-12)
    assert played.b_first.payoff == pytest.approx(-fast.second_payoff, abs=1e-12)


@settings(max_examples=10, deadline=None)
@given(game=games())
def test_solved_strategies_secure_the_value_and_advice_agrees(game):
    solution = solve_bluff(game)
    value, optimal = solution.certificate.value, solution.player
    answer = best_response_tree(game, optimal)
    assert answer.first_payoff == pytest.approx(value, abs=1e-9)
    assert -answer.second_payoff == pytest.approx(value, abs=1e-9)
    table = win_or_lose(game)
    assert all(is_legal(table, player, solution.strategies[player].plan) for player in (0, 1))
    tree, mid_game = build_tree(game), solution.strategies[0](BluffView(next(iter(game.hands(0)))))
    for said in mid_game:
        for hand in game.hands(1):
            view = BluffView(hand, (said,))
            fast, slow = solution.advise(view), advise_tree(tree, solution.strategies, view)
            assert fast.worth == pytest.approx(slow.worth, abs=1e-9)
            assert all(fast.worth[action] == pytest.approx(max(fast.worth.values())) for action in fast.mix)
    chances, worths = [], []
    for hand, ways in game.hands(0).items():
        advice = solve_bluff(game).advise(game.read_view(f"{game.show_choice(hand)} |"))
        assert advice.worth[advice.best] == pytest.approx(max(advice.worth.values()), abs=1e-9)
        assert all(
            advice.worth[action] == pytest.approx(advice.worth[advice.best], abs=1e-9)
            for action in advice.mix
        )
        chances.append(ways)
        worths.append(advice.worth[advice.best])
    assert np.average(worths, weights=chances) == pytest.approx((1 + value) / 2, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    game=games(
        sizes=[*SMALL, ((3, 2), 6), ((5, 5), 10), ((2, 2), 4)], orders=["face", "quantity", "dudo", "fixed"]
    ),
    seed=st.integers(0, 10**6),
)
def test_notation_round_trips_and_chances_sum_to_one(game, seed):
    assert parse(game.name) == game
    walk(game, Random(seed))


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    loss=st.sampled_from(["one", "difference", "give"]),
    opens=st.sampled_from(["loser", "winner", "alternate"]),
    regain=st.booleans(),
    palifico=st.booleans(),
)
def test_matches_round_trip(seed, loss, opens, regain, palifico):
    reward = "regain" if regain and loss != "give" else "none"
    match = BluffMatch((3, 2), 3, spot_on=True, loss=loss, opens=opens, reward=reward, palifico=palifico)
    assert parse(match.name) == match
    state = walk(match, Random(seed))
    assert abs(match.payoff(state)) == 1


def walk(game, rng):
    """Play at random to the end, checking every state on the way."""
    state = game.start()
    while (mover := game.mover(state)) != OVER:
        assert game.read_state(game.show_state(state)) == state
        if mover == CHANCE:
            mix = game.outcomes(state)
            assert sum(mix.values()) == Fraction(1)
        else:
            for player in (0, 1):
                view = game.view(state, player)
                assert game.read_view(game.show_view(view)) == view
            actions = game.actions(game.view(state, mover))
            mix = dict.fromkeys(actions, 1 / len(actions))
        choice = sample(mix, rng)
        assert game.read_choice(game.show_choice(choice)) == choice
        state = game.play(state, choice)
    assert game.read_state(game.show_state(state)) == state
    return state
