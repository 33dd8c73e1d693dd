"""Crocce & Mordecki, "Optimal minimax strategy in a dice game": Pig to 200 and its two variants.

Our copy has lost the paper's formulas, most numbers and all pictures; what it says in words is checked.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from ...games.catalog import parse as game
from ...solvers.duel import best_response_race
from ...solvers.race_certificate import solve_race
from ...solvers.solitaire import best_turn, fewest_turns
from .claims import CROCCE, Claim, Depth, fact, missing, number, played, shown
from .solved import met, play_games, rolls, solved, table

TARGET = 200
PIG = f"pig:goal={TARGET}"
EXACT, MARGIN = f"{PIG},finish=exact", f"{PIG},payoff=margin"
LOST = "the number is lost in our copy of the paper"
SHOWN = {PIG: (180, 185), EXACT: (0, 150, 180, 198), MARGIN: (170, 180)}  # opponent's scores of its pictures


def claims() -> Iterator[Claim]:
    """Sections 3 and 4."""
    yield from _classical()
    yield from _haigh_roters()
    yield from _exact_target()
    yield from _margin()


@cache
def zones(name: str) -> npt.NDArray[np.bool_]:
    """[mine, yours, turn]: where the optimum rolls."""
    return rolls(table(name, "optimal"), TARGET)


@cache
def _open() -> npt.NDArray[np.bool_]:
    """[mine, turn]: the states that can occur below the target; a turn total of 1 cannot."""
    mine, turn = np.ogrid[:TARGET, :TARGET]
    below: npt.NDArray[np.bool_] = (mine + turn < TARGET) & (turn != 1)
    return below


def _all_grey(name: str) -> list[int]:
    """The opponent's scores against which the optimum never stops."""
    return [yours for yours in range(TARGET) if zones(name)[:, yours][_open()].all()]


def _hold(name: str, mine: int, yours: int) -> int:
    """The lowest turn total at which the optimum stops."""
    return solved(name).turn(mine, yours)[0].index(0)


def _classical() -> Iterator[Claim]:
    def start() -> tuple[str, bool]:
        pairs = [(i, j) for i in range(10) for j in range(10)]
        holds = sorted({_hold(PIG, i, j) for i, j in pairs})
        text = f"{_hold(PIG, 0, 0)} at 0-0; {holds[0]} to {holds[-1]} where both are below 10"
        return text, holds == [best_turn(game(PIG))[0]]

    yield fact(
        CROCCE, "3, observations", "roll below this turn total at the start", "20", start,
        "the paper reads it off a picture; one point more is right at many low scores, by a hair",
    )  # fmt: skip
    yield number(CROCCE, "3 (Roters)", "the turn total that makes one turn best", "20",
                 lambda: float(best_turn(game(PIG))[0]))  # fmt: skip

    def riskier() -> tuple[str, bool]:
        sizes = {
            yours: int(zones(PIG)[:, yours][_open()].sum()) for yours in (0, 50, 100, 150, 180, 185, 187)
        }
        rising = list(sizes.values()) == sorted(set(sizes.values()))
        return "states with a roll: " + ", ".join(f"{n:,} at {yours}" for yours, n in sizes.items()), rising

    yield fact(CROCCE, "3, observations", "riskier the closer the opponent is", "riskier", riskier)

    def never_stop() -> tuple[str, bool]:
        grey = _all_grey(PIG)
        return f"from {grey[0]} on, without a gap", grey == list(range(187, TARGET))

    yield fact(CROCCE, "3, observations", "opponent's score from which one never stops", "187", never_stop)

    def value() -> tuple[str, bool]:
        certificate = solve_race(game(PIG), "bounds").certificate
        chance = (1 + certificate.value) / 2
        return f"first wins {chance:.10f}, second {1 - chance:.10f}", certificate.lower > 0

    def guarantee() -> tuple[str, bool]:
        response = best_response_race(game(PIG), solved(PIG))
        best = ((response.first_wins or 0) + (response.second_wins or 0)) / 2
        return f"the best response to it wins {best:.12f}", best < 0.5 + 1e-12

    yield fact(
        CROCCE,
        "3",
        "the value: moving first is worth more than one half",
        "a value exists",
        value,
        depth=Depth.DEFAULT,
    )
    yield fact(CROCCE, "3", "a fair coin decides who starts: the optimum wins", "at least 1/2", guarantee)

    def states() -> tuple[str, bool]:
        return f"{2 * TARGET * TARGET * (TARGET + 1) // 2:,} states of both players", False

    yield missing(CROCCE, "3", "number of states", "about ...", LOST, states)

    def sixes() -> tuple[str, bool]:
        needed = 2 * -(-TARGET // 6) - 1
        return f"{needed} in a row are enough, if both stop after each", needed <= 70

    yield fact(CROCCE, "3", "70 sixes in a row end any game", "70", sixes)


def _haigh_roters() -> Iterator[Claim]:
    turns, pair = fewest_turns, ("optimal", "fewest-turns")
    yield number(CROCCE, "3 (Haigh & Roters)", "fewest expected turns to 200", "24.785745",
                 lambda: float(turns(game(PIG))[0][0]))  # fmt: skip

    def exactly() -> tuple[str, bool]:
        found = met(PIG, *pair)
        return f"{100 * found.a_overall:.4f} % exactly", False

    yield missing(
        CROCCE, "3, observations", "share of games won against Haigh & Roters", "...", LOST, exactly
    )

    def play() -> tuple[int, int]:
        games = 100_000
        won = (play_games(PIG, *pair, games, 1) > 0).sum() + (
            play_games(PIG, *pair[::-1], games, 2) < 0
        ).sum()
        return int(won), 2 * games

    yield played(
        CROCCE,
        "3, observations",
        "the same, played",
        "more than half",
        lambda: met(PIG, *pair).a_overall,
        play,
    )


def _exact_target() -> Iterator[Claim]:
    place = "4, exact target"

    def alike() -> tuple[str, bool]:
        far = [_hold(EXACT, mine, yours) for mine in range(50) for yours in range(50)]
        return f"from {min(far)} to {max(far)} where both are below 50", all(
            abs(hold - 20) <= 3 for hold in far
        )

    yield fact(CROCCE, place, "far from the target: stop about here", "20", alike)

    def transitions() -> Fraction:
        rules = game(EXACT)
        in_air = rules.play(rules.read_state("180-7+16"), "roll")
        passed = rules.read_state("7-180/2")
        return sum(
            (chance for face, chance in rules.outcomes(in_air).items() if rules.play(in_air, face) == passed),
            Fraction(0),
        )

    yield number(
        CROCCE, place, "chance to lose the turn at 180 with 16 (rolling 1, 5 or 6)", "0.5", transitions
    )

    def milder() -> tuple[str, bool]:
        grey = len(_all_grey(EXACT))
        fewer = [int(zones(n)[:, 187][_open()].sum()) for n in (PIG, EXACT)]
        return (
            f"{grey} opponent's scores with no stop; rolls against 187: {fewer[1]:,}, not {fewer[0]:,}",
            grey == 0,
        )

    yield fact(CROCCE, place, "never becomes so risky", "never all roll", milder)

    def hits() -> str:
        """The chance to hit exactly n points in one turn, before a 1."""
        chances = [Fraction(1)]
        for n in range(1, TARGET + 1):
            chances.append(sum((chances[n - r] for r in range(2, 7) if r <= n), Fraction(0)) / 6)
        best = max(range(1, TARGET + 1), key=chances.__getitem__)
        return f"at most {chances[best]}, from {TARGET - best}; in the classical game 5/6"

    yield shown(CROCCE, place, "chance to win in one turn", hits, "at most ... (lost in our copy)")

    def zone() -> tuple[str, bool]:
        ends = {mine + _hold(EXACT, mine, 180) for mine in range(165, 194)}
        usual, wider = _hold(PIG, 170, 0), _hold(EXACT, 170, 0)
        text = f"against 180, from 165 to 193: first stop at {sorted(ends)}; at 170-0 stop at {wider}, not {usual}"
        return text, ends == {194} and wider > usual

    yield fact(CROCCE, place, "a larger roll zone up to 194", "roll until 194", zone)

    def stuck() -> str:
        pays = solved(EXACT).payoff(199, 199)
        return f"two players at 199 never finish: worth {pays:g}; 199 against 0 {solved(EXACT).payoff(199, 0):+.4f}"

    yield shown(CROCCE, place, "one point below the target", stuck, "not mentioned")


def _margin() -> Iterator[Claim]:
    place = "4, largest difference"

    def risk(yours: int) -> tuple[int, int, int]:
        """Within one roll of the target, where only this player rolls, only the classical one, and both."""
        close = [(m, k) for m in range(100, TARGET) for k in range(max(2, TARGET - 6 - m), TARGET - m)]
        pairs = [(bool(zones(MARGIN)[m, yours, k]), bool(zones(PIG)[m, yours, k])) for m, k in close]
        return pairs.count((True, False)), pairs.count((False, True)), pairs.count((True, True))

    def bolder(yours: int) -> tuple[str, bool]:
        more, fewer, both = risk(yours)
        return (
            f"rolls in {more + both} states within a roll of the target, the classical player in {both + fewer}",
            (more > 0 == fewer),
        )

    for yours in (0, 50, 100):
        what = f"close to winning it takes the risk, opponent at {yours}"
        yield fact(CROCCE, place, what, "it rolls", partial(bolder, yours))

    def everywhere() -> tuple[str, bool]:
        found = [risk(yours) for yours in range(TARGET)]
        least = min(more + both for more, _, both in found)
        less = [yours for yours, (_, fewer, _) in enumerate(found) if fewer]
        text = f"it rolls in {least} such states or more against every score"
        more = f"; from {less[0]} on the classical player rolls in still more" if less else ""
        return text + more, least > 0 and not less

    yield fact(
        CROCCE, place, "bolder than the classical player for any score of the opponent", "observed for any",
        everywhere, "it does roll there against any score, but near the end the classical player rolls more",
    )  # fmt: skip

    def points() -> str:
        return f"{solved(MARGIN).payoff():+.6f} points to the first player"

    yield shown(CROCCE, place, "value of this variant", points)
