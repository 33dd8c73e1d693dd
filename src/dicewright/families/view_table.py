"""A strategy as a table of views, read from the CSV that `dicewright strategy export` writes:

view,action,chance          one action of a view a line; chances of a view sum to 1
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import DicewrightError, StrategyError, TooLarge
from ..core.game import View, WrittenGame
from ..core.strategy import Mix, checked_mix, decide

COLUMNS = ("view", "action", "chance")
MOST_VIEWS = 300_000
MOST_QUOTED = 80

Views = Callable[[Any], Iterator[View]]


@dataclass(frozen=True, eq=False)
class ViewTable:
    """A strategy read off a table of views."""

    game: WrittenGame
    mixes: dict[View, Mix] = field(repr=False)
    name: str

    def __call__(self, view: View) -> Mix:
        """The mix that is written down."""
        return self.mixes[view]

    def __str__(self) -> str:
        return self.name


def check_views(game: WrittenGame, count: int) -> None:
    """TooLarge if a game has more views than tables are made of."""
    if count > MOST_VIEWS:
        raise TooLarge(f"{game.name} has {count:,} views; tables of up to {MOST_VIEWS:,} are made")


def columns_of(game: WrittenGame, strategy: Any, views: Iterable[View]) -> dict[str, list[Any]]:
    """The strategy's mix in each of the views, as columns."""
    rows = [
        (game.show_view(view), game.show_choice(action), float(chance))
        for view in views
        for action, chance in decide(game, view, strategy).items()
        if chance > 0
    ]
    return dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))


def reader(views: Views) -> Callable[[Iterable[str], str, Any], ViewTable]:
    """The reader of such files for games that have these views."""

    def read(lines: Iterable[str], source: str, game: Any) -> ViewTable:
        """The strategy that the lines of a CSV file write down; StrategyError names the line that is wrong."""
        told: dict[View, dict[Any, float]] = {}
        rows = csv.reader(lines, strict=True)
        if (header := next(rows, [])) != list(COLUMNS):
            quoted = ",".join(header)[:MOST_QUOTED]
            raise StrategyError(f"{source} line 1 is {quoted!r}; {','.join(COLUMNS)} is allowed")
        for number, cells in enumerate(rows, start=2):
            try:
                if cells:
                    _read(told, game, *cells)
            except (TypeError, ValueError, DicewrightError) as error:
                quoted = ",".join(cells)[:MOST_QUOTED]
                raise StrategyError(f"{source} line {number} is {quoted!r}: {error}") from error
        for view in views(game):
            if view not in told:
                raise StrategyError(f"{source} says nothing of {game.show_view(view)}, which can occur")
            checked_mix(told[view], game.actions(view), source, game.show_view(view))
        return ViewTable(game, dict(told), f"table:{source}")

    return read


def _read(told: dict[View, dict[Any, float]], game: Any, view: str, action: str, chance: str) -> None:
    seen = game.read_view(view)
    mix, choice = told.setdefault(seen, {}), game.read_choice(action)
    if choice in mix:
        raise ValueError(f"{action} stands twice at {view}; once is allowed")
    mix[choice] = float(chance)
