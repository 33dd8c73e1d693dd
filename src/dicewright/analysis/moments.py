"""What an analysis says: each ply as a moment, each player's figures, and all of it as one JSON document.

Units: winning chances of FIRST in games won or lost, points in games for points. Luck is written in FIRST's
favour in a moment, in the player's own favour in figures; a loss is always the mover's and never negative.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..core.errors import RulesError
from ..core.game import CHANCE, FIRST, SEATS, SECOND, Action, Outcome, View, WrittenGame
from ..core.record import Record
from ..core.results import TIED, note_of
from ..core.solution import Certificate
from ..core.table import Grid, Tabled
from ..families import family

Judgement = Literal["best", "good", "inaccuracy", "mistake", "blunder", "forced", "known"]
THRESHOLDS: tuple[tuple[float, Judgement], ...] = (
    (0.08, "blunder"),
    (0.03, "mistake"),
    (0.01, "inaccuracy"),
    (1e-9, "good"),
    (0.0, "best"),
)
COSTLY = ("inaccuracy", "mistake", "blunder")  # decisions of which the reason is told
JUDGED = tuple(word for _, word in reversed(THRESHOLDS))
CHANGES = (
    "before",
    "after",
    "loss",
    "luck",
    "hidden_luck",
)  # numbers of a moment, and of a player, in documents
NUMBERS = ("decisions", "loss", "error_rate", "accuracy", "luck", "hidden_luck", "start", "adjusted")
COSTS = ("ply", "who", "view", "choice", "loss", "best", "judgement")  # columns of its tables
PLY = (*COSTS, "before", "after", "luck", "hidden_luck", "reached", "why")
FIGURES = (*NUMBERS, "dearest_ply", "best_ply", "worst_ply")


def judgement_of(loss: float) -> Judgement:
    """The word for a loss of winning chance (in games for points: of half the stakes)."""
    return next(word for least, word in THRESHOLDS if loss >= least)


@dataclass(frozen=True)
class Moment:
    """One ply: what was chosen, by whom, and what it did to FIRST's chance."""

    ply: int  # choices made before it
    who: int  # FIRST, SECOND or CHANCE
    choice: Action | Outcome
    before: float
    after: float
    loss: float = 0.0
    luck: float = 0.0
    hidden_luck: float = 0.0
    view: View = None  # what the mover saw
    worths: Mapping[Action, float] = field(default_factory=dict)  # to the mover
    best: Action | None = None
    mix: Mapping[Action, float] = field(default_factory=dict)  # how often the solved strategy takes each
    judgement: Judgement | None = None  # None for dice
    reached: bool = True  # False where the solved opponent never comes, so that worths rest on a belief
    coarse: bool = False  # True where no action counts as better than one that solved play takes
    why: str = ""  # the reason of a loss that counts, in a sentence
    off: float = 0.0  # by how much the loss may be off, in most decisions, if it is an estimate

    @property
    def decided(self) -> bool:
        """Whether a player had a choice that was judged."""
        return self.judgement in JUDGED

    @property
    def note(self) -> str:
        """What must be said with the worths."""
        return note_of(self.reached, self.coarse)

    @property
    def tied(self) -> tuple[Action, ...]:
        """Every action that is as good as the best, but for rounding."""
        least = max(self.worths.values(), default=0.0) - TIED
        return tuple(action for action, worth in self.worths.items() if worth >= least)

    @property
    def at_stake(self) -> float:
        """What the worst action would have lost."""
        return max(self.worths.values()) - min(self.worths.values()) if self.decided else 0.0


@dataclass(frozen=True)
class Talk:
    """Bids and calls of one player: how many, and how they turned out."""

    bids: int = 0
    bluffs: int = 0  # known to be false (calling games), or rather false than true by the own dice (Bluff)
    caught: int = 0  # bids that were called and were false
    calls: int = 0  # calls and challenges
    right_calls: int = 0
    over_calls: int = 0  # calls of what was true
    taken_in: int = 0  # false bids of the other that were accepted, or raised


Talks = tuple[Talk | None, Talk | None]
NO_TALK: Talks = (None, None)


@dataclass(frozen=True)
class Lost:
    """What one player's decisions lost, in all."""

    decisions: int
    loss: float
    at_stake: float  # what the worst actions would have lost

    @property
    def error_rate(self) -> float:
        """What a decision lost on average."""
        return self.loss / self.decisions if self.decisions else 0.0

    @property
    def accuracy(self) -> float:
        """100 if nothing was lost or could be, 0 if the worst action was always taken."""
        return 100.0 * (1.0 - self.loss / self.at_stake) if self.at_stake > TIED else 100.0


@dataclass(frozen=True)
class Figures(Lost):
    """One player's sums; luck and results are in the player's own favour."""

    luck: float
    hidden_luck: float
    start: float  # what the game was worth from this seat
    adjusted: float  # the result with average luck: start - own losses + the other's
    dearest_ply: int | None  # the decision that lost most
    best_ply: int | None  # the ply that helped most, and the one that hurt most
    worst_ply: int | None
    counts: Mapping[str, int]  # decisions by judgement
    talk: Talk | None = None


@dataclass(frozen=True, repr=False)
class Outline(Tabled):
    """A record's sums without its moments. start + luck - losses of FIRST + losses of SECOND = end, exactly."""

    record: Record
    certificate: Certificate
    points: bool
    figures: tuple[Figures, Figures]
    start: float
    end: float  # what the last state was worth: the result, if the game was played to its end
    result: float | None  # None while the game goes on
    against: str | None = None  # the known strategy, if losses are measured against its best response
    judged: tuple[bool, bool] = (True, True)  # whose decisions were weighed
    estimate: float = 0.0  # by how much a loss may be off in most decisions, if it is no exact number

    def __repr__(self) -> str:
        lost = " and ".join(f"{figures.loss:.4g}" for figures in self.figures)
        return f"<{type(self).__name__} of {self.record!r}: losses {lost}>"

    def table(self) -> Grid:
        """Both players' figures."""
        rows = [
            [self.players[seat], *(getattr(self.figures[seat], name) for name in FIGURES)] for seat in (0, 1)
        ]
        return Grid(("player", *FIGURES), rows, self.record.game.name)

    @property
    def adjudged(self) -> float:
        """What FIRST got by an end that was not played out: a stalemate, a cut-off, a forfeit."""
        return 0.0 if self.result is None else self.result - self.end

    @property
    def players(self) -> tuple[str, str]:
        """The players' names, or their strategies', or their seats."""
        return self.record.players

    @property
    def person(self) -> int:
        """The seat the summary is written for: FIRST, unless only SECOND is a person or is judged."""
        if not all(self.judged):
            return self.judged.index(True)
        first, second = self.record.strategies
        return SECOND if first and not second else FIRST

    def seat_of(self, player: str | None) -> int | None:
        """The seat of a player given by name or as `first` or `second`; RulesError if nobody is called so."""
        return None if player is None else seat_named(self.players, player)

    def summary(self) -> dict[str, Any]:
        """The sums as JSON knows them: an analysis document without what belongs to single plies."""
        game: WrittenGame = self.record.game
        return {
            "game": getattr(game, "name", str(game)),
            "players": list(self.players),
            "result": self.result,
            "payoff": None if self.result is None else self.record.payoff,
            "ended": self.record.ended,
            "unit": "points" if self.points else "chance",
            "against": self.against,
            **({"estimate": self.estimate} if self.estimate else {}),
            "start": self.start,
            "adjudged": self.adjudged,
            "figures": [self._figures(player) for player in (FIRST, SECOND)],
        }

    def _figures(self, player: int) -> dict[str, Any]:
        figures = self.figures[player]
        return {
            "player": self.players[player],
            **{name: getattr(figures, name) for name in FIGURES},
            "counts": dict(figures.counts),
            "talk": None if figures.talk is None else dict(vars(figures.talk)),
        }


@dataclass(frozen=True, repr=False)
class Analysis(Outline):
    """A record with every ply judged."""

    moments: tuple[Moment, ...] = ()

    def table(self) -> Grid:
        """One row a ply."""
        plies = [self._moment(self.record.game, moment) for moment in self.moments]
        return Grid(PLY, [[ply[name] for name in PLY] for ply in plies], self.record.game.name)

    def _repr_html_(self) -> str:
        from .sentences import headline, sentences

        costly = [self._moment(self.record.game, moment) for moment in self.mistakes()]
        rows = [[ply[name] for name in COSTS] for ply in costly]
        return Grid(COSTS, rows, headline(self), sentences(self, self.person))._repr_html_()

    @property
    def chances(self) -> list[float]:
        """FIRST's chance at the start and after each ply."""
        return [self.start, *(moment.after for moment in self.moments)]

    def own_chances(self, player: int) -> list[float]:
        """The player's chance (or points) at the start and after each ply."""
        whole = 0.0 if self.points else 1.0
        return [chance if player == FIRST else whole - chance for chance in self.chances]

    def between(self, player: int) -> tuple[float, float] | None:
        """Where the loss per decision lies if every loss is right within what is told; None if all are exact."""
        made = [moment for moment in self.moments if moment.who == player and moment.decided]
        if not any(moment.off for moment in made):
            return None
        low = sum(max(0.0, moment.loss - moment.off) for moment in made) / len(made)
        return low, sum(moment.loss + moment.off for moment in made) / len(made)

    def mistakes(self, player: int | None = None) -> list[Moment]:
        """Decisions that lost something, the costliest first."""
        found = (m for m in self.moments if m.decided and m.judgement != "best")
        return sorted((m for m in found if player is None or m.who == player), key=lambda m: (-m.loss, m.ply))

    def document(self, player: int | None = None) -> dict[str, Any]:
        """All of it as JSON knows it; docs/analysis.md tells the shape."""
        from .sentences import sentences

        game: WrittenGame = self.record.game
        lower, upper = self.certificate.decimals()
        return {
            **self.summary(),
            "chances": self.chances[1:],
            "moments": [self._moment(game, moment) for moment in self.moments],
            "figures": [
                {**self._figures(player), **self._range(player), "sentences": sentences(self, player)}
                for player in (FIRST, SECOND)
            ],
            "mistakes": [moment.ply for moment in self.mistakes()],
            "sentences": sentences(self, self.person if player is None else player),
            "certificate": {
                "lower": lower,
                "upper": upper,
                **{name: getattr(self.certificate, name) for name in ("gap", "proved", "method")},
            },
        }

    def _range(self, player: int) -> dict[str, Any]:
        found = self.between(player)
        return {} if found is None else {"between": list(found)}

    def _moment(self, game: WrittenGame, moment: Moment) -> dict[str, Any]:
        show = getattr(game, "show_choice", str)
        dice = moment.who == CHANCE
        return {
            "ply": moment.ply,
            "who": "dice" if dice else SEATS[moment.who],
            "choice": show(moment.choice),
            "view": None if dice else getattr(game, "show_view", str)(moment.view),
            **{name: getattr(moment, name) for name in CHANGES},
            "worths": {show(action): worth for action, worth in moment.worths.items()},
            "best": None if moment.best is None else show(moment.best),
            "mix": {show(action): float(share) for action, share in moment.mix.items()},
            "judgement": moment.judgement,
            "reached": moment.reached,
            "note": moment.note,
            "why": moment.why,
            **({"off": moment.off} if moment.off else {}),
        }


def talk_words(game: WrittenGame, name: str) -> str:
    """What a count of `Talk` is called: in calling games calls are made and challenged.

    >>> from dicewright.families.catalog import parse
    >>> talk_words(parse("mia"), "calls"), talk_words(parse("bluff"), "right_calls")
    ('challenges', 'right calls')
    """
    return family(game).counts.get(name, name.replace("_", " "))


def talk_of(game: WrittenGame, moments: Sequence[Moment]) -> Talks:
    """What each player said, counted; None in games where nothing is said. An answer follows the bid it answers."""
    kin = family(game)
    if not kin.talks:
        return NO_TALK
    words = list(kin.said(game, moments))

    def of(player: int) -> Talk:
        mine = [word for word in words if word.who == player]
        bids, answers = [word for word in mine if word.bid], [word for word in mine if not word.bid]
        calls = [word for word in answers if word.call]
        return Talk(
            bids=len(bids),
            bluffs=sum(word.bluff for word in bids),
            caught=sum(word.who != player and word.call and word.false for word in words),
            calls=len(calls),
            right_calls=sum(word.false for word in calls),
            over_calls=sum(not word.false for word in calls),
            taken_in=sum(word.false for word in answers if not word.call),
        )

    return of(FIRST), of(SECOND)


def seat_named(players: Sequence[str], player: str) -> int:
    """The seat of a player given by name or as `first` or `second`; RulesError if nobody is called so."""
    words = [*players, *SEATS]
    if player not in words:
        names = ", ".join(dict.fromkeys(words))
        raise RulesError(f"nobody is called {player!r} in this game; {names} is allowed")
    return words.index(player) % 2
