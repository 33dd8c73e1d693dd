"""The one writer of CSV: no text in a cell is a formula to the spreadsheet that opens the file.

A spreadsheet computes a cell that begins with `=`, `+`, `-` or `@`, and names of players and files are strangers'
text. An apostrophe before it makes it text there; `plain` takes it away again. Numbers stay numbers.
"""

import csv
import re
from collections.abc import Iterable
from io import StringIO
from typing import Any

FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-](inf|nan)", re.IGNORECASE)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """The rows as CSV."""
    return "".join(map(_line, rows))


def _line(row: Iterable[Any]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(
        map(safe, row)
    )  # so that both signs are quoted in a cell
    return f"{text.getvalue()[:-2]}\n"


def safe(cell: Any) -> Any:
    """The cell as it is written: an apostrophe before text that would be a formula.

    >>> safe("=1+1"), safe("+6"), safe(-1.5), safe("-x"), safe("'=1"), safe("Ada")
    ("'=1+1", '+6', -1.5, "'-x", "''=1", 'Ada')
    """
    if not isinstance(cell, str) or not FORMULA.match(cell) or NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def plain(cell: str) -> str:
    """The text of a cell that was read: what `safe` was given.

    >>> plain("'=1+1"), plain("''=1"), plain("'tis"), plain("+6")
    ('=1+1', "'=1", "'tis", '+6')
    """
    return cell[1:] if cell[:1] == "'" and FORMULA.match(cell) else cell
