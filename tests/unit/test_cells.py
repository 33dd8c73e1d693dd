"""CSV that a spreadsheet opens: no stranger's text is a formula, numbers are numbers, and all is read back."""

import csv
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicewright
from dicewright.storage.files import csv_text, plain, safe, save_picture
from dicewright.storage.records.tables import COLUMNS, read_csv, write_csv
from dicewright.storage.records.text import read_records

FORMULAS = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1",
    "=",
    "+",
    "-",
    "--1",
    "+1+1",
]
TEXTS = st.text(alphabet="'=+-@\t\r\n＝ab1.,\"; ", max_size=6)


def cells_of(text):
    return list(csv.reader(StringIO(text, newline="")))


@pytest.mark.parametrize("name", FORMULAS)
def test_no_text_is_a_formula(name, tmp_path):
    assert cells_of(csv_text([["name"], [name]]))[1] == [f"'{name}"]
    save_picture(tmp_path / "picture.svg", b"", ["name"], [[name]])
    assert cells_of((tmp_path / "picture.csv").read_bytes().decode())[1] == [f"'{name}"]
    assert plain(safe(name)) == name


@pytest.mark.parametrize(
    "number", [-1, 1.5, -2.5e-9, "-1", "+6", "-0.25", "1e-9", "-1.5E+3", "-inf", ".5", "7"]
)
def test_numbers_stay_numbers(number):
    assert cells_of(csv_text([[number]])) == [[str(number)]]
    float(cells_of(csv_text([[number]]))[0][0])


@given(TEXTS)
def test_what_was_written_is_read_back(text):
    written = safe(text)
    assert plain(written) == text
    assert written == text or written == f"'{text}"
    assert written[:1] not in tuple("=@\t\r\n＝")
    assert written[:1] not in tuple("+-") or re.fullmatch(r"[+-](\d+\.?\d*|\.\d+)", written)
    assert plain(cells_of(csv_text([["first", text]]))[0][1]) == text


def test_records_with_such_names_come_back_as_they_were():
    tags = tuple((name, text) for name, text in zip(("First", "Second", "Event"), FORMULAS, strict=False))
    [record] = read_records('[Game "pig:goal=5"]\nroll +6 hold =1')
    record = replace(record, tags=tags)
    text = "".join(write_csv([record]))
    for row in cells_of(text)[1:]:
        for column, cell in zip(COLUMNS, row, strict=True):
            assert cell[:1] not in tuple("=@-\t\r") or column == "payoff"
    assert ",+6," in text  # a roll is a number to a spreadsheet, which is no harm
    assert list(read_csv(StringIO(text, newline=""), "here")) == [record]


def test_there_is_one_writer_of_csv():
    source = Path(dicewright.__file__).parent
    writers = [
        path.name for path in source.rglob("*.py") if re.search(r"csv\.(writer|DictWriter)", path.read_text())
    ]
    assert writers == ["files.py"]
