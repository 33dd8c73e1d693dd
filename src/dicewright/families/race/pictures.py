"""Pictures of race strategies as numbers: maps of scores and turn totals, and which of them the page has."""

from collections.abc import Mapping
from math import inf, isfinite
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Floats
from ...core.errors import NotationError, TooLarge
from ...core.solution import Solution, seats
from ..picture import Picture
from .duel import evaluate_race, iterate_best_responses
from .rules import HOLD, Effect, RaceGame, RaceView
from .tabled import rules_of, tabulate
from .visits import visit_chances

NO_RACE = "{} is no race game; pig and its relatives are"
CELL = 2e-5  # seconds for a cell of a map
DUEL, SWEEPING = 2e-6, 0.5  # seconds for a pair of scores of a duel, and for its sweeps
MOST_RUIN = 25  # the goal of a game in which all points can be lost, while its strategies meet
MOST_DRAWN = 200  # the goal, while somebody waits


def check_goal(game: RaceGame) -> None:
    """TooLarge if the maps are too large to wait for."""
    if game.goal > MOST_DRAWN:
        raise TooLarge(f"goal is {game.goal} in {game.name}; up to {MOST_DRAWN} is drawn here")


def _check(game: RaceGame, *asked: Any) -> None:
    check_goal(game)
    if not game.has(Effect.ADD, Effect.RUIN):
        raise NotationError(
            f"in {game.name} one roll is the whole turn, so there is no turn total to draw; pig and others have one"
        )


def race_map(game: RaceGame, strategy: Any, solution: Solution, yours: int) -> Mapping[str, Any]:
    """What the strategy does and what each action is worth, against one score of the opponent.

    choice[mine][turn] is the action taken most often, -1 from the goal on; worth[action][mine][turn] is against
    perfect play, None where the action is not allowed.
    """
    _check_score(game, yours)
    table, values = tabulate(game, seats(strategy)[0]), solution.strategies[0]
    actions = (HOLD, *(name for name, _ in game.rolls))
    choice, found = [], []
    for mine in range(game.goal):
        rows = np.argmax(table.mixes[table.choices(mine, yours)], axis=1).tolist()
        worths = [values.action_worths(RaceView(mine, yours, turn)) for turn in range(len(rows))]  # type: ignore[attr-defined]
        choice.append([*rows, *[-1] * mine])
        found.append([*worths, *[{}] * mine])
    worth = {action: [[cell.get(action) for cell in line] for line in found] for action in actions}
    return {"goal": game.goal, "yours": yours, "actions": list(actions), "choice": choice, "worth": worth}


def roll_map(game: RaceGame, strategy: Any, yours: int) -> Mapping[str, Floats]:
    """chances[roll][mine, turn] of each roll against one score of the opponent; NaN where the goal is reached."""
    if not game.has(Effect.ADD):
        raise NotationError(f"{game.name} has no turn totals to draw; its rolls end the turn")
    _check_score(game, yours)
    table = tabulate(game, strategy)
    chances = np.full((len(game.rolls), game.goal, game.goal), np.nan)
    for mine in range(game.goal):
        chances[:, mine, : game.goal - mine] = table.mixes[table.choices(mine, yours), 1:].T
    return {name: each for (name, _), each in zip(game.rolls, chances, strict=True)}


def hold_surface(game: RaceGame, strategy: Any) -> npt.NDArray[np.int64]:
    """surface[mine, yours]: the lowest turn total at which it holds, goal - mine if it never holds short of it.

    Above the surface an optimal player may roll again (at 41-49, rolling is right at 27): see `roll_map`.
    """
    table = tabulate(game, strategy)
    surface = np.empty((game.goal, game.goal), np.int64)
    for mine in range(game.goal):
        for yours in range(game.goal):
            holds = table.mixes[table.choices(mine, yours), 0] > 0.5
            surface[mine, yours] = np.argmax(holds) if holds.any() else game.goal - mine
    return surface


def reachable(game: RaceGame, strategy: Any, opponent: Any) -> npt.NDArray[np.bool_]:
    """states[mine, yours, turn] that the strategy can face on its own turn, whoever starts."""
    as_first = visit_chances(game, strategy, opponent)[0] > 0.0
    as_second = visit_chances(game, opponent, strategy)[1] > 0.0
    return np.asarray(as_first | as_second)


def convergence(game: RaceGame, start: Any) -> list[float]:
    """How exploitable the start is, the best response to it, the response to that, and so on (Exeter 3.1.1).

    That is the responder's mean payoff, moving first and second: 0 for an optimal strategy.
    """
    return [
        max(0.0, (response.first_payoff + response.second_payoff) / 2)
        for response in iterate_best_responses(game, start)
    ]


def _check_score(game: RaceGame, yours: int) -> None:
    if not 0 <= yours < game.goal:
        raise NotationError(
            f"the opponent's score is {yours} in {game.name}; 0 to {game.goal - 1} is allowed"
        )


def race_measures(game: RaceGame, strategy: Any, solution: Solution) -> Mapping[str, Any]:
    """What the first player gets, and how many turns a game has on average, both as solved; None if not known.

    `payoff` is what the strategy gets of perfect play, either starting as often. Two duels: goal^2 turns each, swept
    where a die can ruin, which is done for small goals only.
    """
    turns, payoff = inf, None
    if is_short(game):
        best = solution.strategies[0]
        turns = evaluate_race(game, best, best).a_first.expected_turns
        met = evaluate_race(game, seats(strategy)[0], best)
        payoff = (met.a_first.payoff - met.b_first.payoff) / 2
    return {
        "value": solution.certificate.value,
        "proved": solution.certificate.proved,
        "decisive": rules_of(game).decisive,
        "turns": turns if isfinite(turns) else None,
        "payoff": payoff,
    }


def is_short(game: RaceGame) -> bool:
    """Whether a duel takes a moment only."""
    return game.goal <= MOST_RUIN or not game.has(Effect.RUIN)


def _surface(game: RaceGame, strategy: Any, solution: Solution | None) -> Mapping[str, Any]:
    return {"goal": game.goal, "hold_at": hold_surface(game, seats(strategy)[0]).tolist()}


PICTURES: Mapping[str, Picture] = MappingProxyType(
    {
        "race": Picture(
            race_map, _check, lambda game: CELL * game.goal**2 * (1 + len(game.rolls)), NO_RACE, solved=True
        ),
        "measures": Picture(
            race_measures, check_goal, lambda game: 2 * DUEL * game.goal**2 + SWEEPING, NO_RACE, solved=True
        ),
        "surface": Picture(_surface, _check, lambda game: 2 * CELL * game.goal**2, NO_RACE),
    }
)
