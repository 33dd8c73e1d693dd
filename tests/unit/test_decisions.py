"""Decisions as data: the numbers of the analysis, one row each, in every form."""

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.reference.random_play import random_record

import dicewright as dw
from dicewright.analysis.analyse import analyse
from dicewright.analysis.decisions import CODEBOOK, COLUMNS, _ply_by_ply, decision_columns
from dicewright.core.errors import IllegalAction, NotationError, StorageError
from dicewright.core.record import Note, Record
from dicewright.core.times import Times, read_times, times_of, with_times
from dicewright.families.catalog import parse
from dicewright.storage.decisions import FORMS, form_of, print_decisions, save_decisions, write_decisions
from dicewright.storage.files import plain
from dicewright.storage.store import solve

RACES = (
    "piglet:goal=3",
    "pig:goal=20",
    "pig:goal=12,finish=exact",
    "pig:goal=12,skip=yes",
    "pig:goal=12,payoff=difference",
    "two-dice-pig:goal=14",
    "hog:goal=10,dice=2",
)
HIDDEN = ("bluff:sides=3", "liars-die", "mia")
PIG = """
[Game "pig:goal=20"]
[First "Ada"]
[SecondStrategy "hold:8"]
roll +6 roll {[%shown 2026-11-15T20:15:00.250Z] [%time 5210]}
+5 hold roll +4 hold roll +6 roll +3 hold =1
"""


def played(name, games=6, most=200):
    rng = Random(5)
    return [random_record(parse(name), rng, most) for _ in range(games)]


def rows(records, **more):
    blocks = decision_columns(enumerate(records, start=1), solve, **more)
    return [row for block in blocks for row in zip(*block, strict=True)]


@pytest.mark.parametrize("name", RACES)
def test_compiled_decisions_are_those_of_the_analysis(name):
    records = played(name)
    judge = solve(records[0].game)
    fast = judge.decisions([record.choices for record in records])
    slow = _ply_by_ply(list(enumerate(records)), judge)
    assert fast[:3] == slow[:3]
    assert fast.choice == slow.choice
    for one, two in zip(fast.place, slow.place, strict=True):
        assert one.position == two.position
        assert [action for action, _ in one.worths] == [action for action, _ in two.worths]
        assert [worth for _, worth in one.worths] == pytest.approx(
            [worth for _, worth in two.worths], abs=1e-12
        )
        assert dict(two.worths)[one.best] == pytest.approx(dict(two.worths)[two.best], abs=1e-12)
    for one, two in zip(fast[5:], slow[5:], strict=True):
        assert one == pytest.approx(two, abs=1e-12)


@pytest.mark.parametrize("name", HIDDEN)
def test_each_row_is_a_judged_moment(name):
    records = played(name, 3)
    found = iter(rows(records))
    for number, record in enumerate(records, start=1):
        analysis = analyse(record, solve(record.game))
        for moment in filter(lambda moment: moment.decided, analysis.moments):
            row = dw_row(next(found))
            assert (row["record"], row["ply"], row["loss"]) == (number, moment.ply, moment.loss)
            assert record.game.read_view(row["position"]) == moment.view
            assert list(dict(row["worths"]).values()) == list(moment.worths.values())
            before = sum(each.luck + each.hidden_luck for each in analysis.moments[: moment.ply])
            assert row["luck_before"] == pytest.approx(before if moment.who == 0 else -before, abs=1e-12)
    assert next(found, None) is None


def dw_row(row):
    return dict(zip(COLUMNS, row, strict=True))


def test_losses_and_the_last_luck_are_those_of_the_figures():
    record = next(dw.read_records(PIG))
    figures = analyse(record, solve(record.game)).figures
    found = [dw_row(row) for row in rows([record])]
    for seat, mine in zip(("first", "second"), figures, strict=True):
        assert sum(row["loss"] for row in found if row["seat"] == seat) == pytest.approx(mine.loss)
    assert found[-1]["luck_after"] == pytest.approx(figures[0].luck)


def test_games_in_which_something_was_taken_back_are_marked():
    plain = next(dw.read_records(PIG))
    undone = replace(plain, tags=(*plain.tags, ("Undo", "yes")))
    found = [(row["record"], row["undo"]) for row in map(dw_row, rows([plain, undone]))]
    assert set(found) == {(1, ""), (2, "yes")}


def test_the_dice_that_answer_a_choice_are_its_luck():
    record = next(dw.read_records(PIG))
    moments = analyse(record, solve(record.game)).moments
    first = dw_row(rows([record])[0])
    assert (first["ply"], first["choice"], first["position"]) == (2, "roll", "0-0+6")
    assert first["luck_before"] == pytest.approx(moments[1].luck)
    assert first["luck_after"] - first["luck_before"] == pytest.approx(moments[3].luck)


@pytest.mark.parametrize("name", ["pig:goal=20", "bluff:sides=3"])
def test_a_game_that_stops_before_its_dice_has_no_more_luck(name):
    whole = played(name, 1)[0]
    for plies in range(len(whole.choices) + 1):
        cut = Record(whole.game, whole.choices[:plies], 0.0, "unfinished")
        for row in map(dw_row, rows([cut])):
            assert row["ply"] < plies
    assert rows([Record(whole.game, (), 0.0, "unfinished")]) == []


def test_a_choice_that_is_not_allowed_is_named():
    game = parse("pig:goal=20")
    bad = Record(game, tuple(map(game.read_choice, ("roll", "+5", "hold", "hold"))), 0.0, "unfinished")
    with pytest.raises(IllegalAction, match=r"record 2: choice 4 of the record: hold is not allowed"):
        rows([played("pig:goal=20", 1)[0], bad])


def test_records_of_several_games_keep_their_order():
    records = [*played("piglet:goal=3", 2), *played("liars-die", 1), *played("piglet:goal=3", 1)]
    heard = []
    found = rows(records, progress=heard.append)
    assert list(dict.fromkeys(row[1] for row in found)) == sorted({row[1] for row in found})
    assert heard == [4]


def test_the_frame_has_the_columns_of_the_codebook():
    pandas = pytest.importorskip("pandas")
    record = next(dw.read_records(PIG))
    frame = dw.decisions([record, replace(record, notes=())])
    assert list(frame.columns) == list(COLUMNS) == list(CODEBOOK)
    assert frame.record.dtype == frame.ply.dtype == "int64"
    assert (frame.shown.iloc[0], frame.time.iloc[0]) == (1794773700250, 5210)
    assert pandas.isna(frame.time.iloc[1])
    assert frame[frame.record == 2].time.isna().all()
    assert dict(frame.worths.iloc[0]).keys() == {"roll", "hold"}
    assert set(zip(frame.player, frame.strategy, strict=True)) == {("Ada", ""), ("hold:8", "hold:8")}
    assert dw.decisions({"abc": record}).record.unique().tolist() == ["abc"]
    assert list(dw.decisions([]).columns) == list(COLUMNS)


def test_without_pandas_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(StorageError, match="a DataFrame needs pandas: pip install"):
        dw.decisions([])


@pytest.mark.parametrize("form", ["csv", "jsonl", "json"])
def test_every_form_says_the_same(form):
    record = replace(next(dw.read_records(PIG)), tags=(("First", '=1+1,"\r\n'), ("SecondStrategy", "hold:8")))
    records = [record, *played("bluff:sides=3", 1)]
    stream = io.BytesIO()
    count = write_decisions(stream, decision_columns(enumerate(records, start=1), solve), form)
    text = stream.getvalue().decode()
    wanted = [dw_row(row) for row in rows(records)]
    assert count == len(wanted)
    for row in wanted:
        row["worths"] = dict(row["worths"])
    if form == "csv":
        table = csv.DictReader(io.StringIO(text, newline=""))
        found = [{name: plain(cell) for name, cell in row.items()} for row in table]
        for row in wanted:
            row["worths"] = json.dumps(row["worths"], separators=(",", ":"))
        wanted = [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in wanted]
    else:
        found = json.loads(text) if form == "json" else [json.loads(line) for line in text.splitlines()]
    assert found == wanted


def test_parquet_holds_pairs(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    record = next(dw.read_records(PIG))
    path = tmp_path / "decisions.parquet"
    save_decisions(path, decision_columns([("a", record), (2, record)], solve), "parquet")
    found = parquet.read_table(path).to_pylist()
    assert [row["record"] for row in found][::5] == ["a", "2"]
    assert found[0] == {**dw_row(rows([record])[0]), "record": "a", "worths": list(rows([record])[0][10])}


def test_nothing_decided_is_an_empty_table():
    for form, text in (("csv", ",".join(COLUMNS) + "\n"), ("jsonl", ""), ("json", "[]\n")):
        stream = io.BytesIO()
        assert write_decisions(stream, [], form) == 0
        assert stream.getvalue().decode() == text


def test_forms_are_known_by_name_or_ending(tmp_path):
    assert [form_of(tmp_path / f"a.{form.upper()}", None) for form in FORMS] == list(FORMS)
    assert form_of(None, None) == "csv"
    with pytest.raises(NotationError, match=r"the form 'xls' is unknown; \.csv, \.jsonl"):
        form_of(None, "xls")
    with pytest.raises(NotationError, match=r"the ending of '.*a.xls' is unknown"):
        form_of(tmp_path / "a.xls", None)
    with pytest.raises(NotationError, match="--output"):
        print_decisions([], "parquet")


@pytest.mark.parametrize(
    "text",
    [
        "shown",
        "[%shown 2026-11-15T20:15:00.250Z]",
        "[%shown 2026-02-31T20:15:00.250Z] [%time 1]",
        "[%shown 2026-11-15T20:15:00.250Z] [%time -1]",
        "[%shown 2026-11-15T20:15:00.250Z] [%time 1] ",
        "[%shown ２026-11-15T20:15:00.250Z] [%time 1]",
    ],
)
def test_other_comments_say_no_times(text):
    assert read_times(text) is None


def test_times_stand_before_what_else_is_said_of_a_choice():
    record = next(dw.read_records(PIG))
    times = {2: Times(0, 0), 5: Times(253402300799999, 10**15 - 1)}
    notes = (Note(0, "begin"), Note(3, "bold", "!"), Note(6, "later"))
    timed = replace(record, notes=with_times(notes, times))
    assert [note.ply for note in timed.notes] == [0, 3, 3, 6, 6]
    assert times_of(timed) == times
    assert times_of(next(dw.read_records(dw.write_records([timed])))) == times


def test_the_docs_have_the_codebook():
    docs = Path(__file__).parents[2] / "docs" / "decisions.md"
    told = docs.read_text(encoding="utf-8")
    assert all(f"| `{name}` | {kind} | {about} |" in told for name, (kind, about) in CODEBOOK.items())
