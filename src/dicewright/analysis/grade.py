"""A strategy graded: what it loses to a rival in all, and what that is made of, in numbers and in words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..core.game import WrittenGame
from ..core.losses import Losses
from ..core.solution import Solution, seats
from ..core.strategy import line_of
from ..core.table import Grid, Tabled
from ..families import admit, family
from .sentences import figure

PERFECT = "perfect play"
NOTHING = 1e-12  # less is lost by rounding alone
DEAREST = 10  # slips that are listed
STANDING = "standing still"  # the habit of one whose play never ends
COSTLY = 0.01  # of winning chance: choices that lose less have no reason told
LEAST = 0.01  # of the loss: smaller parts are left out of sentences


class LostShare(NamedTuple):
    """What slips with something in common lose in a game, and which share that is of all that is lost."""

    name: str
    loss: float
    share: float


class Costly(NamedTuple):
    """One slip: where, what was done, what is best, how often that happens in a game and what it costs each time."""

    position: str
    words: str
    did: str
    best: str
    times: float
    each: float
    loss: float
    why: str = ""  # the reason, where the rival is perfect


@dataclass(frozen=True, eq=False)
class Grade(Tabled):
    """What a strategy loses to a rival; chances, or points in a game for points."""

    game: WrittenGame
    strategy: str
    against: str
    points: bool
    losses: Losses
    judge: Callable[[], Solution] | None = None  # the solution of the game, if the rival plays it

    def __repr__(self) -> str:
        return f"<Grade of {self.strategy} in {self.game.name}: loses {self.amount(self.loss)} against {self.against}>"

    def table(self) -> Grid:
        """The slips, dearest first: where, what was done, what is best, how often and what it costs."""
        return Grid(Costly._fields, self.dearest(len(self.losses.lost)))

    def _repr_html_(self) -> str:
        return Grid(Costly._fields, self.dearest(), self.strategy, [*self.sentences()])._repr_html_()

    @property
    def loss(self) -> float:
        """All that is lost: what the best answer to the rival gets, minus what the strategy gets."""
        return max(0.0, self.losses.gap)

    def parts(self, title: str) -> list[LostShare]:
        """The loss by what slips of a group have in common, largest first; they add up to it, but for standstills."""
        names, which = self.losses.groups[title]
        sums = np.bincount(which, self.losses.lost, len(names))
        order = np.argsort(-sums, kind="stable")
        return [LostShare(names[n], float(sums[n]), float(sums[n]) / self.loss) for n in order if sums[n] > 0]

    @property
    def titles(self) -> tuple[str, ...]:
        """What the loss is taken apart by."""
        return tuple(self.losses.groups)

    @property
    def habit(self) -> str:
        """What loses most; nothing for one who loses nothing, by slips or where play never ends."""
        if self.loss <= NOTHING:
            return ""
        slips = self.parts(self.titles[0])
        return slips[0].name if slips else STANDING if self.losses.standstill > NOTHING else ""

    def dearest(self, most: int = DEAREST) -> list[Costly]:
        """The slips that lose most in a game, largest first."""
        game, kin, losses = self.game, family(self.game), self.losses
        lost = losses.lost
        order = np.argsort(-lost, kind="stable")[:most] if self.loss > NOTHING else ()
        found = []
        for n in order:
            slip = losses.slip(int(n))
            doing = kin.acting(game, slip.did), kin.acting(game, slip.best)
            figures = float(losses.times[n]), float(losses.each[n]), float(lost[n])
            words = kin.decision(game, slip.view, slip.did)
            judged = self.judge is not None and figures[1] >= COSTLY and not self.points
            why = kin.why(game, self.judge(), *slip) if judged and self.judge else ""
            found.append(Costly(game.show_view(slip.view), words, *doing, *figures, why))
        return found

    def amount(self, number: float, digits: int = 3) -> str:
        """A chance or points as people read them."""
        return f"{figure(number, digits + 1)} points" if self.points else f"{figure(100 * number, digits)} %"

    def sentences(self) -> Iterator[str]:
        """What it loses, by which habit, where, and the dearest slip."""
        losses = self.losses
        verb = "gets" if self.points else "wins"
        head = (
            f"{self.strategy} {verb} {self.amount(losses.got)} against {self.against}, "
            f"the best answer {self.amount(losses.best)}"
        )
        if self.loss <= NOTHING:
            yield f"{head}: it gives nothing away."
            return
        yield f"{head}: it loses {self.amount(self.loss)}."
        habit, *zones = self.titles
        told = [f"{percent(part.share)} {part.name}" for part in self.parts(habit) if part.share >= LEAST]
        if told:
            yield f"Of that, {_listed(told)}."
        for title in zones:
            if parts := self.parts(title):
                yield f"{percent(parts[0].share)} is lost {parts[0].name}."
        if losses.standstill > NOTHING:
            yield f"{percent(losses.standstill / self.loss)} is lost where play never ends."
        for place in self.dearest(1):
            yield (
                f"The dearest choice is {place.words}: {place.best} is better by {self.amount(place.each)} each time, "
                f"and it comes {often(place.times)}.{f' {place.why}' if place.why else ''}"
            )

    def document(self) -> dict[str, Any]:
        """All of it as plain data."""
        losses = self.losses
        return {
            "game": self.game.name,
            "strategy": self.strategy,
            "against": self.against,
            "unit": "points" if self.points else "winning chance",
            "best": losses.best,
            "got": losses.got,
            "loss": self.loss,
            "decisions": losses.decisions,
            "slips": float(losses.times.sum()),
            "standstill": losses.standstill,
            "groups": {title: [part._asdict() for part in self.parts(title)] for title in self.titles},
            "dearest": [place._asdict() for place in self.dearest()],
        }


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{figure(100 * share, 0)} %"


def often(times: float) -> str:
    """A mean number of times in a game, as people say it.

    >>> often(2.5), often(0.97), often(0.004)
    ('2.5 times a game', 'about once a game', 'once in 250 games')
    """
    if times >= 1.05:
        return f"{times:.1f} times a game"
    return "about once a game" if round(1 / times) == 1 else f"once in {1 / times:,.0f} games"


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def grader(
    game: WrittenGame, rival: Any, against: str, judge: Callable[[], Solution] | None = None
) -> Callable[[Any, str], Grade]:
    """Grades strategies by what they lose to a rival, who is answered once for all of them; each has a name.

    A rival who plays a solution has it as `judge`: it says why choices lose.
    """
    admit(game)
    kin = family(game)
    critic = kin.critic(game, rival)
    points = kin.points(game)

    def grade(strategy: Any, name: str = "") -> Grade:
        both = seats(strategy)
        named = name or line_of(both[0] if both[0] is both[1] else strategy)
        return Grade(game, named, against, points, critic(strategy), judge)

    return grade


def ranked(grades: Sequence[Grade]) -> list[tuple[int, int]]:
    """The rank and the number of each, least loss first; those whose losses differ by rounding alone share a rank."""
    order = sorted(range(len(grades)), key=lambda number: grades[number].loss)
    found: list[tuple[int, int]] = []
    for place, number in enumerate(order):
        tied = place > 0 and grades[number].loss - grades[order[place - 1]].loss <= NOTHING
        found.append((found[-1][0] if tied else place + 1, number))
    return found
