"""A race game solved exactly, and its certificate: fractions if they are short, else balls, else intervals.

Pairs of scores are solved highest first (swept until still when a die can ruin). Values at the start of each turn are
kept; everything else is read off them.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ...core.errors import IllegalAction, PrecisionError, RulesError, StorageError, VerificationError
from ...core.game import FIRST
from ...core.results import Advice, Decisions, Weighing
from ...core.solution import Arrays, Certificate, Header, Solution, check_shapes, refuted
from ...core.strategy import Mix
from . import kernels
from .kernels import ACT, MINE, YOURS, Floats, Rules, Worths
from .proof.bounds import TOLERANCE, bounds, check_tables, estimate_again, largest_payoff, payoffs
from .proof.bounds_kernels import Runs
from .replay import weigh_decisions, weigh_games
from .rules import HOLD, Effect, RaceGame, RaceState, RaceView, Roll, all_rules
from .tabled import RaceTable, pure_table, room_of_turn, rules_of, well_formed, worths_of

SWEEPS = 2000
STILL = 4e-16  # a sweep that moves no worth by more than this times the stakes is the last
IDLE = 20  # sweeps that come no nearer: what moves then is the last digits
NEAR = 1e-12  # of the stakes, which these may be
PLAIN_STEP = 1e-5  # seconds for a turn total, where nothing is compiled
KEPT_TURNS = 1024  # of some 16 bytes for each point of the goal

FRACTION_GOAL = 35  # pig:goal=35 has a value of 15 digits, pig:goal=40 one of 138
LONGEST = 10_000  # bits of the fractions on the way there, where nobody insists on them: pig needs 1,600
SHORT = 10**60  # a value with a larger denominator is shown as bounds
BALL_WORK = 60_000_000  # turn totals times faces: about half a minute, pig:goal=200 takes 40 million
BOUNDS_GOAL = 2000  # about a minute
BITS = 128
ESTIMATE = Fraction(1, 10**11)  # of the largest payoff: what the solver's rounding is trusted to stay below

PROOFS = ("fractions", "balls", "bounds", "estimate")
METHODS = ("auto", "prove", *PROOFS)

FORMAT, KIND = 1, "race"  # of files: all rules, both tables of worth, and the choices as runs
TYPES = {"win": "<f8", "loss": "<f8", "first": "<i8", "starts": "<i4", "rows": "|u1"}
MOST_RUNS = 19  # for each pair of scores, on average
PAIR_BYTES = 24 + 5 * (MOST_RUNS + 1)  # the most that one pair of scores may take

Turn = tuple[list[int], "array[float]"]  # the choice at each turn total, and its worth to the mover


def stop_table(rules: Rules) -> Floats:
    """Room for stopping sets, in games that have them: one roll, and any score from the goal on wins."""
    truncate = rules.bust.size == 1 and not rules.exact and rules.points.size > 0
    return np.zeros((2, rules.goal, (rules.goal - 1) // kernels.BLOCK + 2) if truncate else (1, 1, 1))


@dataclass(frozen=True, eq=False)
class RaceValues:
    """The solved game as its values at the start of each turn; a turn is rebuilt from them when asked.

    `worth[MINE, i, j]` is the mover's winning chance where somebody always wins, else the expected payoff.
    As a strategy it takes the best action of a view.
    """

    game: RaceGame
    worth: Floats = field(repr=False)
    stop: Floats | None = field(default=None, repr=False)  # the stopping sets, if they are at hand
    made: RaceTable | None = field(default=None, repr=False)  # of its choices, likewise

    def __call__(self, view: RaceView) -> Mix:
        if view.mine + view.turn >= self.game.goal:
            return {HOLD: 1.0}
        choice = self.turn(view.mine, view.yours)[0][view.turn]
        return {(HOLD, *(name for name, _ in self.game.rolls))[choice]: 1.0}

    def __str__(self) -> str:
        return "optimal"

    @cached_property
    def _rules(self) -> Rules:
        return rules_of(self.game)

    @cached_property
    def turn(self) -> Callable[[int, int], Turn]:
        """`turn(mine, yours)`: the choice at each turn total (0 hold, r the r-th roll), and its worth to the mover.

        The latest turns are remembered: a turn is asked about again at each of its rolls. O(goal) otherwise.
        """
        return lru_cache(maxsize=KEPT_TURNS)(self._rebuilt)

    def _rebuilt(self, mine: int, yours: int) -> Turn:
        rules, left = self._rules, self.game.goal - mine
        turn, worth = room_of_turn(rules), np.zeros(left + rules.reach)
        kernel = kernels.rebuild_worths
        rebuild = kernel if kernel.pays(PLAIN_STEP * rules.goal) else kernel.plain
        rebuild(rules, mine, yours, worths_of(self.worth), turn, worth)
        return turn[ACT, :left].astype(int).tolist(), array("d", worth.tobytes())

    def warm(self) -> None:
        """Rebuild turns by compiled code from now on, and one at once, so that it is loaded."""
        kernels.rebuild_worths.prefer()
        self._rebuilt(0, 0)

    def best_worth(self, view: RaceView) -> float:
        """What the best action is worth to the mover: the largest of `action_worths`."""
        mine, yours, k = view[:3]
        if mine + k < self.game.goal:
            return self._shown(self.turn(mine, yours)[1][k])
        return self._shown(self._goal_worth(mine + k, yours))

    def action_worths(self, view: RaceView) -> dict[str, float]:
        """What each allowed action is worth to the mover: a winning chance, or points in a game for points."""
        game, (mine, yours, k) = self.game, view[:3]
        later = self.turn(mine, yours)[1] if mine + k < game.goal else ()

        def banked(score: int) -> float:
            won = score >= game.goal
            return self._goal_worth(score, yours) if won else float(self.worth[YOURS, yours, score])

        worths = {
            name: mean_of_roll(game, roll, mine, k, later, banked)
            for name, roll in (game.rolls if later else ())
        } | {HOLD: banked(mine + k)}
        return {action: self._shown(worths[action]) for action in game.actions(view)}

    def _goal_worth(self, score: int, other: int) -> float:
        return 1.0 if self._rules.decisive else self.game.winnings(score, other)

    def _shown(self, worth: float) -> float:
        if self.game.payoff_rule == "win" and not self._rules.decisive:
            return (1.0 + worth) / 2.0
        return worth

    def payoff(self, mine: int = 0, yours: int = 0) -> float:
        """The expected payoff to the mover at the start of a turn."""
        mover, other = self.worth[MINE, mine, yours], self.worth[YOURS, mine, yours]
        return float(mover - other) if self._rules.decisive else float(mover)

    @cached_property
    def _table(self) -> RaceTable:
        if self.made is not None:
            return self.made
        rules, stop = self._rules, self.stop
        if stop is None:
            stop = stop_table(rules)
            if stop.size > 1:
                kernels.stopping_sets(rules, self.worth, stop)
        return table_of_runs(self.game, self.worth, stop)

    def table(self, game: RaceGame) -> RaceTable:
        """All choices as a table, made once."""
        return self._table


def mean_of_roll(
    game: RaceGame, roll: Roll, score: int, k: int, later: Sequence[float], banked: Callable[[int], float]
) -> float:
    """What a roll is worth at turn total k, from what higher ones and the scores after the turn are worth."""
    total = 0.0
    for chance, effect, points in roll:
        if effect is Effect.ADD and not game.overshoots(score + k + points):
            worth = later[k + points]
        elif effect is Effect.BANK and not game.overshoots(score + points):
            worth = banked(score + points)
        else:
            worth = banked(0 if effect is Effect.RUIN else score)
        total += float(chance) * worth
    return total


def table_of_runs(game: RaceGame, worth: Floats, stop: Floats) -> RaceTable:
    """The table of the choices that are best at these values, with a column for each seat of the opponent."""
    rules, worths = rules_of(game), worths_of(worth)._replace(stop=stop)
    pairs = game.goal * worth.shape[1]
    first, count = np.zeros(pairs + 1, np.int64), 2 * pairs
    while True:
        starts, rows = np.zeros(count, np.int32), np.zeros(count, np.int32)
        count = kernels.rebuild_choices(rules, worths, room_of_turn(rules), starts, rows, first)
        if count <= len(starts):
            return pure_table(game, (first, starts[:count], rows[:count]))


def solve_values(game: RaceGame) -> RaceValues:
    """Solve the game in floats; how near the values are is what a certificate says."""
    rules, goal = rules_of(game), game.goal
    worth, stop = np.zeros((2, goal, goal)), stop_table(rules)
    ruin = np.full((2, goal), 0.5 if rules.decisive else 0.0)
    stakes = 1.0 if rules.payoff == kernels.WIN else float(goal)
    sweeps = SWEEPS if rules.ruin.any() else 1
    turns, edges = np.stack([room_of_turn(rules)] * 2), np.zeros(2, np.int64)
    least, idle, change = np.inf, 0, 0.0
    for _ in range(sweeps):
        unsettled = kernels.solve_pairs(rules, Worths(worth, ruin, stop), turns, edges)
        if sweeps == 1:
            break
        change = abs(worth[:, :, 0] - ruin).max() / stakes
        ruin = worth[:, :, 0].copy()
        idle = 0 if change < least else idle + 1
        least = min(least, change)
        if change <= STILL or idle == IDLE:
            break
    if unsettled or change > NEAR:
        told = f"{unsettled or goal} pairs of scores still move by {change:.2g} of the stakes"
        raise _too_fine(game, told)
    return RaceValues(game, worth, stop)


@dataclass(frozen=True, repr=False)
class RaceSolution(Solution):
    """Nothing is hidden, so a state is worth what its best action is."""

    game: RaceGame

    @property
    def values(self) -> RaceValues:
        """The values, which are the strategy of either seat."""
        values: Any = self.strategies[FIRST]
        return values  # type: ignore[no-any-return]

    @property
    def choices(self) -> RaceTable:
        """The best action at every turn total of every pair of scores."""
        return self.values.table(self.game)

    def arrays(self) -> tuple[Header, Arrays]:
        """Rules, worths and choices."""
        game, certificate, table = self.game, self.certificate, self.choices
        if (runs := len(table.starts)) > MOST_RUNS * game.goal**2:
            raise StorageError(f"the strategy for {game.name} has {runs:,} runs, too many for a file")
        arrays = dict(zip(TYPES, (*self.values.worth, *table[1:4]), strict=True))
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
        game, claimed, table = self.game, self.certificate, self.choices
        runs = Runs(*table[1:4])
        win, loss = self.values.worth
        if not claimed.proved:
            again = estimate_again(game, win, loss, runs, ESTIMATE)
            far = (again.upper - again.lower) / 2
            if not (abs(again.lower - claimed.lower) <= far and abs(again.upper - claimed.upper) <= far):
                raise refuted(self, again)
            return again
        check_tables(game, win, loss, runs)
        proved = certify_race(game, win, loss, table, claimed.method)
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
        return weigh_games(self.game, games, self.values.worth, thresholds)

    def decisions(self, games: Sequence[Sequence[Any]]) -> Decisions | None:
        """By compiled code; IllegalAction names the first choice that the rules refuse."""
        return weigh_decisions(self.game, games, self.values.worth)

    def _advise(self, view: RaceView) -> Advice:
        if not view.my_turn:
            raise IllegalAction(f"nothing to decide at {self.game.show_view(view)}: the turn is not mine")
        worth = self.values.action_worths(view)
        return Advice(view, worth, max(worth, key=lambda action: worth[action]), self.values(view))


def solve_race(game: RaceGame, method: str = "auto") -> RaceSolution:
    """Solve a race game and certify the result."""
    values = solve_values(game)
    try:
        certificate = certify_race(game, values.worth[MINE], values.worth[YOURS], values.table(game), method)
    except VerificationError as error:
        if not game.has(Effect.RUIN):
            raise
        raise _too_fine(game, str(error)) from error
    return RaceSolution(game, "race-pairs", (values, values), certificate)


def _too_fine(game: RaceGame, told: str) -> PrecisionError:
    """What is said where worths differ by less than floating point tells: games of many millions of turns."""
    why = "points are lost so often that games take millions of turns, and their worths differ too little"
    return PrecisionError(
        f"{game.name} is not solved: {why} ({told}); a nearer goal or a rarer ruin is allowed"
    )


def certify_race(
    game: RaceGame,
    win: Floats,
    loss: Floats,
    table: RaceTable,
    method: str = "auto",
    longest: int | None = None,
) -> Certificate:
    """Bounds on the value, proved from the strategy and the tables of a solver; or an estimate, labelled so.

    Row 0 of the table is to hold, row r the r-th roll. `win` and `loss` are the worth to the mover and to
    the opponent at scores [mine, yours]: winning chances that sum to 1, or payoffs that sum to 0.
    "auto" estimates what would take more than about a minute to prove; "prove" insists. Fractions are given up, with
    a VerificationError, once one has more than `longest` bits.
    """
    if method not in METHODS:
        raise RulesError(f"method is {method!r}; {', '.join(METHODS)} is allowed")
    from .proof.balls import prove

    if method in ("auto", "prove"):
        return _best_of(game, win, loss, table, method == "prove")
    if method == "fractions":
        lower, upper = prove(game, table.choices, exact=True, longest=longest)
    elif method == "balls":
        lower, upper = prove(game, table.choices, BITS)
    elif method == "bounds":
        lower, upper = bounds(game, win, loss, Runs(*table[1:4]))
    else:
        value = Fraction(float(payoffs(win, loss)[0, 0]))
        error = ESTIMATE * Fraction(largest_payoff(game))
        lower, upper = value - error, value + error
    return Certificate(lower, upper, method != "estimate", method)


def _best_of(game: RaceGame, win: Floats, loss: Floats, table: RaceTable, insist: bool) -> Certificate:
    """The sharpest certificate to be had in about a minute, or in any time; an estimate if there is none."""
    refused = VerificationError("no method of proof fits it")
    for method in _worth_trying(game, insist):
        try:
            certificate = certify_race(game, win, loss, table, method, LONGEST)
        except VerificationError as error:
            refused = error
            continue
        if method != "fractions" or certificate.lower.denominator <= SHORT:
            return certificate
    if insist:
        raise PrecisionError(f"the value of {game.name} could not be proved: {refused}")
    return certify_race(game, win, loss, table, "estimate")


def _worth_trying(game: RaceGame, insist: bool) -> Iterator[str]:
    """The methods of proof that fit the game and the time, sharpest first."""
    ruin, exact = game.has(Effect.RUIN), game.finish == "exact"
    if not ruin and game.goal <= FRACTION_GOAL:
        yield "fractions"
    if not ruin and (ball_work(game) <= BALL_WORK or (insist and exact)):
        yield "balls"
    if not exact and (insist or game.goal <= BOUNDS_GOAL):
        yield "bounds"


def ball_work(game: RaceGame) -> int:
    """What a proof by balls goes through: turn totals times faces."""
    effects = [effect for _, roll in game.rolls for _, effect, _ in roll]
    return game.goal**2 * (game.goal * effects.count(Effect.ADD) + len(effects))


def restore(game: RaceGame, certificate: Certificate, arrays: Arrays) -> RaceSolution:
    """The solution that was written."""
    pairs = (game.goal, game.goal)
    check_shapes(arrays, {"win": pairs, "loss": pairs, "first": (game.goal**2 + 1,)})
    worth = np.stack([arrays["win"], arrays["loss"]])
    if not np.isfinite(worth).all():
        raise VerificationError("it has values that are no numbers")
    table = pure_table(game, [arrays[name] for name in ("first", "starts", "rows")])
    if not well_formed(game, table):
        raise VerificationError(f"it has a strategy whose runs do not fit the goal {game.goal}")
    values = RaceValues(game, worth, made=table)
    return RaceSolution(game, "race-pairs", (values, values), certificate)
