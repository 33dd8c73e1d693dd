"""What a race strategy does, which states it meets, and how best responses close in on the optimum."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Floats
from ...core.errors import NotationError
from .duel import iterate_best_responses
from .rules import HOLD, Effect, RaceGame, RaceView
from .solve import RaceValues
from .tabled import tabulate
from .visits import visit_chances


def race_map(game: RaceGame, strategy: Any, values: RaceValues, yours: int) -> Mapping[str, Any]:
    """What the strategy does and what each action is worth, against one score of the opponent.

    choice[mine][turn] is the action taken most often, -1 from the goal on; worth[action][mine][turn] is against
    perfect play, None where the action is not allowed.
    """
    _check_score(game, yours)
    table = tabulate(game, strategy)
    actions = (HOLD, *(name for name, _ in game.rolls))
    choice: list[list[int]] = []
    worth: dict[str, list[list[float | None]]] = {action: [] for action in actions}
    for mine in range(game.goal):
        rows = np.argmax(table.mixes[table.choices(mine, yours)], axis=1).tolist()
        choice.append([*rows, *[-1] * (game.goal - len(rows))])
        lines: dict[str, list[float | None]] = {action: [] for action in actions}
        for turn in range(game.goal):
            left = mine + turn < game.goal
            found = values.action_worths(RaceView(mine, yours, turn)) if left else {}
            for action in actions:
                lines[action].append(found.get(action))
        for action in actions:
            worth[action].append(lines[action])
    return {"goal": game.goal, "yours": yours, "actions": list(actions), "choice": choice, "worth": worth}


def roll_map(game: RaceGame, strategy: Any, yours: int) -> Floats:
    """chances[mine, turn] of rolling against one score of the opponent; NaN where the goal is reached."""
    if not any(effect is Effect.ADD for _, roll in game.rolls for _, effect, _ in roll):
        raise NotationError(f"{game.name} has no turn totals to draw; its rolls end the turn")
    _check_score(game, yours)
    table = tabulate(game, strategy)
    chances = np.full((game.goal, game.goal), np.nan)
    for mine in range(game.goal):
        chances[mine, : game.goal - mine] = 1.0 - table.mixes[table.choices(mine, yours), 0]
    return chances


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
