"""The pictures of the sources, drawn anew."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from ..arena.tournament import Tournament
from ..families import family
from ..families.catalog import parse as game
from ..plots import results, series, strategy
from ..plots.picture import Plot
from ..plots.series import fair_tests, sample_shares, spread_of_shares
from .claims import CROCCE, EXETER
from .crocce_mordecki import SHOWN
from .exeter_duels import hundred
from .solved import first, met, player

SEED = 2017


class Sketch(NamedTuple):
    """A picture that can be drawn: where it belongs, what it shows, and how."""

    source: str
    caption: str
    draw: Callable[[], Plot]


def sketches() -> Iterator[Sketch]:
    """Exeter's figures, then Crocce & Mordecki's."""
    yield from _exeter()
    for name, scores in SHOWN.items():
        for yours in scores:
            caption = f"Sections 3 and 4: where the optimum of {name} rolls, the opponent at {yours}"
            yield Sketch(CROCCE, caption, partial(_zone, name, yours))


def _exeter() -> Iterator[Sketch]:
    pig, optimal = game("pig"), partial(player, "pig", "optimal")
    charts = family(pig).charts()
    itself = met("pig", "hold:20", "hold:20")
    either = (itself.a_first.first_wins, itself.b_first.second_wins)
    title = "pig: hold:20 against itself"

    def box() -> Plot:
        exact = first("hold:20", "hold:21")
        shares = sample_shares([exact], 1000, 1000, np.random.default_rng(SEED))
        return series.box("pig: hold:20 against hold:21, hold:20 starts", shares, 1000, exact)

    def spread() -> Plot:
        lengths = range(100, 4001, 100)
        return series.spread(
            title, lengths, spread_of_shares(either, lengths, 100, np.random.default_rng(SEED))
        )

    def fair() -> Plot:
        return series.tests(
            title, fair_tests(either, 100, np.random.default_rng(SEED)), sum(either) / len(either)
        )

    def against() -> Plot:
        order = [24, *range(24), *range(25, 100)]
        names = tuple(f"hold:{n + 1}" for n in order)
        return results.against(Tournament("pig", names, hundred()[np.ix_(order, order)]))

    def surface() -> Plot:
        return strategy.surface("pig: the optimum rolls below the surface", charts["surface"](pig, optimal()))

    def reached() -> Plot:
        seen = charts["reachable"](pig, optimal(), player("pig", "random"))
        return strategy.reachable("pig: states the optimum can meet on its turn", seen)

    def orders() -> Plot:
        gains = charts["convergence"](pig, player("pig", "hold:20"))
        return strategy.convergence("pig: best responses to best responses, from hold:20", gains)

    yield Sketch(EXETER, "Figure 1: the border between roll and hold", surface)
    yield Sketch(EXETER, "Figure 2: the states an optimal player can reach", reached)
    yield Sketch(EXETER, "Section 2.3.4: box plot of 1000 series of 1000 games", box)
    yield Sketch(EXETER, "Section 3.1.1: higher and higher order optimals", orders)
    yield Sketch(EXETER, "Figure 15: shares of a strategy against itself, by number of games", spread)
    yield Sketch(EXETER, "Figure 16: 100 fair tests of a strategy against itself", fair)
    yield Sketch(EXETER, "Figure 18: hold-at-25 against every other hold-at-n", against)


def _zone(name: str, yours: int) -> Plot:
    rules = game(name)
    chances = family(rules).charts()["map"](rules, player(name, "optimal"), yours)
    return strategy.roll_map(f"{name}: the opponent at {yours}", chances)
