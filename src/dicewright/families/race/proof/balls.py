"""The checker of race games: proves what a strategy is worth, with code that no solver shares.

THEOREM. Both players of a race game without RUIN follow one strategy s; V is the expected payoff. Suppose
(1) no single deviation gains: at all scores, at every turn total that rolls add up to, no allowed action is
worth more than that of s if both players return to s afterwards; and (2) in each turn a follower of s whose
score can still win raises it with a chance of at least q > 0. Then V is the value of the game.

PROOF. One player deviates at will. By (1) V, as the deviator sees it, is a bounded supermartingale. Scores
never fall, so endless play rests at one pair of scores in the end, by (2) almost surely one where a follower
cannot win any more: there V >= 0 for the deviator, and endless play pays 0. So deviating brings at most V.

Numbers are balls (flint.arb), or exact fractions: on request, and where a score cannot win any more, as ties
abound there. A deviation that balls leave open gains at most some d: the follower takes at most goal/q turns
on average, the deviator one more, each of at most goal decisions, so d goal (goal/q + 1) widens the bounds.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from flint import arb, ctx, fmpq

from ....core.errors import VerificationError
from ..rules import Effect, RaceGame

Choices = Callable[[int, int], Any]  # numbers
Number = Callable[..., Any]
Bounds = tuple[Fraction, Fraction]


def prove(
    game: RaceGame, choices: Choices, bits: int = 128, exact: bool = False, longest: int | None = None
) -> Bounds:
    """Bounds on the value of the game, proved from the strategy; VerificationError says what refutes it.

    Exact fractions are given up once one has a denominator of more than `longest` bits.
    `choices(i, j)[k]` is 0 to hold or r to take the r-th roll, for turn totals k = 0, ..., goal - i - 1.
    """
    with ctx.workprec(bits):
        return Checker(game, choices, exact, longest).run()


class Roll:
    """One roll; faces that add are ranges of points with equal chances, the others bank (a bust banks 0)."""

    def __init__(self, faces: Sequence[tuple[Fraction, Effect, int]], number: Number) -> None:
        adds = sorted((points, chance) for chance, effect, points in faces if effect is Effect.ADD)
        spans = groupby(enumerate(adds), key=lambda item: (item[1][1], item[1][0] - item[0]))
        runs = [(chance, [points for _, (points, _) in span]) for (chance, _), span in spans]
        self.adds = [(number(*chance.as_integer_ratio()), run[0], run[-1] + 1) for chance, run in runs]
        ends = [face for face in faces if face[1] is not Effect.ADD]
        self.ends = [(number(*c.as_integer_ratio()), n if e is Effect.BANK else 0) for c, e, n in ends]

    def mean(self, k: int, worth: Sequence[Any], rest: Any) -> Any:
        """The mean worth one roll after turn total k; `rest` is the part of the faces that end the turn."""
        for chance, low, high in self.adds:
            rest = rest + chance * sum(worth[k + low + 1 : k + high], worth[k + low])
        return rest


class Checker:
    """The worth of a strategy followed by both players, pair by pair of scores from the highest sum down."""

    def __init__(self, game: RaceGame, choices: Choices, exact: bool, longest: int | None = None) -> None:
        faces = [face for _, roll in game.rolls for face in roll]
        if any(effect is Effect.RUIN for _, effect, _ in faces):
            raise VerificationError(f"{game.name} can ruin a score; this proof needs scores that never fall")
        self.game, self.choices = game, choices
        self.longest = longest
        self.number: dict[bool, Number] = {True: fmpq if exact else lambda p, q=1: arb(p) / q, False: fmpq}
        self.rolls = {live: [Roll(roll, n) for _, roll in game.rolls] for live, n in self.number.items()}
        gains = {points for _, effect, points in faces if effect is Effect.ADD}
        banks = {points for _, effect, points in faces if effect is Effect.BANK and points > 0}
        self.beyond = game.goal + max(gains | banks, default=0)
        self.totals = [0]  # what rolls add up to
        for total in range(1, self.beyond):
            self.totals += [total] if any(total - points in self.totals for points in gains) else []
        self.alive = [False] * game.goal  # whether a score can still win
        for i in reversed(range(game.goal)):
            ends = {i + step for step in banks.union(self.totals[1:])}
            self.alive[i] = any(self.alive[s] if s < game.goal else not game.overshoots(s) for s in ends)
        self.passed = [[fmpq(0)] * game.goal for _ in range(game.goal)]  # [j][i]: mine if you move at (j, i)
        self.progress, self.excess = arb(1), arb(0)  # q and d of the theorem

    def run(self) -> Bounds:
        """Solve and check all pairs of scores: v(i,j) = a - b v(j,i) and v(j,i) = c - d v(i,j)."""
        goal = self.game.goal
        for i, j in sorted(((m, n) for m in range(goal) for n in range(m + 1)), key=sum, reverse=True):
            if not self.alive[i] and not self.alive[j]:
                continue  # nobody can win: worth 0 whatever is done
            mine = Turn(self, i, j)
            yours = mine if i == j else Turn(self, j, i)
            a, b, c, d = mine.alpha[0], mine.beta[0], yours.alpha[0], yours.beta[0]
            self.passed[i][j], self.passed[j][i] = (b * c - a) / (1 - b * d), (d * a - c) / (1 - b * d)
            if self.longest is not None and int(self.passed[i][j].q).bit_length() > self.longest:
                raise VerificationError(
                    f"the fractions of {self.game.name} have more than {self.longest} bits"
                )
            for turn in dict.fromkeys((mine, yours)):
                turn.check()
        value = -self.passed[0][0]
        if type(value) is fmpq:
            return (Fraction(int(value.p), int(value.q)),) * 2
        slack = self.excess * goal * (goal / self.progress + 1)
        ends = [(value - slack).lower().man_exp(), (value + slack).upper().man_exp()]
        lower, upper = (Fraction(int(mantissa)) * Fraction(2) ** int(power) for mantissa, power in ends)
        return lower, upper


class Turn:
    """A turn at (i, j): s is worth alpha[k] + beta[k] x at turn total k, if a bust is worth x."""

    def __init__(self, checker: Checker, i: int, j: int) -> None:
        game, live = checker.game, checker.alive[i] and checker.alive[j]
        number, rolls, over = checker.number[live], checker.rolls[live], range(game.goal, checker.beyond)
        self.checker, self.i, self.j, self.rolls, self.top = checker, i, j, rolls, game.goal - i
        self.plan, zero, one = [int(choice) for choice in checker.choices(i, j)], number(0), number(1)
        wrong = [k for k, r in enumerate(self.plan) if not 0 <= r <= len(rolls) or not (r or k or game.skip)]
        if wrong or len(self.plan) != self.top:
            wrong.append(len(self.plan))
            raise VerificationError(f"the strategy has no allowed action at {i}-{j}+{wrong[0]}")
        # Banking k points: a bust at k = 0, and beyond a goal that must be hit exactly.
        self.alpha = [zero, *checker.passed[j][i + 1 :]]
        self.alpha += [zero if game.overshoots(s) else number(int(game.winnings(s, j))) for s in over]
        self.beta = [one, *[zero] * (self.top - 1), *[one if game.overshoots(s) else zero for s in over]]
        self.banked = [sum((c * self.alpha[n] for c, n in roll.ends), zero) for roll in rolls]
        self.busted = [sum((c * self.beta[n] for c, n in roll.ends), zero) for roll in rolls]
        for k in reversed(checker.totals):
            if k < self.top and (r := self.plan[k] - 1) >= 0:
                self.alpha[k] = rolls[r].mean(k, self.alpha, self.banked[r])
                self.beta[k] = rolls[r].mean(k, self.beta, self.busted[r])
        if checker.alive[i]:
            if not self.beta[0] < 1:
                raise VerificationError(f"the strategy may stall for ever at {i}-{j}; that cannot be proved")
            checker.progress = checker.progress.min(arb(1 - self.beta[0]))

    def check(self) -> None:
        """Compare all other actions with the choices of s."""
        game, passed = self.checker.game, self.checker.passed[self.j]
        x = passed[self.i]
        worth = [a + b * x if b else a for a, b in zip(self.alpha, self.beta, strict=True)]
        rests = [banked + busted * x for banked, busted in zip(self.banked, self.busted, strict=True)]
        for k in self.checker.totals:
            if k < self.top and self.plan[k] and (k or game.skip):
                self.compare(k, "hold", passed[self.i + k], worth[k])
            for r, roll in enumerate(self.rolls):
                if k < self.top and self.plan[k] != r + 1:
                    self.compare(k, game.rolls[r][0], roll.mean(k, worth, rests[r]), worth[k])

    def compare(self, k: int, action: str, other: Any, own: Any) -> None:
        """Refuse a deviation that gains; remember what an undecided one may gain."""
        if other > own:
            gain = float(arb(other - own))
            raise VerificationError(f"at {self.i}-{self.j}+{k}, {action} gains {gain:.3g} over the strategy")
        if not other <= own:
            self.checker.excess = self.checker.excess.max((other - own).upper())
