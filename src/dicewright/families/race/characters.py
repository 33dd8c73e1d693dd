"""Characters: players with an attitude to risk, moved by the other, or with an unsteady hand (Exeter 1.5 and 3.2).

In a game won or lost no attitude to risk changes what is best: whatever the two ends are worth to a player,

    E u = u(lost) + (u(won) - u(lost)) P(won),

so every utility with u(won) > u(lost) ranks actions as the winning chance does. The attitudes here are to the points
of a turn, as Exeter reads them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, ClassVar

import numpy as np

from ...core.errors import RulesError, TooLarge
from ...core.notation import Kind, Named, notation
from . import play_kernels
from .kernels import Floats
from .rules import Effect, RaceGame
from .solution import solve_values
from .strategies import NEVER, Threshold
from .tabled import TableStrategy, check_one_roll, rules_of, worths_of
from .weighed import by_chances, by_weights

PRECISIONS = (64, 256, 1024)  # bits; powers equal to all of these are taken to be equal, and a tie holds
MOST_POWER = 20
MOST_GOAL = 250  # a mix for each state: goal^3 / 2 of them
MOST_LOGIT = 300 << 20  # bytes of what actions give away


def _read_number(text: str) -> Fraction:
    if not re.fullmatch(r"-?[0-9]{1,6}([./][0-9]{1,6})?", text):
        raise ValueError(text)
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(text) from None


def _show_number(value: Any) -> str:
    return str(Fraction(str(value)) if isinstance(value, float) else Fraction(value))


Number = Annotated[Fraction, Kind(_read_number, _show_number, "a number such as 2, 0.5 or 1/2")]


@lru_cache(maxsize=64)
def hold_for(game: RaceGame, power: Fraction) -> int:
    """The turn total from which a player holds who plays for the expected power u(x) = x^power of a turn's points.

    One more roll at turn total k is better than holding while

        sum_add p (k + points)^power + sum_bank p points^power  >  k^power.

    Divided by the right side the left side falls in k, so the holds are a closed set and one step of look-ahead is
    optimal (Roters 1998 for power 1). The goal is ignored. Whole powers are compared as fractions, others as balls.
    O(goal) comparisons.

    >>> from dicewright.families.race.named import pig
    >>> [hold_for(pig(), Fraction(power)) for power in ("1/2", "1", "2")]
    [10, 20, 43]
    """
    check_one_roll(game, f"a player of x^{power}")
    return next((k for k in range(1, game.goal) if not _better_to_roll(game, power, k)), NEVER)


def _better_to_roll(game: RaceGame, power: Fraction, k: int) -> bool:
    faces = [(p, points + k if e is Effect.ADD else points) for p, e, points in game.rolls[0][1]
             if e in (Effect.ADD, Effect.BANK)]  # fmt: skip
    if power.denominator == 1:
        rolled: Fraction = sum((p * points**power.numerator for p, points in faces), Fraction(0))
        return bool(rolled > k**power.numerator)
    from flint import arb, ctx

    for bits in PRECISIONS:
        with ctx.workprec(bits):
            exponent = arb(power.numerator) / power.denominator
            more: Any = -(arb(k) ** exponent)
            for p, points in faces:
                more += arb(points) ** exponent * p.numerator / p.denominator
            if more > 0 or more < 0:
                return bool(more > 0)
    return False


@dataclass(frozen=True)
class Attitude(Threshold):
    """Play each turn for the expected power of its points: u(x) = x^power, nothing for a lost turn."""

    game: RaceGame
    power: Number = Fraction(1)
    key: ClassVar[str] = "attitude"
    powers: ClassVar[tuple[int, int]] = (0, MOST_POWER)

    def __post_init__(self) -> None:
        Named.__post_init__(self)
        least, most = self.powers
        if not least < self.power < most:
            raise RulesError(
                f"power is {self.power} in {self.key}; more than {least} and less than {most} is allowed"
            )

    def hold_at(self, mine: Any, yours: Any) -> Any:
        """The same number at all scores."""
        return np.full(np.shape(mine), hold_for(self.game, self.power))


@dataclass(frozen=True)
class Averse(Attitude):
    """Prefer the sure points: a concave utility of a turn's points (Exeter 1.5.3, figure 4)."""

    power: Number = Fraction(1, 2)
    key: ClassVar[str] = "averse"
    powers: ClassVar[tuple[int, int]] = (0, 1)


@dataclass(frozen=True)
class Loving(Attitude):
    """Prefer the gamble: a convex utility of a turn's points (Exeter 1.5.3, figure 4)."""

    power: Number = Fraction(2)
    key: ClassVar[str] = "loving"
    powers: ClassVar[tuple[int, int]] = (1, MOST_POWER)


@dataclass(frozen=True)
class Neutral(Threshold):
    """Play each turn for its expected points: hold at 20 in Pig (Exeter 1.5.3, figure 4; Knizia 1999)."""

    game: RaceGame
    key: ClassVar[str] = "neutral"

    def __post_init__(self) -> None:
        Named.__post_init__(self)

    def hold_at(self, mine: Any, yours: Any) -> Any:
        """The same number at all scores."""
        return np.full(np.shape(mine), hold_for(self.game, Fraction(1)))


@dataclass(frozen=True)
class Influenced(Threshold):
    """Roll on when behind and stop early when ahead, far more than winning demands (Exeter 3.2.2, game 14).

    Hold at base + (yours - mine) / share, halves up, and at 1 at the least; the optimum is nearer a share of 8.
    """

    base: int = 20
    share: int = 3
    key: ClassVar[str] = "influenced"

    def hold_at(self, mine: Any, yours: Any) -> Any:
        """The base, moved by the lead."""
        return np.maximum(1, self.base + np.floor((yours - mine) / self.share + 0.5).astype(int))


@dataclass(frozen=True)
class Mirroring(Threshold):
    """Copy the other: hold at what the other's latest scoring turn gained, at `base` before (Exeter 3.2.2, game 11)."""

    game: RaceGame
    base: int = 20
    key: ClassVar[str] = "mirroring"

    def __post_init__(self) -> None:
        Named.__post_init__(self)
        if self.base < 1:
            raise RulesError(f"base is {self.base} in {self.key}; whole numbers from 1 on are allowed")

    @property
    def memories(self) -> int:
        """The points of the other's latest scoring turn, 0 before there is one."""
        return self.game.goal

    def remember(self, memory: int, gained: int) -> int:
        """One's own turns change nothing."""
        return memory

    def watch(self, memory: int, gained: int) -> int:
        """The other's turn is the one to copy."""
        return gained

    def hold_at(self, mine: Any, yours: Any, memory: int = 0) -> Any:
        """The other's turn."""
        return np.full(np.shape(mine), memory or self.base)


@lru_cache(maxsize=2)
def given_away(game: RaceGame) -> Floats:
    """[mine, yours, turn, action]: what a hold and each roll give away, a winning chance (points in a game for points).

    O(goal^3) time, 8 goal^3 bytes for each action.
    """
    rules, losses = rules_of(game), np.zeros((game.goal,) * 3 + (1 + len(game.rolls),))
    play_kernels.fill_losses(rules, worths_of(solve_values(game).worth), losses)
    if game.payoff_rule == "win":
        losses /= 2.0
    losses.setflags(write=False)
    return losses


@lru_cache(maxsize=2)
def differences(game: RaceGame) -> Floats:
    """[mine, yours, turn]: what a roll is worth more than a hold, a winning chance (points in a game for points).

    O(goal^3) time, 8 goal^3 bytes.
    """
    check_one_roll(game, "the difference of roll and hold")
    if game.goal > MOST_GOAL:
        raise TooLarge(f"the goal of {game.name} is {game.goal}; up to {MOST_GOAL} is allowed here")
    losses = given_away(game)
    found: Floats = losses[..., 0] - losses[..., 1]
    found.setflags(write=False)
    return found


def noisy(game: RaceGame, precision: Number = Fraction(100), bias: Number = Fraction(0)) -> TableStrategy:
    """Roll with chance 1 / (1 + exp(bias - precision (worth of roll - worth of hold))) (McKelvey & Palfrey 1995).

    The worths are exact winning chances against the optimum; a bias above 0 likes to hold. goal^3 / 2 mixes.
    """
    name = notation("noisy", noisy, {"precision": precision, "bias": bias})
    odds = float(precision) * differences(game) - float(bias)
    return by_chances(game, np.stack([-np.logaddexp(0.0, odds), -np.logaddexp(0.0, -odds)], axis=3), name)


def check_levels(game: RaceGame) -> None:
    """TooLarge for a game whose choices are too many to be weighed at once."""
    if (size := 8 * game.goal**3 * (1 + len(game.rolls))) > MOST_LOGIT:
        raise TooLarge(f"levels of {game.name} need {size >> 20} MB; {MOST_LOGIT >> 20} MB is allowed")


def logit(game: RaceGame, precision: float, name: str) -> TableStrategy:
    """The logit player of this precision, whatever can be rolled."""
    check_levels(game)
    return by_weights(game, -precision * given_away(game), name)


CHARACTERS: dict[str, Callable[..., Any]] = {
    **{one.key: one for one in (Averse, Neutral, Loving, Influenced, Mirroring)},
    "noisy": noisy,
}
