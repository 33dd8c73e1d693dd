"""Figures of matplotlib that show themselves in a notebook, with or without its own ways to show them."""

from io import BytesIO
from typing import TYPE_CHECKING

from matplotlib.figure import Figure as PlainFigure

from ..core.errors import DicewrightError
from ..core.table import Grid
from .picture import FORMATS

if TYPE_CHECKING:
    from pandas import DataFrame

DOTS = 150  # an inch


class Figure(PlainFigure):
    """A figure, and the numbers that it shows."""

    numbers: Grid = Grid((), ())

    def to_frame(self) -> "DataFrame":
        """The numbers as a DataFrame of pandas (extra `people`)."""
        return self.numbers.to_frame()

    def render(self, form: str = "png") -> bytes:
        """The bytes of a file of this form."""
        if form not in FORMATS:
            raise DicewrightError(f"pictures end in {form!r}; {', '.join(FORMATS)} are allowed")
        page = BytesIO()
        self.savefig(page, format=form, dpi=DOTS)
        return page.getvalue()

    def _repr_png_(self) -> bytes:
        return self.render()
