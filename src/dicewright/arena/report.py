"""Results of play as plain data: every estimate with interval and sample size, and the exact value beside it."""

from dataclasses import asdict
from math import ceil
from typing import Any

from ..core.errors import PrecisionError, TooLarge
from ..core.game import WrittenGame
from ..core.results import Evaluation
from ..core.strategy import only_plays
from ..families import family
from .simulate import Series, Tally
from .statistics import FairTest, LuckAdjusted, Sequential, games_needed, interval, payoff_interval


def exact_beside(game: WrittenGame, a: Any, b: Any) -> Evaluation | None:
    """The exact result of A against B, or None where it would take longer than playing."""
    if only_plays(a) or only_plays(b):
        return None
    try:
        return family(game).exactly(game, a, b)
    except (TooLarge, PrecisionError):
        return None


def tally_report(tally: Tally, level: float, exact: Evaluation | None) -> dict[str, Any]:
    """A tally as data: by starter and together, with both intervals, and exact values where there are any."""
    exactly: list[tuple[float, float] | None] = [None, None, None]
    if exact is not None:
        exactly = [
            (exact.a_first.first_wins, exact.a_first.payoff),
            (exact.b_first.second_wins, -exact.b_first.payoff),
            (exact.a_overall, (exact.a_first.payoff - exact.b_first.payoff) / 2),
        ]
    names = ("a_first", "b_first", "both")
    series = (tally.a_first, tally.b_first, tally.both)
    return {
        "games": tally.games,
        "interrupted": tally.interrupted,
        "level": level,
        **{
            name: _series(part, level, value)
            for name, part, value in zip(names, series, exactly, strict=True)
            if part.games
        },
        "payoff": asdict(payoff_interval(tally, level)),
        "exact_payoff": None if exactly[2] is None else exactly[2][1],
        "simulation_needed": exact is None,
        "games_to_tell_apart": None if exact is None else games_to_tell(exact),
        **({"forfeits": asdict(tally.forfeits)} if tally.forfeits.why else {}),
    }


def _series(series: Series, level: float, exact: tuple[float, float] | None) -> dict[str, Any]:
    return {
        "games": series.games,
        "a_wins": series.wins,
        "b_wins": series.losses,
        "stalemates": series.stalemates,
        "cut_offs": series.cut_offs,
        "mean_payoff": series.payoff / series.games,
        "wilson": asdict(interval(series.wins, series.games, level)),
        "clopper_pearson": asdict(interval(series.wins, series.games, level, "clopper-pearson")),
        "exact": None if exact is None else exact[0],
    }


def games_to_tell(exact: Evaluation) -> int | None:
    """How many games tell A from B by play alone; None if they are even. Games that nobody wins tell nothing."""
    decided = exact.a_overall + exact.b_overall
    share = exact.a_overall / decided if decided > 0.0 else 0.5
    try:
        return ceil(games_needed(min(max(share, 1e-9), 1 - 1e-9)).games / decided)
    except TooLarge:
        return None


def fair_report(test: FairTest, exact: Evaluation | None) -> dict[str, Any]:
    """A fair test as data."""
    return {
        "verdict": test.verdict,
        "mean": test.mean,
        "series": len(test.rates),
        "series_outside_margin": test.outside,
        "margin": test.margin,
        "rates": list(test.rates),
        **tally_report(test.tally, test.interval.level, exact),
    }


def sequential_report(test: Sequential, exact: Evaluation | None) -> dict[str, Any]:
    """A sequential test as data."""
    return {
        "verdict": test.verdict,
        "log_ratio": test.ratio,
        **{key: getattr(test, key) for key in ("p0", "p1", "alpha", "beta", "cap")},
        **tally_report(test.tally, test.interval.level, exact),
    }


def luck_report(found: LuckAdjusted) -> dict[str, Any]:
    """A luck-adjusted estimate as data."""
    return {
        "plain": asdict(found.plain),
        "adjusted": asdict(found.adjusted),
        "variance_reduction": found.reduction,
    }
