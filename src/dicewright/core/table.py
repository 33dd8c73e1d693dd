"""Tables that show themselves: HTML in a notebook, a frame of pandas for statistics. Tables become HTML only here."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from .errors import DicewrightError, how_to_install

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_ROWS = 20  # that a notebook shows


@dataclass(frozen=True)
class Grid:
    """Rows under named columns, with what is said above and below them."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    notes: Sequence[str] = ()

    def __repr__(self) -> str:
        named = ", ".join(self.columns[:8])
        return f"<table of {len(self.rows)} rows: {named}{', ...' if len(self.columns) > 8 else ''}>"

    def to_frame(self) -> "DataFrame":
        """The rows as a DataFrame of pandas."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise DicewrightError(f"frames need pandas: {how_to_install('people')}") from None
        return DataFrame([list(row) for row in self.rows], columns=list(self.columns))

    def _repr_html_(self) -> str:
        title = f"<p><strong>{escape(self.title)}</strong></p>" if self.title else ""
        notes, left = list(self.notes), len(self.rows) - MOST_ROWS
        if left > 0:
            notes.append(f"And {left:,} more rows.")
        figures = [n for n in range(len(self.columns)) if _are_figures([row[n] for row in self.rows])]
        cells = [list(map(_text, row)) for row in self.rows[:MOST_ROWS]]
        said = "".join(f"<p>{escape(note)}</p>" for note in notes)
        shown = html_table(self.columns, cells, figures)
        for cell in ("td", "th"):  # notebooks set everything to the right, also sentences
            shown = shown.replace(f"<{cell}>", f'<{cell} style="text-align:left">')
        return f"{title}{shown}{said}"


class Tabled(ABC):
    """What is shown as a table: `table` says which."""

    @abstractmethod
    def table(self) -> Grid:
        """The table of all that is in it."""

    def to_frame(self) -> "DataFrame":
        """The table as a DataFrame of pandas (extra `people`)."""
        return self.table().to_frame()

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def html_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = (), kind: str = ""
) -> str:
    """A table as HTML, every cell escaped; the columns numbered in `right` hold figures.

    >>> html_table(["who", "n"], [["<b>", 1]], right=[1])
    '<div class="scroll"><table><thead><tr><th>who</th><th class="n">n</th></tr></thead>...&lt;b&gt;...
    """

    def line(cells: Sequence[Any], tag: str) -> str:
        kinds = [' class="n"' if number in right else "" for number in range(len(cells))]
        return "".join(
            f"<{tag}{kind}>{escape(str(cell))}</{tag}>" for kind, cell in zip(kinds, cells, strict=True)
        )

    named = f' class="{kind}"' if kind else ""
    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table{named}><thead><tr>{line(columns, "th")}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _are_figures(cells: Sequence[Any]) -> bool:
    """Whether there are numbers in a column, and no words."""
    numbers = any(isinstance(cell, (int, float, Fraction)) and not isinstance(cell, bool) for cell in cells)
    return numbers and not any(isinstance(cell, str) for cell in cells)


def _text(cell: Any) -> str:
    """A cell as people read it: six figures of a number, nothing for what is not known."""
    if cell is None or cell != cell:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
