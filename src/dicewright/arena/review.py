"""A player over many analysed games: sums, averages and their intervals."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from ..analysis.moments import Outline, Talk
from .margin import LEVEL
from .statistics import Interval, mean_interval


@dataclass
class _Series:
    """A sum that knows its spread."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.count, self.total, self.squares = (
            self.count + 1,
            self.total + value,
            self.squares + value * value,
        )

    def interval(self, level: float) -> Interval | None:
        """Of the mean; None for fewer than two values."""
        if self.count < 2:
            return None
        mean = self.total / self.count
        spread = max(0.0, self.squares / self.count - mean * mean) * self.count / (self.count - 1)
        return mean_interval(mean, sqrt(spread / self.count), self.count, level)


@dataclass
class _Player:
    games: int = 0
    decisions: int = 0
    loss: float = 0.0
    at_stake: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    talk: Counter[str] | None = None
    series: dict[str, _Series] = field(default_factory=lambda: defaultdict(_Series))


@dataclass(frozen=True)
class Review:
    """One player over many games; averages are for a game and in the player's favour."""

    player: str
    points: bool
    games: int
    decisions: int
    loss: float  # in all
    at_stake: float
    counts: dict[str, int]
    talk: Talk | None
    result: Interval | None  # of finished games
    adjusted: Interval | None  # the result with average luck
    luck: Interval | None
    loss_per_game: Interval | None

    @property
    def error_rate(self) -> float:
        """What a decision lost on average."""
        return self.loss / self.decisions if self.decisions else 0.0

    @property
    def accuracy(self) -> float:
        """100 if nothing was lost, 0 if the worst action was always taken."""
        return 100.0 * (1.0 - self.loss / self.at_stake) if self.at_stake > 0 else 100.0

    def document(self) -> dict[str, Any]:
        """All of it as JSON knows it."""
        means = {
            name: None if (found := getattr(self, name)) is None else dict(vars(found))
            for name in ("result", "adjusted", "luck", "loss_per_game")
        }
        return {
            "player": self.player,
            "unit": "points" if self.points else "chance",
            "games": self.games,
            "decisions": self.decisions,
            "loss": self.loss,
            "error_rate": self.error_rate,
            "accuracy": self.accuracy,
            "counts": self.counts,
            "talk": None if self.talk is None else dict(vars(self.talk)),
            **means,
        }


class Reviewer:
    """Adds up outlines as they come; players are told apart by name, and by whether points were played for."""

    def __init__(self) -> None:
        self._players: dict[tuple[str, bool], _Player] = defaultdict(_Player)

    def add(self, outline: Outline) -> None:
        """Add both players of one game."""
        for seat, (name, figures) in enumerate(zip(outline.players, outline.figures, strict=True)):
            player = self._players[name, outline.points]
            player.games += 1
            player.decisions += figures.decisions
            player.loss += figures.loss
            player.at_stake += figures.at_stake
            player.counts.update(figures.counts)
            if figures.talk is not None:
                player.talk = (player.talk or Counter()) + Counter(vars(figures.talk))
            if (result := outline.result) is not None:
                mine = result if seat == 0 else -result if outline.points else 1 - result
                player.series["result"].add(mine)
                player.series["adjusted"].add(figures.adjusted)
            player.series["luck"].add(figures.luck + figures.hidden_luck)
            player.series["loss"].add(figures.loss)

    def reviews(self, level: float = LEVEL) -> list[Review]:
        """Every player, those with the most games first."""
        return [
            Review(
                name,
                points,
                player.games,
                player.decisions,
                player.loss,
                player.at_stake,
                dict(player.counts),
                None if player.talk is None else Talk(**player.talk),
                *(player.series[key].interval(level) for key in ("result", "adjusted", "luck", "loss")),
            )
            for (name, points), player in sorted(
                self._players.items(), key=lambda item: (-item[1].games, item[0])
            )
        ]


def review(outlines: Iterable[Outline], level: float = LEVEL) -> list[Review]:
    """Every player of these games, those with the most games first."""
    reviewer = Reviewer()
    for outline in outlines:
        reviewer.add(outline)
    return reviewer.reviews(level)
