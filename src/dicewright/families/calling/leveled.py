"""What a logit player gets of solved play in games of many ranks: array by array, backward over the call that stands.

The player weighs calls and answers as a hint does (`CallingSolution.advise`); what solved play never calls is not met.
With 252 ranks it takes a third of a second, where asking in every view takes minutes.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import TooLarge
from ...core.results import Duel, Evaluation
from ...core.solution import seats
from ..levels import Logit
from ..tree.arrays import Floats
from .rules import NOTHING, CallingGame, CallingView
from .solution import CallingSolution
from .solved import SolvedCaller


class SolvedArrays(NamedTuple):
    """Solved play as arrays; the first axis is the accepted call, nothing last."""

    held: Floats  # [accepted]: the chance with the cup
    accepts: Floats  # [accepted, call]
    made: Floats  # [accepted, call]: how often it is called
    true: Floats  # [accepted, call]: and is true


class Fares(NamedTuple):
    """A player against solved play, with the cup first and second."""

    wins: tuple[float, float]
    decides: tuple[float, float]
    turns: tuple[float, float]  # rolls of both players


def truth(game: CallingGame) -> Any:
    """[roll, call]: whether it is true."""
    ranks = range(game.top + 1)
    return np.array([[game.true(roll, call) for call in ranks] for roll in ranks])


def allowed(game: CallingGame, accepted: int) -> Any:
    """[roll, call]: whether it may be called."""
    lowest = np.array([game.lowest_call(accepted, roll) for roll in range(game.top + 1)])
    return np.arange(game.top + 1) >= lowest[:, None]


@lru_cache(maxsize=2)
def solved_arrays(solved: SolvedCaller) -> SolvedArrays:
    """Asked once for each roll and each call."""
    game = solved.game
    ranks, right = game.top + 1, truth(game)
    chances = np.array([float(chance) for chance in game.chances])
    accepts, made, true = (np.zeros((ranks + 1, ranks)) for _ in range(3))
    for accepted in range(NOTHING, game.top):
        shares, seen = np.zeros((ranks, ranks)), dict[int, tuple[Any, int]]()
        for roll in range(ranks):
            mix = solved.mix(CallingView(accepted, roll))
            if id(mix) in seen:  # all that lie have one mix
                shares[roll] = shares[seen[id(mix)][1]]
                continue
            seen[id(mix)] = mix, roll
            for call, share in mix.items():
                shares[roll, call] = float(share)
        made[accepted], true[accepted] = chances @ shares, chances @ (shares * right)
        for call in range(accepted + 1, ranks):
            accepts[accepted, call] = float(solved.accepts(accepted, call))
    held = [float(solved.held(accepted)) for accepted in (*range(ranks), NOTHING)]
    return SolvedArrays(np.array(held), accepts, made, true)


def fares(level: Logit) -> Fares:
    """Of the level against the solved play that it weighs by."""
    solution: Any = level.solution
    game, known = solution.game, solved_arrays(solution.solved)
    ranks, right, precision = game.top + 1, truth(game), level.precision
    chances = np.array([float(chance) for chance in game.chances])
    cup, faced = (
        np.zeros((3, ranks + 1)),
        np.zeros((3, ranks + 1)),
    )  # chance, decisions, rolls; by accepted call
    faced[0, game.top] = 1.0
    for accepted in range(game.top - 1, NOTHING - 1, -1):
        yes, may = known.accepts[accepted], allowed(game, accepted)
        worth = yes * (1.0 - known.held[:ranks]) + (1.0 - yes) * right
        below = worth - np.where(may, worth, -np.inf).max(axis=1, keepdims=True)
        shares = np.where(may, np.exp(np.minimum(0.0, precision * below)), 0.0)
        shares *= (chances / shares.sum(axis=1))[:, None]
        taken = (shares.sum(axis=0) * yes)[None] * faced[:, :ranks]
        cup[:, accepted] = taken.sum(axis=1)
        cup[0, accepted] += float((shares * right).sum(axis=0) @ (1.0 - yes))
        cup[1, accepted] += float(chances @ (may.sum(axis=1) > 1))
        cup[2, accepted] += 1.0
        calls = np.flatnonzero(known.made[accepted] > 0)
        made, lies = known.made[accepted, calls], (known.made - known.true)[accepted, calls]
        accept = 1.0 / (1.0 + np.exp(precision * (lies / made - known.held[calls])))
        faced[:, accepted] = ((accept * made)[None] * cup[:, calls]).sum(axis=1)
        faced[0, accepted] += float((1.0 - accept) @ lies)
        faced[1, accepted] += float(made.sum())
        faced[2, accepted] += 1.0
    wins, decides, turns = ((float(cup[plane, NOTHING]), float(faced[plane, NOTHING])) for plane in range(3))
    return Fares(wins, decides, turns)


def lost_each(level: Logit) -> float:
    """The chance that the level gives away in a decision: solved play gets a half of solved play."""
    found = fares(level)
    return max(0.0, (1.0 - sum(found.wins)) / sum(found.decides))


def meets_solved(game: CallingGame, a: Any, b: Any) -> Evaluation | None:
    """A level against the solved play that it weighs by, or the other way round; None of any other two."""
    for mine, theirs, turned in ((a, b, False), (b, a, True)):
        level = level_in(mine)
        if level is None or level.solution.game != game:
            continue
        solution: CallingSolution = level.solution  # type: ignore[assignment]
        if any(each != solution.solved for each in seats(theirs)):
            continue
        found = fares(level)
        opens = _duel(found.wins[0], found.turns[0])
        answers = _duel(1.0 - found.wins[1], found.turns[1])
        return Evaluation(answers, opens) if turned else Evaluation(opens, answers)
    return None


def check_met(game: CallingGame, *strategies: Any) -> None:
    """TooLarge if a level would be asked in every view: there are millions."""
    for strategy in strategies:
        if any(isinstance(each, Logit) for each in seats(strategy)):
            raise TooLarge(
                f"{strategy} of {game.name} weighs a view when it comes there: it is met exactly by solved play alone; "
                "`dicewright simulate` plays it against others"
            )


def level_in(strategy: Any) -> Logit | None:
    """The level that plays both seats, if this is one."""
    first, second = seats(strategy)
    return first if isinstance(first, Logit) and first is second else None


def _duel(wins: float, turns: float) -> Duel:
    return Duel(wins, 1.0 - wins, 0.0, turns, 2.0 * wins - 1.0)
