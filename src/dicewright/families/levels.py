"""Levels 1 to 8: logit players on the exact worths, as far apart from each other as from random and perfect play.

A level takes an action of worth w with a chance in proportion to exp(c w). Its precision c is found so that what it
gets of perfect play, a coin deciding who starts, is

    random + (perfect - random) level / 9,

by bisection on exact evaluation: the same on every machine, to the last of the few digits that are kept.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ..core.errors import DicewrightError, RulesError, name_of
from ..core.game import View, WrittenGame
from ..core.logit import logit_mix
from ..core.solution import Solution
from ..core.strategy import Mix

LEVEL, OPTIMAL = "level", "optimal"
LEVELS = 8
EVEN = 1e-3  # of a step from level to level: how far one may be from its place
DIGITS = 6  # of a precision
MOST_STEPS = 60
MOST_DOUBLED = 40
MOST_VIEWS = 20_000  # whose mixes a player remembers


@dataclass(frozen=True, eq=False)
class Logit:
    """Takes actions by what they are worth against solved play; a view is weighed once."""

    solution: Solution
    precision: float
    name: str
    mixes: dict[View, Mix] = field(default_factory=dict, repr=False)

    def __call__(self, view: View) -> Mix:
        """By what each action is worth."""
        if (mix := self.mixes.get(view)) is None:
            mix = logit_mix(self.solution.advise(view).worth, self.precision)
            if len(self.mixes) < MOST_VIEWS:
                self.mixes[view] = mix
        return mix

    def __str__(self) -> str:
        return self.name


class Rung(NamedTuple):
    """How a player fares against perfect play."""

    gets: float  # the mean payoff, a coin deciding who starts
    loss: (
        float | None
    )  # given away in a decision, in the unit of worths; None where decisions are not counted
    precision: float | None = None  # of a level


class Ladder(NamedTuple):
    """The levels of a game, lowest first, and its other players, all as they fare against perfect play."""

    game: str
    points: bool  # whether payoffs are points; else winning chances are told
    levels: tuple[Rung, ...]
    others: tuple[tuple[str, Rung], ...]  # by strategy

    def rung(self, text: str) -> Rung | None:
        """How the player of this line fares; None where that is not known."""
        name, _, number = text.partition(":")
        if name == LEVEL:
            return self.levels[int(number) - 1]
        return dict(self.others).get(text)

    def precision(self, number: int) -> float:
        """That of a level."""
        return self.levels[number - 1].precision or 0.0

    def told(self, rung: Rung) -> float:
        """A payoff as it is told: a winning chance, a draw counting half, or points."""
        return rung.gets if self.points else (1.0 + rung.gets) / 2.0

    def says(self, text: str) -> str:
        """How well a player plays, in a sentence; nothing where that is not known.

        >>> Ladder("nerve", False, (Rung(-0.5, 0.012, 3.0),), ()).says("level:1")
        'Wins 25.0 % of games against perfect play and gives away 1.20 % a decision.'
        """
        if (rung := self.rung(text)) is None:
            return ""
        gets = f"{self.told(rung):+.2f} points a game" if self.points else f"{self.told(rung):.1%} of games"
        each = None if rung.loss is None else f"{rung.loss:.2f} points" if self.points else f"{rung.loss:.2%}"
        gives = "" if each is None else f" and gives away {each} a decision"
        return f"{'Gets' if self.points else 'Wins'} {gets} against perfect play{gives}.".replace("%", " %")


def level_of(text: str) -> int | None:
    """The level that a line names; None for any other strategy. RulesError for a level that there is not."""
    name, _, number = text.partition(":")
    if name != LEVEL:
        return None
    number = number.removeprefix("n=")
    if number not in map(str, range(1, LEVELS + 1)):
        raise RulesError(f"level is {number or 'missing'}; 1 to {LEVELS} is allowed, such as {LEVEL}:4")
    return int(number)


def find_ladder(solution: Solution, others: Iterable[tuple[str, Callable[[], Any]]] = ()) -> Ladder:
    """The levels of a solved game, and how its `others` fare, by exact evaluation; TooLarge where there is none."""
    from .catalog import family

    game, player = solution.game, solution.player
    kin = family(game)
    fares = _fares(kin, game, player)
    least, most = fares(kin.leveled(solution, 0.0, "")), fares(player)
    levels: list[Rung] = []
    low, high = 0.0, 1.0 / solution.stakes
    for number in range(1, LEVELS + 1):
        aim = least + (most - least) * number / (LEVELS + 1)
        near = EVEN * (most - least) / (LEVELS + 1) / 2
        precision = _precision(lambda c: fares(kin.leveled(solution, c, "")), aim, near, low, high)
        levels.append(_rung(kin, game, player, kin.leveled(solution, precision, ""), fares, precision))
        low, high = precision, 2.0 * precision
    known = [(OPTIMAL, Rung(most, 0.0))]
    for text, make in others:
        try:
            known.append((text, _rung(kin, game, player, make(), fares)))
        except DicewrightError:  # it cannot be met exactly, or not play this game
            continue
    return Ladder(name_of(game), kin.points(game), tuple(levels), tuple(known))


def _fares(kin: Any, game: WrittenGame, player: Any) -> Callable[[Any], float]:
    def fares(strategy: Any) -> float:
        found = kin.evaluate(game, strategy, player)
        return float(found.a_first.payoff - found.b_first.payoff) / 2.0

    return fares


def _rung(
    kin: Any, game: WrittenGame, player: Any, strategy: Any, fares: Any, precision: float | None = None
) -> Rung:
    gets = fares(strategy)
    if (loss := kin.loss_of(game, strategy)) is not None:
        return Rung(gets, loss, precision)
    try:
        kin.check_grade(game)
        found = _critic(kin, game, player)(strategy)
    except DicewrightError:
        return Rung(gets, None, precision)
    return Rung(gets, max(0.0, found.gap / found.decisions), precision)


@lru_cache(maxsize=1)
def _critic(kin: Any, game: WrittenGame, player: Any) -> Callable[[Any], Any]:
    found: Callable[[Any], Any] = kin.critic(game, player)
    return found


def _precision(got: Callable[[float], float], aim: float, near: float, low: float, high: float) -> float:
    """The precision, of few digits, at which `got` is as near as this to the aim; it rises from `low` on.

    The bracket is halved every other time, and else parted where a straight line would meet the aim.
    """
    below, above = got(low) - aim, got(high) - aim
    for _ in range(MOST_DOUBLED):
        if above >= 0:
            break
        low, below, high = high, above, 2.0 * high
        above = got(high) - aim
    for step in range(MOST_STEPS):
        part = -below / (above - below) if step % 2 == 0 and above > below else 0.5
        middle = float(f"{low + (high - low) * part:.{DIGITS}g}")
        off = got(middle) - aim
        if abs(off) <= near or middle in (low, high):
            return middle
        if off < 0:
            low, below = middle, off
        else:
            high, above = middle, off
    return middle
