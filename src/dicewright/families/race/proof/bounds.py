"""Proved bounds on the value of any race game whose scores can always win, also with ruin and large goals.

THEOREM. Let L <= U be tables over pairs of scores, a strategy s never stall, and for all scores (i, j)

    L(i, j) <= what the mover gets in one turn that follows s, if the next player's worth is then U
    U(i, j) >= what the mover gets in any one turn, if the next player's worth is then L

Then L(0, 0) <= value of the game <= U(0, 0), and s wins at least L(0, 0) on average against anybody.

PROOF. Follow s against any opponent. Your bound, L when you move and -U when the opponent moves, never falls
on average from turn to turn: a bounded submartingale. In each of your turns you bank points or reach the goal
with a chance of at least some q > 0, so at any time you win in goal turns with a chance of q^goal or more,
unless play ends before: it ends almost surely. You get at least L(0, 0) on average if you move first, and at
least -U(0, 0) if you move second.

L and U are the float solution minus and plus e times the expected number of turns left, moved a bit further
where that fails. The check runs in floats, every mean rounded outwards by its error bound; e doubles until it
passes.

An estimate is re-checked from the rules and the strategy alone (`estimate_again`): no number of the solver or of a
file is used, and no code of the solver. The worth of the strategy against itself comes from linear systems, pair by
pair of scores. If no single turn could then gain more than g anywhere, the value of the game is off by no more than g
in each turn to come: floats throughout, so it proves nothing.
"""

from fractions import Fraction

import numpy as np

from ....core.arrays import Floats
from ....core.errors import VerificationError
from ....core.solution import Certificate
from ..rules import Effect, RaceGame
from . import bounds_kernels as kernels
from .bounds_kernels import Faces, Runs

EFFECTS = (Effect.ADD, Effect.BUST, Effect.RUIN, Effect.BANK)  # as the kernels number them
PAYOFFS = ("win", "margin", "difference")  # likewise
TOLERANCE = 1e-9  # of the largest payoff: tables further off than this are refused, not bounded
SWEEPS = 500  # for the expected number of turns, where scores can fall; else one is enough
MEETINGS = 2000  # sweeps of an estimate, where a die can ruin
STILL = 1e-14  # of the largest payoff: a sweep that moves nothing further is the last
PASSES = 6  # over the tables, moving bounds that fail, before starting again with a larger shift


def bounds(game: RaceGame, win: Floats, loss: Floats, runs: Runs) -> tuple[Fraction, Fraction]:
    """Bounds on the value, proved from a strategy and float tables; VerificationError if they do not fit."""
    if game.finish == "exact":
        raise VerificationError(
            f"{game.name} has scores that cannot win any more; bounds need scores that can"
        )
    faces, largest, runs = rules(game), largest_payoff(game), _plain(runs)
    if (n := kernels.may_stall(faces, runs)) >= 0:
        raise VerificationError(f"the strategy may stall for ever at {n // game.goal}-{n % game.goal}")
    slop = mean_error(faces, largest)
    value, turns, ruin = payoffs(win, loss), np.zeros((game.goal, game.goal)), kernels.RUIN in faces.effects
    for _ in range(SWEEPS if ruin else 1):
        if kernels.turns_left(faces, runs, turns) <= 0.25:
            break
    shift = 8.0 * slop
    while shift < TOLERANCE * largest:
        lower, upper = np.maximum(value - shift * turns, -largest), np.minimum(value + shift * turns, largest)
        for _ in range(PASSES):
            count, move, i, j = kernels.widen(faces, runs, lower, upper, largest, slop, shift)
            _refuse_if_off(move, i, j, largest)
            if count == 0:
                return Fraction(float(lower[0, 0])), Fraction(float(upper[0, 0]))
        shift *= 2.0
    raise VerificationError(f"no bounds around the tables of {game.name} could be proved")


def estimate_again(game: RaceGame, win: Floats, loss: Floats, runs: Runs, share: Fraction) -> Certificate:
    """The estimate that the strategy gives; VerificationError if it is not best, or the tables not its worth.

    All to within `share` of the largest payoff, which is also the half-width of the estimate.
    """
    faces, largest, runs = rules(game), largest_payoff(game), _plain(runs)
    error = float(share) * largest
    value, turns = np.zeros((game.goal, game.goal)), np.zeros((game.goal, game.goal))
    sweeps = MEETINGS if kernels.RUIN in faces.effects else 1
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


def check_tables(game: RaceGame, win: Floats, loss: Floats, runs: Runs) -> None:
    """Refuse tables that are not the worth of the strategy, or a strategy that is not best, up to rounding."""
    faces, largest, runs = rules(game), largest_payoff(game), _plain(runs)
    value = payoffs(win, loss)
    slop = mean_error(faces, largest)
    _, move, i, j = kernels.widen(faces, runs, value.copy(), value.copy(), largest, slop, 0.0)
    _refuse_if_off(move, i, j, largest)


def _plain(runs: Runs) -> Runs:
    """The runs in one form, whoever brings them: each form would be compiled for itself, for seconds."""
    first, starts, rows = (
        np.ascontiguousarray(part, np.int64) for part in (runs.first, runs.starts, runs.rows)
    )
    return Runs(first, starts, rows)


def _refuse_if_off(move: float, i: int, j: int, largest: float) -> None:
    if not move <= TOLERANCE * largest:
        raise VerificationError(f"at {i}-{j} tables and strategy are {move:.3g} off an optimum")


def payoffs(win: Floats, loss: Floats) -> Floats:
    """The mover's expected payoffs, from both players' winning chances or from both players' payoffs."""
    total = win + loss
    if np.allclose(total, 1.0, rtol=0.0, atol=TOLERANCE):
        return win - loss
    if np.allclose(total, 0.0, rtol=0.0, atol=TOLERANCE):
        return (win - loss) / 2.0
    raise VerificationError("the players' tables are neither chances that sum to 1 nor payoffs that sum to 0")


def mean_error(faces: Faces, largest: float) -> float:
    """The `slop` of the kernels: what one mean of numbers up to the largest payoff can be off."""
    return (int(np.diff(faces.first).max()) + 2) * 2.0**-53 * largest * 1.001


def largest_payoff(game: RaceGame) -> float:
    """The most that a game can pay."""
    most = max(points for _, roll in game.rolls for _, _, points in roll)
    return {"win": 1.0, "margin": float(game.goal), "difference": float(game.goal + most)}[game.payoff_rule]


def rules(game: RaceGame) -> Faces:
    """The rules as arrays for the kernels."""
    table = [face for _, roll in game.rolls for face in roll]
    adds = [[face for face in roll if face[1] is Effect.ADD] for _, roll in game.rolls]
    added = [face for roll in adds for face in roll]
    return Faces(
        game.goal,
        PAYOFFS.index(game.payoff_rule),
        game.finish == "exact",
        game.skip,
        np.cumsum([0, *(len(roll) for _, roll in game.rolls)]),
        np.array([float(chance) for chance, _, _ in table]),
        np.array([EFFECTS.index(effect) for _, effect, _ in table]),
        np.array([points for _, _, points in table]),
        np.cumsum([0, *map(len, adds)]),
        np.array([float(chance) for chance, _, _ in added]),
        np.array([points for _, _, points in added], np.uint64),
        max(points for _, _, points in table),
    )
