"""The certificate of a solved race game: fractions if they are short, else balls, else intervals."""

from collections.abc import Iterator
from fractions import Fraction

from ...core.errors import PrecisionError, RulesError, VerificationError
from ...core.solution import Certificate
from .proof.balls import prove
from .proof.bounds import bounds, largest_payoff, payoffs
from .rules import Effect, RaceGame
from .runs import Array, Choices, Runs, encode
from .solution import RaceSolution
from .solve import solve_values
from .tabled import runs_of

FRACTION_GOAL = 35  # pig:goal=35 has a value of 15 digits, pig:goal=40 one of 138
SHORT = 10**60  # a value with a larger denominator is shown as bounds
BALL_WORK = 60_000_000  # turn totals times faces: about half a minute, pig:goal=200 takes 40 million
BOUNDS_GOAL = 2000  # about a minute
BITS = 128
ESTIMATE = Fraction(1, 10**11)  # of the largest payoff: what the solver's rounding is trusted to stay below

METHODS = ("auto", "prove", "fractions", "balls", "bounds", "estimate")


def solve_race(game: RaceGame, method: str = "auto") -> RaceSolution:
    """Solve a race game and certify the result."""
    values = solve_values(game)
    table = values.table(game)
    runs = runs_of(table, game.goal)
    win, loss = values.worth
    return RaceSolution(game, "race-pairs", (values, values), certify_race(game, win, loss, runs, method))


def certify_race(
    game: RaceGame, win: Array, loss: Array, choices: Choices | Runs, method: str = "auto"
) -> Certificate:
    """Bounds on the value, proved from the strategy and the tables of a solver; or an estimate, labelled so.

    `choices(i, j)[k]` is 0 to hold or r for the r-th roll. `win` and `loss` are the worth to the mover and to
    the opponent at scores [mine, yours]: winning chances that sum to 1, or payoffs that sum to 0.
    "auto" estimates what would take more than about a minute to prove; "prove" insists.
    """
    if method not in METHODS:
        raise RulesError(f"method is {method!r}; {', '.join(METHODS)} is allowed")
    runs = encode(game.goal, choices)
    if method in ("auto", "prove"):
        return _best_of(game, win, loss, runs, method == "prove")
    if method == "fractions":
        lower, upper = prove(game, runs.choices, exact=True)
    elif method == "balls":
        lower, upper = prove(game, runs.choices, BITS)
    elif method == "bounds":
        lower, upper = bounds(game, win, loss, runs)
    else:
        value = Fraction(float(payoffs(win, loss)[0, 0]))
        error = ESTIMATE * Fraction(largest_payoff(game))
        lower, upper = value - error, value + error
    return Certificate(lower, upper, method != "estimate", method)


def _best_of(game: RaceGame, win: Array, loss: Array, runs: Runs, insist: bool) -> Certificate:
    """The sharpest certificate to be had in about a minute, or in any time; an estimate if there is none."""
    refused = VerificationError("no method of proof fits it")
    for method in _worth_trying(game, insist):
        try:
            certificate = certify_race(game, win, loss, runs, method)
        except VerificationError as error:
            refused = error
            continue
        if method != "fractions" or certificate.lower.denominator <= SHORT:
            return certificate
    if insist:
        raise PrecisionError(f"the value of {game.name} could not be proved: {refused}")
    return certify_race(game, win, loss, runs, "estimate")


def _worth_trying(game: RaceGame, insist: bool) -> Iterator[str]:
    """The methods of proof that fit the game and the time, sharpest first."""
    faces = [face for _, roll in game.rolls for face in roll]
    ruin = any(effect is Effect.RUIN for _, effect, _ in faces)
    adds = sum(effect is Effect.ADD for _, effect, _ in faces)
    exact = game.finish == "exact"
    if not ruin and game.goal <= FRACTION_GOAL:
        yield "fractions"
    work = game.goal**2 * (game.goal * adds + len(faces))
    if not ruin and (work <= BALL_WORK or (insist and exact)):
        yield "balls"
    if not exact and (insist or game.goal <= BOUNDS_GOAL):
        yield "bounds"
