"""A picture and the numbers it shows; colours that survive colour blindness and grey printing.

And strategies as pictures: where one rolls, its surface, the states it meets, and the way to the optimum.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Floats
from ..core.errors import DicewrightError, how_to_install
from ..core.table import Grid, Tabled

BLUE, ORANGE, GREY = "#0b4f8a", "#e08214", "#8c8c8c"  # dark, light and middle when printed in grey
PALE = "#c9d9e8"  # areas that lines are drawn upon
COLOURS = "cividis"
FORMATS = ("png", "svg", "pdf")
SCORES = ("own score (points)", "opponent's score (points)", "turn total (points)")
LETTERS = 10  # of a title, on an inch of its picture
FLOOR = 1e-16  # what a logarithmic axis shows for zero


@dataclass(frozen=True, eq=False)
class Plot(Tabled):
    """A figure, and the table of what it shows."""

    figure: Any
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def __repr__(self) -> str:
        return f"<Plot of {len(self.rows)} rows: {', '.join(self.columns)}>"

    def table(self) -> Grid:
        """The numbers that it shows."""
        return Grid(self.columns, self.rows)

    def _repr_html_(self) -> None:  # type: ignore[override]
        """None, so that a notebook takes the picture."""

    def _repr_png_(self) -> bytes:
        return self.render()

    def render(self, form: str = "png") -> bytes:
        """The figure as the bytes of a file of this form."""
        found: bytes = self.figure.render(form)
        return found

    def shown(self) -> Any:
        """The figure, which keeps its numbers."""
        self.figure.numbers = self.table()
        return self.figure


def blank(title: str, across: str, up: str, size: tuple[float, float] = (8.0, 5.0)) -> tuple[Any, Any]:
    """A figure and its axes, titled and labelled."""
    figure = _figure(size)
    axes = figure.add_subplot()
    axes.set_title(fill(title, int(LETTERS * size[0])), fontsize=11)
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
        from .figure import Figure
    except ImportError:
        raise DicewrightError(f"pictures need matplotlib: {how_to_install('plots')}") from None
    return Figure(figsize=size, layout=layout)  # type: ignore[arg-type]


def roll_map(title: str, chances: Mapping[str, Floats]) -> Plot:
    """Grey where it rolls, over own score and turn total (Crocce & Mordecki, section 3), or a colour for each roll."""
    names, goal = list(chances), len(next(iter(chances.values())))
    figure, axes = blank(title, "own score (points)", "turn total (points)", (7.5, 6.0))
    if len(names) == 1:
        colours = [GREY]
        below = np.ma.masked_invalid(chances[names[0]]).T
        axes.imshow(below, origin="lower", cmap="Greys", vmin=0.0, vmax=2.0, interpolation="nearest")
    else:
        colours = _colours(len(names))
        each = np.stack([1.0 - sum(chances.values()), *chances.values()])
        taken = np.ma.masked_array(np.argmax(np.nan_to_num(each), axis=0), np.isnan(each[0])).T
        look = {"cmap": _listed(["white", *colours]), "vmin": 0, "vmax": len(names)}
        axes.imshow(taken, origin="lower", interpolation="nearest", **look)
    axes.plot([0, goal], [goal, 0], color=BLUE, linewidth=1.5)
    align = {"rotation": -45, "ha": "center", "va": "center"}
    axes.text(goal * 0.52, goal * 0.52, f"goal {goal} reached", color=BLUE, **align)
    for name, colour in zip(names, colours, strict=True):
        axes.plot([], [], "s", color=colour, label=name)
    axes.plot([], [], "s", markerfacecolor="white", markeredgecolor=GREY, label="hold")
    axes.legend(frameon=False, loc="upper right")
    axes.set_xlim(-0.5, goal)
    axes.set_ylim(-0.5, goal)
    rows = [
        (m, k, *(float(each[m, k]) for each in chances.values()))
        for m in range(goal)
        for k in range(goal - m)
    ]
    return Plot(figure, ("mine", "turn", *(f"chance_of_{name.replace('-', '_')}" for name in names)), rows)


def _colours(count: int) -> list[Any]:
    """So many colours of the scale, far apart."""
    from matplotlib import colormaps

    return [colormaps[COLOURS](share) for share in np.linspace(0.05, 0.95, count)]


def _listed(colours: Sequence[Any]) -> Any:
    from matplotlib.colors import ListedColormap

    return ListedColormap(list(colours))


def surface(title: str, holds: npt.NDArray[np.int64]) -> Plot:
    """The lowest turn total at which it holds, over both scores (Neller & Presser 2004; Exeter figure 1)."""
    figure, axes = blank_3d(title, SCORES)
    mine, yours = np.mgrid[: len(holds), : len(holds)]
    look = {"cmap": COLOURS, "linewidth": 0.15, "edgecolor": "black"}
    shown = axes.plot_surface(mine, yours, holds, rcount=100, ccount=100, **look)
    colour_bar(figure, shown, "hold from turn total (points)")
    rows = [(i, j, int(holds[i, j])) for i, j in np.ndindex(*holds.shape)]
    return Plot(figure, ("mine", "yours", "hold_from"), rows)


def reachable(title: str, states: npt.NDArray[np.bool_]) -> Plot:
    """The states that can occur, one dot each (Exeter figure 2)."""
    count, goal = int(states.sum()), len(states)
    figure, axes = blank_3d(f"{title}\n{count:,} of {goal * goal * (goal + 1) // 2:,} states", SCORES)
    mine, yours, turn = np.nonzero(states)
    look = {"cmap": COLOURS, "marker": ".", "linewidth": 0, "depthshade": False}
    shown = axes.scatter(mine, yours, turn, c=turn, s=6, **look)
    colour_bar(figure, shown, "turn total (points)")
    rows = list(zip(mine.tolist(), yours.tolist(), turn.tolist(), strict=True))
    return Plot(figure, ("mine", "yours", "turn"), rows)


def loss_map(title: str, losses: Floats) -> Plot:
    """What is lost in turns that begin at these scores, the darker the more; shades go with the square root."""
    figure, axes = blank(title, *SCORES[:2], size=(7.5, 6.0))
    shown = axes.imshow(np.sqrt(losses).T, origin="lower", cmap="Greys", interpolation="nearest")
    most = float(losses.max())
    bar = figure.colorbar(shown, label="lost in a game")
    marks = [0.0, most / 16, most / 4, most]
    bar.set_ticks(np.sqrt(marks), labels=[f"{mark:.1e}" if mark else "0" for mark in marks])
    rows = [(i, j, float(losses[i, j])) for i, j in np.ndindex(*losses.shape)]
    return Plot(figure, ("mine", "yours", "lost"), rows)


def convergence(title: str, exploitability: Sequence[float]) -> Plot:
    """How exploitable each strategy of a chain of best responses is, on a logarithmic axis."""
    figure, axes = blank(title, "round of best responses", "exploitability (payoff to the best response)")
    numbers = range(len(exploitability))
    shown = [max(FLOOR, gain) for gain in exploitability]
    axes.semilogy(numbers, shown, "o-", color=BLUE)
    for number, height, gain in zip(numbers, shown, exploitability, strict=True):
        text = f"{gain:.1e}" if gain > 10 * FLOOR else "0"
        axes.annotate(text, (number, height), xytext=(6, 6), textcoords="offset points", fontsize=8)
    axes.axhline(FLOOR, color=ORANGE, linewidth=1.2, linestyle="--", label="0, up to rounding")
    axes.legend(frameon=False, loc="upper right")
    axes.set_xticks(numbers)
    axes.margins(x=0.12)
    return Plot(figure, ("round", "exploitability"), list(enumerate(exploitability)))


DRAWN: Mapping[str, Callable[..., Plot]] = {  # by the name of a family's chart
    "map": roll_map,
    "surface": surface,
    "reachable": reachable,
    "loss": loss_map,
    "convergence": convergence,
}
