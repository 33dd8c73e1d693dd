"""The re-check of an estimate: what a saved strategy is worth, found from the rules and the strategy alone.

No number of the solver or of the file is used, and no code of the solver. The worth of the strategy against
itself comes from linear systems, pair by pair of scores. If no single turn could then gain more than g anywhere,
the value of the game is off by no more than g in each turn to come: floats throughout, so it proves nothing.
"""

from fractions import Fraction

import numpy as np

from ....core.errors import VerificationError
from ....core.solution import Certificate
from ..rules import RaceGame
from ..runs import Array, Runs
from . import bounds_kernels as kernels
from .bounds import largest_payoff, payoffs, rules

SWEEPS = 2000  # where a die can ruin
STILL = 1e-14  # of the largest payoff: a sweep that moves nothing further is the last


def estimate_again(game: RaceGame, win: Array, loss: Array, runs: Runs, share: Fraction) -> Certificate:
    """The estimate that the strategy gives; VerificationError if it is not best, or the tables not its worth.

    All to within `share` of the largest payoff, which is also the half-width of the estimate.
    """
    faces, largest = rules(game), largest_payoff(game)
    error = float(share) * largest
    value, turns = np.zeros((game.goal, game.goal)), np.zeros((game.goal, game.goal))
    sweeps = SWEEPS if kernels.RUIN in faces.effects else 1
    for _ in range(sweeps):
        if kernels.meet_itself(faces, runs, value, turns) <= STILL * largest or sweeps == 1:
            break
    else:
        raise VerificationError(f"the strategy for {game.name} still moved after {sweeps} sweeps")
    _, gain, i, j = kernels.widen(faces, runs, value.copy(), value.copy(), largest, 0.0, 0.0)
    if not gain * max(1.0, turns[0, 0]) <= error:
        raise VerificationError(
            f"at {i}-{j} another turn than the strategy's gains {gain:.3g}: it is not best"
        )
    off = np.abs(payoffs(win, loss) - value)
    if not off.max() <= error:
        i, j = np.unravel_index(int(np.argmax(off)), off.shape)
        raise VerificationError(f"at {i}-{j} the tables are {off[i, j]:.3g} off what the strategy is worth")
    middle, half = Fraction(float(value[0, 0])), share * Fraction(largest)
    return Certificate(middle - half, middle + half, False, "estimate")
