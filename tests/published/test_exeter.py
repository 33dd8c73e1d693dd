"""Exeter: "Finding the optimal strategy for the dice game Pig" (ECM3735, group 8), every figure it computes.

Printed figures are compared to their last digit. The practical (simulated) columns are not figures of the
theory and are left out.
"""

from itertools import combinations

import numpy as np
import pytest

from dicewright.core.errors import NotationError, RulesError
from dicewright.families.catalog import parse, strategy
from dicewright.families.race.duel import (
    best_response_race,
    duel_tables,
    evaluate_race,
    iterate_best_responses,
    win_matrix,
)
from dicewright.families.race.duel_kernels import FIRST_WINS, SECOND_WINS
from dicewright.families.race.named import pig as pig_game
from dicewright.families.race.named import piglet
from dicewright.families.race.rules import RaceView
from dicewright.families.race.strategies import HoldAt, RandomRace, RollToWin, Turtle
from dicewright.families.race.tabled import tabulate

FOUR_DIGITS = 0.5e-4
SIX_DIGITS = 0.5e-6


def printed(number, last_digit):
    """A printed figure: right to half a unit of its last digit (and a hair, for a tie in rounding)."""
    return pytest.approx(number, abs=last_digit * 1.001, rel=0)


def test_states_of_pig_are_505_000_in_10_000_sets_of_equations(pig, optimal):
    """Sections 1.2.1 and 2.3.3, FACTS.md; "1 million sets" there is a misprint for 100 x 100."""
    table = optimal.table(pig)
    turns = [len(table.choices(mine, yours)) for mine in range(100) for yours in range(100)]
    assert len(turns) == 10_000
    assert sum(turns) == 505_000


@pytest.mark.parametrize("state", ["90-0+50", "0-0+1", "100-0", "99-100", "82-0+24"])
def test_impossible_states_are_refused(pig, state):
    """Section 1.2.1: 90 points and a turn score of 50, a turn score of 1; and finished games."""
    with pytest.raises(NotationError, match="cannot occur"):
        pig.read_view(state)


def test_a_turn_total_that_reaches_the_goal_has_won(pig, optimal):
    """Section 2.2: P(82, 0, 20) = 1."""
    assert optimal.action_worths(RaceView(82, 0, 20)) == {"hold": 1.0}


def test_both_at_99_the_mover_wins_six_sevenths(pig, optimal):
    """Section 2.2.1, first example: P(99, 99, 0) = Q(99, 99, 0) = 6/7."""
    x, y = duel_tables(pig, tabulate(pig, RollToWin()), tabulate(pig, HoldAt(20)))
    assert x[99, 99, FIRST_WINS] == pytest.approx(6 / 7, abs=1e-14)
    assert y[99, 99, SECOND_WINS] == pytest.approx(6 / 7, abs=1e-14)
    assert optimal.payoff(99, 99) == pytest.approx(2 * 6 / 7 - 1, abs=1e-14)


def test_at_97_against_99_rolling_on_at_plus_2(pig):
    """Section 2.2.1, second example: P(97,99,0), P(97,99,2), Q(99,97,0).

    Its matrix in section 2.2.2 names the third unknown Q(99,99,0): a misprint for Q(99,97,0).
    """
    x, y = duel_tables(pig, tabulate(pig, RollToWin()), tabulate(pig, RollToWin()))
    assert x[97, 99, FIRST_WINS] == printed(0.8325, FOUR_DIGITS)
    assert 5 / 6 + y[99, 97, FIRST_WINS] / 6 == printed(0.8565, FOUR_DIGITS)
    assert y[99, 97, SECOND_WINS] == printed(0.8612, FOUR_DIGITS)


def test_at_97_against_99_banking_at_plus_2(pig):
    """Section 2.2.1, third example: P(97,99,0), P(97,99,2) = 1 - Q(99,99,0), Q(99,97,0)."""
    x, y = duel_tables(pig, tabulate(pig, HoldAt(2)), tabulate(pig, RollToWin()))
    assert x[97, 99, FIRST_WINS] == printed(0.7102, FOUR_DIGITS)
    assert y[99, 99, FIRST_WINS] == printed(0.1429, FOUR_DIGITS)
    assert y[99, 97, SECOND_WINS] == printed(0.8816, FOUR_DIGITS)


def test_the_optimum_rolls_on_at_97_against_99(optimal):
    """Section 2.2.1: the better of the two examples is what the optimum does, with the same chance."""
    worth = optimal.action_worths(RaceView(97, 99, 2))
    assert worth["roll"] == printed(0.8565, FOUR_DIGITS)
    assert worth["hold"] == printed(0.1429, FOUR_DIGITS)
    assert optimal(RaceView(97, 99, 2)) == {"roll": 1.0}


@pytest.mark.parametrize(
    ("goal", "first", "second"),
    [(2, "hold:1", "roll-to-win"), (3, "hold:1", "hold:2"), (3, "hold:2", "hold:1")],
)
def test_piglet_by_hand(goal, first, second):
    """Section 2.2.4: Piglet to 2 and 3 by hand, one strategy banking at 1, the other at 2.

    The report prints no result; here its equations are solved once more, one 2 x 2 system a pair of scores.
    """
    game = piglet(goal=goal)
    a, b = strategy(first, game), strategy(second, game)
    wins = _piglet_by_hand(goal, _bank_at(first, goal), _bank_at(second, goal))
    assert evaluate_race(game, a, b).a_first.first_wins == pytest.approx(wins, abs=1e-13)


def _bank_at(text, goal):
    return int(text.partition(":")[2] or goal)


def _piglet_by_hand(goal, bank_a, bank_b):
    """P(0,0,0) of the equations: a turn raises the score by m with chance 2^-m, else leaves it."""
    p = {}  # (i, j): A wins with A to move; q: B wins with B to move
    q = {}
    for i in reversed(range(goal)):
        for j in reversed(range(goal)):
            step_a, step_b = min(bank_a, goal - i), min(bank_b, goal - j)
            up_a, up_b = 0.5**step_a, 0.5**step_b
            then_a = 1.0 if i + step_a >= goal else 1 - q[j, i + step_a]
            then_b = 1.0 if j + step_b >= goal else 1 - p[i, j + step_b]
            # p = up_a then_a + (1 - up_a)(1 - q),  q = up_b then_b + (1 - up_b)(1 - p)
            system = [[1, 1 - up_a], [1 - up_b, 1]]
            p[i, j], q[j, i] = np.linalg.solve(system, [up_a * then_a + 1 - up_a, up_b * then_b + 1 - up_b])
    return p[0, 0]


FIGURE_17 = [
    (20, 21, 0.5426, 0.5258, 0.5084),
    (15, 20, 0.4784, 0.5933, 0.4426),
    (1, 80, 0.5049, 0.5078, 0.4986),
    (1, 5, 0.0236, 0.9860, 0.0188),
    (80, 85, 0.5568, 0.4541, 0.5514),
    (45, 55, 0.5544, 0.4740, 0.5402),
    (1, 100, 0.7393, 0.2682, 0.7356),
    (36, 52, 0.6354, 0.3969, 0.6193),
    (5, 21, 0.0788, 0.9401, 0.0694),
    (13, 31, 0.5006, 0.5559, 0.4724),
]


@pytest.mark.parametrize(("a", "b", "a_first", "b_first", "overall"), FIGURE_17)
def test_figure_17(pig, a, b, a_first, b_first, overall):
    """Figure 17: hold-at-a against hold-at-b, the theoretical columns.

    Its general column was computed from the two rounded ones, so its last digit may be one too high.
    """
    met = evaluate_race(pig, HoldAt(a), HoldAt(b))
    assert met.a_first.first_wins == printed(a_first, FOUR_DIGITS)
    assert met.b_first.first_wins == printed(b_first, FOUR_DIGITS)
    assert (a_first + 1 - b_first) / 2 == printed(overall, FOUR_DIGITS)
    assert met.a_overall == printed(overall, 2 * FOUR_DIGITS)


def test_hold_20_against_21_to_six_digits(pig):
    """Section 2.3.4 (0.542626); 21 moving first, 0.525837, is figure 17 with more digits (FACTS.md)."""
    met = evaluate_race(pig, HoldAt(20), HoldAt(21))
    assert met.a_first.first_wins == printed(0.542626, SIX_DIGITS)
    assert met.b_first.first_wins == printed(0.525837, SIX_DIGITS)


def test_hold_25_against_30_to_six_digits(pig):
    """Section 3.3.6: 0.573741, 0.48091 and X = 0.546416."""
    met = evaluate_race(pig, HoldAt(25), HoldAt(30))
    assert met.a_first.first_wins == printed(0.573741, SIX_DIGITS)
    assert met.b_first.first_wins == printed(0.480910, SIX_DIGITS)
    assert met.a_overall == printed(0.546416, SIX_DIGITS)


@pytest.fixture(scope="module")
def tournament(pig):
    """general[a - 1, b - 1]: hold-at-a's chance against hold-at-b when a coin decides who starts."""
    wins = win_matrix(pig, [HoldAt(n) for n in range(1, 101)])
    return (wins + 1.0 - wins.T) / 2.0


def test_hold_25_beats_every_other_hold_at(tournament):
    """Section 3.3.5 and figure 18: the champion of hold-at-1 to hold-at-100."""
    against = np.delete(tournament[24], 24)
    assert (against > 0.5).all()
    assert tournament[24, 24] == pytest.approx(0.5, abs=1e-12)


def test_the_hundred_hold_at_strategies_are_transitive(tournament):
    """Section 3.3.5: transitive. Hold-at-1 and hold-at-2 are one strategy (no turn total is 1).

    A tournament without ties is transitive exactly if the numbers of wins are 0, 1, 2, ...
    """
    tied = [(a + 1, b + 1) for a, b in combinations(range(100), 2) if abs(tournament[a, b] - 0.5) < 1e-9]
    assert tied == [(1, 2)]
    without_twin = np.delete(np.delete(tournament, 1, axis=0), 1, axis=1)
    np.fill_diagonal(without_twin, 0.5)
    wins = (without_twin > 0.5 + 1e-9).sum(axis=1)
    assert sorted(wins) == list(range(99))


def test_hold_at_0_is_no_strategy():
    """Section 3.3.5: hold-at-0 cannot win; here it is refused."""
    with pytest.raises(RulesError, match="1 to"):
        HoldAt(0)


def test_turtle_against_roll_to_win(pig):
    """Section 3.3.6: 0.812840 and 0.195448; "0.8089 in general" there comes from the practical figures."""
    met = evaluate_race(pig, Turtle(), RollToWin())
    assert met.a_first.first_wins == printed(0.812840, SIX_DIGITS)
    assert met.b_first.first_wins == printed(0.195448, SIX_DIGITS)
    assert met.a_overall == pytest.approx(0.8089, abs=5e-4)


def test_turtle_beats_roll_to_win_beats_roll_and_wait_beats_turtle():
    """Section 3.3.6: three strategies that are not transitive, each beating the next by more than 0.525.

    Roll-to-win wins with probability 1 against roll-and-wait, whoever starts. The printed 0.7106 and 0.2971
    of roll-and-wait against turtle depend on details the report does not give; the direction does not.
    """
    game = parse("pig:skip=yes")
    turtle, roll_to_win, roll_and_wait = (
        strategy(name, game) for name in ("turtle", "roll-to-win", "roll-and-wait")
    )
    assert evaluate_race(game, turtle, roll_to_win).a_overall > 0.525
    second = evaluate_race(game, roll_to_win, roll_and_wait)
    assert second.a_first.first_wins == pytest.approx(1.0, abs=1e-9)
    assert second.b_first.second_wins == pytest.approx(1.0, abs=1e-9)
    assert evaluate_race(game, roll_and_wait, turtle).a_overall > 0.525


def test_skipping_when_equal_ends_in_a_stalemate_about_a_quarter_of_the_time():
    """Section 2.3.4: "around a quarter of games"; 0.219 on hold-at-20 (no base is named), +-0.05."""
    game = parse("pig:skip=yes")
    skip = strategy("skip-when-equal", game)
    met = evaluate_race(game, skip, skip).a_first
    assert met.stalemate == pytest.approx(0.25, abs=0.05)
    assert met.first_wins + met.second_wins + met.stalemate == pytest.approx(1.0, abs=1e-12)
    assert met.expected_turns == float("inf")


def test_two_who_refuse_to_roll_never_end():
    """Section 2.3.4: both strategies refuse to roll; a stalemate counts as a loss for both, and pays 0."""
    game = parse("pig:goal=10,skip=yes")
    met = evaluate_race(game, lambda view: {"hold": 1.0}, lambda view: {"hold": 1.0}).a_first
    assert (met.first_wins, met.second_wins, met.stalemate, met.payoff) == (0.0, 0.0, 1.0, 0.0)


def test_optimal_against_hold_25(pig, optimal):
    """Section 3.3.6: 0.55127 and 0.50914, each moving first ("in general" there is a slip)."""
    met = evaluate_race(pig, optimal, HoldAt(25))
    assert met.a_first.first_wins == printed(0.55127, 0.5e-5)
    assert met.b_first.first_wins == printed(0.50914, 0.5e-5)


def test_optimal_beats_every_hold_at_strategy(pig, optimal):
    """Section 3.3.6: it beats hold-at-25, the best of them, and so all."""
    for n in range(1, 101, 3):
        assert evaluate_race(pig, optimal, HoldAt(n)).a_overall > 0.5


def test_optimal_against_itself(pig, optimal):
    """Section 3.3.6: 0.53059 for either of two optimal players who starts, 0.5 in general."""
    met = evaluate_race(pig, optimal, optimal)
    assert met.a_first.first_wins == printed(0.53059, 0.5e-5)
    assert met.b_first.first_wins == printed(0.53059, 0.5e-5)
    assert met.a_overall == pytest.approx(0.5, abs=1e-13)


def test_the_best_response_to_the_optimum_is_the_optimum(pig, optimal):
    """Section 3.1.1: optimising against Neller's strategy gives an exact copy of it."""
    response = best_response_race(pig, optimal)
    assert response.strategy.table(pig).same_choices(optimal.table(pig))
    assert response.first_wins == printed(0.53059, 0.5e-5)


@pytest.mark.parametrize("start", ["hold:20", "turtle", "random"])
def test_repeated_best_responses_converge_to_the_optimum(pig, optimal, start):
    """Section 3.1.1: first, second, ... order optimals end in Neller's strategy, element by element."""
    orders = list(iterate_best_responses(pig, strategy(start, pig)))
    assert 2 < len(orders) < 20
    assert orders[-1].strategy.table(pig).same_choices(optimal.table(pig))
    assert not orders[0].strategy.table(pig).same_choices(optimal.table(pig))


def test_a_first_order_optimal_beats_what_it_answers(pig):
    """Section 2.3.5: the optimal against a strategy always beats it, by a large margin."""
    for rule in (HoldAt(20), HoldAt(25), Turtle(), RollToWin(), RandomRace(pig)):
        response = best_response_race(pig, rule)
        assert (response.first_wins + response.second_wins) / 2 > 0.52


def test_dice_and_goal_are_general():
    """Section 2.3.3: "any given dice probability and any winning score"; a strategy ties with itself."""
    for game in (piglet(goal=10), pig_game(goal=37), parse("two-dice-pig:goal=50")):
        met = evaluate_race(game, HoldAt(7), HoldAt(7))
        assert met.a_overall == pytest.approx(0.5, abs=1e-12)
        assert met.a_first.first_wins > 0.5
