"""Paper forms typed in: Exeter's printed example, and rows that cannot be."""

import csv

import pytest

from dicewright.core.errors import NotationError, StorageError
from dicewright.study.forms import EXAMPLE, load_forms, read_forms, save_aside, whole_games
from dicewright.study.plan_file import check_plan

HEAD = "game,player,seat,turn,rolls,banked\n"
GAME = "1,a,first,1,2,12\n1,b,second,1,1,0\n1,a,first,2,2,8\n"  # pig to 20, won by the first


@pytest.fixture(scope="module")
def plan():
    return check_plan('game = "pig:goal=20"')[0]


def test_figure_6_is_a_form_of_one_player():
    """Exeter, figure 6: twelve turns of a player who stated to love risk, 101 points."""
    typed = load_forms(EXAMPLE, check_plan("")[0])
    assert not typed.faults
    assert sum(turn.banked for turn in typed.turns) == 101
    assert typed.answers == {"player 2": {"attitude": "risk loving"}}
    assert whole_games(typed.turns)[1] == []


def test_a_form_becomes_turns_with_both_scores(plan):
    typed = read_forms(HEAD + GAME, plan)
    turns, pairs = whole_games(typed.turns)
    assert pairs == [("a", "b")]
    assert [column.tolist() for column in turns[3:5]] == [[0, 0, 12], [0, 12, 0]]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("1,a,first,1,1,7\n", "row 2: no dice give 7 points in 1 roll from 0"),
        ("1,a,first,1,1,1\n", "no dice give 1 points"),
        ("1,a,first,1,5,26\n", "no dice give 26 points in 5 rolls from 0"),  # 20 after four would have won
        ("1,a,first,1,0,0\n", "row 2: rolls is '0'; a whole number from 1 to 20"),
        ("1,a,first,1,x,\n", "row 2: rolls is 'x'"),
        ("1,a,left,1,1,2\n", "seat is 'left'; first or second"),
        ("1,a,first,2,1,2\n", "row 2: turn is 2; 1 is the next turn of a"),
        ("1,a,first,1,1,2\n1,a,first,1,1,2\n", "row 3: turn is 1; 2 is the next turn"),
        (GAME + "1,a,first,3,1,2\n", "row 5: a has 20 before this turn; the game was over"),
        (GAME + "1,b,second,2,1,2\n", "row 5: a has won before this turn"),
        ("1,a,first,1,1,2\n1,a,second,1,1,2\n", "a plays both seats"),
        ("1,a,first,1,1,2\n1,c,first,2,1,2\n", "row 3: first is c, but a above"),
        ("1,b,second,1,1,2\n1,b,second,2,1,2\n1,a,first,1,1,2\n", "a has 1 turns and b 2"),
        (",a,first,1,1,2\n", "game is ''"),
    ],
)
def test_an_impossible_row_is_named_and_its_form_kept_aside(plan, rows, told):
    typed = read_forms(HEAD + rows + GAME.replace("1,a", "2,a").replace("1,b", "2,b"), plan)
    assert any(told in str(fault) for fault in typed.faults)
    assert {turn.game for turn in typed.turns} == {"2"}
    assert len(typed.aside) == rows.count("\n")
    assert sum(bool(row["fault"]) for row in typed.aside) >= 1


def test_totals_and_answers_are_checked():
    plan = check_plan("")[0]
    head = "game;player;seat;turn;rolls;banked;total;small\n"
    typed = read_forms(head + "1;a;1;1;2;8;9;£10 for sure\n2;a;1;1;2;8;8;yes\n", plan)
    assert [str(fault) for fault in typed.faults] == [
        "row 2: total is 9; the banked points make 8",
        "row 3: small is 'yes'; '£10 for sure' or 'the gamble for £20' is allowed",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there are no rows"),
        ("game,player,seat,turn,rolls,banked\n", "there are no rows"),
        ("game,player,seat,turn,rolls\n1,a,first,1,1\n", "the header has no banked"),
        ("game,player,seat,turn,rolls,banked,mood\n", "the header has 'mood'"),
        ("game,game,seat,turn,rolls,banked\n", "the header has game twice"),
    ],
)
def test_a_header_says_what_is_missing(plan, text, told):
    with pytest.raises(NotationError, match=told):
        read_forms(text, plan)


def test_what_is_kept_aside_can_be_corrected_and_typed_in_again(plan, tmp_path):
    typed = read_forms(HEAD + "1,a,first,1,1,7\n", plan)
    path = tmp_path / "aside.csv"
    save_aside(path, typed.aside)
    with path.open() as file:
        [row] = csv.DictReader(file)
    assert (row["row"], row["fault"]) == ("2", "no dice give 7 points in 1 roll from 0")
    path2 = tmp_path / "again.csv"
    path2.write_text(path.read_text().replace(",1,7,", ",2,7,"))
    assert not load_forms(path2, plan).faults
    with pytest.raises(StorageError, match="is there already"):
        save_aside(path, typed.aside)


def test_an_unknown_participant_keeps_that_form_aside_and_no_other():
    plan = check_plan('participants = ["a", "b"]')[0]
    typed = read_forms(HEAD + GAME + "2,Carl,first,1,1,5\n", plan, plan.participants)
    assert {turn.game for turn in typed.turns} == {"1"}
    (fault,) = typed.faults
    assert fault.sentence == "player is 'Carl'; participants of the study are allowed: a, b, ..."
    assert [row["player"] for row in typed.aside] == ["Carl"]
