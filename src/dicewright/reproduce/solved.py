"""Games solved once and strategies met once, for all claims about race games."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.results import Evaluation
from ..families import solve
from ..families.catalog import parse as game
from ..families.catalog import strategy
from ..families.race.duel import evaluate_race
from ..families.race.rules import Effect, RaceGame
from ..families.race.solution import RaceValues, solve_values
from ..families.race.tabled import RaceTable, tabulate
from .claims import Finding, Verdict

Flags = npt.NDArray[np.bool_]


@cache
def solved(name: str) -> RaceValues:
    """The solution of a game, computed once."""
    return solve_values(game(name))


def player(name: str, text: str) -> Any:
    """A strategy for a named game; the optimum is the solution at hand."""
    return solved(name) if text == "optimal" else strategy(text, game(name))


@cache
def met(name: str, a: str, b: str) -> Evaluation:
    """Two strategies against each other, computed once."""
    return evaluate_race(game(name), player(name, a), player(name, b))


def first(a: str, b: str, name: str = "pig") -> float:
    """A's chance, moving first against B."""
    return met(name, a, b).a_first.first_wins


def second(a: str, b: str, name: str = "pig") -> float:
    """B's chance, moving first against A."""
    return met(name, a, b).b_first.first_wins


@cache
def table(name: str, text: str) -> RaceTable:
    """The table of a strategy of a named game."""
    return tabulate(game(name), player(name, text))


def rolls(strategy_table: RaceTable, goal: int) -> Flags:
    """[mine, yours, turn]: whether a pure strategy rolls; false from the goal on."""
    cube = np.zeros((goal, goal, goal), bool)
    for mine in range(goal):
        for yours in range(goal):
            cube[mine, yours, : goal - mine] = strategy_table.choices(mine, yours) > 0
    return cube


@cache
def rolled(name: str, text: str) -> Flags:
    """[mine, yours, turn]: whether a pure strategy of a named game rolls, computed once."""
    return rolls(table(name, text), game(name).goal)


def play_games(
    name: str, a: str, b: str, games: int, seed: int, most_turns: int = 2000
) -> npt.NDArray[np.int8]:
    """Play so many games with plain dice, all at once, A starting: 1 where A won, -1 where B did, 0 unfinished.

    Every roll of every game is drawn, whatever the exact results say: an independent check of them. For one
    die, pure strategies and a goal that need only be reached.
    """
    rules: RaceGame = game(name)
    faces = rules.rolls[0][1]
    points = np.array([p for _, _, p in faces])
    adds = np.array([effect is Effect.ADD for _, effect, _ in faces])
    chances = np.cumsum([float(chance) for chance, _, _ in faces])
    cubes, goal = (rolled(name, a), rolled(name, b)), rules.goal
    rng = np.random.default_rng(seed)
    result = np.zeros(games, np.int8)
    alive = np.arange(games)
    scores = np.zeros((2, games), np.int64)
    for turn_number in range(most_turns):
        mover = turn_number % 2
        mine, yours = scores[mover], scores[1 - mover]
        turn = np.zeros(len(alive), np.int64)
        rolling = np.flatnonzero(cubes[mover][mine, yours, 0])
        while len(rolling):
            thrown = np.searchsorted(chances[:-1], rng.random(len(rolling)), "right")
            kept, ended = adds[thrown], ~adds[thrown]
            turn[rolling[kept]] += points[thrown[kept]]
            turn[rolling[ended]] = points[thrown[ended]]
            rolling = rolling[kept]
            below = rolling[mine[rolling] + turn[rolling] < goal]
            rolling = below[cubes[mover][mine[below], yours[below], turn[below]]]
        scores[mover] = mine + turn
        won = scores[mover] >= goal
        result[alive[won]] = 1 - 2 * mover
        alive, scores = alive[~won], scores[:, ~won]
        if not len(alive):
            break
    return result


SHORT = 40  # letters of a fraction that is shown whole


def proved_value(name: str, **options: Any) -> Finding:
    """The value of a game with its proof; a value without one is a failure."""
    certificate = solve(game(name), **options).certificate
    verdict = Verdict.NEW if certificate.proved else Verdict.DIFFERS
    if certificate.exact is not None and len(str(certificate.exact)) < SHORT:
        return Finding(f"{certificate.exact} to the first player, proved exactly", verdict)
    lower, upper = certificate.decimals()
    return Finding(f"{lower} to {upper}, proved", verdict)
