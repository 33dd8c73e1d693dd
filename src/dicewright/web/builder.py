"""The work of the second process: solving a game while the server goes on."""

import multiprocessing
import multiprocessing.connection
import os
import threading
from dataclasses import replace
from typing import Any


def be_nice() -> None:
    """Let the server go first on a busy machine, and go when it is gone."""
    os.nice(10)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def build(name: str) -> Any:
    """Solve the game; None if its solution is kept in the store, else the solution itself, in floats."""
    from ..games.catalog import parse
    from ..games.race import RaceGame
    from ..storage import solutions, store

    game = parse(name)
    solution = store.solution_of(game)
    if isinstance(game, RaceGame) and solutions.find(game) is not None:
        return None
    return replace(solution, strategies=tuple(map(_in_floats, solution.strategies)))


def _in_floats(strategy: Any) -> Any:
    """A strategy that is cheap to send and to ask."""
    from ..solvers.bluff_strategy import PlanStrategy
    from ..solvers.bluff_tree import as_floats

    if isinstance(strategy, PlanStrategy) and strategy.plan is not None:
        return replace(strategy, plan=as_floats(strategy.plan))
    return strategy


def matrix(name: str, strategies: list[str]) -> list[list[float]]:
    """Each strategy's exact winning chance against each other, either starting equally often."""
    from ..analysis.exact import evaluate
    from ..games.catalog import parse
    from ..strategies.catalog import parse as strategy

    game = parse(name)
    players = [strategy(text, game) for text in strategies]
    wins = [[0.5] * len(players) for _ in players]
    for row in range(len(players)):
        for column in range(row):
            met = evaluate(game, players[row], players[column])
            wins[row][column], wins[column][row] = met.a_overall, met.b_overall
    return wins
