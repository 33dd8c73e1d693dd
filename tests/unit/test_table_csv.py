"""Tables as programs write them: separators, marks, encodings, names in any case, and states left out."""

import codecs
import re

import pytest

from dicewright.core.errors import StorageError, StrategyError
from dicewright.families.catalog import parse as game
from dicewright.families.race.duel import evaluate_race
from dicewright.families.race.strategies import HoldAt
from dicewright.families.race.tabled import tabulate
from dicewright.storage.strategies import parse as strategy
from dicewright.storage.strategies import read_table

SMALL = game("pig:goal=12")
FOUR = tabulate(SMALL, HoldAt(4))
PAIRS = [(mine, yours) for mine in range(12) for yours in range(12)]
THRESHOLDS = "\n".join(["mine,yours,hold_at", *(f"{mine},{yours},4" for mine, yours in PAIRS)])
STATES = [(mine, yours, turn) for mine, yours in PAIRS for turn in range(12 - mine)]
ACTIONS = "\n".join(
    ["mine,yours,turn,action", *(f"{m},{y},{t},{'roll' if t < 4 else 'hold'}" for m, y, t in STATES)]
)


def saved(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("table", [THRESHOLDS, ACTIONS], ids=["thresholds", "actions"])
@pytest.mark.parametrize(
    "change",
    [
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace(",", ";"),
        lambda text: text.replace(",", "\t").replace("\n", "\r\n").encode("utf-16"),  # Excel's "Unicode text"
        lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: "sep=;\n" + text.replace(",", ";"),
        lambda text: text.upper(),
        lambda text: text.replace("mine,yours,hold_at", "Mine, Yours, Hold at"),
        lambda text: text.replace("\n", ",,\n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: "\n".join(
            ",".join(f'"{cell}"' for cell in line.split(",")) for line in text.split("\n")
        ),
    ],
)
def test_a_table_is_read_from_whatever_program_saved_it(table, change, tmp_path):
    read = read_table(saved(tmp_path / "rule.csv", change(table)), SMALL)
    assert read.runs.same_choices(FOUR)


@pytest.mark.parametrize("hold_at", ["4,0", "4.0", "3,5", "3.5", "+4"])
def test_decimal_commas_and_points(hold_at, tmp_path):
    text = THRESHOLDS.replace(",", ";").replace(";4", f";{hold_at}").replace(f";{hold_at};", ";4;")
    assert read_table(saved(tmp_path / "rule.csv", text), SMALL).runs.same_choices(FOUR)


@pytest.mark.parametrize("line", ["0;0,5;4", "0;0;4 points", "0;0;1e3", "0;0;1.000,5", "0;0;nan", "0;0;٤"])
def test_numbers_that_are_none_are_named_with_their_line(line, tmp_path):
    path = saved(tmp_path / "rule.csv", THRESHOLDS.replace(",", ";").replace("0;1;4", line))
    with pytest.raises(StrategyError, match=re.escape(f"rule.csv line 3 is '{line}'")):
        read_table(path, SMALL)


@pytest.mark.parametrize("data", [b"mine,yours,hold_at\n\xe9", b"\xff\xfea", b"a\0\xff"])
def test_other_encodings_are_told_how_to_be_saved(data, tmp_path):
    with pytest.raises(StorageError, match="save it again with the encoding UTF-8"):
        read_table(saved(tmp_path / "rule.csv", data), SMALL)


def test_scores_and_totals_that_cannot_occur_may_be_left_out(tmp_path):
    """In Pig nobody has 1 point; a turn total of 1 cannot be, nor one above 9 for who holds from 4 on."""
    pairs = "\n".join(line for line in THRESHOLDS.split("\n") if "1" not in line.split(",")[:2])
    read = read_table(saved(tmp_path / "pairs.csv", pairs), SMALL)
    assert evaluate_race(SMALL, read, HoldAt(4)).a_overall == pytest.approx(0.5, abs=1e-12)
    lines = [f"{m},{y},{t},{'roll' if t < 4 else 'hold'}" for m, y, t in STATES if t in range(2, 10)]
    read = read_table(saved(tmp_path / "states.csv", "\n".join(["mine,yours,turn,action", *lines])), SMALL)
    other = HoldAt(5)
    found, expected = (evaluate_race(SMALL, player, other).a_overall for player in (read, HoldAt(4)))
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("kept", "state"),
    [
        (lambda m, y, t: t != 3, r"0-0\+3"),
        (lambda m, y, t: (m, y) != (5, 7), "5-7"),
        (lambda m, y, t: t < 9, r"0-0\+9"),
        (lambda m, y, t: m < 11, r"11-0"),
    ],
)
def test_what_can_occur_may_not_be_left_out(kept, state, tmp_path):
    wait = game("pig:goal=12,skip=yes")
    lines = [f"{m},{y},{t},{'roll' if t < 4 else 'hold'}" for m, y, t in STATES if kept(m, y, t)]
    path = saved(tmp_path / "states.csv", "\n".join(["mine,yours,turn,action", *lines]))
    with pytest.raises(StrategyError, match=f"says nothing of {state}, which can occur"):
        read_table(path, wait)


def test_the_numbers_of_plot_surface_are_a_table(tmp_path):
    from dicewright.families.race.pictures import hold_surface
    from dicewright.storage.files import save_picture

    optimal = strategy("optimal", SMALL)
    surface = hold_surface(SMALL, optimal)
    rows = [(mine, yours, int(surface[mine, yours])) for mine, yours in PAIRS]
    numbers = save_picture(tmp_path / "surface.png", b"", ("mine", "yours", "hold_from"), rows)
    read = read_table(numbers, SMALL)
    assert (hold_surface(SMALL, read) == surface).all()
    assert evaluate_race(SMALL, read, optimal).a_overall == pytest.approx(0.5, abs=1e-12)


def test_a_long_first_line_is_quoted_in_part(tmp_path):
    with pytest.raises(StrategyError) as error:
        read_table(saved(tmp_path / "rule.csv", "secret " * 10_000), SMALL)
    assert len(str(error.value)) < 300 + len(str(tmp_path))


@pytest.mark.parametrize("text", ["," * 1_000_001, "mine,yours,hold_at\n" + "," * 1_000_001])
def test_a_line_cannot_fill_the_memory_with_cells(text, tmp_path):
    with pytest.raises(StrategyError, match=r"line \d has 1,000,001 characters; 1,000,000 is allowed"):
        read_table(saved(tmp_path / "rule.csv", text), SMALL)
