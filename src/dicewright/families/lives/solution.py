"""Games with lives solved: the rounds by their own solution, chained.

Theorem. A round is won or lost, and for what follows only that counts; to win it is never worse. So the best way to
play a round does not depend on the lives, and if p is the chance that the opener wins it, both playing as solved, then
the chance S of a player with `mine` lives against `yours` is

    S(mine, yours, opening) = q S(mine, yours - 1, not opening) + (1 - q) S(mine - 1, yours, opening),

q = p for the opener and 1 - p for the other; S = 1 or 0 once a player has none. (The proof is that of
bluff/match_solve.) S rises with q, so bounds of p give bounds of S; and lives only fall, so the recursion ends.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from ...core.errors import IllegalAction, StrategyError
from ...core.game import Action
from ...core.results import Advice, Duel, Evaluation, Response
from ...core.solution import Arrays, Certificate, Header, Pair, Restoring, Solution, header_of, seats
from ...core.strategy import Mix, line_of
from .game import LivesGame, LivesState, LivesView

FORMAT = "lives-1"
Number = TypeVar("Number", float, Fraction)
Standings = dict[tuple[int, int, bool], Number]


def chances(lives: int, opening: Number, answering: Number) -> Standings[Number]:
    """S for all lives left, and whether the player opens: with these chances to win a round as opener and as the other.

    >>> found = chances(2, Fraction(2, 3), Fraction(1, 3))
    >>> found[1, 1, True], found[2, 2, True]
    (Fraction(2, 3), Fraction(16, 27))
    """
    one: Number = opening / opening if opening else answering / answering
    found = {}
    for mine in range(lives + 1):
        for yours in range(lives + 1):
            for opens in (True, False) if mine + yours else ():
                if not mine or not yours:
                    found[mine, yours, opens] = one if mine else one - one
                    continue
                wins = opening if opens else answering
                won, lost = found[mine, yours - 1, False], found[mine - 1, yours, True]
                found[mine, yours, opens] = lost + wins * (won - lost)
    return found


@dataclass(frozen=True)
class EachRound:
    """Plays every round by the same strategy, whatever the lives are."""

    rule: Any

    def __call__(self, view: LivesView) -> Mix:
        """What the strategy does in the round."""
        mix: Mix = self.rule(view.now)
        return mix

    def __str__(self) -> str:
        return line_of(self.rule)


def rule_of(strategy: Any) -> Any:
    """The strategy of a round by which every round is played; StrategyError where the lives are looked at."""
    first, second = seats(strategy)
    if isinstance(first, EachRound) and first == second:
        return first.rule
    raise StrategyError(
        f"{line_of(strategy)} may look at the lives; strategies that play every round alike are weighed exactly"
    )


@dataclass(frozen=True, repr=False)
class LivesSolution(Solution):
    """Advice and worths in a round, on the scale of what follows it."""

    game: LivesGame
    solved: Solution  # of a round

    @property
    def hidden(self) -> bool:
        """As in the round."""
        return self.solved.hidden

    @property
    def slack(self) -> float:
        """The gap, or that of a round."""
        return max(float(self.certificate.gap), self.solved.slack)

    @cached_property
    def _left(self) -> Standings[float]:
        """The chances at all lives."""
        opener = (1.0 + self.solved.certificate.value) / 2.0
        return chances(self.game.lives, opener, 1.0 - opener)

    def worth(self, state: LivesState) -> float:
        """The expected payoff to FIRST."""
        mine, yours = state.left
        if not mine or not yours:
            return self.game.payoff(state)
        wins = (1.0 + self.solved.worth(state.now)) / 2.0
        won, lost = self._left[mine, yours - 1, False], self._left[mine - 1, yours, True]
        return 2.0 * (lost + wins * (won - lost)) - 1.0

    def _advise(self, view: LivesView) -> Advice:
        if not view.mine or not view.yours:
            raise IllegalAction(f"nothing to decide at {self.game.show_view(view)}; the game is over")
        found = self.solved.advise(view.now)
        won, lost = self._left[view.mine, view.yours - 1, False], self._left[view.mine - 1, view.yours, True]
        worth: dict[Action, float] = {
            action: lost + chance * (won - lost) for action, chance in found.worth.items()
        }
        return replace(found, view=view, worth=worth, off=found.off * (won - lost))

    def arrays(self) -> tuple[Header, Arrays]:
        """Those of the round, whose header stands in this one's."""
        header, arrays = self.solved.arrays()
        return {**header_of(self, FORMAT), "round": header}, arrays

    def check(self) -> None:
        """That of the round."""
        self.solved.check()

    def prove(self) -> Certificate:
        """What the proof of the round makes of all rounds."""
        return chained(self.game, self.solved.prove())

    def to_keep(self) -> None:
        """Nothing: the round is kept."""
        return


def chained(game: LivesGame, found: Certificate) -> Certificate:
    """What the value of a round makes of all rounds."""
    bounds = [
        2 * chances(game.lives, (1 + low) / 2, (1 - high) / 2)[game.lives, game.lives, True] - 1
        for low, high in ((found.lower, found.upper), (found.upper, found.lower))
    ]
    return Certificate(
        bounds[0], bounds[1], found.proved, f"rounds chained by their lives; each: {found.method}"
    )


def solve_lives(game: LivesGame, solver: Callable[[Any], Solution], **options: Any) -> LivesSolution:
    """The rounds solved by `solver` and chained.

    >>> from dicewright.families.catalog import parse, solve
    >>> print(solve_lives(parse("liars-die:lives=2"), solve).certificate.exact)
    11231/54000
    """
    solved = solver(game.round, **options)
    player = EachRound(solved.player)
    return LivesSolution(
        game, f"lives of {solved.method}", (player, player), chained(game, solved.certificate), solved
    )


def evaluate_lives(game: LivesGame, evaluate: Callable[[Any, Any], Evaluation], a: Any, b: Any) -> Evaluation:
    """A against B: both meetings of a round, chained."""
    met = evaluate(rule_of(a), rule_of(b))
    return Evaluation(_meeting(game, met.a_first, met.b_first), _meeting(game, met.b_first, met.a_first))


def _meeting(game: LivesGame, mine: Duel, yours: Duel) -> Duel:
    """Of the player who opens the first round: rounds that it opens, and those that the other opens."""
    found = chances(game.lives, mine.first_wins, yours.second_wins)
    turns: dict[tuple[int, int, bool], float] = {}
    for left in found:
        if not all(left[:2]):
            turns[left] = 0.0
            continue
        one, two, opens = left
        wins = mine.first_wins if opens else yours.second_wins
        rest = wins * turns[one, two - 1, False] + (1.0 - wins) * turns[one - 1, two, True]
        turns[left] = rest + (mine if opens else yours).expected_turns
    wins, begin = found[game.lives, game.lives, True], (game.lives, game.lives, True)
    return Duel(wins, 1.0 - wins, 0.0, turns[begin], 2.0 * wins - 1.0)


def respond_lives(game: LivesGame, respond: Callable[[Any], Response], b: Any) -> Response:
    """The best answer to a strategy: in every round the best answer to what it does there."""
    found = respond(rule_of(b))
    opening, answering = (1.0 + found.first_payoff) / 2.0, (1.0 + found.second_payoff) / 2.0
    standing = chances(game.lives, opening, answering)
    first, second = standing[game.lives, game.lives, True], standing[game.lives, game.lives, False]
    answer = found.strategy
    rule = answer if isinstance(answer, Pair) or not isinstance(answer, tuple) else Pair(*answer)
    return Response(EachRound(rule), 2.0 * first - 1.0, 2.0 * second - 1.0, first, second)


def form_of(of: Restoring) -> Restoring:
    """How the file of a game with lives is read: that of its round."""

    def restore(game: LivesGame, header: Header, arrays: Arrays) -> LivesSolution:
        return solve_lives(game, lambda round: of.restore(round, header["round"], arrays))

    return Restoring(
        lambda header: of.types(header["round"]), lambda game: of.most_bytes(game.round), restore, of.level
    )
