"""Games solved, strategies met exactly, views advised and records judged.

>>> evaluate("pig", "hold:20", "hold:25").a_overall < 0.5
True
>>> advise("pig", "41-49+27").best
'roll'

Texts become the games, strategies, views and states that they name; whatever is no text is itself. Answers come from
what is kept, shipped or solved now.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from typing import Any, TypeAlias

from ..analysis import analyse as analysing
from ..analysis import exact
from ..analysis.moments import Analysis
from ..core import strategy as deciding
from ..core.arrays import Floats
from ..core.effort import Limits
from ..core.errors import RulesError, name_of
from ..core.game import FIRST, SECOND, Game, State, View, WrittenGame, is_written
from ..core.record import Record
from ..core.results import Advice, Evaluation, Response
from ..core.solution import Solution, one_of, seats
from ..core.strategy import MemoryStrategy, Mix, Strategy
from ..families import family
from ..storage import strategies
from ..storage.solution_file import game_of
from ..storage.store import is_kept
from ..storage.trained import is_trained, judge_for

GameText: TypeAlias = Game | str
OneStrategy: TypeAlias = Strategy | MemoryStrategy | Solution | Response | str
StrategyText: TypeAlias = OneStrategy | tuple[OneStrategy, OneStrategy]  # one, or one for each seat


def strategy_of(game: WrittenGame, strategy: Any, program: Limits | None = None) -> Any:
    """The strategy, or each seat's, that a text names; any other is itself. `program` as `parse` takes it."""
    if isinstance(strategy, str):
        return strategies.parse(strategy, game, program=program)
    if type(strategy) in (tuple, list):
        return tuple(strategy_of(game, part, program) for part in strategy)
    return strategy


def alike(game: WrittenGame, strategy: StrategyText) -> Any:
    """The one strategy that is played in either seat; StrategyError if there are two."""
    return one_of(strategy_of(game, strategy))


def view_of(game: WrittenGame, view: View) -> View:
    """The view that a text shows, if the game writes views; any other is itself."""
    return game.read_view(view) if isinstance(view, str) and is_written(game) else view


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


def seated(game: WrittenGame, a: StrategyText, b: StrategyText) -> tuple[Strategy, Strategy]:
    """A's strategy as FIRST and B's as SECOND."""
    return seats(strategy_of(game, a))[FIRST], seats(strategy_of(game, b))[SECOND]


def evaluate(game: GameText, a: StrategyText, b: StrategyText, at: View | None = None) -> Evaluation:
    """A against B, exactly, with either of them starting; or, from the view `at` on, with either in its place.

    Each is a strategy or its text, one for each seat, a solution or a response.

    >>> round(evaluate("pig", "hold:20", "hold:25", at="34-27+12").a_first.first_wins, 6)
    0.625191
    """
    rules = game_of(game)
    pair = strategy_of(rules, a), strategy_of(rules, b)
    if at is None:
        return exact.evaluate(rules, *pair)
    return exact.evaluate_at(rules, *pair, view_of(rules, at))


def best_response(game: GameText, b: StrategyText) -> Response:
    """The best strategy against B from either seat, and what it gets."""
    rules = game_of(game)
    return exact.best_response(rules, strategy_of(rules, b))


def nash_conv(game: GameText, a: StrategyText) -> float:
    """What best responses to both seats' strategies gain together: 0 in equilibrium, never less.

    >>> from dicewright import solve
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
        if not (is_kept(rules) or is_trained(rules)):
            exact.check_advice(rules, seen)
        solution = judge_for(rules)
    return exact.advise(rules, seen, solution)


def analyse(record: Record, judge: Solution | None = None, against: str | None = None) -> Analysis:
    """Every ply of the record judged, by the solution of its game unless another judge is given."""
    return analysing.analyse(record, judge_for(record.game) if judge is None else judge, against)


def judge_of(game: GameText, solution: Solution) -> Solution:
    """The solution, if it is one of this game: it knows what its states and actions are worth."""
    return exact.judge_of(game_of(game), solution)


def state_worth(game: GameText, state: State, solution: Solution) -> float:
    """The expected payoff to FIRST from this full state on if both play as solved."""
    rules = game_of(game)
    if isinstance(state, str) and hasattr(type(rules), "read_state"):
        state = rules.read_state(state)
    return exact.state_worth(rules, state, solution)


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


def win_chances(game: GameText, a: StrategyText, b: StrategyText) -> Floats:
    """P[mover, mine, yours, turn] of a race game: the chance that the mover, A (0) or B (1), wins from there.

    NaN where the goal is reached.
    """
    rules, outlooks = _asked(game, "outlooks")
    chances: Floats = outlooks(rules, alike(rules, a), alike(rules, b))["wins"]
    return chances


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


def best_rules(game: GameText, wide: bool = False, executor: Executor | None = None) -> Iterator[Any]:
    """The simple rule that loses least to perfect play, of each form of one to four numbers: all of a grid are tried.

    They are the same with any executor.

    >>> found = next(best_rules("pig"))
    >>> found.words, round(found.loss, 6)
    ('hold at 25', 0.021069)
    """
    rules, search = _asked(game, "best_rules")
    found: Iterator[Any] = search(rules, wide, executor=executor)
    return found


def fewest_turns(game: GameText) -> tuple[Floats, Any]:
    """The least expected number of turns from each score, and the strategy that needs them (Haigh & Roters)."""
    rules, fewest = _asked(game, "fewest_turns")
    turns, table = fewest(rules)
    return turns, table
