"""The race kernels agree with twins that know only the seven questions, on random small games."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.reference.by_the_book import value_by_the_book, wins_by_the_book
from tests.reference.slow_race import SlowRace

from dicewright.families.race.duel import best_response_race, evaluate_race, finish_turns, win_matrix
from dicewright.families.race.rules import HOLD, ROLL, Effect, Face, RaceGame, RaceView, roll_of
from dicewright.families.race.solution import solve_values
from dicewright.families.race.strategies import HoldAt, KeepPace, RandomRace
from dicewright.families.race.tabled import tabulate

FACES = st.one_of(
    st.builds(Face, st.just(Effect.ADD), st.integers(1, 5)),
    st.builds(Face, st.just(Effect.BANK), st.integers(1, 3)),
    st.just(Face(Effect.BUST)),
    st.just(Face(Effect.RUIN)),
)
DICE = st.dictionaries(FACES, st.integers(1, 4), min_size=2, max_size=4).map(roll_of)


@st.composite
def race_games(draw, skip=False):
    """Random rules of up to two rolls; each roll can raise a score, so that play ends."""
    rolls = draw(st.lists(DICE, min_size=1, max_size=2))
    for roll in rolls:
        assume(sum(c for c, e, _ in roll if e in (Effect.ADD, Effect.BANK)) >= Fraction(1, 5))
        assume(sum(c for c, e, _ in roll if e is Effect.ADD) <= Fraction(5, 6))
        assume(sum(c for c, e, _ in roll if e is Effect.RUIN) <= Fraction(1, 4))  # more would sweep for ever
    names = [ROLL] if len(rolls) == 1 else ["one", "two"]
    return RaceGame(
        "random",
        draw(st.integers(2, 6)),
        tuple(zip(names, rolls, strict=True)),
        draw(st.sampled_from(["reach", "exact"])),
        draw(st.sampled_from(["win", "margin", "difference"])),
        skip,
    )


@st.composite
def rules_of_thumb(draw, game):
    """Random pure or mixed strategies without memory, as functions of the view."""
    table = draw(st.lists(st.integers(0, 2), min_size=97, max_size=97))

    def strategy(view):
        allowed = game.actions(view)
        pick = table[(31 * view.mine + 17 * view.yours + 7 * view.turn) % 97]
        if pick == 2:
            return {action: 1 / len(allowed) for action in allowed}
        return {allowed[pick % len(allowed)]: 1.0}

    return strategy


ANY_ROLL = st.dictionaries(
    FACES.filter(lambda face: face.effect is not Effect.RUIN), st.integers(1, 4), min_size=1
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(ANY_ROLL.map(roll_of), min_size=1, max_size=3),
    st.integers(2, 14),
    st.sampled_from(["reach", "exact"]),
    st.sampled_from(["win", "margin", "difference"]),
    st.booleans(),
)
def test_values_agree_with_fractions_where_play_may_never_end(rolls, goal, finish, payoff, skip):
    """Rolls that change nothing, skipped turns and dead scores: endless play pays 0, and waiting wins nothing."""
    named = tuple((str(number), roll) for number, roll in enumerate(rolls))
    game = RaceGame("random", goal, named, finish, payoff, skip)
    try:
        slow = SlowRace(game)
    except RuntimeError:  # the twin's strategy iteration may cycle
        assume(False)
    values = solve_values(game)
    for scores, expected in slow.values.items():
        assert values.payoff(*scores) == pytest.approx(float(expected), abs=1e-9 * goal)


@settings(max_examples=80, deadline=None)
@given(race_games())
def test_values_agree_with_value_iteration_on_the_rules(game):
    game = replace(game, finish="reach")  # where play always ends, the only fixed point is the value
    expected = value_by_the_book(game)
    assume(expected is not None)
    assert solve_values(game).payoff() == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_duels_agree_with_the_chain_of_states(data):
    game = data.draw(race_games())
    a, b = data.draw(rules_of_thumb(game)), data.draw(rules_of_thumb(game))
    result = evaluate_race(game, a, b)
    expected = wins_by_the_book(game, a, b)
    assert (result.a_first.first_wins, result.a_first.second_wins) == pytest.approx(expected, abs=1e-8)
    swapped = wins_by_the_book(game, b, a)
    assert (result.b_first.first_wins, result.b_first.second_wins) == pytest.approx(swapped, abs=1e-8)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_best_response_beats_every_rule_and_meets_the_value(data):
    game = data.draw(race_games())
    rule, rival = data.draw(rules_of_thumb(game)), data.draw(rules_of_thumb(game))
    response = best_response_race(game, rule)
    value = solve_values(game).payoff()
    slack = 1e-9 * game.goal
    assert response.first_payoff >= value - slack
    assert response.second_payoff >= -value - slack
    met = evaluate_race(game, rival, rule)
    assert met.a_first.payoff <= response.first_payoff + slack
    best = best_response_race(game, solve_values(game))
    assert best.first_payoff == pytest.approx(value, abs=slack)


@settings(max_examples=40, deadline=None)
@given(race_games(), st.integers(1, 6), st.integers(1, 6))
def test_racing_in_turns_agrees_with_the_duel(game, m, n):
    game = replace(game, rolls=((ROLL, game.rolls[0][1]),), payoff_rule="win", finish="reach")
    both = [HoldAt(m), HoldAt(n)]
    matrix = win_matrix(game, both)
    met = evaluate_race(game, *both)
    assert matrix[0, 1] == pytest.approx(met.a_first.first_wins, abs=1e-10)
    assert matrix[1, 0] == pytest.approx(met.b_first.first_wins, abs=1e-10)
    assert finish_turns(game, tabulate(game, both[0])).sum() == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(race_games(), st.integers(1, 9))
def test_thresholds_and_questions_give_the_same_table(game, n):
    game = replace(game, rolls=((ROLL, game.rolls[0][1]),))
    for rule in (HoldAt(n), KeepPace(base=n, share=2, race=5)):
        asked = tabulate(game, lambda view, rule=rule: rule(view))
        quick = tabulate(game, rule)
        for mine in range(game.goal):
            for yours in range(game.goal):
                for left in (quick, asked):
                    mixes = left.mixes[left.choices(mine, yours)]
                    for turn in range(1, game.goal - mine):
                        expected = 1.0 if HOLD in rule(RaceView(mine, yours, turn)) else 0.0
                        assert mixes[turn, 0] == expected
    random = RandomRace(game)
    assert tabulate(game, random).same_choices(tabulate(game, lambda view: random(view)))


def test_the_twin_finds_a_value_that_is_neither_pure_nor_trivial():
    game = RaceGame("piglet", 3, ((ROLL, roll_of({Face(Effect.ADD, 1): 1, Face(Effect.BUST): 1})),))
    assert value_by_the_book(game) == pytest.approx(1 / 11, abs=1e-9)
    assert np.isfinite(solve_values(game).worth).all()


@settings(deadline=None, max_examples=40)
@given(race_games())
def test_a_view_is_worth_its_best_action(game):
    values = solve_values(game)
    for mine in range(game.goal):
        for yours in range(game.goal):
            for turn in range(game.goal - mine):
                view = RaceView(mine, yours, turn)
                worths = values.action_worths(view)
                assert values.best_worth(view) == pytest.approx(max(worths.values()), abs=1e-12)
