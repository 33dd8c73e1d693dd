"""Norvig, "Design of Computer Programs" (CS212), unit 5: Pig in code, adapted to our engine.

In the course a 1 scores one point and ends the turn; a state is (player, me, you, pending).
"""

from functools import cache

import pytest

from dicewright.core.game import CHANCE, FIRST, OVER
from dicewright.core.strategy import decide
from dicewright.families.catalog import strategy
from dicewright.families.race.duel import evaluate_race
from dicewright.families.race.named import pig as pig_game
from dicewright.families.race.rules import RaceState, RaceView, add, bank
from dicewright.families.race.solution import solve_values
from dicewright.families.race.strategies import HoldAt, RandomRace, course_difference, max_difference

GOAL = 40

# What the course's test of max_diffs expects: (me, you, pending).
MAX_DIFFS = {
    (26, 21, 15): "hold",
    (23, 36, 7): "roll",
    (29, 4, 3): "roll",
    (36, 32, 5): "roll",
    (37, 16, 3): "roll",
    (33, 39, 7): "roll",
    (7, 9, 18): "hold",
    (0, 35, 35): "hold",
    (36, 7, 4): "roll",
    (5, 12, 21): "hold",
    (3, 13, 27): "hold",
    (0, 39, 37): "hold",
}


def face_of(die):
    return bank(1) if die == 1 else add(die)


def test_hold_and_roll():
    """ "Hold and roll": holding reaps the pending points; a 1 gets one point and passes the turn."""
    game = pig_game(goal=50, one="scores")
    state = RaceState(FIRST, 10, 20, 30)
    assert game.play(state, "hold") == RaceState(1, 20, 40)
    rolling = game.play(state, "roll")
    assert game.play(rolling, face_of(1)) == RaceState(1, 20, 11)
    assert game.play(rolling, face_of(5)) == RaceState(FIRST, 10, 20, 35)


def test_clueless():
    """ "Clueless": any allowed move with equal chance."""
    game = pig_game(goal=50, one="scores")
    clueless = RandomRace(game)
    assert clueless(RaceView(10, 20, 5)) == {"roll": 0.5, "hold": 0.5}
    assert decide(game, RaceView(10, 20, 0), clueless) == {"roll": 1.0}


def test_hold_at():
    """ "Hold at strategy": the four asserts of its test, goal 50; at the goal the hold is forced."""
    game = pig_game(goal=50, one="scores")
    assert decide(game, RaceView(29, 15, 20), HoldAt(30)) == {"roll": 1.0}
    assert decide(game, RaceView(29, 15, 21), HoldAt(30)) == {"hold": 1.0}
    assert decide(game, RaceView(2, 30, 10), HoldAt(15)) == {"roll": 1.0}
    assert decide(game, RaceView(2, 30, 15), HoldAt(15)) == {"hold": 1.0}


def test_loading_the_dice():
    """ "Loading the dice": hold-at-50 wins with eight sixes and a two before clueless ever moves."""
    game = pig_game(goal=50, one="scores")
    rolls = iter([6, 6, 6, 6, 6, 6, 6, 6, 2])
    state = game.start()
    while (mover := game.mover(state)) != OVER:
        if mover == CHANCE:
            state = game.play(state, face_of(next(rolls)))
        else:
            assert mover == FIRST
            (action,) = decide(game, game.view(state, mover), HoldAt(50))
            state = game.play(state, action)
    assert next(rolls, None) is None
    assert game.payoff(state) == 1.0


def test_max_wins_does_better_than_the_other_strategies():
    """ "Optimizing strategy" and `max_wins`: the strategy of the highest chance to win beats the others."""
    game = pig_game(goal=GOAL, one="scores")
    max_wins = solve_values(game)
    for rival in (strategy("max-difference", game), HoldAt(20), HoldAt(10), HoldAt(GOAL), RandomRace(game)):
        assert evaluate_race(game, max_wins, rival).a_overall > 0.5
    assert evaluate_race(game, max_wins, max_wins).a_overall == pytest.approx(0.5, abs=1e-13)


def test_max_diffs_wins_points_where_max_wins_wins_games():
    """ "Maximizing differential": each is best at what it maximises."""
    game = pig_game(goal=GOAL, one="scores", payoff="difference")
    max_diffs, max_wins = solve_values(game), solve_values(pig_game(goal=GOAL, one="scores"))
    met = evaluate_race(game, max_diffs, max_wins)
    assert met.a_first.payoff - met.b_first.payoff > 0
    assert met.a_overall < 0.5


def one_step(worth, passed, mine, yours, pending):
    """Roll or hold, by one step of look-ahead as the course does it, also at or beyond the goal.

    `worth(mine, yours, pending)` is what a state brings its mover; `passed`, what it brings the other.
    """
    hold = passed(worth(yours, mine + pending, 0))
    roll = passed(worth(yours, mine + 1, 0)) + sum(worth(mine, yours, pending + die) for die in range(2, 7))
    return {"roll": roll / 6, "hold": hold}


def terminal(mine, yours, pending):
    """The course's difference once a score, or a score with the pending points, has reached the goal."""
    return mine + pending - yours if max(mine + pending, yours) >= GOAL else None


def answers(worth, passed):
    """The course's listed states where this look-ahead agrees with it."""
    agreed = []
    for state, action in MAX_DIFFS.items():
        chances = one_step(worth, passed, *state)
        if max(chances, key=chances.get) == action:
            agreed.append(state)
    return agreed


def test_a_right_solver_agrees_with_eleven_of_twelve():
    """`max_diffs`: the course lists "hold" for (26, 21, 15); with -U a roll is worth 20.08, the hold 20."""
    values = solve_values(pig_game(goal=GOAL, one="scores", payoff="difference"))

    def worth(mine, yours, pending):
        over = terminal(mine, yours, pending)
        return values.turn(mine, yours)[1][pending] if over is None else over

    agreed = answers(worth, lambda other: -other)
    assert set(MAX_DIFFS) - set(agreed) == {(26, 21, 15)}
    chances = one_step(worth, lambda other: -other, 26, 21, 15)
    assert chances["hold"] == 20
    assert chances["roll"] == pytest.approx(20.0832, abs=1e-4)


@cache
def course_worth(mine, yours, pending):
    """The course's recursion as printed: the opponent's U counts 1 - U."""
    over = terminal(mine, yours, pending)
    if over is not None:
        return over
    if pending:
        return max(one_step(course_worth, course_passed, mine, yours, pending).values())
    rolled = sum(course_worth(mine, yours, die) for die in range(2, 7))
    return (course_passed(course_worth(yours, mine + 1, 0)) + rolled) / 6


def course_passed(other):
    return 1 - other


def test_the_course_compatible_recursion_agrees_with_all_twelve():
    """`max_diffs` as the course computes it, 1 - U where a difference needs -U: all twelve listed answers."""
    assert answers(course_worth, course_passed) == list(MAX_DIFFS)


def test_the_labelled_course_mode_is_that_recursion():
    """`max-difference:course=yes` makes the recursion's choice in every state, ties (one) aside."""
    game = pig_game(goal=GOAL, one="scores")
    choices = course_difference(game)
    ties = 0
    for mine in range(GOAL):
        for yours in range(GOAL):
            for pending in range(2, GOAL - mine):
                worth = one_step(course_worth, course_passed, mine, yours, pending)
                if abs(worth["roll"] - worth["hold"]) < 1e-9:
                    ties += 1
                else:
                    assert choices[mine][yours][pending] == (worth["roll"] > worth["hold"])
    assert ties < 50


def test_both_modes_answer_the_listed_states_below_the_goal():
    """`max_diffs`: both answer the listed states below the goal alike; the labels tell them apart."""
    game = pig_game(goal=GOAL, one="scores")
    right, course = max_difference(game), max_difference(game, course=True)
    assert (str(right), str(course)) == ("max-difference", "max-difference:course=yes")
    below = [state for state in MAX_DIFFS if state[0] + state[2] < GOAL]
    assert len(below) == 7
    for state in below:
        assert decide(game, RaceView(*state), right) == {MAX_DIFFS[state]: 1.0}
        assert decide(game, RaceView(*state), course) == {MAX_DIFFS[state]: 1.0}
    assert not right.table(game).same_choices(course.table(game))


def test_scores_only_rise_where_a_one_scores():
    """FACTS.md: a 1 scores one point, so every turn raises the score and play ends within 2 x 40 turns."""
    game = pig_game(goal=GOAL, one="scores")
    slowest = evaluate_race(game, HoldAt(GOAL), HoldAt(GOAL)).a_first
    assert slowest.expected_turns <= 2 * GOAL
    rolling = game.play(RaceState(FIRST, 7, 9, 12), "roll")
    after = [game.play(rolling, face) for face in game.outcomes(rolling)]
    assert all(then.yours == 8 if then.mover != FIRST else then.mine + then.turn > 19 for then in after)
