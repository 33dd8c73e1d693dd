from fractions import Fraction

import pytest
from tests.reference.play_out import states_of

from dicewright.core.errors import IllegalAction, NotationError, RulesError
from dicewright.core.game import CHANCE, FIRST, OVER, SECOND, Game, Notation
from dicewright.families.calling.cups import liars_dice_poker, liars_die, mia
from dicewright.families.calling.rules import ACCEPT, CHALLENGE, CallingGame, CallingState, CallingView
from dicewright.families.catalog import parse

SMALL = [liars_die(3), liars_die(3, truth="at-least", below=False), mia(2), mia(2, keep=True)]


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_every_state_answers_the_seven_questions_and_can_be_written(game):
    assert isinstance(game, Game)
    assert isinstance(game, Notation)
    for state in states_of(game):
        assert game.read_state(game.show_state(state)) == state
        for player in (FIRST, SECOND):
            view = game.view(state, player)
            assert game.read_view(game.show_view(view)) == view
        mover = game.mover(state)
        if mover == CHANCE:
            assert sum(game.outcomes(state).values()) == 1
        elif mover == OVER:
            assert game.payoff(state) in (-1.0, 1.0)
        else:
            actions = game.actions(game.view(state, mover))
            assert actions
            assert [game.read_choice(game.show_choice(action)) for action in actions] == list(actions)


def test_the_roll_is_hidden_until_a_challenge():
    game = liars_die()
    state = game.play(game.play(game.start(), 1), 4)
    assert game.view(state, FIRST) == CallingView(roll=1, call=4)
    assert game.view(state, SECOND) == CallingView(call=4)
    assert game.view(game.play(state, CHALLENGE), SECOND) == CallingView(roll=1, call=4)
    assert game.view(game.play(state, ACCEPT), SECOND) == CallingView(accepted=4)


def test_a_lie_loses_a_challenge_and_the_truth_wins_it():
    game = liars_die()
    assert game.payoff(CallingState(FIRST, roll=1, call=4, challenged=True)) == -1.0
    assert game.payoff(CallingState(FIRST, roll=4, call=4, challenged=True)) == 1.0
    assert game.payoff(CallingState(FIRST, roll=4, call=3, challenged=True)) == -1.0
    assert game.payoff(CallingState(SECOND, roll=4, call=4, challenged=True)) == -1.0


def test_at_least_makes_a_call_below_the_roll_true():
    assert mia().true(roll=5, call=4)
    assert not liars_die().true(roll=5, call=4)


def test_accepting_the_highest_call_loses():
    game = liars_die()
    state = game.play(game.play(game.play(game.start(), 0), 5), ACCEPT)
    assert game.mover(state) == OVER
    assert game.payoff(state) == 1.0


def test_calls_below_the_roll_can_be_forbidden():
    assert list(liars_die(below=False).actions(CallingView(1, roll=4))) == [4, 5]
    assert list(liars_die().actions(CallingView(1, roll=4))) == [2, 3, 4, 5]


def test_mia_has_21_ranks_in_the_usual_order():
    game = mia()
    assert game.labels[:3] == ("31", "32", "41")
    assert game.labels[13:] == ("65", "11", "22", "33", "44", "55", "66", "21")
    assert set(game.chances) == {Fraction(1, 18), Fraction(1, 36)}


def test_poker_hands_are_ranked_and_merged():
    hands = liars_dice_poker()
    order = ("66661", "11111", "66655", "65432", "54321", "66654", "66554", "66543", "65431", "64321")
    places = [hands.labels.index(label) for label in order]
    assert len(hands.labels) == 252
    assert places == sorted(places[:2]) + sorted(places[2:], reverse=True)
    assert hands.chances[hands.labels.index("66655")] == Fraction(10, 7776)
    assert len(liars_dice_poker(kickers=False).labels) == 72


def test_kept_dice_leave_only_their_rolls():
    game = mia(3, keep=True)
    labels = {game.labels[rank]: chance for rank, chance in game.rolls("3").items()}
    assert labels == {"31": Fraction(1, 3), "32": Fraction(1, 3), "33": Fraction(1, 3)}
    seen = game.read_view("accepted 31, seen 21")
    assert list(game.actions(seen)) == ["keep", "keep2", "keep1", "keep21"]


@pytest.mark.parametrize("text", ["liars-die", "mia:sides=3,keep=yes", "liars-dice-poker:dice=2,kickers=no"])
def test_names_are_read_back(text):
    assert parse(text).name == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("liars-die:sides=0", "sides is 0 in liars-die; 1 to 300 is allowed"),
        ("mia:sides=1", "sides is 1 in mia; 2 to 20 is allowed"),
        ("mia:sides=7,keep=yes", "sides is 7 in mia:keep=yes; 2 to 6 is allowed"),
        ("liars-dice-poker:dice=6", "dice is 6 in liars-dice-poker; 1 to 5 is allowed"),
        ("mia:truth=maybe", "exactly or at-least is allowed"),
    ],
)
def test_rules_that_make_no_game_are_refused(text, message):
    with pytest.raises((RulesError, NotationError), match=message):
        parse(text)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ("accepted 5, called 3", "the call 3 is too low in 'accepted 5, called 3'; allowed: 6"),
        ("rolled 7", "unknown rank '7' in 'rolled 7'; liars-die has 1, 2, 3, 4, 5, 6"),
        ("accepted 6, rolled 1", "accepting 6 loses"),
        ("rolled 1, rolled 2", "'rolled 2' is unreadable"),
        ("hello", "'hello' is unreadable"),
    ],
)
def test_views_that_cannot_occur_are_refused(view, message):
    with pytest.raises(NotationError, match=message):
        liars_die().read_view(view)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ("accepted 31, kept 7", "'7' cannot be kept"),
        ("accepted 31, kept 3, rolled 21", "with 3 kept, 31, 32, 33 can"),
        ("seen 31", "dice are seen after an accept"),
        ("accepted 31, seen 99", "unknown rank '99'"),
    ],
)
def test_kept_dice_that_cannot_be_are_refused(view, message):
    with pytest.raises(NotationError, match=message):
        mia(3, keep=True).read_view(view)


def test_illegal_moves_name_what_is_allowed():
    game = liars_die()
    state = game.read_state("accepted 4, rolled 2")
    with pytest.raises(IllegalAction, match="3 is not allowed at accepted 4, rolled 2; allowed: 5, 6"):
        game.play(state, 2)
    with pytest.raises(IllegalAction, match="nothing, the game is over"):
        game.play(game.read_state("accepted 6"), ACCEPT)
    with pytest.raises(IllegalAction, match="allowed: 1, 2, 3"):
        game.play(game.start(), 6)


@pytest.mark.parametrize("text", ["rolled 1!", "called 3", "rolled 1/3"])
def test_states_that_cannot_occur_are_refused(text):
    for game in (liars_die(), mia(2, keep=True)):
        with pytest.raises(NotationError):
            game.read_state(text)


def test_games_need_names_and_chances():
    with pytest.raises(RulesError, match="sum to 1/2"):
        CallingGame("half", ("a",), (Fraction(1, 2),))
    with pytest.raises(RulesError, match="names a rank twice"):
        CallingGame("twice", ("a", "a"), (Fraction(1, 2),) * 2)
    with pytest.raises(RulesError, match="0 ranks and 0 chances"):
        CallingGame("empty", (), ())
    with pytest.raises(RulesError, match="exactly or at-least"):
        CallingGame("vague", ("a",), (Fraction(1),), truth="nearly")
