"""Two race strategies against each other, exactly, and best responses, which lead to the optimum."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...core.errors import PrecisionError, StrategyError, TooLarge
from ...core.results import Duel, Evaluation, Response
from ...core.strategy import MemoryStrategy, Strategy, line_of
from . import duel_kernels as kernels
from .duel_kernels import FIRST_WINS, PAYOFF, SECOND_WINS, TURNS
from .falls import settle
from .kernels import MINE, YOURS, Floats
from .rules import Effect, RaceGame
from .solution import STILL, SWEEPS, table_of_runs
from .tabled import RaceTable, TableStrategy, rules_of, tabulate

TAIL = 1e-18  # mass that may be left out of a distribution of turns
MOST_TURNS = 1_000_000
MOST_BYTES = 8 << 30
FEW = 200  # sweeps; where these do not come to rest, falls are so many that they are solved as a chain
MOST_IMPROVED = 50  # answers on the way to the best
SETTLED = 1e-12  # times the goal: a better answer gains more


def evaluate_race(game: RaceGame, a: Strategy | MemoryStrategy, b: Strategy | MemoryStrategy) -> Evaluation:
    """Exact chances of A against B, whoever starts, with the expected number of turns."""
    return evaluate_tables(game, tabulate(game, a), tabulate(game, b))


def evaluate_tables(game: RaceGame, a: RaceTable, b: RaceTable) -> Evaluation:
    """Exact chances of table A against table B; memory is 64 bytes a pair of seats."""
    x, y = duel_tables(game, a, b)
    return Evaluation(duel_of(x[0, 0]), duel_of(y[0, 0, [SECOND_WINS, FIRST_WINS, PAYOFF, TURNS]], sign=-1))


def duel_of(quantities: Floats, sign: int = 1) -> Duel:
    """The four quantities as a result; chances that miss 1 by rounding alone leave no stalemate."""
    first, second, payoff, turns = (float(q) for q in quantities)
    never = max(0.0, 1.0 - first - second)
    return Duel(first, second, never if never > 1e-12 else 0.0, turns, sign * payoff)


def duel_tables(game: RaceGame, a: RaceTable, b: RaceTable) -> tuple[Floats, Floats]:
    """The quantities at all seats: x[a's seat, b's seat] with A to move, y[b's seat, a's seat] with B to move."""
    rules = rules_of(game)
    seats_a, seats_b = a.memories * game.goal, b.memories * game.goal
    check_meeting(game, a, b)
    if 64 * seats_a * seats_b > MOST_BYTES:
        need, most = 64 * seats_a * seats_b >> 20, MOST_BYTES >> 20
        raise TooLarge(f"the duel in {game.name} needs {need} MB; {most} MB is allowed")
    x, y = np.zeros((seats_a, seats_b, 4)), np.zeros((seats_b, seats_a, 4))
    if not _rests(game, lambda: kernels.duel(rules, a, b, x, y), FEW) and not settle(rules, a, b, x, y):
        x[:], y[:] = 0.0, 0.0
        swept(game, "the duel", lambda: kernels.duel(rules, a, b, x, y))
    return x, y


def swept(game: RaceGame, what: str, sweep: Callable[[], float]) -> None:
    """Sweep until nothing moves but by rounding, once if no die can ruin a score; PrecisionError if it never rests."""
    if not _rests(game, sweep, SWEEPS):
        raise PrecisionError(f"{what} in {game.name} still moved after {SWEEPS} sweeps")


def _rests(game: RaceGame, sweep: Callable[[], float], most: int) -> bool:
    """Whether at most so many sweeps come to rest."""
    if not game.has(Effect.RUIN):
        sweep()
        return True
    return any(sweep() <= STILL * game.goal for _ in range(most))


def check_meeting(game: RaceGame, a: RaceTable, b: RaceTable) -> None:
    """Refuse a table that reads the memory of another opponent than this one."""
    for table, other in ((a, b), (b, a)):
        if table.columns not in (game.goal, other.memories * game.goal):
            raise StrategyError(
                "a best response that reads its opponent's memory can only meet that opponent"
            )


def answer_values(game: RaceGame, table: RaceTable, b: Any) -> tuple[Floats, Floats]:
    """What the best response to b's table gets: worth[YOURS, b's seat, mine] with b to move, mover[mine, b's seat]."""
    rules, goal = rules_of(game), game.goal
    if table.columns != goal:
        raise StrategyError(
            f"{line_of(b)} reads the memory of its opponent, so there is no answer to it alone"
        )
    seats = table.memories * goal
    worth, mover = np.zeros((2, seats, goal)), np.zeros((goal, seats))
    if _rests(game, lambda: kernels.respond(rules, table, worth, mover), FEW):
        return worth, mover
    for _ in range(
        MOST_IMPROVED
    ):  # strategy iteration: the exact worth of the answer so far, and the answer to that
        x, y = duel_tables(game, table_of_runs(game, worth, np.zeros((1, 1, 1))), table)
        quantity = FIRST_WINS if rules.decisive else PAYOFF
        mover[:], worth[YOURS] = x[:, :, quantity], y[:, :, quantity]
        worth[MINE] = (1.0 if rules.decisive else 0.0) - worth[YOURS]
        if kernels.respond(rules, table, worth, mover) <= SETTLED * goal:
            return worth, mover
    raise PrecisionError(
        f"the answer to {line_of(b)} in {game.name} is not settled after {MOST_IMPROVED} rounds"
    )


def best_response_race(game: RaceGame, b: Strategy | MemoryStrategy) -> Response:
    """The best strategy against b, which may know b's memory, and what it gets moving first and second."""
    table = tabulate(game, b)
    worth, _ = answer_values(game, table, b)
    runs = table_of_runs(game, worth, np.zeros((1, 1, 1)))
    met = evaluate_tables(game, runs, table)
    wins = game.payoff_rule == "win"
    return Response(
        TableStrategy(game, runs, f"best response to {line_of(b)}"),
        met.a_first.payoff,
        -met.b_first.payoff,
        met.a_first.first_wins if wins else None,
        met.b_first.second_wins if wins else None,
    )


def iterate_best_responses(game: RaceGame, start: Strategy, most: int = 100) -> Iterator[Response]:
    """Best response to the start, to that, and so on: Exeter's first, second, ... order optimals (3.1.1).

    Ends with the response that repeats its predecessor: a strategy that is its own best response is optimal.
    """
    against: Any = start
    for _ in range(most):
        response = best_response_race(game, against)
        yield response
        before, against = against, response.strategy
        if tabulate(game, against).same_choices(tabulate(game, before)):
            return


def win_matrix(game: RaceGame, strategies: Sequence[Strategy | MemoryStrategy]) -> Floats:
    """matrix[a, b]: the chance that a wins moving first against b, exactly.

    Players who ignore each other only race in turns: with f the distribution of a's last turn and s the chance
    that b is still under way, a wins with sum f(n) s(n - 1). So n strategies take n distributions and one
    matrix product, instead of n^2 duels; the others are met one by one.
    """
    tables = [tabulate(game, strategy) for strategy in strategies]
    matrix = np.empty((len(tables), len(tables)))
    solo = [n for n, table in enumerate(tables) if table.solo and game.payoff_rule == "win"]
    if solo:
        matrix[np.ix_(solo, solo)] = _race_in_turns(game, [tables[n] for n in solo])
    for a, first in enumerate(tables):
        for b, second in enumerate(tables[: a + 1]):
            if not (a in solo and b in solo):
                met = evaluate_tables(game, first, second)
                matrix[a, b], matrix[b, a] = met.a_first.first_wins, met.b_first.first_wins
    return matrix


def _race_in_turns(game: RaceGame, tables: Sequence[RaceTable]) -> Floats:
    finishes = [finish_turns(game, table) for table in tables]
    longest = max(len(finish) for finish in finishes)
    last_turn = np.zeros((len(tables), longest))
    for row, finish in zip(last_turn, finishes, strict=True):
        row[: len(finish)] = finish
    under_way = 1.0 - np.cumsum(last_turn, axis=1)
    before = np.concatenate([np.ones((len(tables), 1)), under_way[:, :-1]], axis=1)
    matrix: Floats = last_turn @ before.T
    return matrix


def finish_turns(game: RaceGame, table: RaceTable) -> Floats:
    """The chance that a player who ignores the opponent reaches the goal in the first, second, ... turn.

    What is missing from 1 is play that never ends, apart from at most 1e-18.
    """
    room = 1000
    while True:
        finish = np.zeros(room)
        turns, under_way = kernels.finish_turns(rules_of(game), table, TAIL, room, finish)
        if under_way <= TAIL:
            return finish[:turns]
        if room >= MOST_TURNS:
            raise PrecisionError(f"a strategy takes more than {MOST_TURNS:,} turns in {game.name}")
        room *= 10
