"""A player over many analysed games: sums and averages with their intervals, and habits beside the equilibrium.

Each decision to bluff or call is compared with the equilibrium's mix in the same view, so a player who was dealt poor
dice is not taken for one who bluffs much.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from typing import Any, Literal

from ..analysis.exact import best_response
from ..analysis.moments import Analysis, Lost, Moment, Outline, Talk
from ..core.errors import TooLarge
from ..core.game import Action, View, WrittenGame
from ..core.solution import Solution
from ..core.strategy import Mix, Strategy, decide
from ..families import family
from .margin import LEVEL
from .statistics import Interval, interval, mean_interval

FEWEST = 5  # games that have an interval
MEANS = ("result", "adjusted", "luck", "loss_per_game")
KEPT = ("talk", *MEANS)
NUMBERS = ("games", "decisions", "loss", "error_rate", "accuracy", "counts")
Kind = Literal["bluffs", "calls"]
PRIOR = 5.0  # decisions' worth of equilibrium that a view's frequencies are mixed with
ADVICE = {
    ("bluffs", True): "call more",
    ("bluffs", False): "call less",
    ("calls", True): "bluff less",
    ("calls", False): "bluff more",
}


@dataclass
class _Series:
    """A sum that knows its spread."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

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
class Review(Lost):
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
        found = {
            name: None if getattr(self, name) is None else dict(vars(getattr(self, name))) for name in KEPT
        }
        return {
            "player": self.player,
            "game": self.game,
            "unit": "points" if self.points else "chance",
            **{name: getattr(self, name) for name in NUMBERS},
            **found,
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


@dataclass(frozen=True)
class Habit:
    """How often a player did something where it could be done and left, beside the equilibrium there."""

    kind: Kind
    taken: Interval  # Wilson's; `games` are decisions
    equilibrium: float

    @property
    def told(self) -> bool:
        """Whether the interval leaves the equilibrium out."""
        return self.equilibrium not in self.taken

    @property
    def answer(self) -> str | None:
        """What an opponent does about it, if it is told."""
        return ADVICE[self.kind, self.taken.estimate > self.equilibrium] if self.told else None


@dataclass(frozen=True)
class Exploit:
    """What a best response wins against the player's fitted strategy, from either seat, as winning chances."""

    first_wins: float
    second_wins: float
    value: float  # the first seat's winning chance in equilibrium

    @property
    def gain(self) -> float:
        """What it wins above the equilibrium, either seat equally often."""
        return (self.first_wins + self.second_wins - 1) / 2


@dataclass(frozen=True)
class Habits:
    """One player's habits in one game."""

    player: str
    game: WrittenGame
    habits: tuple[Habit, ...]
    views: Mapping[View, Mapping[Action, int]]

    def document(self) -> dict[str, Any]:
        """The habits as JSON knows them."""
        return {
            "player": self.player,
            "game": self.game.name,
            **{
                habit.kind: {
                    **vars(habit.taken),
                    "games": None,
                    "decisions": habit.taken.games,
                    "equilibrium": habit.equilibrium,
                    "told": habit.told,
                    "answer": habit.answer,
                }
                for habit in self.habits
            },
        }


@dataclass
class _Counts:
    done: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)
    expected: Counter[str] = field(default_factory=Counter)
    views: dict[View, Counter[Action]] = field(default_factory=lambda: defaultdict(Counter))


class HabitCounter:
    """Counts decisions as analyses come; players are told apart by name and game.

    `solution_for` gives a game's equilibrium. It is asked where an analysis is measured against a known strategy:
    the mixes in its moments are then the best answer's.
    """

    def __init__(self, solution_for: Callable[[Any], Solution] | None = None) -> None:
        self._solution_for = solution_for
        self._counts: dict[tuple[str, Any], _Counts] = defaultdict(_Counts)

    def add(self, analysis: Analysis) -> None:
        """Count the decisions of one game; where nothing is said there are no such habits."""
        game = analysis.record.game
        if not family(game).talks:
            return
        solved = self._solution_for(game).strategies if analysis.against and self._solution_for else None
        for moment in analysis.moments:
            if moment.decided:
                mix = decide(game, moment.view, solved[moment.who]) if solved else moment.mix
                self._decision(game, self._counts[analysis.players[moment.who], game], moment, mix)

    def _decision(
        self, game: WrittenGame, counts: _Counts, moment: Moment, mix: Mapping[Action, float]
    ) -> None:
        counts.views[moment.view][moment.choice] += 1
        kin = family(game)
        for kind, tells in (("bluffs", kin.is_bluff), ("calls", kin.is_call)):
            yes = {action for action in moment.worths if tells(game, moment.view, action)}
            if yes and len(yes) < len(moment.worths):
                counts.times[kind] += 1
                counts.done[kind] += moment.choice in yes
                counts.expected[kind] += sum(mix.get(action, 0.0) for action in yes)  # type: ignore[assignment]

    def habits(self, level: float = LEVEL) -> list[Habits]:
        """Everybody's habits."""
        return [
            Habits(
                name,
                game,
                tuple(
                    Habit(
                        kind,
                        interval(counts.done[kind], counts.times[kind], level),
                        counts.expected[kind] / counts.times[kind],
                    )
                    for kind in ("bluffs", "calls")
                    if counts.times[kind]
                ),
                counts.views,
            )
            for (name, game), counts in self._counts.items()
        ]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A player's frequencies as a strategy: n(a) decisions and PRIOR more in equilibrium's proportion.

        mix(a) = (n(a) + PRIOR e(a)) / (n + PRIOR),    e the equilibrium's mix in this view

    Where nothing was seen it is the equilibrium.
    """

    base: Strategy
    views: Mapping[View, Mapping[Action, int]]

    def __call__(self, view: View) -> Mix:
        """The mix in this view."""
        seen = self.views.get(view, {})
        mix = self.base(view)
        total = sum(seen.values()) + PRIOR
        actions = dict.fromkeys((*mix, *seen))
        return {action: (seen.get(action, 0) + PRIOR * mix.get(action, 0.0)) / total for action in actions}

    def __str__(self) -> str:
        return "the fitted player"


def exploit(habits: Habits, solution: Solution) -> Exploit | None:
    """What a best response to the fitted player wins; None where finding it takes long."""
    game = habits.game
    if not family(game).soon_answered(game):
        return None
    try:
        found = best_response(game, Fitted(solution.player, habits.views))  # type: ignore[arg-type]
    except TooLarge:
        return None
    value = (1 + solution.certificate.value) / 2
    return Exploit(float(found.first_wins or 0.0), float(found.second_wins or 0.0), value)
