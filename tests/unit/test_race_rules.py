"""Rules, states and notation of race games: what is wrong is refused in one sentence, and nothing else is."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

from dicewright.core.errors import IllegalAction, NotationError, RulesError
from dicewright.families import solve
from dicewright.families.catalog import parse
from dicewright.families.race.named import hog, pass_the_pigs, pig, two_dice_pig
from dicewright.families.race.rules import (
    BUST,
    ROLL,
    RUIN,
    Effect,
    Face,
    RaceGame,
    RaceState,
    RaceView,
    add,
    bank,
    roll_of,
)
from dicewright.families.race.strategies import best_turn, course_difference

PLAIN = ((ROLL, roll_of({add(1): 1, BUST: 1})),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nope", ["'nope'", "pig, piglet"]),
        ("pgi", ["'pgi'", "did you mean 'pig'"]),
        ("", ["''", "pig"]),
        ("pig:colour=8", ["'colour'", "goal (a whole number)"]),
        ("pig:goal=x", ["goal is 'x'", "a whole number"]),
        ("pig:goal=", ["goal is ''", "a whole number"]),
        ("pig:goal=1e3", ["'1e3'", "a whole number"]),
        ("pig:goal=9999999999999999999", ["a whole number"]),
        ("pig:goal=5,goal=6", ["'goal' twice"]),
        ("pig:200", ["'200'", "field=value"]),
        ("pig:one=wins", ["'wins'", "busts or scores"]),
        ("pig:skip=true", ["'true'", "yes or no"]),
        ("pig:finish=Exact", ["'Exact'", "reach or exact"]),
        ("pig:,", ["field=value"]),
    ],
)
def test_a_game_that_cannot_be_read(text, words):
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.exit_code == 2
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize("goal", [0, 1, -5, 5001, 10**9])
def test_goals_out_of_range(goal):
    with pytest.raises(RulesError, match=rf"goal is {goal} in pig; 2 to 5000 is allowed"):
        parse(f"pig:goal={goal}")
    with pytest.raises(RulesError, match="2 to 5000"):
        pig(goal=goal)


@pytest.mark.parametrize("dice", [0, 21, 10**6])
def test_hog_with_too_few_or_too_many_dice(dice):
    with pytest.raises(RulesError, match=rf"dice is {dice} in hog; 1 to 20 is allowed"):
        hog(dice=dice)


@pytest.mark.parametrize(
    ("roll", "sentence"),
    [
        (((Fraction(1, 2), Effect.ADD, 1), (Fraction(1, 3), Effect.BUST, 0)), "sum to 5/6; exactly 1"),
        (((Fraction(1, 2), Effect.ADD, 1), (Fraction(2, 3), Effect.BUST, 0)), "sum to 7/6; exactly 1"),
        ((), "sum to 0; exactly 1"),
        (((Fraction(3, 2), Effect.ADD, 1), (Fraction(-1, 2), Effect.BUST, 0)), "chance -1/2; more than 0"),
        (((Fraction(1), Effect.ADD, 0),), "adds 0 points; 1 to 1000"),
        (((Fraction(1), Effect.ADD, 1001),), "adds 1001 points; 1 to 1000"),
        (((Fraction(1), Effect.BANK, -1),), "banks -1 points; 0 to 1000"),
    ],
)
def test_dice_that_are_no_dice(roll, sentence):
    with pytest.raises(RulesError, match=sentence):
        RaceGame("odd", 10, ((ROLL, roll),))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"rolls": ()}, "no roll; at least one"),
        ({"finish": "past"}, "'past' in odd; reach or exact"),
        ({"payoff_rule": "money"}, "'money' in odd; win or margin or difference"),
    ],
)
def test_rules_that_make_no_game(fields, sentence):
    with pytest.raises(RulesError, match=sentence):
        RaceGame(**{"name": "odd", "goal": 10, "rolls": PLAIN, **fields})


@pytest.mark.parametrize(
    ("game", "state", "reason"),
    [
        ("pig", "100-0", "a score of 100 has won; 0 to 99"),
        ("pig", "0-100", "a score of 100 has won"),
        ("pig", "0-0+1", "a turn total of 1 is no sum of rolls"),
        ("pig", "90-0+16", "a turn total of 16 is no sum of rolls"),
        ("pig", "0-0+999999", "no sum of rolls"),
        ("pig:goal=10,finish=exact", "5-0+6", "beyond 10, which must be hit exactly"),
        ("hog", "0-0+2", "no sum of rolls"),
        ("two-dice-pig", "0-0+3", "no sum of rolls"),
    ],
)
def test_states_that_cannot_occur(game, state, reason):
    with pytest.raises(NotationError, match=f"cannot occur in {game}: .*{reason}"):
        parse(game).read_view(state)
    with pytest.raises(NotationError):
        parse(game).read_state(state + "?roll")


@pytest.mark.parametrize("state", ["5-5+5", "98-0", "94-99+11", "0-0+2", "3-4/other", "3-4+7/other", " 7-8 "])
def test_states_that_can(state):
    game = parse("pig")
    assert game.show_view(game.read_view(state)) == state.strip()


@pytest.mark.parametrize(
    "text", ["", "x", "1-", "-1-2", "1-2+", "1-2+3+4", "1-2 3", "1e3-2", "1--2", "1-2+-3"]
)
def test_text_that_is_no_state(text):
    game = parse("pig")
    for read in (game.read_view, game.read_state):
        with pytest.raises(NotationError, match="such as 34-27"):
            read(text)


@pytest.mark.parametrize("text", ["0-0/3", "0-0/", "0-0?", "0-0?fly", "0-0/2?", "0-0/2/2"])
def test_states_with_a_wrong_end(text):
    with pytest.raises(NotationError):
        parse("pig").read_state(text)


@pytest.mark.parametrize("text", ["", "rolls", "+1", "+7", "bank1", "ruin", "Roll"])
def test_text_that_is_no_choice_of_pig(text):
    with pytest.raises(NotationError, match="no action or face of pig"):
        parse("pig").read_choice(text)


def test_illegal_moves_are_refused_and_say_what_is_allowed():
    game = pig()
    with pytest.raises(IllegalAction, match="hold is not allowed at 0-0; allowed: roll"):
        game.play(game.start(), "hold")
    with pytest.raises(IllegalAction, match=r"roll is not allowed at 95-0\+5; allowed: hold"):
        game.play(RaceState(0, 95, 0, 5), "roll")
    with pytest.raises(IllegalAction, match="no face of roll"):
        game.play(game.play(game.start(), "roll"), RUIN)


def test_the_four_effects():
    faces = {add(3): 1, BUST: 1, RUIN: 1, bank(2): 1}
    game = RaceGame("all", 20, ((ROLL, roll_of(faces)),))
    rolling = RaceState(0, 10, 4, 5, ROLL)
    assert game.play(rolling, add(3)) == RaceState(0, 10, 4, 8)
    assert game.play(rolling, BUST) == RaceState(1, 4, 10)
    assert game.play(rolling, RUIN) == RaceState(1, 4, 0)
    assert game.play(rolling, bank(2)) == RaceState(1, 4, 12)


def test_exact_finish_busts_beyond_the_goal():
    game = pig(goal=10, finish="exact")
    rolling = RaceState(0, 7, 4, 0, ROLL)
    assert game.play(rolling, add(3)) == RaceState(0, 7, 4, 3)
    assert game.play(rolling, add(4)) == RaceState(1, 4, 7)


def test_published_dice():
    """Two dice: 25/36, 10/36 and 1/36; Kern's pigs: 6000 rolls, 23 of them touching."""
    chances = two_dice_pig().outcomes(RaceState(0, 0, 0, 0, ROLL))
    assert chances[BUST] == Fraction(10, 36)
    assert chances[RUIN] == Fraction(1, 36)
    assert sum(chances.values()) == 1
    pigs = pass_the_pigs().outcomes(RaceState(0, 0, 0, 0, ROLL))
    assert pigs[RUIN] == Fraction(23, 6000)
    assert max(face.points for face in pigs) == 60


def test_hog_any_one_scores_nothing():
    outcomes = hog(dice=3).outcomes(RaceState(0, 0, 0, 0, "3"))
    assert outcomes[BUST] == 1 - Fraction(5, 6) ** 3
    assert outcomes[bank(18)] == Fraction(1, 216)


def test_equal_faces_are_added_up():
    twice = (
        (Fraction(1, 2), Effect.ADD, 1),
        (Fraction(1, 4), Effect.ADD, 1),
        (Fraction(1, 4), Effect.BUST, 0),
    )
    game = RaceGame("twice", 5, ((ROLL, twice),))
    assert game.outcomes(RaceState(0, 0, 0, 0, ROLL)) == {
        Face(Effect.ADD, 1): Fraction(3, 4),
        BUST: Fraction(1, 4),
    }


def test_objectives_that_do_not_fit_the_game():
    with pytest.raises(RulesError, match="10 rolls; the best turn is defined for one"):
        best_turn(hog())
    with pytest.raises(RulesError, match="for pig:one=scores"):
        course_difference(pig(goal=10))
    with pytest.raises(RulesError, match="no face of safe ends a turn"):
        best_turn(RaceGame("safe", 10, ((ROLL, roll_of({add(1): 1})),)))


def test_every_view_of_the_waiting_player_is_marked():
    game = pig()
    state = RaceState(1, 3, 4, 7)
    assert game.view(state, 1) == RaceView(3, 4, 7)
    assert game.view(state, 0) == RaceView(4, 3, 7, my_turn=False)
    assert game.show_view(game.view(state, 0)) == "4-3+7/other"


def test_a_word_is_the_effect_it_names():
    """Both forms are one game; the words were played as busts once, and that game was proved to be worth 0."""
    half = Fraction(1, 2)
    words = RaceGame("b", 20, (("roll", ((half, "add", 2), (half, "bust", 0))),))
    right = RaceGame("b", 20, (("roll", roll_of({add(2): 1, BUST: 1})),))
    assert words == right
    assert all(type(effect) is Effect for _, roll in words.rolls for _, effect, _ in roll)
    solved, wanted = (solve(game).certificate for game in (words, right))
    assert solved.exact == wanted.exact
    assert solved.value == pytest.approx(0.0449588, abs=1e-7)
    assert words.play(RaceState(0, 0, 0, 0, "roll"), Face("add", 2)) == RaceState(0, 0, 0, 2)
    assert roll_of({Face("add", 2): 1, ("bust", 0): 1}) == roll_of({add(2): 1, BUST: 1})


def test_lists_are_the_tuples_they_stand_for():
    half = Fraction(1, 2)
    listed = RaceGame("b", np.int64(20), [["roll", [[half, "add", np.int64(2)], [half, "bust", 0]]]])
    assert listed == RaceGame("b", 20, (("roll", roll_of({add(2): 1, BUST: 1})),))
    assert hash(listed) == hash(RaceGame("b", 20, (("roll", roll_of({add(2): 1, BUST: 1})),)))
    assert type(listed.goal) is int
    assert RaceGame("sure", 5, (("roll", ((1, "add", 2),)),)).rolls == (("roll", roll_of({add(2): 1})),)


def test_faces_copy_and_travel():
    for face in (add(3), BUST, bank(2)):
        assert pickle.loads(pickle.dumps(face)) == face == copy.deepcopy(face)
        assert face._replace(points=face.points).effect is face.effect


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ((Fraction(1), "adx", 2), "a face is 'adx', 2; add or bust or ruin or bank"),
        ((Fraction(1), "ADD", 2), "'ADD'"),
        ((Fraction(1), None, 2), "None"),
        ((Fraction(1), "add", 2.0), r"'add', 2\.0; .* whole number"),
        ((Fraction(1), "add", True), "True"),
        ((Fraction(1), "add", "2"), "'2'"),
        ((Fraction(1), "add", Fraction(2)), r"Fraction\(2, 1\)"),
        ((Fraction(1), "bust", 5), "bust of 5 points; 0 is allowed"),
        ((1.0, "add", 2), r"a chance of 'roll' in odd is 1\.0; a Fraction"),
        ((True, "add", 2), "is True; a Fraction"),
        (("1", "add", 2), "is '1'; a Fraction"),
        ((float("nan"), "add", 2), "is nan; a Fraction"),
        ((Fraction(1), add(2)), "a face of 'roll' in odd is"),
        ("add", "a face of 'roll' in odd is 'add'"),
    ],
)
def test_faces_that_are_half_understood(row, sentence):
    with pytest.raises(RulesError, match=sentence):
        RaceGame("odd", 10, ((ROLL, (row,)),))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"goal": 10.0}, r"goal is 10\.0 in odd; a whole number"),
        ({"goal": True}, "goal is True in odd"),
        ({"goal": "10"}, "goal is '10' in odd"),
        ({"goal": None}, "goal is None in odd"),
        ({"skip": "no"}, "skip is 'no' in odd; yes or no"),
        ({"skip": None}, "skip is None"),
        ({"finish": True}, "finish is True"),
        ({"payoff_rule": ["win"]}, "payoff_rule is"),
        ({"name": 5}, "name is 5"),
        ({"rolls": None}, "the rolls of odd is None"),
        ({"rolls": dict(PLAIN)}, "the rolls of odd is"),
        ({"rolls": "roll"}, "the rolls of odd is 'roll'"),
        ({"rolls": ("roll", PLAIN[0][1])}, "a roll of odd is 'roll'"),
        ({"rolls": ((1, PLAIN[0][1]),)}, "a roll of odd has the name 1"),
        ({"rolls": (("", PLAIN[0][1]),)}, "has the rolls"),
        ({"rolls": (("roll", None),)}, "the faces of 'roll' in odd is None"),
    ],
)
def test_fields_that_are_half_understood(fields, sentence):
    with pytest.raises(RulesError, match=sentence):
        RaceGame(**{"name": "odd", "goal": 10, "rolls": PLAIN, **fields})


@pytest.mark.parametrize(
    "weights",
    [
        {add(1): 0.5, BUST: 0.5},
        {add(1): "1"},
        {add(1): 0},
        {add(1): 2, BUST: -2},
        {"add": 1},
        {5: 1},
        {("adx", 1): 1},
        [add(1)],
    ],
)
def test_weights_that_make_no_roll(weights):
    with pytest.raises(RulesError):
        RaceGame("odd", 10, ((ROLL, roll_of(weights)),))


@pytest.mark.parametrize("face", [("adx", 1), ("add", 1.5), (None, 0), ("add", "1")])
def test_faces_are_refused_when_they_are_made(face):
    with pytest.raises(RulesError, match="a face is"):
        Face(*face)


def test_named_games_are_found_where_they_were_taught():
    from dicewright.families.race import named, rules

    with pytest.warns(DeprecationWarning, match="race.rules.pig is dicewright.families.race.named.pig now"):
        assert rules.pig is named.pig
    with pytest.raises(AttributeError, match="no attribute 'poker'"):
        _ = rules.poker
