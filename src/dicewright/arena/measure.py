"""What a player gives away to perfect play, by the fewest games: decisions are weighed, not results counted.

Let V be the value of the game to the player's seat. Against a perfect opponent

    E[payoff] = V - E[sum over decisions of (best worth - worth of the mix answered)],

for dice and hidden dice change the worth by 0 on average (docs/engine.md). The right side is what is estimated: a
player who errs little has little noise. A mix counts as it was answered, not as it was drawn.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from math import ceil, sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ..analysis.analyse import given_away, unit
from ..core.errors import MOST_QUOTED, RulesError, shown
from ..core.game import FIRST, SECOND, View, WrittenGame
from ..core.losses import Mistake
from ..core.solution import Solution, seats
from ..core.strategy import Mix, line_of
from ..families import admit, family
from .margin import LEVEL, check_chance
from .measured import NOTHING, Leak, Measured
from .simulate import MOST_WHY, Progress, check_counts
from .statistics import Interval, mean_interval
from .table import play_game

GAMES = 2000  # at most, unless told otherwise
WITHIN = 0.01  # half of the width that the interval of the result shall have
LOOK = 50  # games before the first look at the width
FORFEIT = "not answering as it may"  # the leak of a program that loses games so
COSTLY = 0.01  # of winning chance: choices that lose less have no reason told


def measure(
    game: WrittenGame,
    player: Any,
    judge: Solution,
    games: int = GAMES,
    within: float = WITHIN,
    seed: int = 0,
    level: float = LEVEL,
    progress: Progress | None = None,
) -> Measured:
    """Play against the solution until the result is known within so much, or `games` are played.

    `within` is half of the width of its interval. Seats change with every game. How many games it takes is found at
    a few looks: after 50, then as many as their spread says, at most twice as many as before. Ctrl-C measures by
    what has been played.
    """
    check_counts(4, games=games)
    check_counts(0, seed=seed)
    check_chance("level", level)
    if not within > 0:
        raise RulesError(f"within is {within}; more than 0 is allowed")
    admit(game)
    course, aim, interrupted = _Course(game, player, judge, seed), min(LOOK, games), False
    try:
        while course.games < aim:
            course.play()
            if progress is not None:
                progress(course.games, games)
            if course.games == aim < games:
                found = course.lost(level)
                needed = ceil(aim * ((found.high - found.low) / (2 * within)) ** 2)
                aim = min(games, max(aim, min(2 * aim, needed + needed % 2)))
    except KeyboardInterrupt:
        if course.games < 4:
            raise
        interrupted = True
    return course.measured(level, interrupted)


class _Played(NamedTuple):
    """One game: results and losses are the player's."""

    plain: float
    lost: float
    decisions: int
    slips: tuple[tuple[Mistake, float, float], ...]  # with its chance and what is lost then
    forfeit: float  # what was lost by it
    why: str


class _Course:
    """Games against the solution, and what was lost in each."""

    def __init__(self, game: WrittenGame, player: Any, judge: Solution, seed: int) -> None:
        self.game, self.player, self.judge, self.seed = game, player, judge, seed
        self.played: list[_Played] = []

    @property
    def games(self) -> int:
        """How many were played to the end."""
        return len(self.played)

    def play(self) -> None:
        """One game more: the first, and every other one, is begun by the player."""
        game, judge, number = self.game, self.judge, self.games
        seat = FIRST if number % 2 == 0 else SECOND
        heard: list[tuple[View, Mix]] = []

        def listen(who: int, view: View, mix: Mix) -> None:
            if who == seat and len(game.actions(view)) > 1:
                heard.append((view, mix))

        pair = [seats(judge.player)[FIRST], seats(judge.player)[SECOND]]
        pair[seat] = seats(self.player)[seat]
        record = play_game(game, (pair[0], pair[1]), Random(f"{self.seed} {number}"), heard=listen)
        slips = tuple(slip for view, mix in heard for slip in self._weigh(view, mix))
        lost, forfeit, why = sum(chance * each for _, chance, each in slips), 0.0, ""
        if record.forfeit is not None:
            state, why = game.start(), record.forfeit.why
            for choice in record.choices:
                state = game.play(state, choice)
            worth = max(judge.advise(game.view(state, seat)).worth.values())
            forfeit = worth - unit(judge, -1.0)
        paid = unit(judge, record.payoff if seat == FIRST else -record.payoff)
        self.played.append(_Played(paid, lost + forfeit, len(heard), slips, forfeit, why))

    def _weigh(self, view: View, mix: Mix) -> Iterator[tuple[Mistake, float, float]]:
        """The slips in a mix."""
        advice = self.judge.advise(view)
        for action, chance in mix.items():
            each = given_away(self.judge, advice, action)
            if chance * each > NOTHING:
                yield Mistake(view, action, advice.best), chance, each

    def lost(self, level: float) -> Interval:
        """What was lost in a game."""
        return _interval([one.lost for one in self.played], level)

    def measured(self, level: float, interrupted: bool) -> Measured:
        """What the games say."""
        played, games, judge = self.played, self.games, self.judge
        loss, left = self.lost(level), _spread([one.lost for one in played])[2]
        plain, away, noise = _spread([one.plain for one in played])
        count = _spread([float(one.decisions) for one in played])[0] or 1.0
        rate = loss.estimate / count
        rest = _interval([one.lost - rate * one.decisions for one in played], level)
        start = judge.worth(self.game.start())
        value = (unit(judge, start) + unit(judge, -start)) / 2
        why = [one.why for one in played if one.why]
        return Measured(
            game=self.game,
            strategy=shown(line_of(seats(self.player)[0]), MOST_QUOTED),
            seed=self.seed,
            points=judge.points,
            value=value,
            gap=judge.certificate.gap / (1 if judge.points else 2),
            plain=mean_interval(plain, away, games, level),
            result=replace(
                loss, estimate=value - loss.estimate, low=value - loss.high, high=value - loss.low
            ),
            loss=_from_zero(loss),
            per_decision=_from_zero(
                replace(loss, estimate=rate, low=rate + rest.low / count, high=rate + rest.high / count)
            ),
            decisions=sum(one.decisions for one in played),
            reduction=noise / left if left > 0 else float("inf"),
            clean=sum(one.lost <= NOTHING for one in played),
            forfeits=len(why),
            why=tuple(dict.fromkeys(why))[:MOST_WHY],
            leaks=tuple(self._leaks(loss.estimate, level)),
            interrupted=interrupted,
        )

    def _leaks(self, all_lost: float, level: float) -> list[Leak]:
        """Slips by their habit, and forfeits, the dearest first."""
        kin = family(self.game)
        lost: dict[str, list[float]] = defaultdict(lambda: [0.0] * self.games)
        times: Counter[str] = Counter()
        slips: dict[str, Counter[Mistake]] = defaultdict(Counter)
        each_of: dict[Mistake, float] = {}
        for number, one in enumerate(self.played):
            for slip, chance, each in one.slips:
                habit = kin.habit(self.game, slip)
                lost[habit][number] += chance * each
                times[habit] += chance  # type: ignore[assignment]
                slips[habit][slip] += chance * each  # type: ignore[assignment]
                each_of[slip] = each
            if one.why:
                lost[FORFEIT][number] += one.forfeit
                times[FORFEIT] += 1
        found = []
        for habit, losses in lost.items():
            loss = _from_zero(_interval(losses, level))
            if habit == FORFEIT:
                told = next(one.why for one in self.played if one.why), sum(losses) / times[FORFEIT], ""
            else:
                (slip, _), *_ = slips[habit].most_common(1)
                told = self._told(slip, each_of[slip])
            found.append(Leak(habit, loss, times[habit] / self.games, loss.estimate / all_lost, *told))
        return sorted(found, key=lambda leak: -leak.loss.estimate)

    def _told(self, slip: Mistake, each: float) -> tuple[str, float, str]:
        """A slip in words, what it loses each time, and why, if that is much."""
        game, judge, kin = self.game, self.judge, family(self.game)
        costly = not judge.points and each >= COSTLY and judge.advise(slip.view).reached
        words = f"{kin.decision(game, slip.view, slip.did)}, where {kin.acting(game, slip.best)} is best"
        return words, each, kin.why(game, judge, *slip) if costly else ""


def _spread(values: list[float]) -> tuple[float, float, float]:
    """The mean of both seats, its standard error, and the variance of one game in a given seat."""
    parts = [np.array(values[seat::2]) for seat in (FIRST, SECOND)]
    variances = [float(part.var(ddof=1)) for part in parts]
    error = sqrt(sum(v / len(part) for v, part in zip(variances, parts, strict=True))) / 2
    return sum(float(part.mean()) for part in parts) / 2, error, sum(variances) / 2


def _interval(values: list[float], level: float) -> Interval:
    """The interval of the mean of what is rarely large; upwards it counts one more in either seat, like the largest.

    Without it, 95 % intervals of 50 games hold the mean of rare mistakes in 85 % of cases, with it in 95 %.
    """
    mean, largest = _spread(values)[0], max(values)
    higher, error, _ = _spread([*values, *(largest, largest)])
    found = mean_interval(mean, error, len(values), level)
    return replace(found, high=found.high + higher - mean)


def _from_zero(found: Interval) -> Interval:
    """The interval of what cannot be less than nothing."""
    return replace(found, low=max(0.0, found.low))
