"""Games solved, strategies met exactly, views advised and records judged.

>>> evaluate("pig", "hold:20", "hold:25").a_overall < 0.5
True
>>> advise("pig", "41-49+27").best
'roll'

Answers come from what is kept, shipped or solved now.
"""

from pathlib import Path
from typing import Any

from ..analysis import analyse as analysing
from ..analysis import exact
from ..analysis.moments import Analysis
from ..core.game import State, View
from ..core.record import Record
from ..core.results import Advice, Evaluation, Response
from ..core.solution import Certificate, Solution
from ..storage import solution_file, store
from .texts import GameText, StrategyText, game_of, state_of, strategy_of, view_of


def solve(game: GameText, method: str = "auto", *, fresh: bool = False, **options: Any) -> Solution:
    """The solution of a game: strategies for both players and a certificate of the value.

    It is taken from the package or from what was solved before, and `source` says so; else the game is solved now,
    and kept. With no `gap` asked (rounds and matches of Bluff) whatever is kept is good enough, with one asked it
    must be met. `fresh=True` solves anew. RulesError names a method or an option that the game's solver has not.

    >>> solve("piglet:goal=3").certificate.exact
    Fraction(1, 11)
    """
    return store.solve(game_of(game), method, fresh, **options)


def save(path: Path | str, solution: Solution, seconds: float = 0.0) -> None:
    """Write a solution of any family to a file, whole or not at all; `seconds` is what it took to find.

    A game whose name does not say its rules is not named in the file: `load` and `verify` are then given it.
    """
    solution_file.save(path, solution, seconds)


def load(path: Path | str, game: GameText | None = None, prove: bool = False) -> Solution:
    """The solution in a file; VerificationError if it is damaged, or its strategies break the rules.

    Its certificate is what the file says; with `prove`, or for a game that is given because no name says its rules,
    it is what is proved here and now.
    """
    return solution_file.load(path, None if game is None else game_of(game), prove)


def verify(path: Path | str, game: GameText | None = None) -> Certificate:
    """Prove a saved solution again with code no solver shares: the certificate proved here and now.

    VerificationError if the digest, the rules, the strategies, their worths or the bounds are not right.
    """
    return solution_file.verify(path, None if game is None else game_of(game))


def solution_of(game: GameText) -> Solution:
    """The solution of a game: `solve` under an older name."""
    return solve(game)


def evaluate(game: GameText, a: StrategyText, b: StrategyText) -> Evaluation:
    """A against B, exactly, with either of them starting.

    Each is a strategy or its text, one for each seat, a solution or a response.
    """
    rules = game_of(game)
    return exact.evaluate(rules, strategy_of(rules, a), strategy_of(rules, b))


def best_response(game: GameText, b: StrategyText) -> Response:
    """The best strategy against B from either seat, and what it gets."""
    rules = game_of(game)
    return exact.best_response(rules, strategy_of(rules, b))


def nash_conv(game: GameText, a: StrategyText) -> float:
    """What best responses to both seats' strategies gain together: 0 in equilibrium, never less.

    >>> nash_conv("rock-paper-scissors", solve("rock-paper-scissors"))
    0.0
    """
    found = best_response(game, a)
    return found.first_payoff + found.second_payoff


def advise(game: GameText, view: View, solution: Solution | None = None) -> Advice:
    """What each action in this view is worth against perfect play, and which is best.

    The view may be text, as `show_view` writes it. A solution at hand saves looking for one.
    """
    rules = game_of(game)
    seen = view_of(rules, view)
    if solution is None:
        if not store.is_kept(rules):
            exact.check_advice(rules, seen)
        solution = solve(rules)
    return exact.advise(rules, seen, solution)


def analyse(record: Record, judge: Solution | None = None, against: str | None = None) -> Analysis:
    """Every ply of the record judged, by the solution of its game unless another judge is given."""
    return analysing.analyse(record, solve(record.game) if judge is None else judge, against)


def judge_of(game: GameText, solution: Solution) -> Solution:
    """The solution, if it is one of this game: it knows what its states and actions are worth."""
    return exact.judge_of(game_of(game), solution)


def state_worth(game: GameText, state: State, solution: Solution) -> float:
    """The expected payoff to FIRST from this full state on if both play as solved."""
    rules = game_of(game)
    return exact.state_worth(rules, state_of(rules, state), solution)
