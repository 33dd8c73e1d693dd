"""Proved bounds on the value of any race game whose scores can always win, also with ruin and large goals.

THEOREM. Let L <= U be tables over pairs of scores, a strategy s never stall, and for all scores (i, j)

    L(i, j) <= what the mover gets in one turn that follows s, if the next player's worth is then U
    U(i, j) >= what the mover gets in any one turn, if the next player's worth is then L

Then L(0, 0) <= value of the game <= U(0, 0), and s wins at least L(0, 0) on average against anybody.

PROOF. Follow s against any opponent. Your bound, L when you move and -U when the opponent moves, never falls on
average from turn to turn: a bounded submartingale. In each of your turns you bank a point or reach the goal with
a chance of at least some q > 0, so whatever happened you win within goal turns with a chance of at least q^goal:
play ends almost surely, and you get L(0, 0) or more on average moving first, -U(0, 0) or more moving second.

L and U are the float solution minus and plus e times the expected number of turns left, moved a little further
where that fails. The check runs in floats with every mean rounded outwards by its error bound; e doubles until
the check passes.
"""

from fractions import Fraction

import numpy as np

from ..core.errors import VerificationError
from ..games.race import Effect, RaceGame
from .race_bounds_kernels import ADD, BANK, BUST, DIFFERENCE, MARGIN, RUIN, WIN, Faces
from .race_bounds_kernels import may_stall, residuals, turns_left, widen
from .race_runs import Array, Choices, Runs, encode

EFFECTS = {Effect.ADD: ADD, Effect.BUST: BUST, Effect.RUIN: RUIN, Effect.BANK: BANK}
PAYOFFS = {"win": WIN, "margin": MARGIN, "difference": DIFFERENCE}
TOLERANCE = 1e-9  # of the largest payoff: tables further off than this are refused, not bounded
PASSES = 6  # over the tables, moving bounds that fail, before starting again with a larger shift


def bounds(game: RaceGame, win: Array, loss: Array, choices: Choices) -> tuple[Fraction, Fraction]:
    """Bounds on the value, proved from float tables and a strategy; VerificationError if they are no solution."""
    if game.finish == "exact":
        raise VerificationError(f"{game.name} has scores that cannot win any more; its bounds need another proof")
    faces, runs, largest = rules(game), encode(game.goal, choices), largest_payoff(game)
    if (n := may_stall(faces, runs)) >= 0:
        raise VerificationError(f"the strategy may stall for ever at {n // game.goal}-{n % game.goal}")
    slop = (int(np.diff(faces.first).max()) + 2) * 2.0**-53 * largest * 1.001
    value, turns, ruin = win - loss, np.zeros((game.goal, game.goal)), RUIN in faces.effects
    while turns_left(faces, runs, turns) > 0.25 and ruin:  # one sweep is enough unless scores can fall
        pass
    shift = 8.0 * slop
    while shift < TOLERANCE * largest:
        lower, upper = np.maximum(value - shift * turns, -largest), np.minimum(value + shift * turns, largest)
        for _ in range(PASSES):
            count, move, i, j = widen(faces, runs, lower, upper, largest, slop, shift)
            if not move <= TOLERANCE * largest:
                raise VerificationError(f"at {i}-{j} the tables and the strategy are off by {move:.3g}: no solution")
            if count == 0:
                return Fraction(float(lower[0, 0])), Fraction(float(upper[0, 0]))
        shift *= 2.0
    raise VerificationError(f"no bounds around the tables of {game.name} could be proved")


def check_tables(game: RaceGame, win: Array, loss: Array, runs: Runs) -> None:
    """Refuse tables that are not what the strategy wins and loses when both players follow it."""
    worst, i, j = residuals(rules(game), runs, win, loss)
    if not worst <= TOLERANCE * largest_payoff(game):
        raise VerificationError(f"at {i}-{j} the table of values is off by {worst:.3g} from its strategy")


def largest_payoff(game: RaceGame) -> float:
    """The most that a game can pay."""
    most = max(points for _, roll in game.rolls for _, _, points in roll)
    return {"win": 1.0, "margin": float(game.goal), "difference": float(game.goal + most)}[game.payoff_rule]


def rules(game: RaceGame) -> Faces:
    """The rules as arrays for the kernels."""
    table = [face for _, roll in game.rolls for face in roll]
    return Faces(
        game.goal,
        PAYOFFS[game.payoff_rule],
        game.finish == "exact",
        game.skip,
        np.cumsum([0, *(len(roll) for _, roll in game.rolls)]),
        np.array([float(chance) for chance, _, _ in table]),
        np.array([EFFECTS[effect] for _, effect, _ in table]),
        np.array([points for _, _, points in table]),
        max(points for _, _, points in table),
    )
