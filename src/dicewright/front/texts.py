"""Texts become the games, strategies, views and states that they name; whatever is no text is itself."""

from typing import Any, TypeAlias

from ..core import strategy as deciding
from ..core.errors import StrategyError
from ..core.game import FIRST, SECOND, Game, State, View, is_written
from ..core.results import Response
from ..core.solution import Solution, seats
from ..core.strategy import MemoryStrategy, Mix, Strategy, line_of
from ..families import catalog
from ..storage import strategies

GameText: TypeAlias = Game | str
OneStrategy: TypeAlias = Strategy | MemoryStrategy | Solution | Response | str
StrategyText: TypeAlias = OneStrategy | tuple[OneStrategy, OneStrategy]  # one, or one for each seat


def game_of(game: GameText) -> Any:
    """The game that a text names; any other is itself."""
    return catalog.parse(game) if isinstance(game, str) else game


def strategy_of(game: Any, strategy: Any) -> Any:
    """The strategy, or each seat's, that a text names; any other is itself."""
    if isinstance(strategy, str):
        return strategies.parse(strategy, game)
    if type(strategy) in (tuple, list):
        return tuple(strategy_of(game, part) for part in strategy)
    return strategy


def alike(game: Any, strategy: StrategyText) -> Any:
    """The one strategy that is played in either seat; StrategyError if there are two."""
    first, second = seats(strategy_of(game, strategy))
    if first is not second:
        raise StrategyError(f"{line_of(strategy)} differs from seat to seat; one for both seats is allowed")
    return first


def view_of(game: Any, view: View) -> View:
    """The view that a text shows, if the game writes views; any other is itself."""
    return game.read_view(view) if isinstance(view, str) and is_written(game) else view


def state_of(game: Any, state: State) -> State:
    """The state that a text shows, if the game writes states; any other is itself."""
    written = isinstance(state, str) and hasattr(type(game), "read_state")
    return game.read_state(state) if written else state


def strategy(text: str, game: GameText) -> Any:
    """The strategy written as one line: a name of the catalog, `table:FILE`, or `best-response:STRATEGY`."""
    return strategies.parse(text, game_of(game))


def decide(game: GameText, view: View, strategy: OneStrategy) -> Mix:
    """Ask the strategy for its mix in this view and check it; a forced action is played without asking.

    >>> decide("pig", "41-49+27", "hold:20")
    {'hold': 1.0}
    """
    rules = game_of(game)
    player = strategy_of(rules, strategy)
    if isinstance(player, Response):
        player = player.strategy
    if isinstance(player, Solution):
        player = player.player
    return deciding.decide(rules, view_of(rules, view), player)


def seated(game: Any, a: StrategyText, b: StrategyText) -> tuple[Strategy, Strategy]:
    """A's strategy as FIRST and B's as SECOND."""
    return seats(strategy_of(game, a))[FIRST], seats(strategy_of(game, b))[SECOND]
