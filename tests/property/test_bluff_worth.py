"""Worths of states and actions of Bluff against the rules alone, on random small rule sets and on 2v2."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.test_bluff import games
from tests.reference.by_play import random_states, worth_by_play

from dicewright.core.game import CHANCE, OVER
from dicewright.families.bluff.cfr import solve_cfr
from dicewright.families.bluff.match import BluffMatch
from dicewright.families.bluff.match_solve import solve_match
from dicewright.families.bluff.plans import hand_numbers
from dicewright.families.bluff.rules import Bluff, BluffState
from dicewright.families.bluff.solve import solve_bluff
from dicewright.families.bluff.worth import reach_of


@settings(max_examples=15, deadline=None)
@given(game=games(orders=("face", "quantity", "dudo", "fixed")), seed=st.integers(0, 10**6))
def test_worths_of_states_agree_with_play(game, seed):
    solution = solve_bluff(game)
    for state in random_states(game, Random(seed)):
        slow = worth_by_play(game, state, solution.strategies)
        assert solution.worth(state) == pytest.approx(slow, abs=1e-12)
    assert solution.worth(game.start()) == pytest.approx(solution.certificate.value, abs=1e-12)


@settings(max_examples=8, deadline=None)
@given(game=games(), seed=st.integers(0, 10**6))
def test_worths_of_states_agree_with_play_by_rows(game, seed):
    solution = solve_cfr(game, gap=0.1)
    for state in random_states(game, Random(seed)):
        slow = worth_by_play(game, state, solution.strategies)
        assert solution.worth(state) == pytest.approx(slow, abs=1e-12)


def played_worths(game, view, solution):
    """For each action the winning chance if both go on as solved, by the worths of full states."""
    player = len(view.said) % 2
    rival = solution.rows[1 - player]
    ways = game.hands(1 - player)
    reach = reach_of(rival, view.said)
    reach = reach if reach.any() else reach + 1  # believed as rolled
    weights = dict(zip(ways, reach * list(ways.values()), strict=True))
    sign = 1 - 2 * player
    for action in game.actions(view):
        pays = 0.0
        for hand, weight in weights.items():
            hands = (view.mine, hand) if player == 0 else (hand, view.mine)
            state = game.play(BluffState(hands, view.said), action)
            pays += weight * sign * solution.worth(state)
        yield action, (1 + pays / sum(weights.values())) / 2


@settings(max_examples=15, deadline=None)
@given(game=games(), seed=st.integers(0, 10**6))
def test_solved_actions_lose_nothing_and_others_are_never_worth_more_than_advised(game, seed):
    solution = solve_bluff(game)
    for state in random_states(game, Random(seed)):
        mover = game.mover(state)
        if mover in (CHANCE, OVER):
            continue
        view = game.view(state, mover)
        advice = solution.advise(view)
        mine = solution.rows[mover]
        comes = (
            advice.reached and reach_of(mine, state.said)[hand_numbers(mine.game, mine.player)[view.mine]] > 0
        )
        assert advice.reached == reach_of(solution.rows[1 - mover], state.said).any()
        for action in advice.mix:  # in any view, whatever was believed to come there
            assert advice.worth[action] == pytest.approx(advice.worth[advice.best], abs=1e-9)
        for action, worth in played_worths(game, view, solution) if advice.reached else ():
            assert worth <= advice.worth[action] + 1e-12
            if comes and action in advice.mix:
                assert worth == pytest.approx(advice.worth[action], abs=1e-12)
                assert worth == pytest.approx(advice.worth[advice.best], abs=1e-12)


@cache
def solved_match(loss, opens="loser"):
    match = BluffMatch(dice=(2, 1), sides=3, loss=loss, opens=opens)
    return match, solve_match(match)


def balances(game, state, worth, strategies):
    """Whether the worth of a state is the mean of the worths after it."""
    mover = game.mover(state)
    mix = game.outcomes(state) if mover == CHANCE else strategies[mover](game.view(state, mover))
    mean = sum(float(chance) * worth(game.play(state, choice)) for choice, chance in mix.items())
    return worth(state) == pytest.approx(mean, abs=1e-9)


@settings(max_examples=10, deadline=None)
@given(
    loss=st.sampled_from(["one", "give"]), opens=st.sampled_from(["loser", "winner"]), seed=st.integers(0, 99)
)
def test_worths_in_a_match_balance(loss, opens, seed):
    match, solution = solved_match(loss, opens)
    assert solution.worth(match.start()) == pytest.approx(solution.certificate.value)
    for state in random_states(match, Random(seed)):
        if match.mover(state) == OVER:
            assert solution.worth(state) == match.payoff(state)
        else:
            assert balances(match, state, lambda s: solution.worth(s), solution.strategies)


@settings(max_examples=10, deadline=None)
@given(loss=st.sampled_from(["one", "give"]), seed=st.integers(0, 99))
def test_solved_actions_of_a_match_lose_nothing(loss, seed):
    """Advice, and the mean worth of the states after an action over the other's hands: equal in solved play."""
    match, solution = solved_match(loss)
    for state in random_states(match, Random(seed)):
        player = match.mover(state)
        if player in (CHANCE, OVER):
            continue
        rules, now = match.round_of(state.standing), solution.strategies[0].rounds[state.standing]
        seat, said = rules.mover(state.now), state.now.said
        ways = rules.hands(1 - seat)
        weights = reach_of(now.rows[1 - seat], said) * list(ways.values())
        mine = now.rows[seat]
        comes = reach_of(mine, said)[hand_numbers(mine.game, mine.player)[state.now.hands[seat]]] > 0
        if not weights.any():
            continue
        advice = solution.advise(match.view(state, player))
        for action, worth in advice.worth.items():
            mean = 0.0
            for hand, weight in zip(ways, weights / weights.sum(), strict=True):
                hands = (state.now.hands[seat], hand) if seat == 0 else (hand, state.now.hands[seat])
                after = match.play(state._replace(now=BluffState(hands, said)), action)
                mean += weight * (1 + (1 - 2 * player) * solution.worth(after)) / 2
            assert mean <= worth + 1e-12
            if comes and action in advice.mix:
                assert mean == pytest.approx(worth, abs=1e-12)
                assert worth == pytest.approx(advice.worth[advice.best], abs=1e-12)


def test_a_round_of_one_hand_is_the_same_from_either_form():
    game = Bluff(sides=4)
    exact, rows = solve_bluff(game), solve_cfr(game, gap=1e-3)
    assert rows.worth(game.start()) == pytest.approx(exact.certificate.value, abs=1e-3)
