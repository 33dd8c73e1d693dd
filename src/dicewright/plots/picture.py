"""A picture and the numbers it shows; colours that survive colour blindness and grey printing."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from ..core.errors import DicewrightError
from ..core.extras import how_to_install

BLUE, ORANGE, GREY = "#0b4f8a", "#e08214", "#8c8c8c"  # dark, light and middle when printed in grey
PALE = "#c9d9e8"  # areas that lines are drawn upon
COLOURS = "cividis"
FORMATS = ("png", "svg", "pdf")


@dataclass(frozen=True, eq=False)
class Plot:
    """A figure, and the table of what it shows."""

    figure: Any
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def render(self, form: str = "png") -> bytes:
        """The figure as the bytes of a file of this form."""
        if form not in FORMATS:
            raise DicewrightError(f"pictures end in {form!r}; {', '.join(FORMATS)} are allowed")
        page = BytesIO()
        self.figure.savefig(page, format=form, dpi=150)
        return page.getvalue()


def blank(title: str, across: str, up: str, size: tuple[float, float] = (8.0, 5.0)) -> tuple[Any, Any]:
    """A figure and its axes, titled and labelled."""
    figure = _figure(size)
    axes = figure.add_subplot()
    axes.set_title(title, fontsize=11)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def blank_3d(title: str, labels: tuple[str, str, str]) -> tuple[Any, Any]:
    """A figure and its three axes, titled and labelled."""
    figure = _figure((8.0, 6.0), layout=None)
    axes = figure.add_axes((0.0, 0.02, 0.86, 0.88), projection="3d")
    figure.suptitle(title, fontsize=11, y=0.97)
    axes.set_xlabel(labels[0], labelpad=8)
    axes.set_ylabel(labels[1], labelpad=8)
    axes.set_zlabel(labels[2], labelpad=6)
    axes.view_init(elev=28, azim=-130)
    axes.set_box_aspect((1.0, 1.0, 0.75), zoom=1.05)
    return figure, axes


def colour_bar(figure: Any, shown: Any, label: str) -> None:
    """A scale of colours to the right of a 3-D picture."""
    figure.colorbar(shown, cax=figure.add_axes((0.88, 0.22, 0.022, 0.5)), label=label)


def _figure(size: tuple[float, float], layout: str | None = "constrained") -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise DicewrightError(f"pictures need matplotlib: {how_to_install('plots')}") from None
    return Figure(figsize=size, layout=layout)  # type: ignore[arg-type]
