"""What was found of a player beside perfect play, and how it is told."""

from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from ..analysis.sentences import figure
from ..core.game import WrittenGame
from ..core.table import Grid, Tabled
from .statistics import Interval, interval

NOTHING = 1e-12  # less is lost by rounding alone


class Leak(NamedTuple):
    """Slips of one kind: what all of them lose in a game, how often they come, and the dearest of them in words."""

    habit: str
    loss: Interval  # a game
    times: float  # in a game
    share: float  # of all that is lost
    example: str
    each: float  # that the example loses
    why: str = ""


@dataclass(frozen=True)
class Measured(Tabled):
    """A player beside perfect play; results are winning chances, or points, with either seat half of the time."""

    game: WrittenGame
    strategy: str
    seed: int
    points: bool
    value: float  # of the game, for perfect play in either seat half of the time
    gap: float  # by which the solution that judges may be off
    plain: Interval = field(repr=False)  # of the result as it came
    result: Interval  # with the luck taken out
    loss: Interval  # a game
    per_decision: Interval = field(repr=False)
    decisions: int
    reduction: float  # variance of a result as it came over that without luck; infinite if nothing was left
    clean: int  # games without any loss
    forfeits: int
    why: tuple[str, ...]  # the first reasons of forfeits
    leaks: tuple[Leak, ...]
    interrupted: bool = False

    def __repr__(self) -> str:
        name = f"{self.strategy} in {self.game.name}"
        return f"<Measured: {name} loses {self._amount(self.loss.estimate)} a game, {self.games:,} games>"

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.result.games

    def table(self) -> Grid:
        """The leaks, dearest first."""
        rows = [
            (
                leak.habit,
                leak.loss.estimate,
                leak.loss.low,
                leak.loss.high,
                leak.times,
                leak.share,
                leak.example,
            )
            for leak in self.leaks
        ]
        columns = ("leak", "loss", "low", "high", "times", "share", "example")
        return Grid(columns, rows, self.strategy, [*self.sentences()])

    def _amount(self, number: float, digits: int = 3) -> str:
        return f"{figure(number, digits + 1)} points" if self.points else f"{figure(100 * number, digits)} %"

    def amount(self, found: Interval) -> str:
        """An estimate with its interval, as people read it."""
        low, high = self._amount(found.low), self._amount(found.high)
        return f"{self._amount(found.estimate)} ({low} to {high})"

    def sentences(self) -> list[str]:
        """What came out, and where it leaks."""
        verb, even = "gets" if self.points else "wins", self._amount(self.value)
        told = [
            f"{self.strategy} {verb} {self.amount(self.result)} against perfect play, where perfect play "
            f"{verb} {even}: it loses {self.amount(self.loss)} a game and {self.amount(self.per_decision)} a decision "
            f"({100 * self.result.level:g} % intervals, {self.games:,} games, {self.decisions:,} decisions)."
        ]
        if self.reduction > 1 and self.loss.estimate > 0:
            told.append(f"Counting results would need {self.reduction:,.0f} times as many games.")
        if self.clean == self.games:
            most = interval(0, self.games, self.result.level, "clopper-pearson").high
            told.append(
                f"It lost nothing in any game; games in which it does are at most {100 * most:.2g} %."
            )
        if self.gap > NOTHING:
            told.append(f"The solution that judges may be off by {self._amount(self.gap)}.")
        if self.forfeits:
            told.append(f"It forfeited {self.forfeits:,} games: {'; '.join(self.why)}.")
        for leak in self.leaks:
            amount, each = self._amount(leak.loss.estimate), self._amount(leak.each)
            often = f"{leak.times:.2g} times a game"
            told.append(
                f"{leak.habit}: {amount} a game, {often}; {leak.example} ({each}).{leak.why and ' '}{leak.why}"
            )
        return told

    def document(self) -> dict[str, Any]:
        """All of it as plain data."""
        kept = ("strategy", "seed", "value", "gap", "decisions", "clean", "forfeits", "interrupted")
        spans = ("plain", "result", "loss", "per_decision")
        return {
            "game": self.game.name,
            **{name: getattr(self, name) for name in kept},
            "games": self.games,
            "unit": "points" if self.points else "winning chance",
            **{name: asdict(getattr(self, name)) for name in spans},
            "variance_reduction": self.reduction,
            "why": list(self.why),
            "leaks": [{**leak._asdict(), "loss": asdict(leak.loss)} for leak in self.leaks],
        }
