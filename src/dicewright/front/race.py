"""What is computed of race games alone; the equations and their sources stand in the solvers."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..core.results import Response
from ..families.race import duel, journey, solitaire, visits
from ..families.race.kernels import Floats
from ..families.race.tabled import RaceTable
from .texts import GameText, StrategyText, alike, race_of, seated


def win_matrix(game: GameText, strategies: Sequence[StrategyText]) -> Floats:
    """matrix[a, b]: the chance that a wins moving first against b, exactly, in a race game."""
    rules = race_of(game)
    return duel.win_matrix(rules, [alike(rules, one) for one in strategies])


def iterate_best_responses(game: GameText, start: StrategyText, most: int = 100) -> Iterator[Response]:
    """Best response to the start, to that, and so on, until a strategy is its own: that one is optimal."""
    rules = race_of(game)
    return duel.iterate_best_responses(rules, alike(rules, start), most)


def game_lengths(
    game: GameText, a: StrategyText, b: StrategyText, tail: float = 1e-12, most: int = 100_000
) -> Floats:
    """The chance that a race game lasts 1, 2, ... turns, A starting; at most `tail` is cut off."""
    rules = race_of(game)
    return journey.game_lengths(rules, *seated(rules, a, b), tail, most)


def visit_chances(game: GameText, a: StrategyText, b: StrategyText) -> Floats:
    """chances[mover, mine, yours, turn]: that the state of a race occurs at least once, A (mover 0) starting."""
    rules = race_of(game)
    return visits.visit_chances(rules, *seated(rules, a, b))


def best_turn(game: GameText) -> tuple[int, Fraction]:
    """The hold number that maximises the expected points of one turn, and that expectation (Roters 1998).

    >>> best_turn("pig")
    (20, Fraction(492303203, 60466176))
    """
    return solitaire.best_turn(race_of(game))


def fewest_turns(game: GameText) -> tuple[Floats, RaceTable]:
    """The least expected number of turns from each score, and the strategy that needs them (Haigh & Roters)."""
    return solitaire.fewest_turns(race_of(game))
