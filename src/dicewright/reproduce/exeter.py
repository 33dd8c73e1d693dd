"""Exeter, "Finding the optimal strategy for the dice game Pig": its equations, sizes, times and optimum."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..families.catalog import parse as game
from ..families.catalog import strategy
from ..families.race.duel import best_response_race, duel_tables, evaluate_race, iterate_best_responses
from ..families.race.pictures import reachable
from ..families.race.rules import RaceView
from ..families.race.tabled import tabulate
from . import exeter_games, exeter_people
from .again import FACES, overall_again, turns_again
from .claims import EXETER, Because, Depth, Exhibit, Found, Source
from .kinds import fact, number, shown, timed
from .solved import first, met, rolls, second, solved, table

TIE = 1e-12  # chances this close are equal
STARTS = ("hold:20", "hold:25", "turtle", "roll-to-win", "random", "keep-pace")
FEW_MINUTES = 180.0


def claims() -> Source:
    """The report's exact results, in the order of its sections."""
    exeter = Source(EXETER)
    for part in (
        _worked_examples,
        _matrices,
        _piglet,
        _sizes,
        _optimum,
        exeter_games.claims,
        exeter_people.claims,
    ):
        part(exeter)
    return exeter


def _at(a: str, b: str, mine: int, yours: int) -> tuple[float, float]:
    """A's chance at mine-yours on A's turn, and B's at yours-mine on B's turn."""
    x, y = duel_tables(game("pig"), table("pig", a), table("pig", b))
    return float(x[mine, yours, 0]), float(y[yours, mine, 1])


def _worked_examples(exeter: Source) -> None:
    def at(a: str, mine: int) -> tuple[float, float]:
        return _at(a, "roll-to-win", mine, 99)

    place = "2.2.1"
    exeter.add(number, place, "both at 99, to move", "0.857143", lambda: at("roll-to-win", 99)[0])
    exeter.add(number, place, "97-99, rolling at +2", "0.8325", lambda: at("roll-to-win", 97)[0])
    exeter.add(number, place, "97-99+2, rolling", "0.8565", lambda: 1 - at("roll-to-win", 97)[1] / 6)
    exeter.add(number, place, "99-97, the other rolling", "0.8612", lambda: at("roll-to-win", 97)[1])
    exeter.add(number, place, "97-99, banking at +2", "0.7102", lambda: at("hold:2", 97)[0])
    exeter.add(number, place, "97-99+2, banking", "0.1429", lambda: 1 - at("hold:2", 99)[1])
    exeter.add(number, place, "99-97, the other banking", "0.8816", lambda: at("hold:2", 97)[1])


def _matrices(exeter: Source) -> None:
    """The systems of section 2.2.2 as printed: three of them do not say what the equations above them say."""
    s, swapped = 1 / 6, "entries of two unknowns are swapped in the matrix; the equations above it are right"

    def solve(printed: Any, meant: Any, wanted: tuple[str, ...]) -> Found:
        one, two = (np.linalg.solve(*system).tolist() for system in (printed, meant))
        texts = [f"{x:.4f}" for x in one]
        corrected = ", ".join(f"{x:.4f}" for x in two)
        return f"{', '.join(texts)}; corrected {corrected}", texts == list(wanted), (one, two)

    def by_engine(a: str, scores: tuple[int, ...]) -> tuple[float, ...]:
        """The unknowns of the system by the exact evaluation of the whole game."""
        mine, yours = _at(a, "roll-to-win", *scores)
        if len(set(scores)) == 1:
            return mine, yours
        middle = 1 - _at(a, "roll-to-win", 99, 99)[1] if a == "hold:2" else 1 - yours / 6
        return mine, middle, yours

    last = ((1, -s, s), (s, 0, 1))
    systems = (
        ("both at 99, with six winning faces", "roll-to-win", (99, 99), (((1, s), (s, 1)), (7 / 6, 7 / 6)),
         (((1, s), (s, 1)), (1, 1)), ("0.8571", "0.8571"), (1, 1),
         "one 1 too many stands in the sum: five faces win, as the matrix below it has it"),
        ("97-99, rolling at +2", "roll-to-win", (97, 99), (((1, s, -s), (s, 1, 0), (s, 0, 1)), (5 / 6, 1, 1)),
         ((last[0], (0, 1, s), last[1]), (5 / 6, 1, 1)), ("0.8325", "0.8565", "0.8612"),
         (Fraction(5, 6), Fraction(31, 36), Fraction(31, 36)), swapped),
        ("97-99, banking at +2", "hold:2", (97, 99), (((1, s, -s), (0, 1, 0), (s, 0, 1)), (5 / 6, 1 / 7, 1)),
         ((last[0], (0, 1, 0), last[1]), (5 / 6, 1 / 7, 1)), ("0.7102", "0.1429", "0.8816"),
         (Fraction(246, 259), Fraction(1, 7), Fraction(218, 259)), swapped),
    )  # fmt: skip
    for what, a, scores, printed, meant, wanted, by_hand, reason in systems:

        def known(a: str = a, scores: tuple[int, ...] = scores, by_hand: Any = by_hand) -> object:
            return by_hand, by_engine(a, scores)

        exeter.add(fact, "2.2.2", f"misprint: {what}, system as printed", ", ".join(wanted),
                   partial(solve, printed, meant, wanted), Because(reason, known))  # fmt: skip

    @exeter(number, "1.2.1, equation 2", "misprint: banking at 97-99+2, equation as printed", "0.1429",
            because=Because("the turn total must be added to the score: as printed the other has won, with 99 and 2",
                            lambda: 0.0))  # fmt: skip
    def banked() -> float:
        """Equation 2 as printed, 1 - Q(j, i, k), at 97-99+2: the other player at 99 with a turn total of 2."""
        return 1 - solved("pig").action_worths(RaceView(99, 97, 2))["hold"]


def _by_hand(goal: int, bank_a: int, bank_b: int) -> Fraction:
    """P(0, 0, 0) of Piglet by the report's own equations, in fractions: one 2 x 2 system a pair of scores.

    A turn raises the score by m with chance 2^-m, else leaves it, where m is the banking number (less near the
    goal):  p = u a + (1 - u)(1 - q),  q = v b + (1 - v)(1 - p).
    """
    p: dict[tuple[int, int], Fraction] = {}
    q: dict[tuple[int, int], Fraction] = {}
    for i in reversed(range(goal)):
        for j in reversed(range(goal)):
            step_a, step_b = min(bank_a, goal - i), min(bank_b, goal - j)
            u, v = Fraction(1, 2**step_a), Fraction(1, 2**step_b)
            a = 1 - q[j, i + step_a] if i + step_a < goal else Fraction(1)
            b = 1 - p[i, j + step_b] if j + step_b < goal else Fraction(1)
            one, two = u * a + 1 - u, v * b + 1 - v
            p[i, j] = (one - (1 - u) * two) / (1 - (1 - u) * (1 - v))
            q[j, i] = two - (1 - v) * p[i, j]
    return p[0, 0]


def _piglet(exeter: Source) -> None:
    def compare(goal: int) -> Found:
        one, two = _by_hand(goal, 1, 2), _by_hand(goal, 2, 1)
        found = met(f"piglet:goal={goal}", "hold:1", "hold:2")
        errors = (found.a_first.first_wins - one, found.b_first.first_wins - two)
        text = f"bank-1 first {one}, bank-2 first {two}: by hand and by the engine"
        return text, max(map(abs, errors)) < TIE

    for goal in (2, 3):
        what = f"Piglet to {goal}, bank-1 v bank-2: their equations and our engine"
        exeter.add(fact, "2.2.4", what, "no figure", partial(compare, goal))
    exeter.add(number, "2.2.3", "fewest rolls to 100", "17", lambda: -(-100 // 6))


def _sizes(exeter: Source) -> None:
    pig = game("pig")

    @exeter(fact, "2.3.3", "misprint: sets of equations", "100 x 100 x 100 = 1 million",
            because=Because("there is a set for each pair of scores, as the paragraph before says: the goal squared",
                            lambda: (100**2, 100 * sum(range(101)))))  # fmt: skip
    def states() -> Found:
        turns = [len(table("pig", "optimal").choices(i, j)) for i in range(100) for j in range(100)]
        text = f"{len(turns):,} sets of equations for {sum(turns):,} states"
        return text, len(turns) == 10**6, (len(turns), sum(turns))

    def choices() -> int:
        """States with two actions by the rules, for each score of the other; a turn total of 1 cannot be."""
        views = [RaceView(mine, 0, turn) for mine in range(100) for turn in range(100 - mine) if turn != 1]
        return 100 * sum(len(pig.actions(view)) == 2 for view in views)

    @exeter(fact, "3.1.1", "misprint: number of strategies", "2^(100 x 100) x 100",
            because=Because("the last factor belongs into the exponent", choices))  # fmt: skip
    def strategies() -> Found:
        free = sum(max(0, 100 - mine - 2) for mine in range(100)) * 100
        return f"2^{free:,}: one choice in each state with a turn total from 2 on", free == 100 * 100, free

    pair = strategy("hold:20", pig), strategy("hold:21", pig)
    exeter.add(
        timed, "2.3.3", "time to evaluate a pair of strategies", "5 s", 5.0, lambda: evaluate_race(pig, *pair)
    )
    exeter.add(timed, "2.3.5", "time to find the best response", "a few minutes", FEW_MINUTES,
               lambda: best_response_race(pig, pair[0]))  # fmt: skip


@cache
def orders(start: str) -> tuple[tuple[float, ...], bool]:
    """What the first, second, ... order optimals win moving first, and whether the last is the optimum."""
    pig = game("pig")
    responses = list(iterate_best_responses(pig, strategy(start, pig)))
    last: Any = responses[-1].strategy
    wins = tuple(r.first_wins for r in responses if r.first_wins is not None)
    return wins, tabulate(pig, last).same_choices(table("pig", "optimal"))


def _optimum(exeter: Source) -> None:
    def converges(start: str) -> Found:
        wins, same = orders(start)
        return f"{len(wins) - 1} rounds; the first wins {wins[0]:.6f}, the last {wins[-1]:.6f}", same

    for start in STARTS:
        what = f"best response to the best response to ... {start}"
        depth = Depth.QUICK if start == "hold:20" else Depth.DEFAULT
        exeter.add(fact, "3.1.1", what, "becomes the optimum", partial(converges, start), depth=depth)

    @exeter(fact, "3.1.1", "the best response to the optimum", "the optimum itself")
    def fixed_point() -> Found:
        pig = game("pig")
        response: Any = best_response_race(pig, solved("pig")).strategy
        same = tabulate(pig, response).same_choices(table("pig", "optimal"))
        return "all 505,000 choices equal" if same else "choices differ", same

    exeter.add(number, "3.3.6", "optimal v hold-at-25", "0.55127", partial(first, "optimal", "hold:25"))
    exeter.add(number, "3.3.6", "hold-at-25 v optimal", "0.50914", partial(second, "optimal", "hold:25"))
    exeter.add(number, "3.3.6", "optimal v optimal", "0.53059", partial(first, "optimal", "optimal"))
    exeter.add(number, "3.3.6", "slip: optimal v hold-at-25 in general", "0.55127",
               lambda: met("pig", "optimal", "hold:25").a_overall,
               Because("the figure is the chance when it goes first",
                       partial(overall_again, "pig", "optimal", "hold:25")))  # fmt: skip

    @exeter(fact, "figure 1", "the optimum is one surface: roll below it, bank above", "one boundary",
            because=Because("a surface has one number for each pair of scores; the optimum has gaps, as at 41-49+27",
                            _gaps_again))  # fmt: skip
    def surface() -> Found:
        """Pairs of scores where the optimum rolls again above a hold: anywhere, and where play can get to."""
        reached, cube = _reached(), rolls(table("pig", "optimal"), 100)
        above = np.logical_or.accumulate(reached & ~cube, axis=2) & reached & cube
        anywhere = np.diff(cube.astype(int), axis=2) > 0
        again, in_play = (int(found.any(axis=2).sum()) for found in (anywhere, above))
        text = f"it rolls again above a hold at {again:,} pairs of scores, {in_play} of them in play"
        return text, again == 0, (again, in_play)

    @exeter(shown, "figure 2", "states an optimal player can reach", paper="a picture")
    def visited() -> str:
        count = int(_reached().sum())
        return f"{count:,} of 505,000 states, if the other may do anything"


def _gaps_again() -> tuple[int, int]:
    """Pairs of scores with a roll above a hold, anywhere and in play, from the equation of optimality and plain steps.

    The other may do anything, and may have moved first: on a turn the score stays or rises by 2 or more.
    """
    lines, starts, gaps, in_play = turns_again("pig").rolls, np.zeros((100, 100), bool), 0, 0
    starts[0] = np.arange(100) != 1  # where a turn of the optimal player can begin
    for i in range(100):
        for j in range(100):
            line, totals, held, again = lines[i, j, : 100 - i].tolist(), {0}, set[int](), False
            gaps += any(after > before for before, after in pairwise(line))
            for k in filter(totals.__contains__, range(100 - i) if starts[i, j] else ()):
                if line[k]:
                    totals |= {k + face for face in FACES}
                    again |= bool(held)
                else:
                    held.add(k)
                    starts[i + k, j], starts[i + k, j + 2 :] = True, True
            in_play += again
    return gaps, in_play


@cache
def _reached() -> Any:
    """[mine, yours, turn]: whether an optimal player can get there; a random opponent can do anything."""
    return reachable(game("pig"), solved("pig"), strategy("random", game("pig")))


def exhibits() -> Iterator[Exhibit]:
    """Order optimals, round by round, and what games of people can find."""
    lines = [[start, *(f"{w:.6f}" for w in orders(start)[0])] for start in STARTS]
    longest = max(map(len, lines))
    columns = ["start", *(str(n) for n in range(1, longest))]
    padded = [line + [""] * (longest - len(line)) for line in lines]
    yield from exeter_people.exhibits()
    yield Exhibit(EXETER, "What the n-th order optimal wins moving first (section 3.1.1)", columns, padded)
