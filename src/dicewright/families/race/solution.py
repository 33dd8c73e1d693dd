"""A solved race game and its certificate: fractions if they are short, else balls, else intervals.

Values at the start of each turn are kept; everything else is read off them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.errors import IllegalAction, PrecisionError, RulesError, StorageError, VerificationError
from ...core.form import Form, check_shapes, read_fraction, refuted
from ...core.game import FIRST
from ...core.results import Advice, Weighing
from ...core.solution import Arrays, Certificate, Header, Solution
from .proof.bounds import TOLERANCE, bounds, check_tables, estimate_again, largest_payoff, payoffs
from .replay import weigh_games
from .rules import Effect, RaceGame, RaceState, RaceView
from .runs import Array, Choices, Runs, encode, well_formed
from .solve import RaceValues, solve_values
from .tabled import runs_of

FRACTION_GOAL = 35  # pig:goal=35 has a value of 15 digits, pig:goal=40 one of 138
SHORT = 10**60  # a value with a larger denominator is shown as bounds
BALL_WORK = 60_000_000  # turn totals times faces: about half a minute, pig:goal=200 takes 40 million
BOUNDS_GOAL = 2000  # about a minute
BITS = 128
ESTIMATE = Fraction(1, 10**11)  # of the largest payoff: what the solver's rounding is trusted to stay below

METHODS = ("auto", "prove", "fractions", "balls", "bounds", "estimate")

FORMAT, KIND = 1, "race"  # of files: all rules, both tables of worth, and the choices as runs
TYPES = {"win": "<f8", "loss": "<f8", "first": "<i8", "starts": "<i4", "rows": "|u1"}
MOST_RUNS = 19  # for each pair of scores, on average
PAIR_BYTES = 24 + 5 * (MOST_RUNS + 1)  # the most that one pair of scores may take
PROOFS = ("fractions", "balls", "bounds", "estimate")


def all_rules(game: RaceGame) -> dict[str, Any]:
    """The table of faces, chances as text, and the fields; a name is no part of them."""
    rolls = [
        [name, [[str(chance), effect.value, points] for chance, effect, points in roll]]
        for name, roll in game.rolls
    ]
    return {
        "goal": game.goal,
        "rolls": rolls,
        "finish": game.finish,
        "payoff": game.payoff_rule,
        "skip": game.skip,
    }


def claimed(game: RaceGame, header: Header) -> Certificate:
    """What a header says is proved of this game: the rules stand in it."""
    if (header["format"], header["kind"]) != (FORMAT, KIND):
        raise ValueError(f"format {header['format']} of {header['kind']}; {FORMAT} of {KIND} is allowed")
    if all_rules(game) != header["rules"]:
        raise ValueError(f"its rules are not those of {game.name}")
    method, proved, exact = header["method"], header["proved"], header["exact"]
    if method not in PROOFS or proved is not (method != "estimate"):
        raise ValueError(f"method {method!r} with proved {proved!r} is not allowed")
    lower, upper = (read_fraction(header[key]) for key in ("lower", "upper"))
    certificate = Certificate(lower, upper, proved, method)
    if exact is not (certificate.exact is not None):
        raise ValueError(f"lower {lower}, upper {upper}, exact {exact!r} do not fit")
    return certificate


@dataclass(frozen=True)
class RaceSolution(Solution):
    """Nothing is hidden, so a state is worth what its best action is."""

    game: RaceGame

    @property
    def values(self) -> RaceValues:
        """The values, which are the strategy of either seat."""
        values: Any = self.strategies[FIRST]
        return values  # type: ignore[no-any-return]

    @cached_property
    def choices(self) -> Runs:
        """The best action at every turn total of every pair of scores."""
        return self.values.runs or runs_of(self.values.table(self.game), self.game.goal)

    def arrays(self) -> tuple[Header, Arrays]:
        """Rules, worths and choices."""
        game, certificate, runs = self.game, self.certificate, self.choices
        if len(runs.starts) > MOST_RUNS * game.goal**2:
            raise StorageError(
                f"the strategy for {game.name} has {len(runs.starts):,} runs, too many for a file"
            )
        win, loss = self.values.worth
        arrays = {"win": win, "loss": loss, "first": runs.first, "starts": runs.starts, "rows": runs.rows}
        header = {
            "format": FORMAT,
            "kind": KIND,
            "game": game.name,
            "rules": all_rules(game),
            "method": certificate.method,
            "lower": str(certificate.lower),
            "upper": str(certificate.upper),
            "exact": certificate.exact is not None,
            "proved": certificate.proved,
        }
        return header, {name: array.astype(TYPES[name]) for name, array in arrays.items()}

    def prove(self) -> Certificate:
        """The proof made again from rules and choices, by the method that the solution names.

        Tables must be those of the choices. Bounds are right if they hold those proved here, and are on neither side
        further out than these are apart. An estimate is made again from rules and choices alone, and stays one; the two
        may be half a width apart.
        """
        game, claimed, runs = self.game, self.certificate, self.choices
        win, loss = self.values.worth
        if not claimed.proved:
            again = estimate_again(game, win, loss, runs, ESTIMATE)
            far = (again.upper - again.lower) / 2
            if not (abs(again.lower - claimed.lower) <= far and abs(again.upper - claimed.upper) <= far):
                raise refuted(self, again)
            return again
        check_tables(game, win, loss, runs)
        proved = certify_race(game, win, loss, runs, claimed.method)
        width = proved.upper - proved.lower
        if not (0 <= proved.lower - claimed.lower <= width and 0 <= claimed.upper - proved.upper <= width):
            raise refuted(self, proved)
        value, off = float(payoffs(win, loss)[0, 0]), TOLERANCE * largest_payoff(game)
        if not float(proved.lower) - off <= value <= float(proved.upper) + off:
            raise VerificationError(f"{self} has the value {value} in its table, outside the bounds proved")
        return proved

    @property
    def points(self) -> bool:
        """Whether the game pays points."""
        return bool(self.game.payoff_rule != "win")

    @property
    def stakes(self) -> float:
        """The most that can be won: the goal, in a game for points."""
        return float(self.game.goal) if self.points else 1.0

    @property
    def hidden(self) -> bool:
        """Nothing."""
        return False

    def worth(self, state: RaceState) -> float:
        """The expected payoff to FIRST, from the mover's worths."""
        if state.yours >= self.game.goal:
            return float(self.game.payoff(state))
        worths = self.advise(self.game.view(state, state.mover)).worth
        worth = worths[state.rolling] if state.rolling is not None else max(worths.values())
        payoff = worth if self.points else 2 * worth - 1
        return payoff if state.mover == FIRST else -payoff

    def weigh_many(
        self, games: Sequence[Sequence[Any]], thresholds: Sequence[float]
    ) -> list[Weighing] | None:
        """By compiled code; IllegalAction names the first choice that the rules refuse."""
        return weigh_games(self.game, games, self.values, thresholds)

    def _advise(self, view: RaceView) -> Advice:
        if not view.my_turn:
            raise IllegalAction(f"nothing to decide at {self.game.show_view(view)}: the turn is not mine")
        worth = self.values.action_worths(view)
        return Advice(view, worth, max(worth, key=lambda action: worth[action]), self.values(view))


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
    from .proof.balls import prove

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


def restore(game: RaceGame, header: Header, arrays: Arrays) -> "RaceSolution":
    """The solution that was written."""
    pairs = (game.goal, game.goal)
    check_shapes(arrays, {"win": pairs, "loss": pairs, "first": (game.goal**2 + 1,)})
    worth = np.stack([arrays["win"], arrays["loss"]])
    if not np.isfinite(worth).all():
        raise VerificationError("it has values that are no numbers")
    runs = Runs(game.goal, arrays["first"], arrays["starts"], arrays["rows"])
    if not well_formed(runs, len(game.rolls), game.skip):
        raise VerificationError(f"it has a strategy whose runs do not fit the goal {game.goal}")
    values = RaceValues(game, worth, runs=runs)
    return RaceSolution(game, "race-pairs", (values, values), claimed(game, header))


FORM = Form(lambda header: TYPES, lambda game: PAIR_BYTES * game.goal**2 + 1_000_000, restore, level=1)
