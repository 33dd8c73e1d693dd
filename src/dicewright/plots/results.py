"""Results of tournaments: one entrant against all, and everybody against everybody."""

from collections.abc import Sequence

import numpy as np

from ..arena.tournament import Tournament
from .picture import BLUE, COLOURS, ORANGE, Plot, blank

MOST_NAMED = 40  # entrants whose names fit along an axis


def against(tournament: Tournament) -> Plot:
    """The first entrant's winning chance against each of the others (Exeter figure 18)."""
    hero = tournament.names[0]
    names = [hero if name == f"{hero} (2)" else name for name in tournament.names[1:]]
    chances = tournament.wins[0, 1:]
    figure, axes = blank(
        f"{tournament.game}: {hero} against {len(names)} strategies, {_source(tournament)}",
        "opponent",
        f"chance that {hero} wins, either starting",
    )
    axes.vlines(range(len(names)), 0.5, chances, color=BLUE, linewidth=1.0, alpha=0.5)
    axes.plot(range(len(names)), chances, "o", color=BLUE, markersize=4)
    axes.axhline(0.5, color=ORANGE, linewidth=1.8)
    _name(axes.xaxis, names, rotation=60)
    return Plot(figure, ("opponent", "chance"), [(n, float(c)) for n, c in zip(names, chances, strict=True)])


def matrix(tournament: Tournament) -> Plot:
    """The win matrix as a heat map: row beats column."""
    count = len(tournament.names)
    figure, axes = blank(
        f"{tournament.game}: chance that the row beats the column, {_source(tournament)}",
        "against",
        "strategy",
        (8.0, 7.0),
    )
    image = axes.imshow(tournament.wins, cmap=COLOURS, vmin=0.0, vmax=1.0)
    figure.colorbar(image, ax=axes, label="winning chance, either starting", shrink=0.85)
    if count > MOST_NAMED:
        axes.contour(tournament.margins, levels=[0.0], colors="white", linewidths=0.8)
        axes.set_xlabel("against (white lines: even chances)")
    _name(axes.xaxis, tournament.names, rotation=60)
    _name(axes.yaxis, tournament.names)
    if count <= 12:
        for a, b in np.ndindex(count, count):
            chance = tournament.wins[a, b]
            axes.text(
                b, a, f"{chance:.3f}", ha="center", va="center", color="black" if chance > 0.52 else "white"
            )
    pairs = np.ndindex(count, count)
    rows = [(tournament.names[a], tournament.names[b], float(tournament.wins[a, b])) for a, b in pairs]
    return Plot(figure, ("strategy", "against", "chance"), rows)


def _name(axis: object, names: Sequence[str], rotation: int = 0) -> None:
    """Put names along an axis, thinned where they would overlap."""
    step = 1 if len(names) <= MOST_NAMED else 5 * -(-len(names) // (5 * MOST_NAMED))
    shown = range(step - 1, len(names), step)
    align = {"rotation": rotation, "ha": "right", "rotation_mode": "anchor"} if rotation else {}
    axis.set_ticks(list(shown), [names[n] for n in shown], fontsize=8, **align)  # type: ignore[attr-defined]


def _source(tournament: Tournament) -> str:
    return "exactly" if tournament.games is None else f"{tournament.games:,} games a pair"
