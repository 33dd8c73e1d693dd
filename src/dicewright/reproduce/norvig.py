"""Norvig, "Design of Computer Programs", unit 5: Pig in code, utilities, and probability by enumeration.

In the course a 1 scores one point and ends the turn; a state is (player, me, you, pending).
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import product
from operator import eq, gt
from random import Random
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ..arena.table import play_game
from ..core.game import FIRST, SECOND, other
from ..core.strategy import decide
from ..families.catalog import parse as game
from ..families.catalog import strategy
from ..families.race.duel import evaluate_race
from ..families.race.rules import HOLD, ROLL, RaceGame, RaceState, RaceView, add, bank
from .claims import NORVIG, Because, Found, Source
from .kinds import fact, number, played, shown
from .solved import met, player, rolled, solved

GOAL = 40
PIG = f"pig:goal={GOAL},one=scores"
DIFFERENCE = f"{PIG},payoff=difference"
FIFTY = "pig:goal=50,one=scores"
MILLION = 1e6

# The course's test of max_diffs: (me, you, pending) and the answer it expects.
LISTED = {
    (26, 21, 15): HOLD, (23, 36, 7): ROLL, (29, 4, 3): ROLL, (36, 32, 5): ROLL,
    (37, 16, 3): ROLL, (33, 39, 7): ROLL, (7, 9, 18): HOLD, (0, 35, 35): HOLD,
    (36, 7, 4): ROLL, (5, 12, 21): HOLD, (3, 13, 27): HOLD, (0, 39, 37): HOLD,
}  # fmt: skip


def claims() -> Source:
    """The course's listings, in order."""
    norvig = Source(NORVIG)
    for part in (_rules, _referee, _maximisers, _utilities, _tuesday):
        part(norvig)
    return norvig


def _face(die: int) -> Any:
    return bank(1) if die == 1 else add(die)


def _rules(norvig: Source) -> None:
    @norvig(fact, "Hold and roll", "hold(state) and roll(state, d)", "the rule in words")
    def transitions() -> Found:
        """Every hold and every roll, beside the rule in words: reap and pass; a 1 gets one point and passes."""
        rules: RaceGame = game(FIFTY)
        count = same = 0
        for one, me, you in product((FIRST, SECOND), range(0, 50, 7), range(0, 50, 7)):
            for pending in range(1, 50 - me):
                state = RaceState(one, me, you, pending)
                rolling = rules.play(state, ROLL)
                after = [rules.play(state, HOLD), *(rules.play(rolling, _face(d)) for d in range(1, 7))]
                said = [RaceState(other(one), you, me + pending), RaceState(other(one), you, me + 1)]
                said += [RaceState(one, me, you, pending + d) for d in range(2, 7)]
                count += len(after)
                same += sum(map(eq, after, said))
        return f"{same:,} of {count:,} transitions equal", same == count

    @norvig(fact, "Hold at strategy", "hold_at(x), goal 50: the four tests", "tests pass")
    def hold_at() -> Found:
        asked = {(30, 29, 15, 20): ROLL, (30, 29, 15, 21): HOLD, (15, 2, 30, 10): ROLL, (15, 2, 30, 15): HOLD}
        rules = game(FIFTY)
        answers = [
            decide(rules, RaceView(me, you, pending), strategy(f"hold:{x}", rules)) == {action: 1.0}
            for (x, me, you, pending), action in asked.items()
        ]
        return f"{sum(answers)} of {len(answers)} tests pass", all(answers)

    @norvig(fact, "Clueless", "clueless(state)", "either move at random")
    def clueless() -> Found:
        rules = game(FIFTY)
        mix = strategy("random", rules)(RaceView(10, 20, 5))
        chance = met(FIFTY, "hold:20", "random").a_overall
        return f"{dict(mix)}; hold-at-20 beats it with {chance:.6f}", mix == {ROLL: 0.5, HOLD: 0.5}


def _referee(norvig: Source) -> None:
    @norvig(fact, "Loading the dice", "play_pig with the rolls 6 6 6 6 6 6 6 6 2", "hold_at(50) wins")
    def loaded() -> Found:
        rules, dice = game(FIFTY), map(_face, [6, 6, 6, 6, 6, 6, 6, 6, 2])
        players = (strategy("hold:50", rules), strategy("random", rules))
        won, left = play_game(rules, players, Random(1), dice).payoff > 0, len(list(dice))
        return f"hold_at(50) {'wins' if won else 'loses'}, {left} rolls left over", won and left == 0

    @norvig(fact, "Legal actions", "an action that is neither roll nor hold", "the other player wins")
    def illegal() -> Found:
        rules = game(FIFTY)
        cheat, honest = (lambda view: {"double": 1.0}), strategy("hold:20", rules)
        pairs = ((cheat, honest), (honest, cheat))
        paid = [play_game(rules, pair, Random(1), referee=True).payoff for pair in pairs]
        return "the other player wins, whoever starts", paid == [-1, 1]


def _maximisers(norvig: Source) -> None:
    place = "Maximizing differential"

    @norvig(fact, place, "max_wins and max_diffs choose differently", "sometimes")
    def differ() -> Found:
        wins, diffs = (rolled(PIG, name)[:, :, 2:] for name in ("optimal", "max-difference"))
        bold, timid = int((wins & ~diffs).sum()), int((diffs & ~wins).sum())
        total = GOAL * sum(range(GOAL - 1))  # turn totals from 2 on, below the goal
        text = f"{bold + timid:,} of {total:,} states: only max_wins rolls in {bold:,}, only max_diffs in {timid:,}"
        return text, 0 < bold + timid < total

    @norvig(shown, place, "where they differ", paper="not said")
    def where() -> str:
        wins, diffs = (rolled(PIG, name)[:, :, 2:] for name in ("optimal", "max-difference"))
        bold = (wins & ~diffs).sum(axis=(0, 2))  # by the opponent's score
        half = int(np.searchsorted(np.cumsum(bold), bold.sum() / 2))
        return f"half of the states where only max_wins rolls have the opponent at {half} or more"

    @norvig(shown, place, "max_wins against max_diffs")
    def cost() -> str:
        rivals = (player(PIG, "max-difference"), player(PIG, "optimal"))
        games, points = met(PIG, "optimal", "max-difference"), evaluate_race(game(DIFFERENCE), *rivals)
        gained = (points.a_first.payoff - points.b_first.payoff) / 2
        return f"max_wins wins {games.a_overall:.6f} of the games, max_diffs {gained:+.4f} points a game"

    def listed(plus: float) -> Found:
        rolls = {state: gt(*_look_ahead(plus, *state)) for state in LISTED}
        agreed = sum((ROLL if rolls[state] else HOLD) == LISTED[state] for state in LISTED)
        return f"{agreed} of {len(LISTED)}", agreed == len(LISTED), agreed

    def by_solver() -> int:
        return sum(_by_solver(*state) == action for state, action in LISTED.items())

    why = Because("the listing uses 1 - U, right for chances, where a difference needs -U", by_solver)
    norvig.add(fact, place, "misprint: the course's answers, differences computed rightly (-U)", "12 of 12",
               partial(listed, 0.0), why)  # fmt: skip
    norvig.add(fact, place, "the same, computed as the course does (1 - U)", "12 of 12",
               partial(listed, 1.0))  # fmt: skip


def _look_ahead(plus: float, mine: int, yours: int, pending: int) -> tuple[float, float]:
    """What a roll and a hold are worth, also beyond the goal, with -U (plus 0) or with the course's 1 - U (plus 1)."""
    roll = plus - _worth(plus, yours, mine + 1, 0)
    for die in range(2, 7):  # a generator would make the recursion half as deep again
        roll += _worth(plus, mine, yours, pending + die)
    return roll / 6, plus - _worth(plus, yours, mine + pending, 0) if pending else -math.inf


@cache
def _worth(plus: float, mine: int, yours: int, pending: int) -> float:
    """What a state is worth to its mover: the difference of the scores once somebody has reached the goal."""
    if mine + pending >= GOAL or yours >= GOAL:
        return float(mine + pending - yours)
    return max(_look_ahead(plus, mine, yours, pending))


def _by_solver(mine: int, yours: int, pending: int) -> str:
    """The same with -U from the solver of race games; beyond the goal, where its rules end, by one roll."""
    if mine + pending < GOAL:
        return ROLL if solved(DIFFERENCE).turn(mine, yours)[0][pending] else HOLD
    ahead, one = mine + pending - yours, -solved(DIFFERENCE).payoff(yours, mine + 1)
    return ROLL if (one + sum(ahead + die for die in range(2, 7))) / 6 > ahead else HOLD


def break_even(utility: Callable[[float], float]) -> float | None:
    """The wealth in millions at which one million for sure equals a coin toss for three, or None.

    >>> round(break_even(math.sqrt), 9)
    0.125
    """

    def gain(wealth: float) -> float:
        return utility(wealth + 3) / 2 + utility(wealth) / 2 - utility(wealth + 1)

    low, high = 1e-9, 1e3
    return float(brentq(gain, low, high, xtol=1e-13)) if gain(low) < 0 < gain(high) else None


def _utilities(norvig: Source) -> None:
    place = "Break even point"
    norvig.add(number, place, "wealth in millions where log utility is indifferent", "1",
               lambda: break_even(math.log10) or 0.0)  # fmt: skip
    for action, chances in (("gamble", ((4, 0.5), (1, 0.5))), ("hold", ((2, 1.0),))):
        norvig.add(number, "What's your crossover", f"Q(1 million, {action}, log10)", "6.301029995663981",
                   partial(lambda c: sum(p * math.log10(wealth * MILLION) for wealth, p in c), chances))  # fmt: skip

    @norvig(shown, "What's your crossover", "the same for other utilities, in millions", paper="a question")
    def others() -> str:
        utilities: dict[str, Callable[[float], float]] = {
            "square root": math.sqrt,
            "-1/wealth": lambda w: -1 / w,
            "-1/wealth^2": lambda w: -1 / w**2,
            "wealth": lambda w: w,
            "-exp(-wealth)": lambda w: -math.exp(-w),
        }
        found = {name: break_even(utility) for name, utility in utilities.items()}
        return ", ".join(f"{name} {'never' if c is None else f'{c:.4f}'}" for name, c in found.items())


def _tuesday(norvig: Source) -> None:
    children = list(product("BG", range(7)))

    def boys(families: list[Any], day: int | None) -> Fraction:
        told = [f for f in families if any(sex == "B" and day in (None, born) for sex, born in f)]
        return Fraction(sum(all(sex == "B" for sex, _ in f) for f in told), len(told))

    families = list(product(children, repeat=2))
    place = "Simulation v enumeration"
    norvig.add(number, place, "two boys, if at least one is a boy", "0.333333", partial(boys, families, None))

    @norvig(fact, "Tuesday", "two boys, if one is a boy born on a Tuesday", "13/27")
    def enumerated() -> Found:
        found = boys(families, 2)
        return f"{found} over {len(families)} families", found == Fraction(13, 27)

    def simulated() -> tuple[int, int]:
        rng = np.random.default_rng(27)
        sexes, days = rng.integers(0, 2, (1_000_000, 2)), rng.integers(0, 7, (1_000_000, 2))
        told = ((sexes == 1) & (days == 2)).any(axis=1)
        return int((sexes[told] == 1).all(axis=1).sum()), int(told.sum())

    norvig.add(played, "Tuesday", "the same, a million families drawn", "13/27", lambda: float(boys(families, 2)),
               simulated)  # fmt: skip
