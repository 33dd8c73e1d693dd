"""Pictures of people's games show the numbers that they should."""

import numpy as np
import pytest

from dicewright.families.catalog import parse, strategy
from dicewright.people.curves import average, play_robots, tracks, trend
from dicewright.plots import people as pictures

pytest.importorskip("matplotlib")
PIG = parse("pig")


@pytest.fixture(scope="module")
def totals():
    games = play_robots(PIG, strategy("hold:20", PIG), 12, 4)
    return tracks(games.turns, games.pairs).totals


def drawn(plot):
    assert plot.render("png").startswith(b"\x89PNG")
    assert all(len(row) == len(plot.columns) for row in plot.rows)
    return plot.rows


def test_figures_7_to_9(totals):
    rows = drawn(pictures.totals("ten robots", totals))
    assert len(rows) == np.isfinite(totals).sum()
    assert (1, 1, totals[0, 0]) in rows


def test_figures_10_to_12(totals):
    rows = drawn(pictures.averages("ten robots", totals))
    curve, still = average(totals)
    assert [row[1:3] for row in rows] == list(zip(curve.tolist(), still.tolist(), strict=True))
    assert rows[2][3] == pytest.approx(trend(curve).at(3))


def test_figures_13_and_14(totals):
    rows = drawn(pictures.duel("one game", totals[0], totals[1], ("Ada", "Bob")))
    assert {row[0] for row in rows} == {"Ada", "Bob"}


def test_slopes_and_powers():
    rng = np.random.default_rng(1)
    rows = drawn(
        pictures.slopes(
            "slopes", {"averse": rng.normal(5, 1, 50), "loving": rng.normal(3, 1, 50)}, {"averse": 4.76}
        )
    )
    assert [row[0] for row in rows] == ["averse", "loving"]
    assert [row[-1] for row in rows] == [4.76, None]
    rows = drawn(pictures.powers("power", (15, 60), {"mirroring": [(0.2, 0.1, 0.3), (0.6, 0.5, 0.7)]}))
    assert rows[1] == ("mirroring", 60, 0.6, 0.5, 0.7)
