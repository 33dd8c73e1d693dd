"""Games solved, strategies met exactly, views advised and records judged.

>>> evaluate("pig", "hold:20", "hold:25").a_overall < 0.5
True
>>> advise("pig", "41-49+27").best
'roll'

Answers come from what is kept, shipped or solved now.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..analysis import analyse as analysing
from ..analysis import exact
from ..analysis.moments import Analysis
from ..core.arrays import Floats
from ..core.errors import RulesError, name_of
from ..core.game import State, View
from ..core.record import Record
from ..core.results import Advice, Evaluation, Response
from ..core.solution import Certificate, Solution
from ..families import family
from ..storage import solution_file, store
from .texts import GameText, StrategyText, alike, game_of, seated, state_of, strategy_of, view_of


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
