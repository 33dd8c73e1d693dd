"""Where a race strategy rolls, which states it meets, and how best responses close in on the optimum."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Floats
from ..core.errors import NotationError
from ..games.race import Effect, RaceGame
from ..solvers.duel import iterate_best_responses
from ..solvers.race_table import tabulate
from ..solvers.visits import visit_chances


def roll_map(game: RaceGame, strategy: Any, yours: int) -> Floats:
    """chances[mine, turn] of rolling against one score of the opponent; NaN where the goal is reached."""
    if not any(effect is Effect.ADD for _, roll in game.rolls for _, effect, _ in roll):
        raise NotationError(f"{game.name} has no turn totals to draw; its rolls end the turn")
    if not 0 <= yours < game.goal:
        raise NotationError(
            f"the opponent's score is {yours} in {game.name}; 0 to {game.goal - 1} is allowed"
        )
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


@dataclass(frozen=True)
class Round:
    """One strategy of a chain of best responses, and what its own best response wins from it."""

    number: int  # 0 is the start
    exploitability: float  # the responder's mean payoff, moving first and second; 0 for an optimal strategy


def convergence(game: RaceGame, start: Any) -> list[Round]:
    """How exploitable the start is, the best response to it, the response to that, and so on (Exeter 3.1.1)."""
    return [
        Round(number, max(0.0, (response.first_payoff + response.second_payoff) / 2))
        for number, response in enumerate(iterate_best_responses(game, start))
    ]
