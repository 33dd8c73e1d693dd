"""Neller & Presser: "Optimal play of the dice game Pig" (UMAP 25(1), 2004), "Practical play" (31(1), 2010).

The papers are not among our documents: figures are those of FACTS.md, section "Race games", which were
recomputed; Exeter quotes both papers. Also Knizia's hold at 20, expected turns and small goals.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from dicewright.families import solve
from dicewright.families.catalog import strategy
from dicewright.families.race.duel import evaluate_race, finish_turns
from dicewright.families.race.duel_kernels import turn_scores
from dicewright.families.race.kernels import MINE
from dicewright.families.race.named import pig as pig_game
from dicewright.families.race.named import piglet
from dicewright.families.race.rules import RaceView
from dicewright.families.race.solution import rules_of, solve_values
from dicewright.families.race.strategies import HoldAt, best_turn, fewest_turns
from dicewright.families.race.tabled import tabulate
from dicewright.families.race.visits import game_lengths, visit_chances


def first_wins(game):
    """The first player's exact chance in a small game where somebody always wins."""
    value = solve(game).certificate.exact
    assert value is not None
    return (1 + value) / 2


def test_pig_100_first_wins(pig, optimal):
    """2004; FACTS.md, Race games, first figure; Exeter 3.3.6 (0.53059)."""
    assert (1 + optimal.payoff()) / 2 == pytest.approx(0.530592725273747, abs=1e-15)
    met = evaluate_race(pig, optimal, optimal)
    assert met.a_first.first_wins == pytest.approx(0.530592725273747, abs=2e-15)


def test_pig_100_is_proved_to_thirty_digits(pig):
    """FACTS.md, Race games: 0.530592725273747, enclosed by bounds narrower than 1e-30."""
    certificate = solve(pig).certificate
    assert certificate.proved
    assert certificate.upper - certificate.lower < Fraction(1, 10**30)
    assert float((1 + certificate.lower) / 2) == pytest.approx(0.530592725273747, abs=5e-16)


@pytest.mark.parametrize(
    ("goal", "chance"), [(2, Fraction(6, 7)), (3, Fraction(36, 43)), (10, Fraction(7776, 10961))]
)
def test_pig_with_a_small_goal_exactly(goal, chance):
    """FACTS.md, Race games: goal 2 (6/7, Exeter 2.2.1), 3 and 10 as fractions."""
    assert first_wins(pig_game(goal=goal)) == chance


@pytest.mark.parametrize(("goal", "chance"), [(2, Fraction(4, 7)), (3, Fraction(6, 11))])
def test_piglet_exactly(goal, chance):
    """2004, on Piglet; FACTS.md: to 2 points the first player wins 4/7, to 3 points 6/11."""
    assert first_wins(piglet(goal=goal)) == chance


@pytest.mark.parametrize(
    ("mine", "yours", "turn", "chance"),
    [
        (0, 0, 0, 4 / 7),
        (0, 0, 1, 5 / 7),
        (0, 1, 0, 2 / 5),
        (0, 1, 1, 3 / 5),
        (1, 0, 0, 4 / 5),
        (1, 1, 0, 2 / 3),
    ],
)
def test_piglet_to_2_in_every_state(mine, yours, turn, chance):
    """2004, on Piglet; FACTS.md: the six states of the game to 2 points."""
    values = solve_values(piglet(goal=2))
    assert values.turn(mine, yours)[1][turn] == pytest.approx(chance, abs=1e-15)
    assert max(values.action_worths(RaceView(mine, yours, turn)).values()) == pytest.approx(chance, abs=1e-15)
    if turn == 0:
        assert values.worth[MINE, mine, yours] == pytest.approx(chance, abs=1e-15)


def test_the_optimum_is_not_one_threshold_for_each_pair_of_scores(optimal):
    """2004, the roll/hold boundary (Exeter figure 1); FACTS.md: 41-49 holds at 22 to 26, rolls at 27.

    FACTS.md says "hold from 28"; at 98 and 99 points (turn totals 57, 58) the optimum rolls, as five
    faces win.
    """
    choices = optimal.turn(41, 49)[0]
    assert choices[:22] == [1] * 22
    assert choices[22:27] == [0] * 5
    assert choices[27] == 1
    assert choices[28:57] == [0] * 29
    assert choices[57:] == [1, 1]


def test_one_hold_at_20_turn(pig):
    """2004, on hold at 20; FACTS.md: what one turn scores, from the kernel that duels use."""
    table = tabulate(pig, HoldAt(20))
    rules = rules_of(pig)
    reach, out = np.zeros(100 + rules.reach + 1), np.zeros(100 + rules.reach + 1)
    far = turn_scores(rules, table, 0, 0, reach, out)
    assert far == 25
    assert out[0] == pytest.approx(0.624540834, abs=0.5e-9)
    scores = [0.099712987, 0.094990627, 0.074188849, 0.054196085, 0.035198092, 0.017172526]
    assert out[20:26] == pytest.approx(scores, abs=0.51e-9)
    assert out[1:20] == pytest.approx(np.zeros(19), abs=0)
    assert out @ np.arange(len(out)) == pytest.approx(8.141794894, abs=0.5e-9)
    assert out.sum() == pytest.approx(1.0, abs=1e-15)


def test_hold_at_20_maximises_the_points_of_a_turn(pig):
    """Knizia 1999 (quoted in Exeter 1.2.2); FACTS.md: mean 8.141794894. One more roll at 20 gains nothing."""
    hold, mean = best_turn(pig)
    assert hold == 20
    assert float(mean) == pytest.approx(8.141794894, abs=0.5e-9)
    assert sum(Fraction(points, 6) for points in range(2, 7)) == Fraction(20, 6)


def test_expected_turns_to_100(pig):
    """FACTS.md: hold-at-20 needs 12.636769 turns alone; the least over all strategies is 12.545232."""
    finish = finish_turns(pig, tabulate(pig, HoldAt(20)))
    assert finish @ np.arange(1, len(finish) + 1) == pytest.approx(12.636769, abs=0.5e-6)
    turns, table = fewest_turns(pig)
    assert turns[0] == pytest.approx(12.545232, abs=0.5e-6)
    finish = finish_turns(pig, table)
    assert finish @ np.arange(1, len(finish) + 1) == pytest.approx(turns[0], abs=1e-10)


@pytest.mark.parametrize(
    ("rule", "percent"),
    [("hold:20", 7.984), ("hold:25", 4.214), ("four-scoring-turns", 3.318), ("keep-pace", 0.922)],
)
def test_advantage_of_the_optimum(pig, optimal, rule, percent):
    """2010; FACTS.md, "Advantage of optimal": its win rate minus the other's, in percent."""
    met = evaluate_race(pig, optimal, strategy(rule, pig))
    assert 100 * (met.a_overall - met.b_overall) == pytest.approx(percent, abs=0.501e-3)


def test_keep_pace_and_end_race_is_the_rule_of_the_paper(pig):
    """2010; FACTS.md: roll out from 71 on, either score, else hold at 21 + round((yours - mine) / 8)."""
    keep_pace = strategy("keep-pace", pig)
    assert keep_pace(RaceView(70, 30, 15)) == {"roll": 1.0}
    assert keep_pace(RaceView(70, 30, 16)) == {"hold": 1.0}
    assert keep_pace(RaceView(30, 70, 25)) == {"roll": 1.0}
    assert keep_pace(RaceView(30, 70, 26)) == {"hold": 1.0}
    assert keep_pace(RaceView(71, 0, 28)) == keep_pace(RaceView(0, 71, 99)) == {"roll": 1.0}


def test_four_scoring_turns_shares_what_is_left(pig):
    """2010: 25 each turn; a turn that scores more leaves less for the others."""
    rule = strategy("four-scoring-turns", pig)
    assert rule(RaceView(0, 0, 24), 0) == {"roll": 1.0}
    assert rule(RaceView(0, 0, 25), 0) == {"hold": 1.0}
    assert rule(RaceView(28, 0, 24), 1) == {"hold": 1.0}
    assert rule(RaceView(28, 0, 23), 1) == {"roll": 1.0}
    assert rule(RaceView(77, 0, 22), 3) == {"roll": 1.0}


def test_length_and_visits_of_optimal_play(pig, optimal):
    """2004, the states reachable by an optimal player (Exeter figure 2): a small part of all states.

    The length of the game agrees with the duel that does not follow it turn by turn.
    """
    lengths = game_lengths(pig, optimal, optimal)
    met = evaluate_race(pig, optimal, optimal).a_first
    assert lengths @ np.arange(1, len(lengths) + 1) == pytest.approx(met.expected_turns, abs=1e-8)
    assert lengths[::2].sum() == pytest.approx(met.first_wins, abs=1e-10)
    visits = visit_chances(pig, optimal, optimal)
    reachable = (visits.max(axis=0) > 0).sum()
    assert visits[0, 0, 0, 0] == pytest.approx(1.0, abs=1e-12)
    assert 50_000 < reachable < 505_000 / 4


def test_the_first_player_gains_less_the_longer_the_game():
    """FACTS.md: 6/7 at goal 2, 36/43 at 3, ... 0.5306 at 100: moving first is worth less and less."""
    values = [solve_values(pig_game(goal=goal)).payoff() for goal in (2, 3, 10, 20, 50, 100, 200)]
    assert all(longer < shorter for shorter, longer in pairwise(values))
    assert values[-1] > 0
