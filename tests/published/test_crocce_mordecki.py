"""Crocce & Mordecki, "Optimal minimax strategy in a dice game": Pig to 200, exact target, largest margin.

Our copy of the paper has lost its formulas and pictures, so its remarks are tested in words.
"""

from fractions import Fraction

import pytest

from dicewright.families.catalog import strategy
from dicewright.families.race.duel import best_response_race, evaluate_race, finish_turns
from dicewright.families.race.named import pig as pig_game
from dicewright.families.race.rules import RaceView
from dicewright.families.race.solution import solve_values
from dicewright.families.race.strategies import HoldAt, best_turn, fewest_turns

TARGET = 200


@pytest.fixture(scope="module")
def exact():
    return solve_values(pig_game(goal=TARGET, finish="exact"))


@pytest.fixture(scope="module")
def margin():
    return solve_values(pig_game(goal=TARGET, payoff="margin"))


def roll_zone(values, yours):
    """All (score, turn total) with a roll, at turn totals that can occur (1 cannot)."""
    turns = ((mine, values.turn(mine, yours)[0]) for mine in range(TARGET))
    return {(mine, k) for mine, turn in turns for k, choice in enumerate(turn) if choice and k != 1}


EVERYWHERE = {(mine, k) for mine in range(TARGET) for k in range(TARGET - mine) if k != 1}


def test_from_187_on_never_stop(optimal200):
    """Section 3, third observation: against 187 or more the picture is all grey; at 186 it is not."""
    for yours in range(187, TARGET):
        assert roll_zone(optimal200, yours) == EVERYWHERE
    assert roll_zone(optimal200, 186) != EVERYWHERE


def test_at_the_start_play_for_the_best_turn(pig200, optimal200):
    """Section 3, first observation: with low scores roll below 20 and stop above, as Roters.

    At 20 itself one more roll gains nothing on average; here 0-0 rolls there and stops from 21 on.
    """
    hold, _ = best_turn(pig200)
    assert hold == 20
    choices = optimal200.turn(0, 0)[0]
    assert choices[:20] == [1] * 20
    assert choices[21:150] == [0] * 129
    for mine in range(0, 40, 5):
        for yours in range(0, 40, 5):
            assert abs(optimal200.turn(mine, yours)[0].index(0) - hold) <= 3


def test_the_optimum_takes_more_risk_the_closer_the_opponent_is(optimal200):
    """Section 3, second observation: the roll zone grows with the opponent's score."""
    sizes = [len(roll_zone(optimal200, yours)) for yours in (0, 50, 100, 150, 180, 186, 187)]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == len(sizes)


def test_the_fewest_expected_turns_to_200(pig200):
    """Section 1, Haigh & Roters; FACTS.md: 24.785745 turns."""
    turns, table = fewest_turns(pig200)
    assert turns[0] == pytest.approx(24.785745, abs=0.5e-6)
    finish = finish_turns(pig200, table)
    assert sum((n + 1) * chance for n, chance in enumerate(finish)) == pytest.approx(24.785745, abs=0.5e-6)


def test_the_optimum_beats_the_fewest_turns(pig200, optimal200):
    """Section 3, last observation: it won most of the games they simulated (their share is lost)."""
    met = evaluate_race(pig200, optimal200, strategy("fewest-turns", pig200))
    assert met.a_overall > 0.5
    assert met.a_first.first_wins > met.b_first.first_wins


def test_the_optimum_guarantees_one_half(pig200, optimal200):
    """Section 3: whoever the opponent, it wins at least 1/2 if a coin decides who starts."""
    response = best_response_race(pig200, optimal200)
    assert (response.first_wins + response.second_wins) / 2 == pytest.approx(0.5, abs=1e-12)


def test_only_rolling_at_zero_and_only_stopping_at_the_target(pig200):
    """Section 3, table 1: at turn score 0 only to roll, at the target only to stop, else both."""
    assert pig200.actions(RaceView(50, 50, 0)) == ("roll",)
    assert pig200.actions(RaceView(190, 50, 10)) == ("hold",)
    assert set(pig200.actions(RaceView(50, 50, 10))) == {"roll", "hold"}


def test_exact_target_transitions_at_180_and_16(exact):
    """Section 4, the figure of transitions: at 180 with turn score 16, a roll of 1, 5 or 6 loses the turn."""
    game = exact.game
    in_air = game.play(game.read_state("180-7+16"), "roll")
    lost = sum(
        chance
        for face, chance in game.outcomes(in_air).items()
        if game.play(in_air, face) == game.read_state("7-180/2")
    )
    assert lost == Fraction(3, 6)


def test_exact_target_starts_alike(exact):
    """Section 4, exact target, first remark: far from the target it is similar to stopping at 20."""
    choices = exact.turn(0, 0)[0]
    assert choices[:20] == [1] * 20
    assert choices[21:150] == [0] * 129


def test_exact_target_is_never_as_risky(exact, optimal200):
    """Section 4, exact target, second remark: it never rolls everywhere, and less near the end."""
    for yours in range(TARGET):
        assert roll_zone(exact, yours) != EVERYWHERE
    for yours in (150, 170, 187, 198, 199):
        assert len(roll_zone(exact, yours)) < len(roll_zone(optimal200, yours))


def test_exact_target_is_hit_in_one_turn_with_at_most_55_in_216():
    """Section 4, exact target, second remark: the chance to win in a turn is bounded (classically by 5/6).

    h(n), the chance that rolls of 2 to 6 hit n exactly before a 1, is largest at n = 6: 55/216.
    """
    h = {0: Fraction(1)}
    for n in range(1, TARGET + 1):
        h[n] = sum((h[n - r] for r in range(2, 7) if r <= n), Fraction(0)) / 6
    del h[0]
    assert max(h, key=h.get) == 6
    assert h[6] == Fraction(55, 216)


@pytest.mark.parametrize("yours", [0, 100, 150, 180])
def test_exact_target_rolls_on_to_194(exact, optimal200, yours):
    """Section 4, exact target, third remark: a larger roll zone, up to 194, where no roll overshoots."""
    for mine in range(184, 194):
        choices = exact.turn(mine, yours)[0]
        assert choices[: 194 - mine] == [1] * (194 - mine)
        assert choices[194 - mine] == 0
    if yours == 0:
        usual, larger = (values.turn(170, yours)[0].index(0) for values in (optimal200, exact))
        assert larger > usual


def test_exact_target_one_below_is_stuck(exact):
    """FACTS.md: at goal - 1 a player can never finish; two of them never end, which pays 0."""
    assert exact.payoff(199, 199) == 0.0
    assert exact.payoff(199, 0) < 0.0 < exact.payoff(0, 199)
    always, bank_two = HoldAt(3), HoldAt(2)
    assert evaluate_race(pig_game(goal=3, finish="exact"), always, always).a_first.stalemate == 0.0
    assert evaluate_race(pig_game(goal=3, finish="exact"), bank_two, bank_two).a_first.stalemate > 0.0


@pytest.mark.parametrize("yours", [0, 50, 100])
def test_margin_rolls_close_to_the_target(margin, optimal200, yours):
    """Section 4, margin: close to winning it takes the risk of rolling where the classical player stops."""
    for mine in range(150, 161):
        near = TARGET - 1 - mine
        assert margin.turn(mine, yours)[0][near] == 1
        assert optimal200.turn(mine, yours)[0][near] == 0


def test_margin_rolls_close_to_the_target_for_any_opponent(margin):
    """Section 4, margin: "this feature being observed for any score of the opponent"."""
    for yours in range(TARGET):
        for mine in range(190, TARGET):
            assert all(margin.turn(mine, yours)[0])


def test_margin_pays_the_target_minus_the_losers_score():
    """Section 4, margin: its payoff. FACTS.md: the difference of the final scores counts an overshoot too."""
    game, difference = (pig_game(goal=TARGET, payoff=payoff) for payoff in ("margin", "difference"))
    won = game.play(game.read_state("197-120+6"), "hold")
    assert game.payoff(won) == 80.0
    assert difference.payoff(won) == 83.0
    assert game.payoff(game.play(game.read_state("197-120+6/2"), "hold")) == -80.0
    assert solve_values(game).payoff() != pytest.approx(solve_values(difference).payoff(), abs=1e-3)
