"""Norvig, "Design of Computer Programs", unit 5: Pig in code, utilities, and probability by enumeration.

In the course a 1 scores one point and ends the turn; a state is (player, me, you, pending).
"""

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ..core.errors import StrategyError
from ..core.game import CHANCE, FIRST, OVER, SECOND, other
from ..core.strategy import decide, sample
from ..families.catalog import parse as game
from ..families.race.duel import evaluate_race
from ..families.race.rules import HOLD, ROLL, RaceGame, RaceState, RaceView, add, bank
from ..families.strategies import parse as strategy
from .claims import NORVIG, Because, Claim, Found
from .kinds import fact, number, played, shown
from .solved import met, player, solved, table

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


def claims() -> Iterator[Claim]:
    """The course's listings, in order."""
    yield from _rules()
    yield from _referee()
    yield from _maximisers()
    yield from _utilities()
    yield from _tuesday()


def _face(die: int) -> Any:
    return bank(1) if die == 1 else add(die)


def _rules() -> Iterator[Claim]:
    def transitions() -> Found:
        """Every hold and every roll, beside the rule in words: reap and pass; a 1 gets one point and passes."""
        rules: RaceGame = game(FIFTY)
        count = same = 0
        after: dict[str | int, RaceState]
        said: dict[str | int, RaceState]
        for one, me, you in product((FIRST, SECOND), range(0, 50, 7), range(0, 50, 7)):
            for pending in range(1, 50 - me):
                state = RaceState(one, me, you, pending)
                rolling = rules.play(state, ROLL)
                after = {
                    HOLD: rules.play(state, HOLD),
                    **{d: rules.play(rolling, _face(d)) for d in range(1, 7)},
                }
                said = {HOLD: RaceState(other(one), you, me + pending), 1: RaceState(other(one), you, me + 1)}
                said |= {d: RaceState(one, me, you, pending + d) for d in range(2, 7)}
                count += len(after)
                same += sum(after[key] == said[key] for key in after)
        return f"{same:,} of {count:,} transitions equal", same == count

    yield fact(NORVIG, "Hold and roll", "hold(state) and roll(state, d)", "the rule in words", transitions)

    def hold_at() -> Found:
        asked = {(30, 29, 15, 20): ROLL, (30, 29, 15, 21): HOLD, (15, 2, 30, 10): ROLL, (15, 2, 30, 15): HOLD}
        rules = game(FIFTY)
        answers = [
            decide(rules, RaceView(me, you, pending), strategy(f"hold:{x}", rules)) == {action: 1.0}
            for (x, me, you, pending), action in asked.items()
        ]
        return f"{sum(answers)} of {len(answers)} tests pass", all(answers)

    yield fact(NORVIG, "Hold at strategy", "hold_at(x), goal 50: the four tests", "tests pass", hold_at)

    def clueless() -> Found:
        rules = game(FIFTY)
        mix = strategy("random", rules)(RaceView(10, 20, 5))
        chance = met(FIFTY, "hold:20", "random").a_overall
        return f"{dict(mix)}; hold-at-20 beats it with {chance:.6f}", mix == {ROLL: 0.5, HOLD: 0.5}

    yield fact(NORVIG, "Clueless", "clueless(state)", "either move at random", clueless)


def play_pig(rules: RaceGame, players: tuple[Any, Any], dice: Iterable[int], rng: Random) -> int:
    """The course's referee: the winner of one game with these dice; an action that is not allowed loses."""
    state, rolls = rules.start(), iter(dice)
    while (mover := rules.mover(state)) != OVER:
        if mover == CHANCE:
            state = rules.play(state, _face(next(rolls)))
            continue
        try:
            mix = decide(rules, rules.view(state, mover), players[mover])
        except StrategyError:
            return other(mover)
        state = rules.play(state, sample(mix, rng))
    return FIRST if rules.payoff(state) > 0 else SECOND


def _referee() -> Iterator[Claim]:
    def loaded() -> Found:
        rules, dice = game(FIFTY), iter([6, 6, 6, 6, 6, 6, 6, 6, 2])
        winner = play_pig(rules, (strategy("hold:50", rules), strategy("random", rules)), dice, Random(1))
        left = len(list(dice))
        return f"hold_at(50) {'wins' if winner == FIRST else 'loses'}, {left} rolls left over", (
            winner,
            left,
        ) == (0, 0)

    yield fact(
        NORVIG, "Loading the dice", "play_pig with the rolls 6 6 6 6 6 6 6 6 2", "hold_at(50) wins", loaded
    )

    def illegal() -> Found:
        rules, rng = game(FIFTY), Random(1)
        cheat, honest = (lambda view: {"double": 1.0}), strategy("hold:20", rules)
        endless = iter(lambda: rng.randint(1, 6), 0)
        winners = [play_pig(rules, pair, endless, rng) for pair in ((cheat, honest), (honest, cheat))]
        return "the other player wins, whoever starts", winners == [SECOND, FIRST]

    yield fact(
        NORVIG, "Legal actions", "an action that is neither roll nor hold", "the other player wins", illegal
    )


def _maximisers() -> Iterator[Claim]:
    def differ() -> Found:
        wins, diffs = table(PIG, "optimal"), table(PIG, "max-difference")
        counts = {(a, b): 0 for a in (0, 1) for b in (0, 1)}
        for mine, yours in product(range(GOAL), repeat=2):
            pairs = zip(wins.choices(mine, yours)[2:], diffs.choices(mine, yours)[2:], strict=True)
            for pair in pairs:
                counts[pair[0], pair[1]] += 1
        total, bold, timid = sum(counts.values()), counts[1, 0], counts[0, 1]
        text = f"{bold + timid:,} of {total:,} states: only max_wins rolls in {bold:,}, only max_diffs in {timid:,}"
        return text, 0 < bold + timid < total

    place = "Maximizing differential"
    yield fact(NORVIG, place, "max_wins and max_diffs choose differently", "sometimes", differ)

    def where() -> str:
        wins, diffs = table(PIG, "optimal"), table(PIG, "max-difference")
        bold = np.zeros(GOAL, int)
        for mine, yours in product(range(GOAL), repeat=2):
            bold[yours] += int((wins.choices(mine, yours)[2:] > diffs.choices(mine, yours)[2:]).sum())
        half = int(np.searchsorted(np.cumsum(bold), bold.sum() / 2))
        return f"half of the states where only max_wins rolls have the opponent at {half} or more"

    yield shown(NORVIG, place, "where they differ", where, "not said")

    def cost() -> str:
        rivals = (player(PIG, "max-difference"), player(PIG, "optimal"))
        games, points = met(PIG, "optimal", "max-difference"), evaluate_race(game(DIFFERENCE), *rivals)
        gained = (points.a_first.payoff - points.b_first.payoff) / 2
        return f"max_wins wins {games.a_overall:.6f} of the games, max_diffs {gained:+.4f} points a game"

    yield shown(NORVIG, place, "max_wins against max_diffs", cost)

    def listed(right: bool) -> Found:
        agreed = sum(_look_ahead(state, right) == action for state, action in LISTED.items())
        return f"{agreed} of {len(LISTED)}", agreed == len(LISTED), agreed

    def by_solver() -> int:
        return sum(_by_solver(*state) == action for state, action in LISTED.items())

    yield fact(
        NORVIG, place, "misprint: the course's answers, differences computed rightly (-U)", "12 of 12",
        partial(listed, True),
        Because("the listing uses 1 - U, right for chances, where a difference needs -U", by_solver),
    )  # fmt: skip
    yield fact(
        NORVIG, place, "the same, computed as the course does (1 - U)", "12 of 12", partial(listed, False)
    )


def _look_ahead(state: tuple[int, int, int], right: bool) -> str:
    """Roll or hold by one step of look-ahead, also beyond the goal, with -U or with the course's 1 - U."""
    plus, worth = (0.0 if right else 1.0), _worths(right)
    mine, yours, pending = state
    hold = plus - worth(yours, mine + pending, 0)
    roll = plus - worth(yours, mine + 1, 0) + sum(worth(mine, yours, pending + die) for die in range(2, 7))
    return ROLL if roll / 6 > hold else HOLD


def _by_solver(mine: int, yours: int, pending: int) -> str:
    """The same with -U from the solver of race games; beyond the goal, where its rules end, by one roll."""
    if mine + pending < GOAL:
        return ROLL if solved(DIFFERENCE).turn(mine, yours)[0][pending] else HOLD
    ahead, one = mine + pending - yours, -solved(DIFFERENCE).payoff(yours, mine + 1)
    return ROLL if (one + sum(ahead + die for die in range(2, 7))) / 6 > ahead else HOLD


def _worths(right: bool) -> Callable[[int, int, int], float]:
    """What a state is worth to its mover: the difference of the scores once somebody has reached the goal."""
    plus, known = (0.0 if right else 1.0), dict[tuple[int, int, int], float]()

    def worth(mine: int, yours: int, pending: int) -> float:
        if mine + pending >= GOAL or yours >= GOAL:
            return float(mine + pending - yours)
        key = (mine, yours, pending)
        if key not in known:
            roll = (
                plus
                - worth(yours, mine + 1, 0)
                + sum(worth(mine, yours, pending + die) for die in range(2, 7))
            )
            hold = plus - worth(yours, mine + pending, 0) if pending else -math.inf
            known[key] = max(roll / 6, hold)
        return known[key]

    return worth


def break_even(utility: Callable[[float], float]) -> float | None:
    """The wealth in millions at which one million for sure equals a coin toss for three, or None.

    >>> round(break_even(math.sqrt), 9)
    0.125
    """

    def gain(wealth: float) -> float:
        return utility(wealth + 3) / 2 + utility(wealth) / 2 - utility(wealth + 1)

    low, high = 1e-9, 1e3
    return float(brentq(gain, low, high, xtol=1e-13)) if gain(low) < 0 < gain(high) else None


def _utilities() -> Iterator[Claim]:
    place = "Break even point"
    yield number(NORVIG, place, "wealth in millions where log utility is indifferent", "1",
                 lambda: break_even(math.log10) or 0.0)  # fmt: skip
    for action, chances in (("gamble", ((4, 0.5), (1, 0.5))), ("hold", ((2, 1.0),))):
        yield number(
            NORVIG, "What's your crossover", f"Q(1 million, {action}, log10)", "6.301029995663981",
            partial(lambda c: sum(p * math.log10(wealth * MILLION) for wealth, p in c), chances),
        )  # fmt: skip

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

    yield shown(
        NORVIG, "What's your crossover", "the same for other utilities, in millions", others, "a question"
    )


def _tuesday() -> Iterator[Claim]:
    children = list(product("BG", range(7)))

    def boys(families: list[Any], day: int | None) -> Fraction:
        told = [f for f in families if any(sex == "B" and day in (None, born) for sex, born in f)]
        return Fraction(sum(all(sex == "B" for sex, _ in f) for f in told), len(told))

    families = list(product(children, repeat=2))
    place = "Simulation v enumeration"
    yield number(
        NORVIG, place, "two boys, if at least one is a boy", "0.333333", partial(boys, families, None)
    )

    def enumerated() -> Found:
        found = boys(families, 2)
        return f"{found} over {len(families)} families", found == Fraction(13, 27)

    yield fact(NORVIG, "Tuesday", "two boys, if one is a boy born on a Tuesday", "13/27", enumerated)

    def simulated() -> tuple[int, int]:
        rng = np.random.default_rng(27)
        sexes, days = rng.integers(0, 2, (1_000_000, 2)), rng.integers(0, 7, (1_000_000, 2))
        told = ((sexes == 1) & (days == 2)).any(axis=1)
        return int((sexes[told] == 1).all(axis=1).sum()), int(told.sum())

    yield played(NORVIG, "Tuesday", "the same, a million families drawn", "13/27",
                 lambda: float(boys(families, 2)), simulated)  # fmt: skip
