"""Random calling games: fast answers against the rules, the linear programs and each other."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.play_out import payoff_by_the_book, states_of
from tests.reference.sub_game import value_by_sub_games

from dicewright.families.calling.response import best_response_calling, certify_calling, evaluate_calling
from dicewright.families.calling.rules import NOTHING, CallingGame, CallingView
from dicewright.families.calling.solve import equilibrium, solve_calling
from dicewright.families.calling.strategies import MatrixAgent, RandomCaller, TreeAgent, Truthful


@st.composite
def calling_games(draw, most=5):
    weights = draw(st.lists(st.integers(1, 9), min_size=1, max_size=most))
    chances = tuple(Fraction(weight, sum(weights)) for weight in weights)
    labels = tuple(f"r{rank}" for rank in range(len(weights)))
    truth = draw(st.sampled_from(("exactly", "at-least")))
    return CallingGame("random", labels, chances, truth, below=draw(st.booleans()))


class Mixed:
    """Some mix in every view, always the same for the same seed."""

    def __init__(self, game, seed):
        self.game, self.seed = game, seed

    def __call__(self, view):
        rng = Random(f"{self.seed} {view}")
        weights = {action: rng.random() ** 3 for action in self.game.actions(view)}
        return {action: weight / sum(weights.values()) for action, weight in weights.items()}


@given(calling_games())
@settings(max_examples=25, deadline=None)
def test_the_greedy_value_is_that_of_the_linear_programs(game):
    assert solve_calling(game).certificate.exact == value_by_sub_games(game)


@given(calling_games(most=30))
@settings(max_examples=30, deadline=None)
def test_the_value_follows_the_closed_form(game):
    """1 - 2 F_j sum_{i > j} p_i / F_i at the highest j where the sum from j on exceeds 1."""
    total, below, value = Fraction(0), Fraction(1), Fraction(1)
    for chance in reversed(game.chances):
        if total + chance / below > 1:
            value = 1 - 2 * below * total
            break
        total, below = total + chance / below, below - chance
    assert solve_calling(game).certificate.exact == value


@given(calling_games(most=4), st.integers(0, 1000), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_evaluation_agrees_with_the_rules(game, one, two):
    a, b = Mixed(game, one), Mixed(game, two)
    evaluation = evaluate_calling(game, a, b)
    assert evaluation.a_first.payoff == pytest.approx(payoff_by_the_book(game, a, b), abs=1e-9)
    assert evaluation.b_first.payoff == pytest.approx(payoff_by_the_book(game, b, a), abs=1e-9)


@given(calling_games(), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_a_best_response_is_reached_and_beaten_by_nobody(game, seed):
    strategy = Mixed(game, seed)
    best = best_response_calling(game, strategy)
    played = evaluate_calling(game, best.strategy, strategy)
    assert played.a_first.payoff == pytest.approx(best.first_payoff, abs=1e-9)
    assert played.b_first.payoff == pytest.approx(-best.second_payoff, abs=1e-9)
    known = (equilibrium(game), TreeAgent(game), MatrixAgent(game), Truthful(game), RandomCaller(game))
    for other in (*known, Mixed(game, seed + 1)):
        tried = evaluate_calling(game, other, strategy)
        assert tried.a_first.payoff <= best.first_payoff + 1e-9
        assert -tried.b_first.payoff <= best.second_payoff + 1e-9


@given(calling_games())
@settings(max_examples=40, deadline=None)
def test_exact_strategies_bound_the_value(game):
    value = solve_calling(game).certificate.exact
    for strategy in (TreeAgent(game), MatrixAgent(game), Truthful(game)):
        certificate = certify_calling(game, strategy)
        assert certificate.lower <= value <= certificate.upper


@given(calling_games(most=3))
@settings(max_examples=30, deadline=None)
def test_states_and_views_are_read_back(game):
    for state in states_of(game):
        assert game.read_state(game.show_state(state)) == state


@given(calling_games(most=8), st.integers(0, 7), st.integers(0, 7))
@settings(max_examples=30, deadline=None)
def test_the_equilibrium_only_plays_best_actions(game, accepted, roll):
    accepted, roll = min(accepted, game.top) - 1, min(roll, game.top)
    view = CallingView(max(accepted, NOTHING), roll)
    advice = solve_calling(game).advise(view)
    played = [action for action, chance in advice.mix.items() if chance > 0]
    assert all(advice.worth[action] == pytest.approx(max(advice.worth.values())) for action in played)
