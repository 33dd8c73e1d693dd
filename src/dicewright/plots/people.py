"""Pictures of people's games: Exeter's figures 7 to 14 on any data, and what robots make of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.arrays import Floats
from ..people.curves import average, trend
from .picture import BLUE, GREY, ORANGE, PALE, Plot, blank

TOTAL = "total score (points)"


def _by_turn(title: str, up: str) -> tuple[Any, Any]:
    """A figure over whole turns."""
    figure, axes = blank(title, "turn", up)
    axes.xaxis.get_major_locator().set_params(integer=True)
    return figure, axes


def totals(title: str, tracks: Floats) -> Plot:
    """The total score of each player at each turn (Exeter figures 7 to 9)."""
    figure, axes = _by_turn(title, TOTAL)
    turns = np.arange(1, tracks.shape[1] + 1)
    for track in tracks:
        axes.plot(turns, track, "o-", color=BLUE, alpha=0.45, linewidth=1.0, markersize=3)
    rows = [(n, int(turn), float(track[turn - 1])) for n, track in enumerate(tracks, start=1)
            for turn in turns if np.isfinite(track[turn - 1])]  # fmt: skip
    return Plot(figure, ("player", "turn", "total"), rows)


def averages(title: str, tracks: Floats) -> Plot:
    """The average total at each turn over the players still in, how many they are, and the trend (figures 10 to 12)."""
    curve, still = average(tracks)
    line, turns = trend(curve), range(1, len(curve) + 1)
    figure, axes = _by_turn(title, "average total score (points)")
    axes.plot(turns, curve, "o", color=BLUE, label="average of the players still in the game")
    axes.plot(
        turns,
        [line.at(turn) for turn in turns],
        "--",
        color=ORANGE,
        label=f"trend line of these points: {line.slope:.2f} a turn",
    )
    for turn, height, count in zip(turns, curve, still, strict=True):
        axes.annotate(
            str(count), (turn, height), xytext=(0, -13), textcoords="offset points", fontsize=7, ha="center"
        )
    axes.plot([], [], " ", label="small figures: how many players that is")
    axes.legend(frameon=False, loc="upper left")
    axes.margins(y=0.12)
    rows = [(t, float(c), int(n), line.at(t)) for t, c, n in zip(turns, curve, still, strict=True)]
    return Plot(figure, ("turn", "average", "players", "trend"), rows)


def duel(
    title: str, first: Floats, second: Floats, names: tuple[str, str] = ("player 1", "player 2")
) -> Plot:
    """The total scores of both players of one game (Exeter figures 13 and 14)."""
    figure, axes = _by_turn(title, TOTAL)
    rows = []
    for track, name, colour, mark in zip((first, second), names, (BLUE, ORANGE), "os", strict=True):
        there = np.flatnonzero(np.isfinite(track))
        axes.plot(there + 1, track[there], f"{mark}-", color=colour, label=name)
        rows += [(name, int(turn) + 1, float(track[turn])) for turn in there]
    axes.legend(frameon=False, loc="upper left")
    return Plot(figure, ("player", "turn", "total"), rows)


def slopes(title: str, samples: Mapping[str, Floats], printed: Mapping[str, float]) -> Plot:
    """How the slope of the averaged curve falls out for robots, one strip a kind, beside the printed slopes."""
    figure, axes = blank(title, "slope of the trend line (points a turn)", "")
    lines = []
    for place, (name, found) in enumerate(reversed(list(samples.items()))):
        low, middle, high = np.percentile(found, (2.5, 50, 97.5))
        axes.violinplot(found, positions=[place], orientation="horizontal", widths=0.8, showextrema=False)
        axes.plot([low, high], [place, place], color=BLUE, linewidth=2)
        axes.plot([middle], [place], "o", color=BLUE)
        lines.append((name, float(low), float(middle), float(high), printed.get(name)))
        if name in printed:
            axes.plot([printed[name]], [place], "D", color=ORANGE, markersize=8)
            axes.annotate(f"{printed[name]:g}", (printed[name], place), xytext=(0, 9), textcoords="offset points",
                          ha="center", fontsize=9)  # fmt: skip
    for body in axes.collections:
        body.set_facecolor(PALE)
        body.set_alpha(1.0)
    axes.plot([], [], "D", color=ORANGE, label="printed for people")
    axes.plot([], [], "o-", color=BLUE, label="robots: median and 95 % of samples")
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    axes.set_yticks(range(len(samples)), list(samples)[::-1])
    return Plot(figure, ("kind", "low", "median", "high", "printed"), lines[::-1])


def powers(
    title: str, games: Sequence[int], found: Mapping[str, Sequence[tuple[float, float, float]]]
) -> Plot:
    """The chance to find an effect by the number of games, with intervals: share, low and high for each effect."""
    figure, axes = blank(title, "games", "chance to find it")
    rows = []
    looks = zip(found.items(), (BLUE, ORANGE, GREY), "os^", strict=False)
    for (name, shares), colour, mark in looks:
        middle, low, high = np.array(shares).T
        axes.errorbar(
            games, middle, (middle - low, high - middle), fmt=f"{mark}-", color=colour, capsize=3, label=name
        )
        rows += [(name, n, *share) for n, share in zip(games, shares, strict=True)]
    axes.axhline(0.8, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_xticks(games, [str(n) for n in games])
    axes.minorticks_off()
    axes.set_ylim(0, 1.02)
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    return Plot(figure, ("effect", "games", "share", "low", "high"), rows)


def estimates(title: str, across: str, found: Mapping[str, Mapping[str, float | None]]) -> Plot:
    """Numbers with their 95 % intervals, one line each, the least at the bottom where they are many."""
    known = [(name, each) for name, each in found.items() if None not in (each["low"], each["high"])]
    if len(known) > FEW:
        known.sort(key=lambda pair: float(pair[1]["value"] or 0.0), reverse=True)
    figure, axes = blank(title, across, "", (8.0, max(3.0, 1.2 + 0.24 * len(known))))
    for place, (_, each) in enumerate(reversed(known)):
        axes.plot([each["low"], each["high"]], [place, place], color=BLUE, linewidth=1.5)
        axes.plot([each["value"]], [place], "o", color=BLUE, markersize=5)
    axes.axvline(0.0, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(known)), [name for name, _ in reversed(known)], fontsize=8)
    axes.set_ylim(-0.6, len(known) - 0.4)
    rows = [(name, each["value"], each["low"], each["high"]) for name, each in known]
    return Plot(figure, ("name", "value", "low", "high"), rows)


FEW = 6
