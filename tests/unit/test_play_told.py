"""The words of the table: verbs, ties, positions explained, what stands, and what may be said."""

import io
import sys

import pytest
from tests.unit.test_play_table import play_out, sit

from dicewright.analysis.moments import Analysis
from dicewright.cli.play.plain import Plain
from dicewright.cli.play.table import unfinished
from dicewright.cli.play.told import Adviser, summary, table_text
from dicewright.cli.play.widgets import packed
from dicewright.core.errors import StorageError
from dicewright.core.results import Advice
from dicewright.families.catalog import parse
from dicewright.storage.shelf.shelf import Shelf


def test_the_opponent_rolls_so_many_dice():
    told = play_out(sit("hog:goal=50", "random"))
    assert any(line.startswith("Random rolls ") and line.endswith(" dice.") for line in told)
    assert not any("dices" in line or "Random roll " in line for line in told)


def test_whose_whole_score_is_lost():
    table = sit("two-dice-pig:goal=50", "hold:20")
    game, ruin = table.game, table.game.read_choice("ruin")
    told = "You roll: two ones, your whole score", "Hold:20 rolls: two ones, hold:20's whole score"
    for player, whose in enumerate(told):
        before = game.play(game.start()._replace(mover=player), "roll")
        [line] = table.teller.scene(before, ruin, game.play(before, ruin)).lines
        assert line.startswith(whose)


def test_a_call_that_stands_is_not_denied():
    table = sit("mia", "truthful", seat=1)
    shown = str(table_text(table.teller, table.sitting.state, [], 80, True, False))
    assert "called " in shown
    assert "No call stands" not in shown


def test_ties_are_shown_as_ties(monkeypatch):
    adviser = Adviser(parse("pig"))
    worth = {"roll": 0.6, "hold": 0.6 - 1e-12}
    monkeypatch.setattr(adviser, "advice", lambda view: Advice(view, worth, "roll", worth))
    assert adviser.hint(None) == [("roll", "60.0 % best"), ("hold", "60.0 % best")]


def test_hints_are_never_broken_inside():
    parts = ["Hint:", *(f"{call}: 85.0 % best" for call in range(31, 45))]
    lines = packed(parts, 36).splitlines()
    assert all(len(line) <= 36 for line in lines)
    assert [part for line in lines for part in line.split("   ")] == parts


def test_the_end_itself_is_neither_worst_nor_best():
    table = sit("pig:goal=15", "hold:8", seed=12)
    for action in ("roll", "roll", "hold", "roll", "roll", "roll"):
        table.choose(action)
    assert table.over
    found: Analysis = Adviser(table.game).analysis(table.record())
    course, _, dearest, *_ = summary(found, 0)
    assert "100.0 %" not in course
    assert "holding 8 points at 0 to 0." in dearest


def plain(monkeypatch, capsys, table, typed):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    Plain(table, Adviser(table.game), False).run(False)
    return capsys.readouterr().out


def test_a_wrong_word_is_answered_with_all_that_are_right(monkeypatch, capsys):
    said = plain(monkeypatch, capsys, sit("pig:goal=90", "hold:8", seed=3), "flip\nroll\nflip\n")
    assert "'flip' is not possible now. Say roll, hint, rules or quit." in said
    assert "'flip' is not possible now. Say roll, hold, hint, rules, undo or quit." in said
    rated = plain(monkeypatch, capsys, sit("pig:goal=90", "hold:8", rated=True), "flip\n")
    assert "'flip' is not possible now. Say roll, rules or quit." in rated


def test_spaces_between_words_do_not_count(monkeypatch, capsys):
    said = plain(monkeypatch, capsys, sit("bluff:dice=2v2", "random"), "  Three   sixes \n")
    assert "You bid three sixes." in said


def test_a_game_that_is_not_there_is_suggested_by_its_name():
    with (
        Shelf.open("sqlite://") as shelf,
        pytest.raises(StorageError, match=r"begin one with: dicewright play pig:goal=3$"),
    ):
        unfinished(shelf, "pig:goal=3")
