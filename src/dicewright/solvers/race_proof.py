"""The checker of race games: proves what a strategy is worth, with code no solver shares.

THEOREM. Let both players of a race game without RUIN follow one strategy s, and let V be the expected payoff
from each position. Suppose that
  (1) no single deviation from s gains: at every turn total that rolls can reach, in every pair of scores, each
      allowed action is worth at most what s gets there, if both players return to s afterwards; and
  (2) a follower of s whose score can still win changes that score in each turn with a chance of at least q > 0.
Then V is the value of the game, and s is optimal for both players.

PROOF. Let a player deviate from s in any way against s. By (1) V, seen by the deviator, never rises on average:
a bounded supermartingale. Scores never fall and a turn never ends without a bust, a hold or a goal, so play
that never ends comes to rest at one pair of scores, and by (2) almost surely only where the follower's score
cannot win any more; there V is at least 0 for the deviator, and endless play pays 0. So the deviator's expected
payoff is at most V. This holds for both seats.

Numbers are balls (flint.arb), exact fractions on request, and exact fractions wherever a score cannot win any
more, for there exact ties abound. If a ball leaves open whether a deviation gains, it gains at most some d > 0:
the follower needs at most goal/q turns on average, the deviator at most one more, each with at most goal
decisions, so the value is within d goal (goal/q + 1) of V, and the bounds are widened by that.

Turn totals that no rolls add up to never occur and are not looked at; scores are checked all.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from flint import arb, ctx, fmpq

from ..core.errors import VerificationError
from ..games.race import Effect, RaceGame

Choices = Callable[[int, int], Sequence[int]]
Number = Callable[..., Any]


def ball(numerator: int, denominator: int = 1) -> Any:
    """A fraction as a ball."""
    return arb(numerator) / denominator


class Roll:
    """One roll, its chances as balls or fractions; faces that add are ranges of points of equal chance."""

    def __init__(self, faces: Sequence[tuple[Fraction, Effect, int]], number: Number) -> None:
        adds = sorted((points, chance) for chance, effect, points in faces if effect is Effect.ADD)
        runs = groupby(enumerate(adds), key=lambda item: (item[1][0] - item[0], item[1][1]))
        spans = [(chance, [points for _, (points, _) in run]) for (_, chance), run in runs]
        self.adds = [(number(*c.as_integer_ratio()), points[0], points[-1] + 1) for c, points in spans]
        self.ends = [
            (number(*c.as_integer_ratio()), points if effect is Effect.BANK else 0)  # a bust banks nothing
            for c, effect, points in faces
            if effect is not Effect.ADD
        ]

    def mean(self, k: int, table: Sequence[Any], rest: Any) -> Any:
        """The mean of `table` one roll after turn total k, where `rest` is the share of faces that end the turn."""
        for chance, low, high in self.adds:
            rest = rest + chance * sum(table[k + low + 1 : k + high], table[k + low])
        return rest


class Checker:
    """The worth of a strategy followed by both players, pair by pair of scores, from the highest sum down."""

    def __init__(self, game: RaceGame, choices: Choices, exact: bool) -> None:
        faces = [face for _, roll in game.rolls for face in roll]
        if any(effect is Effect.RUIN for _, effect, _ in faces):
            raise VerificationError(f"{game.name} can ruin a score; the proof by pairs of scores cannot treat it")
        self.game, self.choices = game, choices
        self.number: dict[bool, Number] = {True: fmpq if exact else ball, False: fmpq}
        self.rolls = {live: [Roll(roll, number) for _, roll in game.rolls] for live, number in self.number.items()}
        gains = {points for _, effect, points in faces if effect is Effect.ADD}
        banks = {points for _, effect, points in faces if effect is Effect.BANK and points > 0}
        self.beyond = game.goal + max(gains | banks, default=0)
        totals = {0}  # the turn totals that rolls add up to
        for total in range(1, self.beyond):
            if any(total - points in totals for points in gains if total - points < game.goal):
                totals.add(total)
        self.totals = sorted(totals, reverse=True)
        self.alive = [False] * game.goal  # whether a score can still win
        for i in reversed(range(game.goal)):
            ends = {i + step for step in totals | banks if step}
            self.alive[i] = any(self.alive[s] if s < game.goal else not game.overshoots(s) for s in ends)
        self.passed = [[fmpq(0)] * game.goal for _ in range(game.goal)]  # [j][i]: my worth when you move at (j, i)
        self.progress, self.excess = arb(1), arb(0)  # q and d of the theorem

    def turn(self, i: int, j: int) -> "Turn":
        """The mover's turn at scores (i, j) under the strategy, as lines in the worth of a bust."""
        turn = Turn(self, i, j)
        if self.alive[i]:
            progress = 1 - turn.beta[0]
            if not progress > 0:
                raise VerificationError(f"the strategy may stall for ever at {i}-{j}; only play that ends is proved")
            self.progress = self.progress.min(arb(progress))
        return turn

    def run(self) -> tuple[Fraction, Fraction]:
        """Solve and check every pair of scores; the bounds on the value at 0-0."""
        goal = self.game.goal
        for i, j in sorted(((i, j) for i in range(goal) for j in range(i + 1)), key=sum, reverse=True):
            if not self.alive[i] and not self.alive[j]:
                continue  # nobody can win: worth 0 whatever is done
            mine = self.turn(i, j)
            yours = mine if i == j else self.turn(j, i)
            a, b, c, d = mine.alpha[0], mine.beta[0], yours.alpha[0], yours.beta[0]
            # v(i,j) = a - b v(j,i) and v(j,i) = c - d v(i,j)
            self.passed[i][j] = (b * c - a) / (1 - b * d)
            self.passed[j][i] = (d * a - c) / (1 - b * d)
            mine.check()
            if i != j:
                yours.check()
        value = -self.passed[0][0]
        if isinstance(value, fmpq):
            return (Fraction(int(value.p), int(value.q)),) * 2
        slack = self.excess * goal * (goal / self.progress + 1)
        return fraction((value - slack).lower()), fraction((value + slack).upper())


class Turn:
    """One turn at (i, j): the strategy's worth at turn total k is alpha[k] + beta[k] x if a bust is worth x."""

    def __init__(self, checker: Checker, i: int, j: int) -> None:
        game, live = checker.game, checker.alive[i] and checker.alive[j]
        number, over = checker.number[live], range(game.goal, checker.beyond)
        zero, one = number(0), number(1)
        self.checker, self.i, self.j, self.rolls = checker, i, j, checker.rolls[live]
        self.plan, self.top = checker.choices(i, j), game.goal - i
        if len(self.plan) < self.top:
            raise VerificationError(f"the strategy has {len(self.plan)} choices at {i}-{j}; {self.top} are needed")
        # Banking k: worth a bust at k = 0 and beyond a goal that must be hit exactly.
        self.alpha = [zero, *checker.passed[j][i + 1 :]]
        self.alpha += [zero if game.overshoots(s) else number(int(game.winnings(s, j))) for s in over]
        self.beta = [one, *[zero] * (self.top - 1), *[one if game.overshoots(s) else zero for s in over]]
        self.banked = [sum((c * self.alpha[p] for c, p in roll.ends), zero) for roll in self.rolls]
        self.busted = [sum((c * self.beta[p] for c, p in roll.ends), zero) for roll in self.rolls]
        for k in checker.totals:
            if k < self.top and self.allowed(k) > 0:
                r = self.plan[k] - 1
                self.alpha[k] = self.rolls[r].mean(k, self.alpha, self.banked[r])
                self.beta[k] = self.rolls[r].mean(k, self.beta, self.busted[r])

    def allowed(self, k: int) -> int:
        """The strategy's choice, 0 for hold or the number of a roll, if it is allowed."""
        choice = self.plan[k]
        if not (0 <= choice <= len(self.rolls) and (choice or k or self.checker.game.skip)):
            raise VerificationError(f"the strategy answers {choice} at {self.i}-{self.j}+{k}, which is not allowed")
        return choice

    def check(self) -> None:
        """Compare every other action with the strategy's, at every turn total that rolls add up to."""
        passed = self.checker.passed[self.j]
        x = passed[self.i]
        worth = [a + b * x if b else a for a, b in zip(self.alpha, self.beta, strict=True)]
        rests = [banked + busted * x for banked, busted in zip(self.banked, self.busted, strict=True)]
        for k in self.checker.totals:
            if k >= self.top:
                continue
            if self.plan[k] and (k or self.checker.game.skip):
                self.compare(k, "hold", passed[self.i + k], worth[k])
            for r, roll in enumerate(self.rolls):
                if self.plan[k] != r + 1:
                    self.compare(k, self.checker.game.rolls[r][0], roll.mean(k, worth, rests[r]), worth[k])

    def compare(self, k: int, action: str, other: Any, own: Any) -> None:
        """Refuse a deviation that gains; keep the most that an undecided one may gain."""
        if other <= own:
            return
        if other > own:
            gain = float(arb(other - own))
            raise VerificationError(f"at {self.i}-{self.j}+{k} to {action} gains {gain:.3g}: the strategy is not optimal")
        self.checker.excess = self.checker.excess.max((other - own).upper())


def fraction(number: Any) -> Fraction:
    """An exact ball as a fraction."""
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def prove(game: RaceGame, choices: Choices, bits: int = 128, exact: bool = False) -> tuple[Fraction, Fraction]:
    """Bounds on the value of the game, proved from the strategy, or VerificationError with the reason.

    `choices(i, j)[k]` is 0 to hold or r to take the r-th roll, at k = 0, ..., goal - i - 1.
    """
    with ctx.workprec(bits):
        return Checker(game, choices, exact).run()
