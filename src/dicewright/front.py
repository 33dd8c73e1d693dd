"""The front door: games, strategies and views as objects or as text; answers from what is kept, shipped or solved now.

>>> evaluate("pig", "hold:20", "hold:25").a_overall < 0.5
True
>>> advise("pig", "41-49+27").best
'roll'
"""

from pathlib import Path
from typing import Any

from .analysis import analyse as analysing
from .analysis import exact
from .analysis.moments import Analysis
from .arena import simulate as simulating
from .arena.simulate import Progress
from .arena.tally import Tally
from .core.game import View, is_written
from .core.record import Record
from .core.results import Advice, Evaluation, Response
from .core.solution import Certificate, Solution
from .games import catalog
from .storage import solution_file, store, strategies

GAMES = 10_000  # that a simulation plays unless asked otherwise


def game_of(game: Any) -> Any:
    """The game that a text names; any other is itself."""
    return catalog.parse(game) if isinstance(game, str) else game


def strategy_of(game: Any, strategy: Any) -> Any:
    """The strategy, or each seat's, that a text names; any other is itself."""
    if isinstance(strategy, str):
        return strategies.parse(strategy, game)
    if type(strategy) is tuple:
        return tuple(strategy_of(game, part) for part in strategy)
    return strategy


def solve(game: Any, method: str = "auto", *, fresh: bool = False, **options: Any) -> Solution:
    """The solution of a game: strategies for both players and a certificate of the value.

    It is taken from the package or from what was solved before, and `source` says so; else the game is solved now,
    and kept. With no `gap` asked (rounds and matches of Bluff) whatever is kept is good enough, with one asked it
    must be met. `fresh=True` solves anew. RulesError names a method or an option that the game's solver has not.

    >>> solve("piglet:goal=3").certificate.exact
    Fraction(1, 11)
    """
    return store.solve(game_of(game), method, fresh, **options)


def solution_of(game: Any) -> Solution:
    """The solution of a game: `solve` under an older name."""
    return solve(game)


def save(path: Path | str, solution: Solution, seconds: float = 0.0) -> None:
    """Write a solution of any family to a file, whole or not at all; `seconds` is what it took to find.

    A game whose name does not say its rules is not named in the file: `load` and `verify` are then given it.
    """
    solution_file.save(path, solution, seconds)


def load(path: Path | str, game: Any = None, prove: bool = False) -> Solution:
    """The solution in a file; VerificationError if it is damaged, or its strategies break the rules.

    Its certificate is what the file says; with `prove`, or for a game that is given because no name says its rules,
    it is what is proved here and now.
    """
    return solution_file.load(path, game_of(game), prove)


def verify(path: Path | str, game: Any = None) -> Certificate:
    """Prove a saved solution again with code no solver shares: the certificate proved here and now.

    VerificationError if the digest, the rules, the strategies, their worths or the bounds are not right.
    """
    return solution_file.verify(path, game_of(game))


def evaluate(game: Any, a: Any, b: Any) -> Evaluation:
    """A against B, exactly, with either of them starting.

    Each is a strategy or its text, one for each seat, a solution or a response.
    """
    rules = game_of(game)
    return exact.evaluate(rules, strategy_of(rules, a), strategy_of(rules, b))


def best_response(game: Any, b: Any) -> Response:
    """The best strategy against B from either seat, and what it gets."""
    rules = game_of(game)
    return exact.best_response(rules, strategy_of(rules, b))


def nash_conv(game: Any, a: Any) -> float:
    """What best responses to both seats' strategies gain together: 0 in equilibrium, never less.

    >>> nash_conv("rock-paper-scissors", solve("rock-paper-scissors"))
    0.0
    """
    found = best_response(game, a)
    return found.first_payoff + found.second_payoff


def advise(game: Any, view: View, solution: Solution | None = None) -> Advice:
    """What each action in this view is worth against perfect play, and which is best.

    The view may be text, as `show_view` writes it. A solution at hand saves looking for one.
    """
    rules = game_of(game)
    if solution is None:
        if isinstance(view, str) and is_written(rules):
            view = rules.read_view(view)
        if not store.is_kept(rules):
            exact.check_advice(rules, view)
        solution = solve(rules)
    return exact.advise(rules, view, solution)


def simulate(
    game: Any,
    a: Any,
    b: Any,
    games: int = GAMES,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Tally:
    """Play games between strategies A and B, every other one started by A; the same seed gives the same totals.

    `progress(played, games)` is told after each block of games, and Ctrl-C returns what has been played.
    """
    rules = game_of(game)
    one, two = strategy_of(rules, a), strategy_of(rules, b)
    return simulating.simulate(rules, one, two, games, seed, workers, progress)


def analyse(record: Record, judge: Solution | None = None, against: str | None = None) -> Analysis:
    """Every ply of the record judged, by the solution of its game unless another judge is given."""
    return analysing.analyse(record, solve(record.game) if judge is None else judge, against)
