"""Single-player objectives: the best turn, the fewest turns, and the course's version of the difference."""

from fractions import Fraction
from functools import lru_cache

import numpy as np

from ...core.errors import PrecisionError, RulesError
from . import kernels
from .kernels import ACT, MINE, Floats
from .rules import Effect, RaceGame
from .solution import STILL, SWEEPS
from .tabled import RaceTable, pure_mixes, room_of_turn, rules_of, solo_table, worths_of


def best_turn(game: RaceGame) -> tuple[int, Fraction]:
    """The hold number that maximises the expected points of one turn, and that expectation (Roters 1998).

    One more roll at turn total k gains  sum_add p (points) - (chance to lose the turn) k + sum_bank p points,
    which falls in k, so the first total where it is not positive is where to hold. The goal is ignored.
    """
    if len(game.rolls) > 1:
        raise RulesError(f"{game.name} has {len(game.rolls)} rolls; the best turn is defined for one")
    roll = game.rolls[0][1]
    gain = sum((p * points for p, effect, points in roll if effect is Effect.ADD), Fraction(0))
    banked = sum((p * points for p, effect, points in roll if effect is Effect.BANK), Fraction(0))
    lost = sum((p for p, effect, _ in roll if effect is not Effect.ADD), Fraction(0))
    if lost == 0:
        raise RulesError(f"no face of {game.name} ends a turn, so a turn can be worth any number of points")
    hold = max(1, -((gain + banked) // -lost))
    most = max((points for _, effect, points in roll if effect is Effect.ADD), default=0)
    worth = {k: Fraction(k) for k in range(hold, hold + most + 1)}
    for k in range(hold - 1, -1, -1):
        worth[k] = banked + sum(p * worth[k + points] for p, effect, points in roll if effect is Effect.ADD)
    return hold, worth[0]


@lru_cache(maxsize=8)
def fewest_turns(game: RaceGame) -> tuple[Floats, RaceTable]:
    """The least expected number of turns from each score, and the strategy that needs them (Haigh & Roters)."""
    rules = rules_of(game)._replace(decisive=True, skip=False)
    worth = np.zeros((2, 1, game.goal))
    sweeps = SWEEPS if rules.ruin.any() else 1
    for _ in range(sweeps):
        if kernels.fewest_turns(rules, worth) <= STILL * game.goal or sweeps == 1:
            break
    else:
        raise PrecisionError(f"the fewest turns in {game.name} still moved after {SWEEPS} sweeps")
    turn, worths = room_of_turn(rules), worths_of(worth)
    turns = []
    for i in range(game.goal):
        kernels.turn_line(rules, i, 0, -1.0, worths, worth[MINE, 0, i], turn)
        turns.append(turn[ACT, : game.goal - i].astype(int).tolist())
    return worth[MINE, 0].copy(), solo_table(pure_mixes(game), turns)


def course_difference(game: RaceGame) -> list[list[list[int]]]:
    """The choices of the course's `max_diffs` as printed, 1 - U and all: [mine][yours][turn] -> 1 roll, 0 hold.

    Norvig's listing reuses the winning-chance recursion, where the opponent's U counts 1 - U; a difference
    needs -U. Kept, under this label, to compare with the course's answers. Scores only rise where a 1 scores,
    so one pass over falling scores does it; goal^3 / 2 steps.
    """
    if game.has(Effect.BUST, Effect.RUIN):
        raise RulesError(
            f"{game.name} can leave a score as it was; the course's listing is for pig:one=scores"
        )
    goal, faces = game.goal, game.rolls[0][1]
    worth: dict[tuple[int, int], float] = {}

    def start(mine: int, yours: int) -> float:
        return float(mine - yours) if max(mine, yours) >= goal else worth[mine, yours]

    choices: list[list[list[int]]] = [[[] for _ in range(goal)] for _ in range(goal)]
    for total in range(2 * goal - 2, -1, -1):
        for mine in range(max(0, total - goal + 1), min(goal, total + 1)):
            yours = total - mine
            reach = max(points for _, _, points in faces)
            turn = [float(mine + k - yours) for k in range(goal - mine + reach)]
            picks = [0] * (goal - mine)
            for k in range(goal - mine - 1, -1, -1):
                roll = sum(
                    float(p)
                    * (turn[k + points] if effect is Effect.ADD else 1.0 - start(yours, mine + points))
                    for p, effect, points in faces
                )
                hold = 1.0 - start(yours, mine + k) if k > 0 else -np.inf
                turn[k], picks[k] = max(roll, hold), int(roll > hold)
            worth[mine, yours], choices[mine][yours] = turn[0], picks
    return choices
