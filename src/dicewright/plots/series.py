"""How far results of series of games stray from the exact chance."""

from collections.abc import Sequence

import numpy as np

from ..arena.margin import MARGIN, fair_games
from ..core.arrays import Floats
from .picture import BLUE, COLOURS, GREY, ORANGE, PALE, Plot, blank

LOWEST, HIGHEST = 0.5 - MARGIN, 0.5 + MARGIN  # Exeter 3.3.1: outside, one strategy counts as better
SAMPLED = "drawn from the exact chances"


def spread(title: str, lengths: Sequence[int], shares: Floats) -> Plot:
    """The share of games won against the length of the series (Exeter figure 15)."""
    figure, axes = blank(
        f"{title}\n{shares.shape[1]} series of each length, {SAMPLED}",
        "games in a series",
        "share of games won",
    )
    across = np.repeat(lengths, shares.shape[1])
    bins = np.linspace(shares.min(), shares.max(), 61)
    edges = np.append(lengths, 2 * lengths[-1] - lengths[-2]) - (lengths[1] - lengths[0]) / 2
    counts, _, _ = np.histogram2d(across, shares.ravel(), bins=[edges, bins])
    axes.set_facecolor("white")
    mesh = axes.pcolormesh(
        edges, bins, np.where(counts > 0, counts, np.nan).T, cmap=f"{COLOURS}_r", rasterized=True
    )
    figure.colorbar(mesh, ax=axes, label="series")
    for line in (LOWEST, HIGHEST):
        axes.axhline(line, color=ORANGE, linewidth=1.8)
        axes.annotate(f"{line:g}", (1.0, line), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    needed = fair_games()
    axes.axvline(needed, color="black", linewidth=1.2, linestyle="--")
    axes.annotate(f" n = {needed}", (needed, 0.97), xycoords=("data", "axes fraction"), va="top")
    rows = [
        (n, s + 1, float(share))
        for n, line in zip(lengths, shares, strict=True)
        for s, share in enumerate(line)
    ]
    return Plot(figure, ("games", "series", "share_won"), rows)


def tests(title: str, results: Floats, exact: float) -> Plot:
    """A histogram of repeated fair tests (Exeter figure 16)."""
    figure, axes = blank(
        f"{title}\n{len(results)} fair tests of 100 x 3000 games, {SAMPLED}",
        "mean share of games won",
        "fair tests",
    )
    axes.hist(results, bins=min(30, max(5, len(results) // 5)), color=PALE, edgecolor=BLUE)
    mean = float(results.mean())
    axes.axvline(mean, color=ORANGE, linewidth=2.2, label=f"mean {mean:.5f}")
    axes.axvline(exact, color="black", linewidth=1.6, linestyle="--", label=f"exact {exact:.5f}")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False)
    axes.ticklabel_format(axis="x", useOffset=False)
    return Plot(figure, ("test", "share_won"), [(n + 1, float(share)) for n, share in enumerate(results)])


def box(title: str, shares: Floats, games: int, exact: float) -> Plot:
    """A box plot of many series beside the exact chance (Exeter 2.3.4)."""
    figure, axes = blank(
        f"{title}\n{len(shares)} series of {games} games, {SAMPLED}", "games won in a series", "", (8.0, 3.4)
    )
    axes.boxplot(
        shares * games,
        orientation="horizontal",
        widths=0.5,
        patch_artist=True,
        boxprops={"facecolor": PALE, "edgecolor": BLUE},
        medianprops={"color": BLUE, "linewidth": 2.5},
        whiskerprops={"color": BLUE},
        capprops={"color": BLUE},
        flierprops={"marker": ".", "markeredgecolor": GREY},
    )
    axes.axvline(exact * games, color=ORANGE, linewidth=2.2, linestyle="--")
    median = float(np.median(shares)) * games
    axes.plot([], [], color=BLUE, linewidth=2.5, label=f"median {median:g}")
    axes.plot([], [], color=ORANGE, linewidth=2.2, linestyle="--", label=f"exact {exact * games:.3f}")
    axes.set_yticks([])
    axes.set_ylim(0.5, 1.9)
    axes.legend(frameon=False, ncols=2, loc="upper center")
    return Plot(
        figure,
        ("series", "games", "won"),
        [(n + 1, games, round(float(s) * games)) for n, s in enumerate(shares)],
    )


def sample_shares(chances: Sequence[float], games: int, series: int, rng: np.random.Generator) -> Floats:
    """The share of `games` won in each of `series` series, the games dealt evenly to the given chances.

    One chance is one starter; two, such as (A starts, B starts), take turns.

    >>> sample_shares([1.0, 0.0], 4, 2, np.random.default_rng(0)).tolist()
    [0.5, 0.5]
    """
    won = np.zeros(series)
    for n, chance in enumerate(chances):
        part = (games + len(chances) - 1 - n) // len(chances)
        won += rng.binomial(part, min(1.0, max(0.0, chance)), series)
    return won / games


def spread_of_shares(
    chances: Sequence[float], lengths: Sequence[int], series: int, rng: np.random.Generator
) -> Floats:
    """shares[n, s]: series s of lengths[n] games (Exeter figure 15)."""
    return np.array([sample_shares(chances, games, series, rng) for games in lengths])


def fair_tests(
    chances: Sequence[float], tests: int, rng: np.random.Generator, games: int = 3000, series: int = 100
) -> Floats:
    """The result of each fair test as Exeter 3.3.1 defines it: the mean of 100 series of 3000 games."""
    return np.array([sample_shares(chances, games, series, rng).mean() for _ in range(tests)])
