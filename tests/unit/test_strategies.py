"""Strategies that go wrong are refused in one sentence: Python functions, tables in files, rules of thumb."""

import time

import numpy as np
import pytest

from dicewright.core.errors import (
    DicewrightError,
    NotationError,
    RulesError,
    StorageError,
    StrategyError,
    TooLarge,
)
from dicewright.core.strategy import checked_mix, decide
from dicewright.families.catalog import parse
from dicewright.families.race import tabled as race_table
from dicewright.families.race.duel import best_response_race, evaluate_race, win_matrix
from dicewright.families.race.rules import HOLD, ROLL, RaceView
from dicewright.families.race.solution import solve_values
from dicewright.families.race.strategies import RACE, Function, HoldAt, KeepPace
from dicewright.families.race.tabled import tabulate
from dicewright.storage.store import save_solution
from dicewright.storage.strategies import parse as strategy
from dicewright.storage.strategies import read_table

SMALL = parse("pig:goal=10")


def test_a_function_is_turned_into_the_table_it_describes():
    def hold_at_4(mine, yours, turn):
        return turn < 4

    assert tabulate(SMALL, Function(hold_at_4)).same_choices(tabulate(SMALL, HoldAt(4)))
    numpy_answers = Function(lambda mine, yours, turn: np.bool_(turn < 4))
    assert tabulate(SMALL, numpy_answers).same_choices(tabulate(SMALL, HoldAt(4)))
    assert str(Function(hold_at_4)) == "hold_at_4"


@pytest.mark.parametrize("answer", [1, 0, None, "roll", 0.5, [], float("nan")])
def test_a_function_that_answers_something_else(answer):
    with pytest.raises(
        StrategyError, match=r"it answered .*True \(roll\) or False \(hold\) is allowed.* at 0-0\+1"
    ):
        tabulate(SMALL, Function(lambda mine, yours, turn: answer))


def test_a_function_that_raises_names_the_error_and_the_place():
    def picky(mine, yours, turn):
        return 1 / (3 - mine) > 0

    with pytest.raises(StrategyError, match=r"picky raised ZeroDivisionError \(division by zero\) at 3-0\+1"):
        tabulate(SMALL, Function(picky))


def test_a_function_that_loops_is_stopped(monkeypatch):
    """The alarm rings after PATIENCE seconds, whatever the machine; nothing is timed here."""
    monkeypatch.setattr(race_table, "PATIENCE", 1)

    def stubborn(mine, yours, turn):
        while yours == 2:
            time.sleep(0.01)
        return True

    with pytest.raises(StrategyError, match=r"stubborn did not answer within 1 s at 0-2\+1"):
        tabulate(SMALL, Function(stubborn))
    assert tabulate(SMALL, Function(lambda mine, yours, turn: True)).solo


def test_a_function_is_not_asked_too_many_questions():
    with pytest.raises(TooLarge, match="62,512,500,000 views of pig:goal=5000; 5,000,000 is allowed"):
        tabulate(parse("pig:goal=5000"), Function(lambda mine, yours, turn: True))


@pytest.mark.parametrize(
    ("mix", "sentence"),
    [
        ("roll", "answered 'roll'; a mix such as"),
        (None, "answered None; a mix"),
        ({"fly": 1.0}, "answered 'fly'; allowed are"),
        ({ROLL: 0.5, HOLD: 0.4}, "sum to 0.9, not 1"),
        ({ROLL: 1.5, HOLD: -0.5}, "the chance 1.5; 0 to 1 is allowed"),
        ({ROLL: float("nan")}, "the chance nan; 0 to 1"),
        ({}, "sum to 0, not 1"),
    ],
)
def test_mixes_that_are_no_mixes(mix, sentence):
    with pytest.raises(StrategyError, match=sentence):
        tabulate(SMALL, lambda view: mix)
    with pytest.raises(StrategyError, match=sentence):
        decide(SMALL, RaceView(0, 0, 5), lambda view: mix)
    with pytest.raises(StrategyError, match=sentence):
        checked_mix(mix, (ROLL, HOLD), "it", "0-0+5")


def test_a_forced_action_is_played_without_asking():
    def never(view):
        raise AssertionError("asked")

    assert decide(SMALL, RaceView(0, 0), never) == {ROLL: 1.0}
    assert decide(SMALL, RaceView(5, 0, 6), never) == {HOLD: 1.0}


def test_decide_names_the_error_of_a_strategy_that_raises():
    with pytest.raises(StrategyError, match="raised KeyError"):
        decide(SMALL, RaceView(0, 0, 5), lambda view: {}["x"])


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("hold", NotationError, "lacks n: a whole number"),
        ("hold:x", NotationError, "n is 'x'"),
        ("hold:0", RulesError, "1 to"),
        ("hold:-3", RulesError, "1 to"),
        ("hold:20,21", NotationError, "field=value"),
        ("hodl:20", NotationError, "did you mean 'hold'"),
        ("optimal:n=3", NotationError, "it has no fields"),
        ("four-scoring-turns:turns=0", RulesError, "1 to 20"),
        ("skip-when-equal", StrategyError, "allowed in pig:skip=yes"),
        ("max-difference:course=maybe", NotationError, "yes or no"),
        ("max-difference:course=yes", RulesError, "for pig:one=scores"),
    ],
)
def test_strategies_that_cannot_be_read(text, error, words):
    with pytest.raises(error) as caught:
        strategy(text, SMALL)
    assert words in str(caught.value)
    assert caught.value.exit_code == 2


def test_names_of_strategies_read_back():
    game = parse("pig:goal=12,skip=yes,one=scores")
    needed = {"hold": "hold:7", "expr": "expr:turn < 7"}
    for name in RACE:
        first = strategy(needed.get(name, name), game)
        assert str(first) == needed.get(name, name)
        assert str(strategy(str(first), game)) == str(first)
    changed = [
        "keep-pace:base=20,race=60",
        "roll-and-wait:target=8",
        "skip-when-equal:base=hold:3",
        "end-race:hold=5",
    ]
    for text in changed:
        assert str(strategy(text, game)) == text


def test_waiting_is_refused_where_the_rules_do_not_allow_it():
    with pytest.raises(StrategyError, match="roll-and-wait holds at 80-0, without a turn total"):
        tabulate(parse("pig"), strategy("roll-and-wait", parse("pig")))

    class Waits:
        def hold_at(self, mine, yours):
            return np.where(mine > yours, 0, 5)

    with pytest.raises(StrategyError, match="holds at 1-0, without a turn total"):
        tabulate(SMALL, Waits())
    assert tabulate(parse("pig:goal=10,skip=yes"), Waits()).choices(1, 0)[0] == 0


def test_rules_of_thumb_for_one_roll_are_refused_where_there_are_more():
    with pytest.raises(StrategyError, match="only says roll or hold; hog:dice=2 has the rolls 1, 2"):
        tabulate(parse("hog:dice=2"), HoldAt(20))


def test_skip_when_equal_needs_a_pure_rule():
    game = parse("pig:goal=10,skip=yes")
    with pytest.raises(StrategyError, match="remembers or mixes"):
        strategy("skip-when-equal:base=random", game)


def thresholds(game, rule, path):
    """A file of the first form."""
    lines = [f"{i},{j},{int(rule(i, j))}" for i in range(game.goal) for j in range(game.goal)]
    path.write_text("mine,yours,hold_at\n" + "\n".join(lines) + "\n")
    return path


def actions(game, rule, path):
    """A file of the second form."""
    lines = [
        f"{i}, {j}, {k}, {'roll' if k < rule(i, j) else 'hold'}"
        for i in range(game.goal)
        for j in range(game.goal)
        for k in range(game.goal - i)
    ]
    path.write_text("mine,yours,turn,action\n" + "\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("write", [thresholds, actions])
def test_tables_in_files_of_either_form(write, tmp_path):
    rule = KeepPace(base=4, share=2, race=7)
    path = write(SMALL, rule.hold_at, tmp_path / "rule.csv")
    read = strategy(f"table:{path}", SMALL)
    assert str(read) == f"table:{path}"
    assert tabulate(SMALL, read).same_choices(tabulate(SMALL, rule))
    assert evaluate_race(SMALL, read, rule).a_overall == pytest.approx(0.5, abs=1e-12)


def test_a_saved_solution_is_a_table_too(tmp_path):
    path = tmp_path / "solved.npz"
    save_solution(SMALL, path)
    assert read_table(path, SMALL).table(SMALL).same_choices(solve_values(SMALL).table(SMALL))
    with pytest.raises(StrategyError, match="solves pig:goal=10, not pig:goal=11"):
        read_table(path, parse("pig:goal=11"))


@pytest.mark.parametrize(
    ("write", "number", "line"),
    [
        (thresholds, 2, "0,0,x"),
        (thresholds, 5, "0,10,3"),
        (thresholds, 7, "-1,0,3"),
        (thresholds, 9, "0,0"),
        (thresholds, 9, "0,0,3,4"),
        (thresholds, 3, "0,1,0"),
        (thresholds, 3, "0,1,-4"),
        (actions, 2, "0,0,0,hold"),
        (actions, 4, "0,0,2,fly"),
        (actions, 4, "0,0,2"),
        (actions, 4, "0,0,2,roll,hold"),
        (actions, 6, "3,0,7,roll"),
        (actions, 6, "0,0,1e1,roll"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_line(write, number, line, tmp_path):
    path = write(SMALL, lambda i, j: 4, tmp_path / "rule.csv")
    lines = path.read_text().splitlines()
    lines[number - 1] = line
    path.write_text("\n".join(lines))
    with pytest.raises(StrategyError, match=f"rule.csv line {number} is .*; allowed: scores 0 to 9"):
        read_table(path, SMALL)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", StrategyError, "line 1 is ''; mine,yours,hold_at or"),
        ("mine,yours\n", StrategyError, "line 1 is 'mine,yours'"),
        ("mine,yours,hold_at\n0,0,4\n", StrategyError, r"says nothing of 0-2\+2, which can occur"),
        (
            "mine,yours,turn,action\n0,0,0,roll\n0,0,2,hold\n",
            StrategyError,
            r"says nothing of 0-0\+3, which can occur",
        ),
        ('mine,yours,hold_at\n"' + "x" * 200_000, StrategyError, "no CSV file"),
        (b"\xff\xfe\x00", StorageError, "no text in UTF-8"),
        (b"PK\x03\x04 no zip", DicewrightError, "no file of dicewright"),
    ],
)
def test_files_that_are_no_tables(text, error, words, tmp_path):
    path = tmp_path / "rule.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(error, match=words):
        read_table(path, SMALL)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(StorageError, match="No such file"):
        strategy(f"table:{tmp_path / 'missing.csv'}", SMALL)
    with pytest.raises(StorageError, match="a folder"):
        strategy(f"table:{tmp_path}", SMALL)


def test_a_file_of_thresholds_does_not_fit_several_rolls(tmp_path):
    path = thresholds(SMALL, lambda i, j: 4, tmp_path / "rule.csv")
    with pytest.raises(StrategyError, match="only says roll or hold"):
        read_table(path, parse("hog:goal=10,dice=2"))


def test_a_file_for_a_game_too_large_for_tables_is_refused_before_any_memory_is_taken(tmp_path):
    path = thresholds(SMALL, lambda i, j: 4, tmp_path / "rule.csv")
    with pytest.raises(TooLarge, match="5,000,000"):
        read_table(path, parse("pig:goal=5000"))


def test_skipping_in_a_file_is_allowed_where_the_rules_allow_it(tmp_path):
    game = parse("pig:goal=10,skip=yes")
    path = thresholds(game, lambda i, j: 0 if i > j else 4, tmp_path / "rule.csv")
    assert read_table(path, game)(RaceView(5, 2)) == {HOLD: 1.0}


def test_a_strategy_made_for_another_game_is_refused():
    """The kernels would read beyond its tables."""
    small = strategy("optimal", parse("pig:goal=5"))
    with pytest.raises(StrategyError, match="made for pig:goal=5"):
        evaluate_race(parse("pig"), small, KeepPace())


def test_a_response_that_reads_a_memory_meets_only_its_owner():
    game = parse("pig:goal=20")
    against = strategy("four-scoring-turns", game)
    response = best_response_race(game, against)
    assert evaluate_race(game, response.strategy, against).a_first.first_wins == response.first_wins
    with pytest.raises(StrategyError, match="only meet that opponent"):
        evaluate_race(game, response.strategy, KeepPace())


def test_turns_of_a_match_that_may_never_end_are_infinite():
    game = parse("pig:goal=10,one=scores,skip=yes")
    stuck = strategy("skip-when-equal", game)
    assert evaluate_race(game, stuck, stuck).a_first.expected_turns == float("inf")
    exact = parse("pig:goal=10,finish=exact")
    assert win_matrix(exact, [strategy("hold:3", exact)])[0, 0] < 1
