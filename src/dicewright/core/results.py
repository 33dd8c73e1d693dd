"""What the exact analyses answer, alike for every family of games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

from .errors import MOST_QUOTED, shown
from .game import Action, WrittenGame
from .strategy import Strategy
from .table import Grid, Tabled

SLIP = "A perfect opponent never plays to here; these chances suppose a slip."
COARSE = "So far from solved play no action counts as better than one that it takes."
DUEL = ("first_wins", "second_wins", "stalemate", "expected_turns", "payoff")
TIED = 1e-9  # worths that differ by less are one worth, off by rounding
SHARE = 0.01  # of the solved mix from which on an action is one of its own


def estimate(off: float) -> str:
    """What is said of losses that are estimates; nothing where they are not.

    >>> estimate(0.004)
    'Estimates by a trained player: in rounds small enough to be checked, most losses are right within 0.4 %.'
    """
    if not off:
        return ""
    within = f"most losses are right within {100 * off:.1g} %"
    return f"Estimates by a trained player: in rounds small enough to be checked, {within}."


@dataclass(frozen=True)
class Duel(Tabled):
    """Two strategies met with a fixed starter: chances, and the payoff to the player who started."""

    first_wins: float
    second_wins: float
    stalemate: float  # play that never ends, or a draw
    expected_turns: float  # infinite if play may never end
    payoff: float

    def table(self) -> Grid:
        """One row."""
        return Grid(DUEL, [[getattr(self, name) for name in DUEL]])


@dataclass(frozen=True)
class Evaluation(Tabled):
    """Strategies A and B against each other, exactly, with either of them starting."""

    a_first: Duel
    b_first: Duel

    @property
    def a_overall(self) -> float:
        """A's winning chance when a coin decides who starts."""
        return (self.a_first.first_wins + self.b_first.second_wins) / 2

    @property
    def b_overall(self) -> float:
        """B's winning chance when a coin decides who starts."""
        return (self.a_first.second_wins + self.b_first.first_wins) / 2

    def __repr__(self) -> str:
        met = self.a_first.first_wins, self.b_first.second_wins, self.a_overall
        return "<Evaluation: A wins {:.6g} starting, {:.6g} when B starts, {:.6g} overall>".format(*met)

    def table(self) -> Grid:
        """A's and B's chances by who starts, and when a coin decides it."""
        a, b = self.a_first, self.b_first
        rows = [
            ("A", a.first_wins, a.second_wins, a.stalemate, a.expected_turns, a.payoff),
            ("B", b.second_wins, b.first_wins, b.stalemate, b.expected_turns, -b.payoff),
        ]
        mean = [(one + two) / 2 for one, two in zip(rows[0][1:], rows[1][1:], strict=True)]
        names = ("starts", "a_wins", "b_wins", "stalemate", "expected_turns", "payoff_to_a")
        return Grid(names, [*rows, ("either", *mean)])


@dataclass(frozen=True)
class Response(Tabled):
    """A best response: what the responder gets moving first and moving second, and how."""

    strategy: Strategy | tuple[Strategy, Strategy]  # one for both seats, or one for each
    first_payoff: float
    second_payoff: float
    first_wins: float | None  # None where payoffs are points
    second_wins: float | None

    def __repr__(self) -> str:
        gets = f"{self.first_payoff:.6g} moving first and {self.second_payoff:.6g} moving second"
        return f"<Response: gets {gets}>"

    def table(self) -> Grid:
        """What the responder gets from either seat."""
        rows = [
            ("first", self.first_payoff, self.first_wins),
            ("second", self.second_payoff, self.second_wins),
        ]
        return Grid(("seat", "payoff", "wins"), rows)


@dataclass(frozen=True)
class Advice(Tabled):
    """What each action is worth to the player in this view, and which is best.

    `worth` is the winning chance (or the expected payoff in a game for points); `mix` says how often
    the solved strategy takes each action. `reached` is False where the solved opponent never comes: worths
    then rest on the slips for which the solved strategy was chosen, and `note` says so. `coarse` is said by `agreed`.
    """

    view: Any
    worth: Mapping[Action, float]
    best: Action
    mix: Mapping[Action, float]
    reached: bool = True
    coarse: bool = False
    game: WrittenGame | None = field(
        default=None, compare=False, repr=False
    )  # writes the view and the actions
    off: float = 0.0  # by how much a loss may be off where worths are estimates, in most decisions

    def __repr__(self) -> str:
        best = ", ".join(f"{self._show(action)} {self.worth[action]:.6g}" for action in self.tied[:3])
        return f"<Advice at {self._place}: {best}, of {len(self.worth)} actions>"

    @property
    def _place(self) -> str:
        return shown(str(self.view) if self.game is None else self.game.show_view(self.view), MOST_QUOTED)

    def _show(self, action: Action) -> str:
        return str(action) if self.game is None else self.game.show_choice(action)

    def table(self) -> Grid:
        """What each action is worth, what it loses and how often it is taken, best first."""
        top = max(self.worth.values())
        rows = [
            (self._show(action), float(worth), float(top - worth), float(self.mix.get(action, 0.0)))
            for action, worth in sorted(self.worth.items(), key=lambda pair: -pair[1])
        ]
        title = f"{self.game.name} at {self._place}" if self.game is not None else self._place
        return Grid(("action", "worth", "loss", "how_often"), rows, title, (self.note,) if self.note else ())

    @property
    def note(self) -> str:
        """What must be said with the worths; nothing where they are exact and the solved opponent may have come."""
        return " ".join(filter(None, (estimate(self.off), note_of(self.reached, self.coarse))))

    def agreed(self, slack: float) -> "Advice":
        """The same; but where an action of the mix seems to lose more than this, none counts as better than that one.

        Solved play then answers more than the one slip that is believed, and the worths, taken by themselves, know less
        than the mix: to act on them may cost more than they promise.
        """
        taken = min(SHARE, max(self.mix.values(), default=0.0))
        least = min((self.worth[action] for action, share in self.mix.items() if share >= taken), default=inf)
        if max(self.worth.values()) - least <= slack + TIED:
            return self
        worth = {action: min(number, least) for action, number in self.worth.items()}
        return replace(self, worth=worth, best=max(self.mix, key=lambda a: self.mix[a]), coarse=True)

    @property
    def tied(self) -> tuple[Action, ...]:
        """Every action that is as good as the best, but for rounding."""
        least = max(self.worth.values()) - TIED
        return tuple(action for action, worth in self.worth.items() if worth >= least)


def note_of(reached: bool, coarse: bool) -> str:
    """What must be said with worths."""
    return "" if reached and not coarse else COARSE if coarse else SLIP


class Sums(NamedTuple):
    """What one player's decisions in a game lost in all, and the plies that counted most."""

    decisions: int
    loss: float
    at_stake: float  # what the worst actions would have lost
    dearest_ply: int | None  # the decision that lost most
    best_ply: int | None  # the ply that helped most, and the one that hurt most
    worst_ply: int | None
    counts: tuple[int, ...]  # decisions by the highest threshold that their loss reaches


class Weighing(NamedTuple):
    """A game weighed as a whole: winning chances, or points."""

    luck: float  # in FIRST's favour
    sums: tuple[Sums, Sums]


class Place(NamedTuple):
    """Where a decision was made: what the mover saw, what each action was worth to them, and which was best."""

    position: str
    worths: tuple[tuple[str, float], ...]  # by the action's token, as the game lists them
    best: str


class Decisions(NamedTuple):
    """The decisions of several games in order, as columns: a number each for every decision."""

    game: Sequence[int]  # among those given
    ply: Sequence[int]  # choices made before it
    seat: Sequence[int]
    place: Sequence[Place]
    choice: Sequence[str]
    loss: Sequence[float]
    luck_before: Sequence[float]  # of the mover, since the game began
    luck_after: Sequence[float]  # the same after the dice that answered the choice
