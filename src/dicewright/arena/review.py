"""A player over many analysed games: sums, averages and their intervals."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from typing import Any

from ..analysis.moments import Losses, Outline, Talk
from ..core.game import WrittenGame
from .margin import LEVEL
from .statistics import Interval, mean_interval

FEWEST = 5  # games that have an interval
MEANS = ("result", "adjusted", "luck", "loss_per_game")


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

    def interval(self, level: float, least: float = -inf, most: float = inf) -> Interval | None:
        """Of the mean, within what it can be; None for fewer than FEWEST values, which say too little."""
        if self.count < FEWEST:
            return None
        mean = self.total / self.count
        spread = max(0.0, self.squares / self.count - mean * mean) * self.count / (self.count - 1)
        found = mean_interval(mean, sqrt(spread / self.count), self.count, level)
        return replace(found, low=max(least, found.low), high=min(most, found.high))


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
class Review(Losses):
    """One player over many matches of one game; averages are for a match and in the player's favour.

    Below FEWEST matches there are means and no intervals. Intervals stay within 0 and 1 for results that are
    chances, and not below 0 for losses.
    """

    player: str
    game: str
    points: bool
    games: int
    counts: dict[str, int]
    talk: Talk | None
    result: Interval | None  # of finished games
    adjusted: Interval | None  # the result with average luck
    luck: Interval | None
    loss_per_game: Interval | None
    means: dict[str, float]  # of the same four, as far as there is a game

    def document(self) -> dict[str, Any]:
        """All of it as JSON knows it."""
        means = {
            name: None if (found := getattr(self, name)) is None else dict(vars(found)) for name in MEANS
        }
        return {
            "player": self.player,
            "game": self.game,
            "unit": "points" if self.points else "chance",
            "games": self.games,
            "decisions": self.decisions,
            "loss": self.loss,
            "error_rate": self.error_rate,
            "accuracy": self.accuracy,
            "counts": self.counts,
            "talk": None if self.talk is None else dict(vars(self.talk)),
            **means,
            "means": {name: self.means.get(name) for name in MEANS},
        }


class Reviewer:
    """Adds up outlines as they come; players are told apart by name and game."""

    def __init__(self) -> None:
        self._players: dict[tuple[str, str, bool], _Player] = defaultdict(_Player)

    def add(self, outline: Outline) -> None:
        """Add both players of one match."""
        game: WrittenGame = outline.record.game
        for seat, (name, figures) in enumerate(zip(outline.players, outline.figures, strict=True)):
            player = self._players[name, getattr(game, "name", str(game)), outline.points]
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
            player.series["loss_per_game"].add(figures.loss)

    def reviews(self, level: float = LEVEL) -> list[Review]:
        """Every player in every game, those with the most matches first."""
        found = sorted(self._players.items(), key=lambda item: (-item[1].games, item[0]))
        return [_review(*key, player, level) for key, player in found]


def _review(name: str, game: str, points: bool, player: _Player, level: float) -> Review:
    series = player.series
    least, most = (-inf, inf) if points else (0.0, 1.0)
    return Review(
        player=name,
        game=game,
        points=points,
        games=player.games,
        decisions=player.decisions,
        loss=player.loss,
        at_stake=player.at_stake,
        counts=dict(player.counts),
        talk=None if player.talk is None else Talk(**player.talk),
        result=series["result"].interval(level, least, most),
        adjusted=series["adjusted"].interval(level),
        luck=series["luck"].interval(level),
        loss_per_game=series["loss_per_game"].interval(level, 0.0),
        means={key: found.total / found.count for key, found in series.items() if found.count},
    )


def review(outlines: Iterable[Outline], level: float = LEVEL) -> list[Review]:
    """Every player in every game of these matches, those with the most matches first."""
    reviewer = Reviewer()
    for outline in outlines:
        reviewer.add(outline)
    return reviewer.reviews(level)
