"""Pages, pictures with their numbers, and the one writer of CSV.

No text in a cell is a formula to the spreadsheet that opens the file.

A spreadsheet computes a cell that begins with `=`, `+`, `-` or `@`, and names of players and files are strangers'
text. An apostrophe before it makes it text there; `plain` takes it away again. Numbers stay numbers.
"""

import csv
import json
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from .files import written

FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-](inf|nan)", re.IGNORECASE)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """The rows as CSV."""
    return "".join(map(_line, rows))


def _line(row: Iterable[Any]) -> str:
    text = StringIO()
    # Both signs of this end of a line are quoted in a cell.
    csv.writer(text, lineterminator="\r\n").writerow(map(safe, row))
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


def save_picture(path: Path, picture: bytes, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    """Write the picture to `path` and its numbers beside it; the path of the numbers."""
    numbers = path.with_suffix(".csv")
    with written(path):
        path.write_bytes(picture)
        numbers.write_text(csv_text([columns, *rows]), encoding="utf-8")
    return numbers


def save_report(folder: Path, page: str, results: dict[str, Any]) -> Path:
    """Write index.html and results.json into the folder, made if it is not there; the path of the page."""
    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
        told = json.dumps(results, indent=2, ensure_ascii=False)
        (folder / "results.json").write_text(f"{told}\n", encoding="utf-8")
        (folder / "index.html").write_text(page, encoding="utf-8")
    return folder / "index.html"


def save_page(path: Path, page: str) -> None:
    """Write one web page."""
    with written(path):
        path.write_text(page, encoding="utf-8")
