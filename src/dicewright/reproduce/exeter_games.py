"""Exeter: strategies against each other, exactly and in games played by programs and by people."""

from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import ceil, prod
from typing import Any

import numpy as np
from scipy.stats import binom, norm

from ..families.catalog import parse as game
from ..families.catalog import strategy
from ..families.race.duel import win_matrix
from ..families.race.rules import HOLD, ROLL, RaceView
from .again import overall_again, won_again
from .claims import Because, Claim, Depth, Finding, Found, Source, Verdict
from .kinds import CONFIDENCE, fact, interval, missing, number, played, printed_share, rounds_to, shown
from .solved import first, met, play_games, second, solved

EACH_FIRST = 150_000  # games of the fair test that either strategy starts: 100 times 3000, half of them
FAIR_TESTS = 100
SERIES, GAMES = 1000, 1000

TIE = 1e-12  # chances this close are equal: hold-at-1 and hold-at-2 are one strategy, for instance

PRINTED = (0.710606, 0.297148)  # roll-and-wait against turtle, either first
NEAREST = (78, 39)  # the target and the climb of roll-and-wait that come nearest

# Hold-at-a against hold-at-b: theory (a first, b first, a in general) and practice (the same).
FIGURE_17 = {
    (20, 21): ("0.5426", "0.5258", "0.5084", 0.5429, 0.5267),
    (15, 20): ("0.4784", "0.5933", "0.4426", 0.4773, 0.5939),
    (1, 80): ("0.5049", "0.5078", "0.4986", 0.5057, 0.5093),
    (1, 5): ("0.0236", "0.9860", "0.0188", 0.0233, 0.9862),
    (80, 85): ("0.5568", "0.4541", "0.5514", 0.5557, 0.4518),
    (45, 55): ("0.5544", "0.4740", "0.5402", 0.5555, 0.4725),
    (1, 100): ("0.7393", "0.2682", "0.7356", 0.7400, 0.2683),
    (36, 52): ("0.6354", "0.3969", "0.6193", 0.6329, 0.3949),
    (5, 21): ("0.0788", "0.9401", "0.0694", 0.0785, 0.9393),
    (13, 31): ("0.5006", "0.5559", "0.4724", 0.5024, 0.5563),
}

# Figure 6: times rolled, score of the turn, total.
RECORD = (
    (4, 16, 16), (2, 8, 24), (3, 8, 32), (3, 16, 48), (1, 0, 48), (3, 0, 48),
    (3, 13, 61), (2, 9, 70), (1, 0, 70), (4, 16, 86), (1, 0, 86), (4, 15, 101),
)  # fmt: skip


def claims(exeter: Source) -> None:
    """Sections 3.3.5 and 3.3.6, the stalemates of 2.3.4; figures 15 to 17, the box plot, the record of figure 6."""
    for part in (_tournament, _cycle, _figure_17, _box_plot, _fair_test, _practice, _record):
        part(exeter)


@cache
def hundred() -> Any:
    """Each hold-at-n, n = 1..100, against each, when a coin decides who starts."""
    pig = game("pig")
    wins = win_matrix(pig, [strategy(f"hold:{n}", pig) for n in range(1, 101)])
    return (wins + 1 - wins.T) / 2


def _tournament(exeter: Source) -> None:
    @exeter(fact, "3.3.5", "the best hold-at-n, n = 1..100", "hold-at-25 beats all")
    def best() -> Found:
        beaten = (hundred() > 0.5 + TIE).sum(axis=1)
        return f"hold-at-{beaten.argmax() + 1} beats {beaten.max()} of 99", beaten[24] == 99

    @exeter(fact, "3.3.5", "hold-at-n, n = 1..100", "transitive")
    def transitive() -> Found:
        chances = hundred()
        better = chances > 0.5 + TIE
        indirectly = better.astype(int) @ better.astype(int) > 0
        ties = [f"{m + 1} = {n + 1}" for m, n in np.argwhere(np.triu(abs(chances - 0.5) < TIE, 1))]
        breaks = int((indirectly & ~better).sum())
        return f"{breaks} breaks; ties: {', '.join(ties)}", breaks == 0

    @exeter(fact, "figure 18", "hold-at-25 against every other hold-at-n", "all above 0.5")
    def curve() -> Found:
        line = np.delete(hundred()[24], 24)
        nearest = int(line.argmin())
        return f"lowest {line.min():.6f}, against {nearest + 1 + (nearest >= 24)}", bool(line.min() > 0.5)

    exeter.add(number, "3.3.6", "hold-at-25 v 30", "0.573741", partial(first, "hold:25", "hold:30"))
    exeter.add(number, "3.3.6", "hold-at-30 v 25", "0.48091", partial(second, "hold:25", "hold:30"))
    exeter.add(number, "3.3.6", "hold-at-25 v 30, in general", "0.546416", lambda: float(hundred()[24, 29]))


def _cycle(exeter: Source) -> None:
    skip = "pig:skip=yes"
    turtle, wait = ("turtle", "roll-to-win", skip), ("roll-to-win", "roll-and-wait", skip)
    exeter.add(number, "3.3.6", "turtle v roll-to-win", "0.812840", partial(first, *turtle))
    exeter.add(number, "3.3.6", "roll-to-win v turtle", "0.195448", partial(second, *turtle))
    exeter.add(number, "3.3.6", "roll-to-win v roll-and-wait", "1", partial(first, *wait))
    exeter.add(number, "3.3.6", "roll-and-wait v roll-to-win", "0", partial(second, *wait))

    @exeter(fact, "3.3.6", "turtle > roll-to-win > roll-and-wait > turtle", "a cycle, each above 0.525")
    def cycle() -> Found:
        pairs = (("turtle", "roll-to-win"), ("roll-to-win", "roll-and-wait"), ("roll-and-wait", "turtle"))
        chances = [met(skip, a, b).a_overall for a, b in pairs]
        return ", ".join(f"{c:.4f}" for c in chances), min(chances) > 0.525

    def nearest() -> tuple[float, ...]:
        """The reading known to be nearest, and its chances found a second time."""
        wait = _wait(*NEAREST)
        return *NEAREST, won_again(skip, wait, "turtle")[0], won_again(skip, "turtle", wait)[0]

    @exeter(missing, "3.3.6", "roll-and-wait v turtle, either first", " and ".join(map(str, PRINTED)),
            Because("the report does not say how 80 is reached, nor when the opponent has caught up", nearest),
            depth=Depth.DEFAULT)  # fmt: skip
    def readings() -> Found:
        """Every target and climb near what is described: is one of them the strategy of the report?"""
        tried = {(t, h): met(skip, _wait(t, h), "turtle") for t in range(78, 83) for h in range(5, t + 1)}
        won = {reading: (m.a_first.first_wins, m.b_first.first_wins) for reading, m in tried.items()}
        near = min(won, key=lambda reading: abs(np.subtract(won[reading], PRINTED)).sum())
        text = f"nearest {won[near][0]:.6f} and {won[near][1]:.6f} of {len(tried)} readings: {_wait(*near)}"
        pairs = {tuple(round(x, 6) for x in pair) for pair in won.values()}
        return text, PRINTED in pairs, (*near, *won[near])

    @exeter(fact, "2.3.4", "stalemates of skip-when-equal with itself, by what it plays otherwise",
            "around a quarter")  # fmt: skip
    def shares() -> Found:
        bases = ("hold:10", "hold:15", "hold:20", "hold:25", "keep-pace", "optimal")
        found = {base: stalemate(base) for base in bases}
        text = ", ".join(f"{base} {share:.4f}" for base, share in found.items())
        return text, any(abs(share - 0.25) < 0.05 for share in found.values())


def _wait(target: int, hold: int) -> str:
    return f"roll-and-wait:target={target},hold={hold}"


def stalemate(base: str) -> float:
    """How often skip-when-equal never ends against itself, on this base."""
    text = f"skip-when-equal:base={base}"
    return met("pig:skip=yes", text, text).a_first.stalemate


def _figure_17(exeter: Source) -> None:
    rounded = "the report averaged its two rounded columns, which costs the last digit"
    for (a, b), (former, latter, general, _, _) in FIGURE_17.items():
        pair, what = (f"hold:{a}", f"hold:{b}"), f"hold-at-{a} v hold-at-{b}"
        exeter.add(number, "figure 17", f"{what}, former first", former, partial(first, *pair))
        exeter.add(number, "figure 17", f"{what}, latter first", latter, partial(second, *pair))
        overall = partial(lambda pair: met("pig", *pair).a_overall, pair)
        halves = round((float(former) + 1 - float(latter)) * 10**4) % 2  # their mean ends in half a digit
        because = Because(rounded, partial(overall_again, "pig", *pair)) if halves else None
        exeter.add(number, "figure 17", f"{what}, former in general", general, overall, because)
    for (a, b), (*_, former_won, latter_won) in FIGURE_17.items():
        exeter.add(Claim, "figure 17", f"hold-at-{a} v hold-at-{b}, practice", f"{former_won:.4f} / {latter_won:.4f}",
                   partial(_practical, (f"hold:{a}", f"hold:{b}"), (former_won, latter_won)))  # fmt: skip

    @exeter(fact, "figure 17", "deviations of practice from theory", "all below 0.025")
    def deviations() -> Found:
        found = [
            abs((won + 1 - lost) / 2 - met("pig", f"hold:{a}", f"hold:{b}").a_overall)
            for (a, b), (*_, won, lost) in FIGURE_17.items()
        ]
        return f"the largest is {max(found):.4f}", max(found) < 0.025


def _practical(pair: tuple[str, str], shares: tuple[float, float]) -> Finding:
    """Both printed shares of a fair test beside the exact chances."""
    chances = (first(*pair), second(*pair))
    around = [interval(round(share * EACH_FIRST), EACH_FIRST) for share in shares]
    pairs = [(chance, *between) for chance, between in zip(chances, around, strict=True)]
    text = " / ".join(f"{chance:.4f} in {low:.4f}..{high:.4f}" for chance, low, high in pairs)
    fits = all(low <= chance <= high for chance, low, high in pairs)
    return Finding(f"exactly {text}", Verdict.CONSISTENT if fits else Verdict.DIFFERS)


def _box_plot(exeter: Source) -> None:
    pair = ("hold:20", "hold:21")
    exeter.add(number, "2.3.4", "bank-20 v bank-21", "0.542626", partial(first, *pair))

    @exeter(fact, "2.3.4, box plot", "box plot of 1000 series of 1000 games, bank-20 v bank-21",
            "median very close to 0.542626", depth=Depth.DEFAULT)  # fmt: skip
    def median() -> Found:
        won = (play_games("pig", *pair, SERIES * GAMES, seed=2017) > 0).reshape(SERIES, GAMES).sum(axis=1)
        low, middle, high = np.percentile(won, (25, 50, 75))
        exact = 1000 * first(*pair)
        text = f"median {middle:g}, quartiles {low:g} and {high:g} of 1000 games; exactly {exact:.1f}"
        return text, bool(abs(middle - exact) < 3)

    def skipped() -> tuple[int, int]:
        text, games = "skip-when-equal:base=hold:20", 100_000
        return int((play_games("pig:skip=yes", text, text, games, 2) == 0).sum()), games

    exeter.add(played, "2.3.4", "stalemates of skip-when-equal (hold-at-20) with itself, played", "around a quarter",
               partial(stalemate, "hold:20"), skipped)  # fmt: skip


def _fair_test(exeter: Source) -> None:
    exeter.add(number, "3.3.1", "games for a fair test: 0.475 n = n/2 - 0.98 sqrt(n)", "1537",
               lambda: float(ceil((0.98 / 0.025) ** 2)))  # fmt: skip
    exeter.add(
        number, "3.3.4", "wins of 3000 games that make a strategy better", "1575", lambda: 3000 * 0.525
    )

    def inside(games: int) -> float:
        """The chance that a strategy's share against itself lies within 0.475 and 0.525."""
        least, most = ceil(0.475 * games), int(0.525 * games)
        return float(binom.cdf(most, games, 0.5) - binom.cdf(least - 1, games, 0.5))

    @exeter(fact, "figure 15", "a strategy against itself: stray shares at 1537 games, fewer at 3000",
            "some of each 100 stray")  # fmt: skip
    def scattered() -> Found:
        shares = {games: inside(games) for games in (100, 500, 1537, 3000, 4000)}
        stray = 100 * (1 - shares[1537])
        text = ", ".join(f"{games}: {share:.4f}" for games, share in shares.items())
        return f"inside 0.475 to 0.525 by number of games: {text}", stray > 1 and shares[3000] > shares[1537]

    @exeter(Claim, "figure 16", "100 fair tests of a strategy against itself", "0.4974 to 0.5020")
    def extremes() -> Finding:
        """The least and the largest of 100 fair tests: bounds that each holds with the stated confidence."""
        sigma = 0.5 / (2 * EACH_FIRST) ** 0.5
        outer = 0.5 - sigma * float(norm.ppf(((1 - CONFIDENCE) / 2) / FAIR_TESTS))
        inner = 0.5 - sigma * float(norm.ppf(1 - ((1 - CONFIDENCE) / 2) ** (1 / FAIR_TESTS)))
        fits = all(inner <= extreme <= outer for extreme in (1 - 0.4974, 0.5020))
        text = f"the largest of 100 lies between {inner:.4f} and {outer:.4f}, the least as far below 0.5"
        return Finding(text, Verdict.CONSISTENT if fits else Verdict.DIFFERS)


def _practice(exeter: Source) -> None:
    def share(what: str, won: float, exact: partial[float]) -> None:
        counts = (round(won * EACH_FIRST), EACH_FIRST)
        exeter.add(printed_share, "3.3.6", f"{what}, practice", *counts, exact, paper=f"{won}")

    skip = "pig:skip=yes"
    share("turtle v roll-to-win", 0.8127, partial(first, "turtle", "roll-to-win", skip))
    share("roll-to-win v turtle", 0.1949, partial(second, "turtle", "roll-to-win", skip))
    exeter.add(
        number, "3.3.6", "turtle in general, from those two", "0.8089", lambda: (0.8127 + 1 - 0.1949) / 2
    )
    exeter.add(number, "3.3.6", "slip: roll-and-wait v turtle in general, from 0.7101 and 0.2983", "0.7062",
               lambda: (0.7101 + 1 - 0.2983) / 2,
               Because("it does not follow from the printed shares by the report's own formula",
                       lambda: Fraction("0.7059")))  # fmt: skip
    share("optimal v hold-at-25", 0.55076, partial(first, "optimal", "hold:25"))
    share("hold-at-25 v optimal", 0.50804, partial(second, "optimal", "hold:25"))
    exeter.add(
        number, "3.3.6", "optimal in general, from those two", "0.52136", lambda: (0.55076 + 1 - 0.50804) / 2
    )
    share("optimal v optimal", 0.53182, partial(first, "optimal", "optimal"))
    share("Neller's optimal v optimal", 0.53176, partial(second, "optimal", "optimal"))


def _ways(count: int, points: int) -> int:
    """How many lists of so many faces give a turn its score; a turn of no points ends with the first 1."""
    if points == 0:
        return int(5 ** (count - 1))
    sums = Counter({0: 1})
    for _ in range(count):
        sums = sum(
            (Counter({total + face: sums[total] for total in sums}) for face in range(2, 7)), Counter()
        )
    return sums[points]


def _record(exeter: Source) -> None:
    @exeter(fact, "figure 6", "the record of a player: totals", "ends at 101")
    def sums() -> Found:
        totals = np.cumsum([points for _, points, _ in RECORD])
        same = totals.tolist() == [total for *_, total in RECORD]
        return f"the turns add up to {totals[-1]} in {len(RECORD)} turns", same and bool(totals[-1] == 101)

    @exeter(fact, "figure 6", "each score with its number of rolls", "a game that was played")
    def possible() -> Found:
        ways = [_ways(count, points) for count, points, _ in RECORD]
        holds = [total < 100 for *_, total in RECORD]
        text = f"{sum(map(bool, ways))} of {len(ways)} turns can be rolled so"
        return text, all(ways) and holds == [True] * 11 + [False]

    @exeter(shown, "figure 6", "the holds of this player, who said to love risk, judged", paper="no analysis")
    def judged() -> str:
        """For each hold: against how many of the opponent's scores it is right, and what it costs at least."""
        right, losses = 0, []
        holds = [(total - points, points) for _, points, total in RECORD if points and total < 100]
        for mine, turn in holds:
            worths = [solved("pig").action_worths(RaceView(mine, yours, turn)) for yours in range(100)]
            lost = [worth[ROLL] - worth[HOLD] for worth in worths]
            right += min(lost) <= 0
            losses.append(max(0.0, min(lost)))
        mean = sum(points for _, points in holds) / len(holds)
        return (
            f"{len(holds)} holds at {mean:.1f} on average; {right} right against some score of the opponent, "
            f"the others lose {100 * min(filter(None, losses)):.2f} to {100 * max(losses):.2f} % at least"
        )

    def tried() -> int:
        """The same by trying every list of faces of every turn: a turn of no points ends with its first 1."""
        fits = 1
        for count, points, _ in RECORD:
            lists = product(range(2, 7), repeat=count if points else count - 1)
            fits *= sum(1 for faces in lists if not points or sum(faces) == points)
        return fits

    unknown = (
        "the faces and the opponent's turns were not written down: rolls cannot be judged, holds only roughly"
    )

    @exeter(missing, "figure 6", "the game behind the record, roll by roll", "times rolled and scores",
            Because(unknown, tried))  # fmt: skip
    def lists() -> Found:
        ways = prod(_ways(count, points) for count, points, _ in RECORD)
        return f"{ways:.1e} lists of faces fit the record", ways == 1, ways

    def slope() -> Fraction:
        """The line of least squares through the totals, by its formula in fractions."""
        points = [(Fraction(turn), total) for turn, (*_, total) in enumerate(RECORD, 1)]
        mean = sum(turn for turn, _ in points) / len(points)
        across = sum((turn - mean) * total for turn, total in points)
        return Fraction(across / sum((turn - mean) ** 2 for turn, _ in points))

    @exeter(missing, "figures 7 to 14", "points a turn of 30 people, by stated love of risk", "4.75, 4.85, 4.76",
            Because("of the fifteen games only the one player of figure 6 is printed", slope))  # fmt: skip
    def gradients() -> Found:
        totals = [total for *_, total in RECORD]
        trend = float(np.polyfit(range(1, len(totals) + 1), totals, 1)[0])
        return f"{trend:.2f} for the one player who is printed", rounds_to(trend, "4.85"), trend

    exeter.add(number, "3.2.1", "how far these gradients lie apart, in percent", "2",
               lambda: 100 * (4.85 - 4.75) / 4.75)  # fmt: skip
