"""Crocce & Mordecki, "Optimal minimax strategy in a dice game": Pig to 200.

Our copy has lost the paper's formulas, most numbers and all pictures; what it says in words is checked.
"""

from fractions import Fraction
from functools import cache, partial

import numpy as np

from ..families.catalog import parse as game
from ..families.race.duel import best_response_race
from ..families.race.rules import HOLD, ROLL, RaceView
from ..families.race.solution import solve_race
from ..families.race.strategies import best_turn, fewest_turns
from .again import overall_again, turns_again
from .claims import CROCCE, Because, Depth, Found, Source
from .kinds import fact, missing, number, played, shown
from .solved import Flags, met, play_games, rolled, solved, table

TARGET = 200
PIG = f"pig:goal={TARGET}"
EXACT, MARGIN = f"{PIG},finish=exact", f"{PIG},payoff=margin"
LOST = "the number is lost in our copy of the paper"
SHOWN = {PIG: (180, 185), EXACT: (0, 150, 180, 198), MARGIN: (170, 180)}  # opponent's scores of its pictures
USUAL = 20  # where one turn alone would stop


def claims() -> Source:
    """Sections 3 and 4."""
    crocce = Source(CROCCE)
    for part in (_classical, _observations, _haigh_roters, _exact_target, _largest_difference):
        part(crocce)
    return crocce


def _classical(crocce: Source) -> None:
    equation(crocce, PIG, "2, theorem")

    @crocce(fact, "3", "the value: moving first is worth more than one half", "a value exists",
            depth=Depth.DEFAULT)  # fmt: skip
    def value() -> Found:
        certificate = solve_race(game(PIG), "bounds").certificate
        chance = (1 + certificate.value) / 2
        return f"first wins {chance:.10f}, second {1 - chance:.10f}", certificate.lower > 0

    @crocce(fact, "3", "a fair coin decides who starts: the optimum wins", "at least 1/2")
    def guarantee() -> Found:
        response = best_response_race(game(PIG), solved(PIG))
        best = ((response.first_wins or 0) + (response.second_wins or 0)) / 2
        return f"the best response to it wins {best:.12f}", best < 0.5 + 1e-12

    def counted() -> int:
        totals = [len(table(PIG, "optimal").choices(i, j)) for i in range(TARGET) for j in range(TARGET)]
        return 2 * sum(totals)

    @crocce(missing, "3", "number of states", "about ...", Because(LOST, counted))
    def states() -> Found:
        count = 2 * TARGET * TARGET * (TARGET + 1) // 2
        return f"{count:,} states of both players", False, count

    @crocce(fact, "3", "70 sixes in a row end any game", "70")
    def sixes() -> Found:
        needed = 2 * -(-TARGET // 6) - 1
        return f"{needed} in a row are enough, if both stop after each", needed <= 70


def _observations(crocce: Source) -> None:
    place, low = "3, observations", 10
    crocce.add(number, "3 (Roters)", "the turn total that makes one turn best", "20",
               lambda: float(best_turn(game(PIG))[0]))  # fmt: skip

    def stops(rolls: Flags) -> tuple[int, int, int, int]:
        """The first stop at 0-0, the least and the largest at low scores, and how many are the one of Roters."""
        found = [first_stop(rolls, mine, yours) for mine in range(low) for yours in range(low)]
        return found[0], min(found), max(found), found.count(best_turn(game(PIG))[0])

    @crocce(fact, place, "at low scores: roll below this turn total, as Roters does", "... (lost; 20 by Roters)",
            because=Because("Roters makes one turn best, the optimum the game: "
                            "at most low scores 20 is still a roll, by a hair",
                            lambda: stops(turns_again(PIG).rolls)))  # fmt: skip
    def start() -> Found:
        zero, least, most, same = found = stops(zones(PIG))
        worths = solved(PIG).action_worths(RaceView(0, 0, 20))
        text = (
            f"{zero} at 0-0, where rolling at 20 gains {worths[ROLL] - worths[HOLD]:.1e}; "
            f"{least} to {most} where both are below {low}, 20 in {same} of {low**2} pairs"
        )
        return text, least == most == best_turn(game(PIG))[0], found

    @crocce(fact, place, "riskier the closer the opponent is", "riskier")
    def riskier() -> Found:
        sizes = [int(zones(PIG)[:, yours][open_states()].sum()) for yours in range(TARGET)]
        some = ", ".join(f"{sizes[yours]:,} at {yours}" for yours in (0, 50, 100, 150, 180, 185, 187))
        return f"states with a roll: {some}; never fewer at a higher score", sizes == sorted(sizes)

    @crocce(fact, place, "opponent's score from which one never stops", "187")
    def never_stop() -> Found:
        grey = never_stops(zones(PIG))
        return f"from {grey[0]} on, without a gap", grey == list(range(187, TARGET))


def _haigh_roters(crocce: Source) -> None:
    pair = ("optimal", "fewest-turns")
    crocce.add(number, "3 (Haigh & Roters)", "fewest expected turns to 200", "24.785745",
               lambda: float(fewest_turns(game(PIG))[0][0]))  # fmt: skip

    @crocce(missing, "3, observations", "share of games won against Haigh & Roters", "...",
            Because(LOST, partial(overall_again, PIG, *pair)))  # fmt: skip
    def exactly() -> Found:
        found = met(PIG, *pair).a_overall
        return f"{100 * found:.4f} % exactly", False, found

    def play() -> tuple[int, int]:
        games = 100_000
        first, second = play_games(PIG, *pair, games, 1) > 0, play_games(PIG, *pair[::-1], games, 2) < 0
        return int(first.sum() + second.sum()), 2 * games

    crocce.add(played, "3, observations", "the same, played", "more than half", lambda: met(PIG, *pair).a_overall,
               play)  # fmt: skip


def zones(name: str) -> Flags:
    """[mine, yours, turn]: where the optimum rolls."""
    return rolled(name, "optimal")


@cache
def open_states() -> Flags:
    """[mine, turn]: the states that can occur below the target; a turn total of 1 cannot."""
    mine, turn = np.ogrid[:TARGET, :TARGET]
    below: Flags = (mine + turn < TARGET) & (turn != 1)
    return below


def never_stops(rolls: Flags) -> list[int]:
    """The opponent's scores against which no state has a stop."""
    return [yours for yours in range(TARGET) if rolls[:, yours][open_states()].all()]


def first_stop(rolls: Flags, mine: int, yours: int) -> int:
    """The lowest turn total with a stop; what is missing to the target if there is none."""
    line = rolls[mine, yours, : TARGET - mine]
    return TARGET - mine if line.all() else int(line.argmin())


def equation(crocce: Source, name: str, place: str) -> None:
    """Whether the values of a game solve its equation of optimality, as the paper's theorem wants."""

    @crocce(fact, place, "the value solves the equation of optimality", "its one solution")
    def solves() -> Found:
        error = turns_again(name).error
        return f"but for {error:.0e} in all {TARGET * TARGET:,} pairs of scores", error < 1e-9


def _exact_target(crocce: Source) -> None:
    place, near = "4, exact target", 50
    equation(crocce, EXACT, place)

    def far(rolls: Flags) -> tuple[int, int, int]:
        """The least and the largest first stop where both are far from the target, and how many are the usual."""
        stops = [first_stop(rolls, mine, yours) for mine in range(near) for yours in range(near)]
        return min(stops), max(stops), stops.count(USUAL)

    @crocce(fact, place, "far from the target: stop from this turn total on", f"similar to ... (lost; {USUAL})",
            because=Because("similar, not the same: both scores move the stop by a few points, "
                            "as in the classical game",
                            lambda: far(turns_again(EXACT).rolls)))  # fmt: skip
    def alike() -> Found:
        least, most, usual = found = far(zones(EXACT))
        text = f"first stop from {least} to {most} where both are below {near}; at {USUAL} in {usual:,} of {near**2:,}"
        return text, least == most == USUAL, found

    @crocce(number, place, "chance to lose the turn at 180 with 16 (rolling 1, 5 or 6)", "0.5")
    def lost_turn() -> Fraction:
        rules = game(EXACT)
        in_air, passed = rules.play(rules.read_state("180-7+16"), "roll"), rules.read_state("7-180/2")
        chances = rules.outcomes(in_air).items()
        return sum((chance for face, chance in chances if rules.play(in_air, face) == passed), Fraction(0))

    @crocce(fact, place, "never becomes so risky", "never all roll")
    def milder() -> Found:
        grey = len(never_stops(zones(EXACT)))
        fewer = [int(zones(name)[:, 187][open_states()].sum()) for name in (PIG, EXACT)]
        text = f"{grey} opponent's scores with no stop; rolls against 187: {fewer[1]:,}, not {fewer[0]:,}"
        return text, grey == 0

    @crocce(shown, place, "chance to win in one turn", paper="at most ... (lost in our copy)")
    def hits() -> str:
        """The chance to hit exactly n points in one turn, before a 1."""
        chances = [Fraction(1)]
        for n in range(1, TARGET + 1):
            chances.append(sum((chances[n - r] for r in range(2, 7) if r <= n), Fraction(0)) / 6)
        best = max(range(1, TARGET + 1), key=chances.__getitem__)
        return f"at most {chances[best]}, from {TARGET - best}; in the classical game 5/6"

    @crocce(fact, place, "only a 1 loses the turn and a 6 wins: the largest such total", "194")
    def safe() -> Found:
        """The totals from which a 6 wins and nothing but a 1 loses the turn."""
        rules, both = game(EXACT), []
        for total in range(150, TARGET):
            in_air = rules.play(rules.read_state(f"{total - 20}-0+20"), "roll")
            states = [rules.play(in_air, face) for face in rules.outcomes(in_air)]
            lost = sum(state.yours == total - 20 for state in states)
            if lost == 1 and max(state.mine + state.turn for state in states) == TARGET:
                both.append(total)
        return f"{', '.join(map(str, both))} and no other", both == [194]

    def lowest(rolls: Flags) -> tuple[int, ...]:
        """For each picture, the lowest own score whose turn goes on to 194."""
        stops = {
            yours: [mine + first_stop(rolls, mine, yours) for mine in range(194)] for yours in SHOWN[EXACT]
        }
        return tuple(line.index(194) for line in stops.values())

    @crocce(missing, place, "a roll zone larger than usual, up to 194", "when ...",
            Because("for which scores it says so is lost in our copy",
                    lambda: lowest(turns_again(EXACT).rolls)))  # fmt: skip
    def zone() -> Found:
        found = lowest(zones(EXACT))
        risked = ", ".join(
            f"{194 - m} from {m} against {yours}" for yours, m in zip(SHOWN[EXACT], found, strict=True)
        )
        return f"turns go on to 194 with so many points at stake: {risked}; usually {USUAL}", False, found

    @crocce(shown, place, "one point below the target", paper="not mentioned")
    def stuck() -> str:
        pays = solved(EXACT).payoff(199, 199)
        return f"two players at 199 never finish: worth {pays:g}; 199 against 0 {solved(EXACT).payoff(199, 0):+.4f}"


@cache
def _close() -> Flags:
    """[mine, turn]: the states from which one roll can reach the target."""
    mine, turn = np.ogrid[:TARGET, :TARGET]
    close: Flags = open_states() & (mine + turn >= TARGET - 6) & (turn > 0)
    return close


def _largest_difference(crocce: Source) -> None:
    place, opponents = "4, largest difference", (0, 100, 170, 180, 199)
    equation(crocce, MARGIN, place)

    def risks(rolls: Flags) -> tuple[tuple[int, int], ...]:
        """By opponent: how many states close to winning roll, and the own score from which all of them do."""
        found = []
        for yours in opponents:
            stops = np.argwhere(_close() & ~rolls[:, yours])[:, 0]
            found.append((int((_close() & rolls[:, yours]).sum()), int(stops.max()) + 1))
        return tuple(found)

    @crocce(fact, place, "close to winning, by a roll at most, it rolls against any score of the opponent", "it rolls",
            because=Because("with a large turn total at stake it stops",
                            lambda: risks(turns_again(MARGIN).rolls)))  # fmt: skip
    def bold() -> Found:
        found, total = risks(zones(MARGIN)), int(_close().sum())
        shares = ", ".join(f"{n} against {yours}" for yours, (n, _) in zip(opponents, found, strict=True))
        always = ", ".join(str(score) for _, score in found)
        text = f"of {total:,} such states it rolls in {shares}; in all from an own score of {always} on"
        return text, all(zones(MARGIN)[:, yours][_close()].all() for yours in range(TARGET)), found

    def bounds(margin: Flags, classical: Flags) -> tuple[int, int]:
        """The first opponent against whom nothing is bolder than the classical player, and against whom less is."""
        pairs = [(margin[:, yours][_close()], classical[:, yours][_close()]) for yours in range(TARGET)]
        bolder, milder = [bool((a & ~b).any()) for a, b in pairs], [bool((b & ~a).any()) for a, b in pairs]
        return bolder.index(False), milder.index(True)

    @crocce(fact, place, "there it rolls where the classical player stops, against any score", "observed for any",
            because=Because("near the end a stop saves points here, for the loser pays what is missing to the target",
                            lambda: bounds(turns_again(MARGIN).rolls, turns_again(PIG).rolls)))  # fmt: skip
    def different() -> Found:
        none, less = found = bounds(zones(MARGIN), zones(PIG))
        text = f"so against 0 to {none - 1}; from {less} on it stops where the classical player rolls"
        return text, none == TARGET, found

    @crocce(shown, place, "value of this variant")
    def points() -> str:
        return f"{solved(MARGIN).payoff():+.6f} points to the first player"
