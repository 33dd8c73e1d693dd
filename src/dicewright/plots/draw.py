"""Pictures of games and strategies, each by name or as an object: `dicewright.plot`, and the command `plot`.

Each answers a figure of matplotlib (extra `plots`) that shows itself in a notebook, and has the numbers it shows:
`figure.to_frame()`. `figure.savefig("map.png")` keeps it.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..core.errors import NotationError
from ..core.game import WrittenGame
from ..core.results import Evaluation
from ..core.strategy import line_of
from ..families import family
from ..front.answers import GameText, StrategyText, alike, evaluate
from ..front.arena import Entering, play_exactly
from ..front.grade import grade
from ..storage.solution_file import game_of
from . import results
from .picture import DRAWN, Plot

Figure: TypeAlias = Any  # of matplotlib, which need not be there
LENGTHS = range(100, 5001, 100)  # of the series whose shares are drawn

__all__ = [
    "against", "box", "convergence", "fair_tests", "loss", "matrix", "reachable", "roll_map", "spread", "surface",
]  # fmt: skip


def surface(game: GameText, strategy: StrategyText = "optimal") -> Figure:
    """The lowest turn total at which a strategy holds, over both scores.

    >>> int(surface("pig:goal=20").to_frame().hold_from.max())
    20
    """
    return _chart("surface", f"{line_of(strategy)} rolls below the surface", game, strategy).shown()


def roll_map(game: GameText, strategy: StrategyText = "optimal", yours: int = 0) -> Figure:
    """Where a strategy rolls, the opponent at one score.

    >>> int(roll_map("pig:goal=20", "hold:10").to_frame().chance_of_roll.sum())
    155
    """
    title = f"where {line_of(strategy)} rolls, the opponent at {yours}"
    return _chart("map", title, game, strategy, more=(yours,)).shown()


def reachable(
    game: GameText, strategy: StrategyText = "optimal", opponent: StrategyText = "random"
) -> Figure:
    """The states a strategy can meet on its turn; `random` stands for any opponent.

    >>> len(reachable("pig:goal=10", "hold:5").to_frame())
    180
    """
    who = "any opponent" if opponent == "random" else line_of(opponent)
    title = f"states {line_of(strategy)} can meet on its turn against {who}"
    return _chart("reachable", title, game, strategy, opponent).shown()


def convergence(game: GameText, start: StrategyText = "hold:20") -> Figure:
    """How exploitable the start is, the best response to it, the response to that, and so on.

    >>> float(convergence("piglet:goal=3", "hold:2").to_frame().exploitability.min())
    0.0
    """
    return _chart(
        "convergence", f"best responses to best responses, from {line_of(start)}", game, start
    ).shown()


def loss(game: GameText, strategy: StrategyText, against: StrategyText | None = None) -> Figure:
    """What a strategy loses against perfect play or this rival, by the scores when the turn began.

    >>> bool(loss("pig:goal=20", "hold:5").to_frame().lost.sum() > 0.01)
    True
    """
    rules, numbers = asked(game, "loss")
    found = grade(rules, strategy, against)
    title = (
        f"{rules.name}: what {found.strategy} loses against {found.against}, by scores when the turn began"
    )
    return DRAWN["loss"](title, numbers(rules, found.losses)).shown()


def spread(
    game: GameText, a: StrategyText, b: StrategyText | None = None, series: int = 100, seed: int = 0
) -> Figure:
    """Shares of games that A wins against B (or itself) by the length of a series.

    >>> len(spread("pig:goal=10", "hold:5", series=2).to_frame())
    100
    """
    title, met, rng = _meet(game, a, b, seed)
    shares = results.spread_of_shares(_both(met), LENGTHS, series, rng)
    return results.spread(title, LENGTHS, shares).shown()


def fair_tests(
    game: GameText, a: StrategyText, b: StrategyText | None = None, tests: int = 100, seed: int = 0
) -> Figure:
    """A histogram of repeated fair tests of A against B (or itself).

    >>> round(float(fair_tests("pig:goal=10", "hold:5", tests=10).to_frame().share_won.mean()), 2)
    0.5
    """
    title, met, rng = _meet(game, a, b, seed)
    return results.tests(title, results.fair_tests(_both(met), tests, rng), met.a_overall).shown()


def box(
    game: GameText, a: StrategyText, b: StrategyText, games: int = 1000, series: int = 1000, seed: int = 0
) -> Figure:
    """Games won in series that A starts, beside the exact chance.

    >>> len(box("pig:goal=10", "hold:5", "hold:6", series=20).to_frame())
    20
    """
    title, met, rng = _meet(game, a, b, seed)
    exact = met.a_first.first_wins
    shares = results.sample_shares([exact], games, series, rng)
    return results.box(f"{title}, {line_of(a)} starts", shares, games, exact).shown()


def against(game: GameText, a: StrategyText, others: Sequence[Entering]) -> Figure:
    """One strategy's exact winning chance against each of many.

    >>> len(against("pig:goal=10", "hold:5", ["hold:1..8"]).to_frame())
    8
    """
    return results.against(play_exactly(game, [a, *others])).shown()


def matrix(game: GameText, strategies: Sequence[Entering]) -> Figure:
    """Everybody against everybody as a heat map, exactly.

    >>> len(matrix("pig:goal=10", ["hold:1..8"]).to_frame())
    64
    """
    return results.matrix(play_exactly(game, strategies)).shown()


def asked(game: GameText, name: str) -> tuple[WrittenGame, Callable[..., Any]]:
    """The game, and the function of its family that makes these numbers; an error if it has none."""
    rules = game_of(game)
    found = family(rules).charts().get(name)
    if found is None:
        raise NotationError(f"this picture is of race games such as pig, not of {rules.name}")
    return rules, found


def _chart(
    name: str, title: str, game: GameText, *strategies: StrategyText, more: Sequence[Any] = ()
) -> Plot:
    """The picture of this name, of the numbers that the family makes for it."""
    rules, numbers = asked(game, name)
    found = numbers(rules, *(alike(rules, one) for one in strategies), *more)
    return DRAWN[name](f"{rules.name}: {title}", found)


def _meet(game: GameText, a: StrategyText, b: StrategyText | None, seed: int) -> tuple[str, Evaluation, Any]:
    """The title of a duel, its exact result, and random numbers."""
    rules, other = game_of(game), a if b is None else b
    title = f"{rules.name}: {line_of(a)} against {line_of(other)}"
    return title, evaluate(rules, a, other), np.random.default_rng(seed)


def _both(met: Evaluation) -> tuple[float, float]:
    return met.a_first.first_wins, met.b_first.second_wins
