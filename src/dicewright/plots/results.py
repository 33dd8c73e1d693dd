"""Results: tournaments, and how far series of games stray from the exact chance."""

from collections.abc import Sequence

import numpy as np

from ..arena.margin import MARGIN, fair_games
from ..arena.tournament import Tournament
from ..core.arrays import Floats
from .picture import BLUE, COLOURS, GREY, ORANGE, PALE, Plot, blank

MOST_NAMED = 40  # entrants whose names fit along an axis
LOWEST, HIGHEST = 0.5 - MARGIN, 0.5 + MARGIN  # Exeter 3.3.1: outside, one strategy counts as better
SAMPLED = "drawn from the exact chances"


def against(tournament: Tournament) -> Plot:
    """The first entrant's winning chance against each of the others (Exeter figure 18)."""
    hero = tournament.names[0]
    names = [hero if name == f"{hero} (2)" else name for name in tournament.names[1:]]
    chances = tournament.wins[0, 1:]
    title = f"{tournament.game}: {hero} against {len(names)} strategies, {_source(tournament)}"
    figure, axes = blank(title, "opponent", f"chance that {hero} wins, either starting")
    axes.vlines(range(len(names)), 0.5, chances, color=BLUE, linewidth=1.0, alpha=0.5)
    axes.plot(range(len(names)), chances, "o", color=BLUE, markersize=4)
    axes.axhline(0.5, color=ORANGE, linewidth=1.8)
    _name(axes.xaxis, names, rotation=60)
    return Plot(figure, ("opponent", "chance"), [(n, float(c)) for n, c in zip(names, chances, strict=True)])


def matrix(tournament: Tournament) -> Plot:
    """The win matrix as a heat map: row beats column."""
    count = len(tournament.names)
    title = f"{tournament.game}: chance that the row beats the column, {_source(tournament)}"
    figure, axes = blank(title, "against", "strategy", (8.0, 7.0))
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
            colour = "black" if chance > 0.52 else "white"
            axes.text(b, a, f"{chance:.3f}", ha="center", va="center", color=colour)
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


def spread(title: str, lengths: Sequence[int], shares: Floats) -> Plot:
    """The share of games won against the length of the series (Exeter figure 15)."""
    told = f"{title}\n{shares.shape[1]} series of each length, {SAMPLED}"
    figure, axes = blank(told, "games in a series", "share of games won")
    across = np.repeat(lengths, shares.shape[1])
    bins = np.linspace(shares.min(), shares.max(), 61)
    edges = np.append(lengths, 2 * lengths[-1] - lengths[-2]) - (lengths[1] - lengths[0]) / 2
    counts, _, _ = np.histogram2d(across, shares.ravel(), bins=[edges, bins])
    axes.set_facecolor("white")
    seen = np.where(counts > 0, counts, np.nan).T
    mesh = axes.pcolormesh(edges, bins, seen, cmap=f"{COLOURS}_r", rasterized=True)
    figure.colorbar(mesh, ax=axes, label="series")
    for line in (LOWEST, HIGHEST):
        axes.axhline(line, color=ORANGE, linewidth=1.8)
        axes.annotate(f"{line:g}", (1.0, line), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    needed = fair_games()
    axes.axvline(needed, color="black", linewidth=1.2, linestyle="--")
    axes.annotate(f" n = {needed}", (needed, 0.97), xycoords=("data", "axes fraction"), va="top")
    rows = [(lengths[n], s + 1, float(share)) for (n, s), share in np.ndenumerate(shares)]
    return Plot(figure, ("games", "series", "share_won"), rows)


def tests(title: str, results: Floats, exact: float) -> Plot:
    """A histogram of repeated fair tests (Exeter figure 16)."""
    told = f"{title}\n{len(results)} fair tests of 100 x 3000 games, {SAMPLED}"
    figure, axes = blank(told, "mean share of games won", "fair tests")
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
    told = f"{title}\n{len(shares)} series of {games} games, {SAMPLED}"
    figure, axes = blank(told, "games won in a series", "", (8.0, 3.4))
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
    rows = [(n + 1, games, round(float(share) * games)) for n, share in enumerate(shares)]
    return Plot(figure, ("series", "games", "won"), rows)


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
