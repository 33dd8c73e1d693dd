"""What a result proves: intervals, Exeter's fair test, a sequential test, how many games are needed, and luck."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from math import log, sqrt
from statistics import fmean
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import numpy.typing as npt
from scipy import stats

from ..core.effort import ADJUSTED, BLOCK, PAYOFF, Engine
from ..core.errors import RulesError, TooLarge
from ..core.game import WrittenGame
from ..families import family
from .margin import LEVEL, MARGIN, check_chance, fair_games
from .simulate import Progress, Tally, check_counts, child, engine_of, play_blocks, words_of

LOOK = 100  # games between two looks of the sequential test
MOST_GAMES = 10**12

Method = Literal["wilson", "clopper-pearson", "normal"]
Verdict = Literal["better", "not better", "undecided"]


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval and sample size."""

    estimate: float
    low: float
    high: float
    level: float
    method: Method
    games: int

    def __repr__(self) -> str:
        span = f"{self.estimate:.6g} ({self.low:.6g} to {self.high:.6g})"
        return f"<Interval {span}, {100 * self.level:g} % by {self.method}, {self.games:,} games>"

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def interval(wins: int, games: int, level: float = LEVEL, method: Method = "wilson") -> Interval:
    """The interval for a winning chance, by scipy: Wilson's, or the exact one of Clopper and Pearson.

    Games by turns with either starter vary a little less than games with one chance, so both err on the safe side.

    >>> found = interval(1575, 3000)
    >>> round(found.low, 4), round(found.high, 4)
    (0.5071, 0.5428)
    """
    check_chance("level", level)
    test = stats.binomtest(wins, games)
    found = test.proportion_ci(level, method="exact" if method == "clopper-pearson" else "wilson")
    return Interval(wins / games, float(found.low), float(found.high), level, method, games)


def mean_interval(mean: float, error: float, games: int, level: float = LEVEL) -> Interval:
    """The interval for a mean payoff with this standard error, by the normal approximation."""
    check_chance("level", level)
    reach = float(stats.norm.ppf((1 + level) / 2)) * error
    return Interval(mean, mean - reach, mean + reach, level, "normal", games)


def payoff_interval(tally: Tally, level: float = LEVEL) -> Interval:
    """The interval for A's mean payoff."""
    return mean_interval(tally.payoff, tally.payoff_error, tally.games, level)


@dataclass(frozen=True)
class FairTest:
    """Exeter's fair test of A against B: several series of games, and whether A is better."""

    rates: tuple[float, ...] = field(repr=False)  # of A, one for each series
    tally: Tally
    interval: Interval  # Wilson's, of A's rate over all games
    margin: float

    @property
    def mean(self) -> float:
        """The average of A's rates over the series."""
        return fmean(self.rates)

    @property
    def verdict(self) -> Literal["better", "worse", "inseparable"]:
        """A is better above 0.5 + margin, worse if B is; a stalemate is won by nobody."""
        if self.mean > 0.5 + self.margin:
            return "better"
        return "worse" if self.tally.b_rate > 0.5 + self.margin else "inseparable"

    @property
    def outside(self) -> int:
        """How many of the series went beyond the margin on either side."""
        return sum(abs(rate - 0.5) > self.margin for rate in self.rates)


class Played(TypedDict, total=False):
    """How a test is played: its seed, who hears how far it is (`progress(played, games)`), and who plays games in
    Python."""

    seed: int
    progress: Progress | None
    executor: Executor | None


def fair_test(
    game: WrittenGame,
    a: Any,
    b: Any,
    games: int = 3000,
    repeats: int = 100,
    margin: float = MARGIN,
    level: float = LEVEL,
    **played: Unpack[Played],
) -> FairTest:
    """Exeter's fair test (3.3.2): `repeats` series of `games` games, half of each started by either.

    Series n is seeded by child n of the seed. The report settled on 3000 games, 100 times, above the 1537 of
    `fair_games`. Ctrl-C keeps the series that are complete.
    """
    check_counts(games=games, repeats=repeats)
    fair_games(margin, level)  # refuses what makes no sense, before a game is played
    rates, total = _rates(engine_of(game, a, b), games, repeats, **played)
    return FairTest(tuple(rates), total, interval(total.both.wins, total.games, level), margin)


def _rates(
    engine: Engine,
    games: int,
    repeats: int,
    seed: int = 0,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> tuple[list[float], Tally]:
    """A's rate in each series, and all games."""
    check_counts(0, seed=seed)
    total, rates = Tally(), list[float]()
    try:
        for number in range(repeats):
            part = play_blocks(engine, games, child(np.random.SeedSequence(seed), number), executor=executor)
            if part.interrupted:
                raise KeyboardInterrupt
            total = total + part
            rates.append(part.a_rate)
            if progress is not None:
                progress(total.games, games * repeats)
    except KeyboardInterrupt:
        if total.games != games * len(rates) or not rates:
            raise
        total = total.stopped()
    return rates, total


@dataclass(frozen=True)
class Sequential:
    """The end of a sequential test of p <= p0 ("not better") against p >= p1 ("better")."""

    verdict: Verdict
    tally: Tally
    interval: Interval  # Wilson's at the end; stopping when it looks good makes it a little narrow
    ratio: float  # the log likelihood ratio at the end
    p0: float
    p1: float
    alpha: float
    beta: float
    cap: int


def sprt(
    game: WrittenGame,
    a: Any,
    b: Any,
    p0: float = 0.5,
    p1: float = 0.5 + MARGIN,
    alpha: float = 0.05,
    beta: float = 0.05,
    cap: int = 1_000_000,
    **played: Unpack[Played],
) -> Sequential:
    """Play until it is clear whether A's winning chance is p1 or more rather than p0 or less (Wald 1945).

    After n games, w of them won by A, the log likelihood ratio w log(p1/p0) + (n-w) log((1-p1)/(1-p0)) is looked at
    every 100 games. At log(1/alpha) A is "better", at log(beta) "not better", at `cap` games "undecided". The ratio's
    exponential is a supermartingale under p <= p0 (its inverse under p >= p1), also when p is the average of two
    chances with either starter, for (p+d)(p-d) <= p^2; so the error rates are at most alpha and beta, whatever the
    cap (Ville's inequality). That needs games in pairs, so an odd cap is rounded down. Stalemates are not won.
    """
    check_counts(2, cap=cap)
    cap -= cap % 2
    for name, chance in (("alpha", alpha), ("beta", beta), ("p0", p0), ("p1", p1)):
        check_chance(name, chance)
    if p0 >= p1:
        raise RulesError(f"p0 is {p0} and p1 is {p1}; p0 below p1 is allowed")

    def ratio(tally: Tally) -> float:
        """The log likelihood ratio of p1 to p0."""
        wins, games = tally.both.wins, tally.games
        return wins * log(p1 / p0) + (games - wins) * log((1 - p1) / (1 - p0))

    def verdict(tally: Tally) -> Verdict:
        if ratio(tally) >= log(1 / alpha):
            return "better"
        return "not better" if ratio(tally) <= log(beta) else "undecided"

    total = _until(lambda tally: verdict(tally) != "undecided", engine_of(game, a, b), cap, **played)
    found = interval(total.both.wins, total.games)
    return Sequential(verdict(total), total, found, ratio(total), p0, p1, alpha, beta, cap)


def _until(
    clear: Callable[[Tally], bool],
    engine: Engine,
    cap: int,
    seed: int = 0,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Tally:
    """Games until something is clear, `cap` are played or somebody stops them."""
    check_counts(0, seed=seed)
    total = Tally()
    try:
        while total.games < cap and not total.interrupted and not clear(total):
            look = child(np.random.SeedSequence(seed), total.games // LOOK)
            total = total + play_blocks(engine, min(LOOK, cap - total.games), look, executor=executor)
            if progress is not None:
                progress(total.games, cap)
    except KeyboardInterrupt:
        total = total.stopped()
    if total.games == 0:
        raise KeyboardInterrupt
    return total


@dataclass(frozen=True)
class Sample:
    """So many games tell A from an even player."""

    games: int
    wins: int  # from this many wins on (or as many losses) the two-sided test says they differ
    p: float
    alpha: float
    power: float  # exact, at least what was asked


def games_needed(p: float, alpha: float = 0.05, power: float = 0.8) -> Sample:
    """How many games to tell A from B, if A wins with chance p? Two-sided exact binomial test of p = 1/2.

    Starts at the normal approximation n = ((z_alpha + 2 z_power sqrt(p (1 - p))) / (2 |p - 1/2|))^2 and goes on, in
    steps of at most 0.01 %, to an n whose exact power is enough.

    >>> games_needed(0.55).games
    786
    """
    for name, chance in (("p", p), ("alpha", alpha), ("power", power)):
        check_chance(name, chance)
    edge = abs(p - 0.5)
    z_alpha, z_power = float(stats.norm.ppf(1 - alpha / 2)), float(stats.norm.ppf(power))
    start = ((z_alpha + 2 * z_power * sqrt(p * (1 - p))) / (2 * edge)) ** 2 if edge > 0.0 else float("inf")
    if start > MOST_GAMES:
        raise TooLarge(f"telling a winning chance of {p} from 0.5 takes more than {MOST_GAMES:,} games")
    games = max(1, int(start))
    while True:
        wins = int(stats.binom.isf(alpha / 2, games, 0.5)) + 1
        reached = float(stats.binom.sf(wins - 1, games, p) + stats.binom.cdf(games - wins, games, p))
        if reached >= power:
            return Sample(games, wins, p, alpha, reached)
        games += max(1, games // 10_000)


@dataclass(frozen=True)
class LuckAdjusted:
    """A's mean payoff over games with either starter, as it came and with the luck of the dice taken out."""

    plain: Interval
    adjusted: Interval
    reduction: float  # variance of a plain payoff over that of an adjusted one; infinite if nothing was left

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.plain.games


def luck_adjusted(
    game: WrittenGame, a: Any, b: Any, games: int, seed: int = 0, level: float = LEVEL
) -> LuckAdjusted:
    """Play games between A and B, half of them started by either, and estimate A's payoff with little noise.

    Let V be the value of the game between perfect players. A roll changes V by an amount of mean 0, whoever plays, so

        adjusted = payoff - sum over rolls of (V after - V before)
                 = V at the start - what A's choices gave away + what B's choices gave away

    has the mean of the payoff. It is exact for perfect players, and the better both play, the less noise is left
    (the idea of backgammon's luck adjustment; AIVAT, Burch et al. 2018). The second line is what is computed.
    """
    check_luck(game, games, seed, level)
    engine = family(game).adjusted_engine(game, a, b)
    numbers = ((games + 1) // 2, games // 2)
    counts = [np.zeros(8), np.zeros(8)]
    for starter in (0, 1):
        for block, start in enumerate(range(0, numbers[starter], BLOCK)):
            words = words_of(child(np.random.SeedSequence(seed), 2 * block + starter))
            engine.play(words, min(BLOCK, numbers[starter] - start), starter, counts[starter])
    plain, noise = _estimate(counts, numbers, PAYOFF, level)
    adjusted, left = _estimate(counts, numbers, ADJUSTED, level)
    return LuckAdjusted(plain, adjusted, noise / left if left > 0.0 else float("inf"))


def check_luck(game: WrittenGame, games: int, seed: int = 0, level: float = LEVEL) -> None:
    """RulesError or TooLarge for what `luck_adjusted` cannot do."""
    check_counts(2, games=games)
    check_counts(0, seed=seed)
    check_chance("level", level)
    family(game).check_luck(game)


def _estimate(
    counts: list[npt.NDArray[np.float64]], numbers: tuple[int, int], place: int, level: float
) -> tuple[Interval, float]:
    """A's mean over both starters with its interval, and the variance of one game with a given starter."""
    means = [float(count[place]) / n for count, n in zip(counts, numbers, strict=True)]
    squares = [float(count[place + 1]) / n for count, n in zip(counts, numbers, strict=True)]
    spreads = [max(0.0, square - mean**2) for square, mean in zip(squares, means, strict=True)]
    error = sqrt(sum(spread / n for spread, n in zip(spreads, numbers, strict=True))) / 2
    return mean_interval((means[0] - means[1]) / 2, error, sum(numbers), level), sum(spreads) / 2
