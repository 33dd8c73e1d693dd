"""The files of proved values that others cite."""

import csv
import json
import re
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from tests import documents, forked

import dicewright as dw
from dicewright.families import kins

ROOT = Path(__file__).parents[2]
ROWS = json.loads((ROOT / "docs" / "values" / "values.json").read_text(encoding="utf-8"))
CITED = {dw.game(text).name: gap for kin in kins() for text, gap in kin.cited.items()}


def test_the_files_have_every_game_that_is_cited_in_this_version():
    assert [row["game"] for row in ROWS] == list(CITED)
    assert {row["version"] for row in ROWS} == {dw.__version__}
    text = (ROOT / "docs" / "values" / "values.csv").read_text(encoding="utf-8")
    assert list(csv.DictReader(StringIO(text))) == ROWS
    page = (ROOT / "docs" / "values" / "values.html").read_text(encoding="utf-8")
    assert all(f"<td>{row['command']}</td>" in page for row in ROWS)
    assert f"version: {dw.__version__}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["game"])
def test_bounds_hold_what_is_said(row):
    assert Fraction(row["lower"]) <= Fraction(row["upper"])
    if row["exact"]:
        assert abs(Fraction(row["exact"]) - Fraction(row["lower"])) < Fraction(1, 10**20)


def same(found, row):
    assert row["exact"] in ("", found.exact)
    assert max(map(Fraction, (found.lower, row["lower"]))) <= min(map(Fraction, (found.upper, row["upper"])))


@pytest.mark.parametrize("game", ["pig", "piglet:goal=3", "kuhn-poker", "mia", "bluff", "bluff:dice=2v2"])
def test_values_are_as_the_files_have_them(game):
    (found,) = dw.values([game]).rows
    same(found, next(row for row in ROWS if row["game"] == game))


@pytest.mark.long
def test_all_values_are_as_the_files_have_them():
    for found, row in zip(dw.values(whole=True).rows, ROWS, strict=True):
        same(found, row)


def test_the_command_writes_each_kind(tmp_path):
    files = [tmp_path / f"v.{ending}" for ending in ("html", "csv", "json")]
    words = ["values", "piglet:goal=2", "pig"]
    outputs = [word for file in files for word in ("-o", str(file))]
    printed = forked.run([*words, *outputs], text=True, check=True).stdout
    assert re.search(r"piglet:goal=2 +1/7", printed)
    assert "0.0611854505474938..." in printed.replace(" ", "") or "0.0611854505474938" in printed
    said = json.loads(forked.run([*words, "--json"], text=True, check=True).stdout)
    documents.check(["values"], said)
    assert json.loads(files[2].read_text()) == said
    assert forked.run([*words, "-o", "v.txt"], text=True).returncode == 2


def test_a_notebook_shows_values_without_what_is_wider_than_a_page():
    values = dw.values(["mia", "bluff"])
    shown = values._repr_html_()
    assert "-7/258" in shown
    assert "sequence-form because" not in shown
    assert "000" not in shown
    assert list(values.to_frame().columns) == list(values.rows[0]._fields)
