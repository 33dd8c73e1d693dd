"""What is computed of race games alone; the equations and their sources stand in the family."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from ..core.arrays import Floats
from ..core.check import name_of
from ..core.errors import RulesError
from ..core.results import Response
from ..families import family
from .texts import GameText, StrategyText, alike, game_of, seated


def _asked(game: GameText, what: str) -> tuple[Any, Callable[..., Any]]:
    """The game, and the function of its family that has this name; RulesError if there is none."""
    rules = game_of(game)
    found = family(rules).charts().get(what)
    if found is None:
        raise RulesError(f"{name_of(rules)} is no race game; one such as pig or piglet:goal=3 is allowed")
    return rules, found


def win_matrix(game: GameText, strategies: Sequence[StrategyText]) -> Floats:
    """matrix[a, b]: the chance that a wins moving first against b, exactly, in a race game."""
    rules, win_matrix = _asked(game, "win_matrix")
    matrix: Floats = win_matrix(rules, [alike(rules, one) for one in strategies])
    return matrix


def iterate_best_responses(game: GameText, start: StrategyText, most: int = 100) -> Iterator[Response]:
    """Best response to the start, to that, and so on, until a strategy is its own: that one is optimal."""
    rules, iterate = _asked(game, "iterate_best_responses")
    responses: Iterator[Response] = iterate(rules, alike(rules, start), most)
    return responses


def game_lengths(
    game: GameText, a: StrategyText, b: StrategyText, tail: float = 1e-12, most: int = 100_000
) -> Floats:
    """The chance that a race game lasts 1, 2, ... turns, A starting; at most `tail` is cut off."""
    rules, lengths = _asked(game, "game_lengths")
    chances: Floats = lengths(rules, *seated(rules, a, b), tail, most)
    return chances


def visit_chances(game: GameText, a: StrategyText, b: StrategyText) -> Floats:
    """chances[mover, mine, yours, turn]: that the state of a race occurs at least once, A (mover 0) starting."""
    rules, visits = _asked(game, "visit_chances")
    chances: Floats = visits(rules, *seated(rules, a, b))
    return chances


def best_turn(game: GameText) -> tuple[int, Fraction]:
    """The hold number that maximises the expected points of one turn, and that expectation (Roters 1998).

    >>> best_turn("pig")
    (20, Fraction(492303203, 60466176))
    """
    rules, turn = _asked(game, "best_turn")
    hold, points = turn(rules)
    return hold, points


def fewest_turns(game: GameText) -> tuple[Floats, Any]:
    """The least expected number of turns from each score, and the strategy that needs them (Haigh & Roters)."""
    rules, fewest = _asked(game, "fewest_turns")
    turns, table = fewest(rules)
    return turns, table
