"""Which pictures race games have: maps of scores and turn totals."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ...core.errors import NotationError, TooLarge
from ...core.solution import Solution, seats
from ..picture import Picture
from .rules import Effect, RaceGame

CELL = 2e-5  # seconds for a cell of a map
MOST_DRAWN = 200  # the goal, while somebody waits


def check_goal(game: RaceGame) -> None:
    """TooLarge if the maps are too large to wait for."""
    if game.goal > MOST_DRAWN:
        raise TooLarge(f"goal is {game.goal} in {game.name}; up to {MOST_DRAWN} is drawn here")


def has(game: RaceGame, *effects: Effect) -> bool:
    """Whether some face has one of these effects."""
    return any(effect in effects for _, roll in game.rolls for _, effect, _ in roll)


def _check(game: RaceGame, *asked: Any) -> None:
    check_goal(game)
    if not has(game, Effect.ADD, Effect.RUIN):
        raise NotationError(
            f"in {game.name} one roll is the whole turn, so there is no turn total to draw; pig and others have one"
        )


def _race(game: RaceGame, strategy: Any, solution: Solution, yours: int) -> Mapping[str, Any]:
    """What a strategy does at every own score and turn total, and what each action is worth."""
    from .maps import race_map

    values: Any = solution.strategies[0]
    return race_map(game, seats(strategy)[0], values, yours)


def _surface(game: RaceGame, strategy: Any, solution: Solution | None) -> Mapping[str, Any]:
    """The first turn total at which a strategy holds, for every pair of scores."""
    from .maps import hold_surface

    return {"goal": game.goal, "hold_at": hold_surface(game, seats(strategy)[0]).tolist()}


def _map_seconds(game: RaceGame) -> float:
    return CELL * game.goal**2 * (1 + len(game.rolls))


def _surface_seconds(game: RaceGame) -> float:
    return 2 * CELL * game.goal**2


PICTURES: Mapping[str, Picture] = MappingProxyType(
    {
        "race": Picture(_race, _check, _map_seconds, solved=True),
        "surface": Picture(_surface, _check, _surface_seconds),
    }
)
