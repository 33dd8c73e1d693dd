"""What is measured of a game: each number with its proof, as computed, or with the interval of an estimate."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite, nextafter, sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from ..analysis.analyse import analyse
from ..analysis.moments import Analysis
from ..arena.margin import LEVEL
from ..arena.statistics import Interval, games_needed, interval
from ..arena.table import play_game
from ..core.errors import DicewrightError, NotationError, RulesError, TooLarge, name_of
from ..core.game import WrittenGame
from ..core.results import Evaluation
from ..core.solution import Certificate, Solution, seats
from ..families import catalog, family
from ..storage import strategies
from ..storage.store import solve

PROVED = "proved"  # the bounds are a theorem
COMPUTED = "computed"  # exactly, but for the rounding of floating point, of the solved strategies
ROUNDING = 1e-9  # of payoffs
ESTIMATE = "estimate"  # from games played, with its 95 % interval
REFUSED = "refused"  # followed by the reason
QUICK = "bounds"  # the method of those who have one that proves enough digits for a table soon
MATTERS = 0.01  # of winning chance, or of half the stakes: what the second best action gives away
BEHIND = 0.2  # the winning chance from which a win is a comeback
LEFT_OUT, MOST_TURNS = 1e-12, 100_000  # of the chances of lengths, and how long those are at most
MANY_TURNS = (
    1000  # on average: where the chance of each length would be many numbers, their spread is asked for alone
)
TOLD_APART = 0.8  # the power of the test that tells two strategies apart


class Reading(NamedTuple):
    """A number, between which bounds it lies, and what stands behind them."""

    value: float | None
    low: float | None
    high: float | None
    how: str


class Measuring(NamedTuple):
    """What is to be measured of one game, as plain data for another process."""

    game: str
    measures: tuple[str, ...]
    sample: int  # games that an estimate plays
    seed: int
    prove: bool  # whether the solver's best proof is asked for
    gap: float | None = None  # how wide bounds may be, where the solver can be asked


def measure(task: Measuring) -> list[Reading]:
    """All that the task asks, in its order; what is refused says why, and the rest is measured."""
    subject = Subject(task)
    found = list[Reading]()
    for name in task.measures:
        try:
            found.append(_measured(subject, name))
        except DicewrightError as error:
            found.append(Reading(None, None, None, f"{REFUSED}: {error}"))
    return found


def _measured(subject: "Subject", name: str) -> Reading:
    kind, _, rest = name.partition(":")
    return OVER[kind][0](subject, rest) if rest else MEASURES[kind][0](subject)


def check_name(name: str) -> None:
    """NotationError unless this is a measure."""
    kind, colon, rest = name.partition(":")
    if kind not in (OVER if colon else MEASURES) or (colon and not rest):
        over = ", ".join(f"{each}:STRATEGY" for each in OVER)
        raise NotationError(f"the measure {name!r} is unknown; {', '.join(MEASURES)}, {over} are allowed")


class Subject:
    """A game and what its measures share."""

    def __init__(self, task: Measuring) -> None:
        self.task = task

    @cached_property
    def game(self) -> WrittenGame:
        """The game that the line names."""
        game: WrittenGame = catalog.parse(self.task.game)
        return game

    @cached_property
    def solution(self) -> Solution:
        """By the quick method where there is one and no better proof is asked, else as `solve` has it."""
        return self._solve(self.game)

    def _solve(self, game: WrittenGame) -> Solution:
        way = family(game).way(game)
        if not self.task.prove and QUICK in way.methods:
            return catalog.solve(game, QUICK)
        options: dict[str, Any] = {"gap": self.task.gap} if "gap" in way.options else {}
        return solve(game, "prove" if self.task.prove and "prove" in way.methods else "auto", **options)

    @cached_property
    def evened(self) -> tuple[int, Certificate]:
        """The fairest bonus, and the first player's advantage with it."""
        found = list(family(self.game).handicaps(self.game, self.solution, self._solve))
        if not found:
            raise RulesError(
                f"nothing can be given at the start of {name_of(self.game)}; points and dice can"
            )
        return min(found, key=lambda each: (abs(each[1].value), abs(each[0])))

    @cached_property
    def met(self) -> Evaluation:
        """The solution against itself."""
        return family(self.game).evaluate(self.game, self.solution, self.solution)

    def against(self, rule: str) -> float:
        """How often the solution beats a strategy when a coin decides who starts; half of what neither wins."""
        if self.solution.points:
            raise RulesError("perfect play of a game for points does not try to win it; others are measured")
        met = family(self.game).evaluate(self.game, self.solution, strategies.parse(rule, self.game))
        return (1.0 + met.a_overall - met.b_overall) / 2

    @cached_property
    def played(self) -> list[Analysis]:
        """Games of the solution against itself, analysed."""
        pair = seats(self.solution)
        return [
            analyse(play_game(self.game, pair, Random(f"{self.task.seed} {n}")), self.solution)
            for n in range(self.task.sample)
        ]


def advantage(subject: Subject) -> Reading:
    """What the first player wins more often than the second, or the points, if both play perfectly."""
    return _certified(subject.solution.certificate)


def bonus(subject: Subject) -> Reading:
    """What the second player is given at the start so that the game is fairest; below 0, the first player."""
    return _computed(subject.evened[0])


def left(subject: Subject) -> Reading:
    """The first player's advantage that is left with that bonus."""
    return _within(subject.evened[1])


def length(subject: Subject) -> Reading:
    """The mean number of turns if both play perfectly; in Bluff every bid and call is one."""
    return _computed(subject.met.a_first.expected_turns)


def spread(subject: Subject) -> Reading:
    """The standard deviation of the number of turns."""
    kin = family(subject.game)
    charts = kin.charts()
    if "game_lengths" in charts:
        if subject.met.a_first.expected_turns > MANY_TURNS:
            return _computed(charts["length_spread"](subject.game, *seats(subject.solution)))
        chances = charts["game_lengths"](subject.game, *seats(subject.solution), LEFT_OUT, MOST_TURNS)
        if float(chances.sum()) < 1.0 - 10 * LEFT_OUT:
            raise TooLarge(f"games last longer than the {MOST_TURNS:,} turns that are looked at")
        turns = np.arange(1, len(chances) + 1)
        mean = float(chances @ turns)
        return _computed(sqrt(float(chances @ (turns - mean) ** 2)))
    counts = [kin.turns(moment.who for moment in each.moments) for each in subject.played]
    return _root(mean_of((np.array(counts) - np.mean(counts)) ** 2))


def luck(subject: Subject) -> Reading:
    """How much winning chance (or how many points) the dice of a game move up and down in all, on average."""
    return _estimated(
        mean_of([sum(abs(m.luck) + abs(m.hidden_luck) for m in each.moments) for each in subject.played])
    )


def matter(subject: Subject) -> Reading:
    """The share of decisions where the second best action gives away a hundredth of the winning chance or more."""
    least = MATTERS * (subject.solution.stakes if subject.solution.points else 1.0)
    made, counted = list[int](), list[int]()
    for each in subject.played:
        gaps = [_second(moment.worths) for moment in each.moments if moment.decided]
        made.append(len(gaps))
        counted.append(sum(gap >= least for gap in gaps))
    if not sum(made):
        raise RulesError(f"nothing was to be decided in {subject.task.sample} games")
    share = sum(counted) / sum(made)
    # games are the units: the error of a ratio of sums, and so many independent decisions would have the same
    error = _error((np.array(counted) - share * np.array(made)) / np.mean(made))
    units = max(1, round(share * (1.0 - share) / error**2)) if error else len(made)
    around = interval(round(share * units), units)
    return Reading(share, min(share, around.low), max(share, around.high), ESTIMATE)


def _second(worths: Mapping[Any, float]) -> float:
    best, second, *_ = sorted(worths.values(), reverse=True)
    return best - second


def comeback(subject: Subject) -> Reading:
    """The share of games won from a winning chance of a fifth or less."""
    if subject.solution.points:
        raise RulesError("comebacks are counted in games won or lost; this one pays points")
    back = sum(_came_back(each) for each in subject.played)
    return _estimated(interval(back, len(subject.played)))


def _came_back(game: Analysis) -> bool:
    chances = [moment.before for moment in game.moments]
    won = game.moments[-1].after > 0.5
    return min(chances if won else [1.0 - each for each in chances]) <= BEHIND


def undecided(subject: Subject) -> Reading:
    """The chance that play never ends, or ends with no winner, if both play perfectly."""
    return _computed(subject.met.a_first.stalemate)


def skill(subject: Subject, rule: str) -> Reading:
    """How much more often than every other game perfect play beats a strategy."""
    return _computed(subject.against(rule) - 0.5)


def games(subject: Subject, rule: str) -> Reading:
    """How many games tell perfect play from a strategy, by a test at 5 % that succeeds in four cases of five."""
    return _computed(games_needed(subject.against(rule), power=TOLD_APART).games)


Row = tuple[Callable[..., Reading], str]


def _about(*functions: Callable[..., Reading]) -> Mapping[str, Row]:
    return {each.__name__: (each, str(each.__doc__)) for each in functions}


MEASURES = _about(advantage, bonus, left, length, spread, luck, matter, comeback, undecided)
OVER = _about(skill, games)  # of the name of a strategy after a colon


def mean_of(numbers: Any) -> Interval:
    """The mean with its interval."""
    found = np.asarray(numbers, float)
    mean, reach = float(found.mean()), float(stats.t.ppf((1 + LEVEL) / 2, len(found) - 1)) * _error(found)
    return Interval(mean, mean - reach, mean + reach, LEVEL, "normal", len(found))


def _error(numbers: Any) -> float:
    if len(numbers) < 2:
        raise RulesError(f"sample is {len(numbers)}; an interval needs 2 games or more")
    return float(np.std(numbers, ddof=1)) / sqrt(len(numbers))


def _certified(found: Certificate) -> Reading:
    """A value between its bounds, rounded outwards to floating point."""
    low, high = (_outwards(bound, towards) for bound, towards in ((found.lower, -inf), (found.upper, inf)))
    return Reading(found.value, low, high, PROVED if found.proved else ESTIMATE)


def _outwards(bound: Fraction, towards: float) -> float:
    near = float(bound)
    return near if (bound - Fraction(near)) * (1 if towards > 0 else -1) <= 0 else nextafter(near, towards)


def _within(found: Certificate) -> Reading:
    """What follows from a solution: between the bounds of its certificate, where they are wider than rounding."""
    return _certified(found) if found.gap > ROUNDING else _computed(found.value)


def _computed(value: float) -> Reading:
    if not isfinite(value):
        raise TooLarge("it is infinite: play may never end")
    return Reading(value, value, value, COMPUTED)


def _estimated(found: Interval) -> Reading:
    return Reading(found.estimate, found.low, found.high, ESTIMATE)


def _root(found: Interval) -> Reading:
    value, low, high = (sqrt(max(0.0, each)) for each in (found.estimate, found.low, found.high))
    return Reading(value, low, high, ESTIMATE)
