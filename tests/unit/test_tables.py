"""Tables of the command line: figures stand under their heads, however long the texts and narrow the window."""

import pytest
from rich.cells import cell_len

from dicewright.cli.tables import laid_out

COLUMNS = ["", "strategy", "mean chance", "dearest habit"]
RULE = "expr:turn < 21 + (2 * (yours - mine) + 7) // 14 or 2 * mine + yours + max(mine, yours) >= 248"
ROWS = [
    ["1", RULE, "52.5025 %", "holding too early"],
    ["2", "keep-pace", "49.5390 %", "none"],
    ["3", "expr:骰子 < 20", "46.0080 %", "rolling too long"],
    ["4", "race:" + "+1/" * 30 + "bust", "46.0080 %", "none"],
]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_figures_stand_under_their_heads_and_no_word_is_broken(width):
    head, lines = laid_out(COLUMNS, ROWS, [0, 2], width)
    ends = {cell_len(line.partition(row[2])[0] + row[2]) for row in ROWS for line in lines if row[2] in line}
    assert ends == {cell_len(head[-1].partition("chance")[0] + "chance")}
    words = [word for row in ROWS for text in row for word in text.split()]
    assert sorted(word for line in lines for word in line.split()) == sorted(words)
    assert all(line == line.rstrip() for line in (*head, *lines))
    assert all(cell_len(line) <= max(width, 60) for line in lines if "+1/" not in line and width > 40)


def test_a_row_of_one_text_is_a_heading_and_keeps_its_indent():
    _, lines = laid_out(
        ["measure", "value"], [["pig"], ["  length", "19.25"], ["  " + "long " * 5 + "long"]], [1], 20
    )
    assert lines == ["pig", "  length  19.25", "  long long long", "  long long long"]
