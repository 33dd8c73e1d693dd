"""A solved race game and its certificate: fractions if they are short, else balls, else intervals.

Values at the start of each turn are kept; everything else is read off them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ...core.errors import IllegalAction, PrecisionError, RulesError, StorageError, VerificationError
from ...core.form import refuted
from ...core.game import FIRST
from ...core.results import Advice, Weighing
from ...core.solution import Arrays, Certificate, Header, Solution
from ...core.strategy import decide
from ..tree.answer import Answer
from .duel import answer_values
from .family import FAMILY, FORMAT, KIND, MOST_RUNS, TYPES
from .kernels import Floats
from .proof.balls import prove
from .proof.bounds import TOLERANCE, bounds, check_tables, estimate_again, largest_payoff, payoffs
from .rules import HOLD, Effect, RaceGame, RaceState, RaceView
from .runs import Array, Choices, Runs, encode
from .solve import RaceValues, mean_of_roll, rules_of, solve_values
from .tabled import runs_of, tabulate

FRACTION_GOAL = 35  # pig:goal=35 has a value of 15 digits, pig:goal=40 one of 138
SHORT = 10**60  # a value with a larger denominator is shown as bounds
BALL_WORK = 60_000_000  # turn totals times faces: about half a minute, pig:goal=200 takes 40 million
BOUNDS_GOAL = 2000  # about a minute
BITS = 128
ESTIMATE = Fraction(1, 10**11)  # of the largest payoff: what the solver's rounding is trusted to stay below

METHODS = ("auto", "prove", "fractions", "balls", "bounds", "estimate")


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
            "rules": FAMILY.all_rules(game),
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
        from .replay import weigh_games

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


@dataclass(frozen=True)
class RaceAnswer(Answer, RaceSolution):
    """A race game: the response's own values, and the opponent's turns played out by S."""

    @property
    def hidden(self) -> bool:
        """What the opponent chooses is chance."""
        return True

    def worth(self, state: RaceState) -> float:
        """The expected payoff to FIRST, from the judged player's worth."""
        if state.yours >= self.game.goal:
            return float(self.game.payoff(state))
        if state.mover == self.seat:
            worths = self.advise(self.game.view(state, state.mover)).worth
            worth = worths[state.rolling] if state.rolling is not None else max(worths.values())
            payoff = worth if self.points else 2 * worth - 1
        elif state.rolling is not None:
            later = self._turn(state.mine, state.yours)
            payoff = self._rolled(state.mine, state.yours, state.turn, state.rolling, later)
        else:
            payoff = self._turn(state.mine, state.yours)[state.turn]
        return payoff if self.seat == FIRST else -payoff

    @cached_property
    def _answered(self) -> tuple[Floats, Floats]:
        """What the response gets with S to move and with the move, in the solver's unit."""
        return answer_values(self.game, tabulate(self.game, self.known), self.known)

    @cached_property
    def values(self) -> RaceValues:
        """The response's own values."""
        return RaceValues(self.game, self._answered[0])

    @cached_property
    def _turns(self) -> dict[tuple[int, int], list[float]]:
        return {}

    def _advise(self, view: RaceView) -> Advice:
        worth = self.values.action_worths(view)
        best = max(worth, key=lambda action: worth[action])
        return Advice(view, worth, best, {best: 1.0})

    def _passed(self, score: int, mine: int) -> float:
        """The judged player's payoff with the move at `mine` against this score of the opponent's."""
        if score >= self.game.goal:
            return -float(self.game.winnings(score, mine))
        worth = float(self._answered[1][mine, score])
        return 2 * worth - 1 if rules_of(self.game).decisive else worth

    def _rolled(self, score: int, mine: int, turn: int, roll: str, later: Sequence[float]) -> float:
        """The payoff with the opponent's dice in the air; `later` are the worths of higher turn totals."""
        faces = dict(self.game.rolls)[roll]
        return mean_of_roll(self.game, faces, score, turn, later, lambda after: self._passed(after, mine))

    def _turn(self, score: int, mine: int) -> list[float]:
        """The payoff at each turn total of the opponent's turn."""
        if (score, mine) not in self._turns:
            game, top = self.game, self.game.goal - score
            reach = max(points for _, roll in game.rolls for _, _, points in roll)
            later = [self._passed(score + turn, mine) for turn in range(top + reach)]
            for turn in range(top - 1, -1, -1):
                mix, held = decide(game, RaceView(score, mine, turn), self.known), later[turn]
                later[turn] = sum(
                    share * (held if act == HOLD else self._rolled(score, mine, turn, str(act), later))
                    for act, share in mix.items()
                    if share
                )
            self._turns[score, mine] = later
        return self._turns[score, mine]
