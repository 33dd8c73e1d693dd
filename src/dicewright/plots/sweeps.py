"""A sweep as a picture: its first measure over the field that varies first, a line for each combination of the rest."""

from collections import defaultdict
from typing import Any

import numpy as np

from ..core.errors import NotationError
from .picture import Plot, blank

MOST_NAMED = 12  # lines that a legend names
WIDE = 30.0  # the ratio of numbers from which an axis is logarithmic


def draw(table: Any) -> Plot:
    """The first measure of a table of a sweep, with its bounds."""
    plan, at = table.plan, table.columns.index("measure")
    shown = plan.measures[0]
    each = len(table.rows) // len(plan.games)  # rows of a game
    drawn = [
        (plan.games[n // each], row)
        for n, row in enumerate(table.rows)
        if row[at] == shown and row[at + 1] is not None
    ]
    if not drawn:
        raise NotationError(f"no game of the sweep has the measure {shown!r}; nothing can be drawn")
    rows = [row for _, row in drawn]
    across = table.columns.index(next(iter(plan.fields), "game"))
    figure, axes = blank(plan.title or shown, table.columns[across], shown)
    lines = defaultdict[str, list[Any]](list)
    for game, row in drawn:
        others = (f"{table.columns[n]} {row[n]}" for n in range(1, at) if n != across)
        lines[", ".join([game] * (len(plan.games) > 1 and across > 0) + [*others])].append(row)
    numbers = all(row[across].isdigit() for row in rows)
    for number, (label, line) in enumerate(lines.items()):
        places = [int(row[across]) if numbers else row[across] for row in line]
        value, low, high = np.array([row[at + 1 : at + 4] for row in line], float).T
        look = {"marker": "o", "markersize": 3, "linewidth": 1.2 if numbers else 0.0, "capsize": 2}
        axes.errorbar(
            places, value, (value - low, high - value), label=label if number < MOST_NAMED else None, **look
        )
    if numbers:
        ticks = sorted({int(row[across]) for row in rows})
        if ticks[-1] > WIDE * max(1, ticks[0]):
            axes.set_xscale("log")
        if len(ticks) <= MOST_NAMED:
            axes.set_xticks(ticks, map(str, ticks))
            axes.minorticks_off()
    axes.axhline(0.0, color="black", linewidth=0.5)
    if len(lines) > 1:
        axes.legend(frameon=False, fontsize=8)
    return Plot(figure, table.columns, rows)
