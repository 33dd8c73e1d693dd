"""Exeter: games played, by programs under the fair test and by people, beside the exact chances."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, prod

import numpy as np
from scipy.stats import binom, norm

from ..families.race.rules import HOLD, ROLL, RaceView
from .again import overall_again
from .claims import EXETER, Because, Claim, Depth, Finding, Found, Verdict
from .exeter_duels import stalemate
from .kinds import CONFIDENCE, fact, interval, missing, number, played, printed_share, rounds_to, shown
from .solved import first, met, play_games, second, solved

EACH_FIRST = 150_000  # games of the fair test that either strategy starts: 100 times 3000, half of them
FAIR_TESTS = 100
SERIES, GAMES = 1000, 1000

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


def claims() -> Iterator[Claim]:
    """Figures 15 to 17, the box plot, and the record of figure 6."""
    yield from _figure_17()
    yield from _box_plot()
    yield from _fair_test()
    yield from _practice()
    yield from _record()


def _figure_17() -> Iterator[Claim]:
    rounded = "the report averaged its two rounded columns, which costs the last digit"
    for (a, b), (former, latter, general, _, _) in FIGURE_17.items():
        pair, what = (f"hold:{a}", f"hold:{b}"), f"hold-at-{a} v hold-at-{b}"
        yield number(EXETER, "figure 17", f"{what}, former first", former, partial(first, *pair))
        yield number(EXETER, "figure 17", f"{what}, latter first", latter, partial(second, *pair))
        overall = partial(lambda pair: met("pig", *pair).a_overall, pair)
        halves = round((float(former) + 1 - float(latter)) * 10**4) % 2  # their mean ends in half a digit
        because = Because(rounded, partial(overall_again, "pig", *pair)) if halves else None
        yield number(EXETER, "figure 17", f"{what}, former in general", general, overall, because)
    for (a, b), (*_, former_won, latter_won) in FIGURE_17.items():
        yield Claim(
            EXETER, "figure 17", f"hold-at-{a} v hold-at-{b}, practice", f"{former_won:.4f} / {latter_won:.4f}",
            partial(_practical, (f"hold:{a}", f"hold:{b}"), (former_won, latter_won)),
        )  # fmt: skip

    def deviations() -> Found:
        found = [
            abs((won + 1 - lost) / 2 - met("pig", f"hold:{a}", f"hold:{b}").a_overall)
            for (a, b), (*_, won, lost) in FIGURE_17.items()
        ]
        return f"the largest is {max(found):.4f}", max(found) < 0.025

    yield fact(EXETER, "figure 17", "deviations of practice from theory", "all below 0.025", deviations)


def _practical(pair: tuple[str, str], shares: tuple[float, float]) -> Finding:
    """Both printed shares of a fair test beside the exact chances."""
    chances = (first(*pair), second(*pair))
    around = [interval(round(share * EACH_FIRST), EACH_FIRST) for share in shares]
    fits = all(low <= chance <= high for chance, (low, high) in zip(chances, around, strict=True))
    text = " / ".join(
        f"{c:.4f} in {low:.4f}..{high:.4f}" for c, (low, high) in zip(chances, around, strict=True)
    )
    return Finding(f"exactly {text}", Verdict.CONSISTENT if fits else Verdict.DIFFERS)


def series_won(seed: int = 2017) -> np.ndarray:
    """How many of each series of games bank-20 wins going first against bank-21, with plain dice."""
    won = play_games("pig", "hold:20", "hold:21", SERIES * GAMES, seed) > 0
    counts: np.ndarray = won.reshape(SERIES, GAMES).sum(axis=1)
    return counts


def _box_plot() -> Iterator[Claim]:
    pair = ("hold:20", "hold:21")
    yield number(EXETER, "2.3.4", "bank-20 v bank-21", "0.542626", partial(first, *pair))

    def median() -> Found:
        won = series_won()
        low, middle, high = np.percentile(won, (25, 50, 75))
        exact = 1000 * first(*pair)
        text = f"median {middle:g}, quartiles {low:g} and {high:g} of 1000 games; exactly {exact:.1f}"
        return text, bool(abs(middle - exact) < 3)

    what = "box plot of 1000 series of 1000 games, bank-20 v bank-21"
    yield fact(EXETER, "2.3.4, box plot", what, "median very close to 0.542626", median, depth=Depth.DEFAULT)

    def skipped() -> tuple[int, int]:
        text, games = "skip-when-equal:base=hold:20", 100_000
        return int((play_games("pig:skip=yes", text, text, games, 2) == 0).sum()), games

    yield played(
        EXETER, "2.3.4", "stalemates of skip-when-equal (hold-at-20) with itself, played", "around a quarter",
        partial(stalemate, "hold:20"), skipped,
    )  # fmt: skip


def _fair_test() -> Iterator[Claim]:
    yield number(EXETER, "3.3.1", "games for a fair test: 0.475 n = n/2 - 0.98 sqrt(n)", "1537",
                 lambda: float(ceil((0.98 / 0.025) ** 2)))  # fmt: skip
    yield number(
        EXETER, "3.3.4", "wins of 3000 games that make a strategy better", "1575", lambda: 3000 * 0.525
    )

    def inside(games: int) -> float:
        """The chance that a strategy's share against itself lies within 0.475 and 0.525."""
        return float(
            binom.cdf(int(0.525 * games), games, 0.5) - binom.cdf(ceil(0.475 * games) - 1, games, 0.5)
        )

    def scattered() -> Found:
        shares = {games: inside(games) for games in (100, 500, 1537, 3000, 4000)}
        stray = 100 * (1 - shares[1537])
        text = ", ".join(f"{games}: {share:.4f}" for games, share in shares.items())
        return f"inside 0.475 to 0.525 by number of games: {text}", stray > 1 and shares[3000] > shares[1537]

    what = "a strategy against itself: stray shares at 1537 games, fewer at 3000"
    yield fact(EXETER, "figure 15", what, "some of each 100 stray", scattered)

    def extremes() -> Finding:
        """The least and the largest of 100 fair tests: bounds that each holds with the stated confidence."""
        sigma = 0.5 / (2 * EACH_FIRST) ** 0.5
        outer = 0.5 - sigma * float(norm.ppf(((1 - CONFIDENCE) / 2) / FAIR_TESTS))
        inner = 0.5 - sigma * float(norm.ppf(1 - ((1 - CONFIDENCE) / 2) ** (1 / FAIR_TESTS)))
        fits = all(inner <= extreme <= outer for extreme in (1 - 0.4974, 0.5020))
        text = f"the largest of 100 lies between {inner:.4f} and {outer:.4f}, the least as far below 0.5"
        return Finding(text, Verdict.CONSISTENT if fits else Verdict.DIFFERS)

    yield Claim(
        EXETER, "figure 16", "100 fair tests of a strategy against itself", "0.4974 to 0.5020", extremes
    )


def _practice() -> Iterator[Claim]:
    def share(what: str, wins: float, exact: partial[float]) -> Claim:
        return printed_share(
            EXETER, "3.3.6", f"{what}, practice", round(wins * EACH_FIRST), EACH_FIRST, exact, paper=f"{wins}"
        )

    skip = "pig:skip=yes"
    yield share("turtle v roll-to-win", 0.8127, partial(first, "turtle", "roll-to-win", skip))
    yield share("roll-to-win v turtle", 0.1949, partial(second, "turtle", "roll-to-win", skip))
    yield number(
        EXETER, "3.3.6", "turtle in general, from those two", "0.8089", lambda: (0.8127 + 1 - 0.1949) / 2
    )
    yield number(
        EXETER, "3.3.6", "slip: roll-and-wait v turtle in general, from 0.7101 and 0.2983", "0.7062",
        lambda: (0.7101 + 1 - 0.2983) / 2,
        Because("it does not follow from the printed shares by the report's own formula", lambda: Fraction("0.7059")),
    )  # fmt: skip
    yield share("optimal v hold-at-25", 0.55076, partial(first, "optimal", "hold:25"))
    yield share("hold-at-25 v optimal", 0.50804, partial(second, "optimal", "hold:25"))
    yield number(
        EXETER, "3.3.6", "optimal in general, from those two", "0.52136", lambda: (0.55076 + 1 - 0.50804) / 2
    )
    yield share("optimal v optimal", 0.53182, partial(first, "optimal", "optimal"))
    yield share("Neller's optimal v optimal", 0.53176, partial(second, "optimal", "optimal"))


def _ways(count: int, points: int) -> int:
    """How many lists of so many faces give a turn its score; a turn of no points ends with the first 1."""
    if points == 0:
        return int(5 ** (count - 1))
    sums = {0: 1}
    for _ in range(count):
        later: dict[int, int] = {}
        for total, ways in sums.items():
            for face in range(2, 7):
                later[total + face] = later.get(total + face, 0) + ways
        sums = later
    return sums.get(points, 0)


def _record() -> Iterator[Claim]:
    def sums() -> Found:
        totals = np.cumsum([points for _, points, _ in RECORD])
        same = totals.tolist() == [total for *_, total in RECORD]
        return f"the turns add up to {totals[-1]} in {len(RECORD)} turns", same and bool(totals[-1] == 101)

    def possible() -> Found:
        ways = [_ways(count, points) for count, points, _ in RECORD]
        holds = [total < 100 for *_, total in RECORD]
        return f"{sum(map(bool, ways))} of {len(ways)} turns can be rolled so", all(ways) and holds == [
            True
        ] * 11 + [False]

    yield fact(EXETER, "figure 6", "the record of a player: totals", "ends at 101", sums)
    yield fact(EXETER, "figure 6", "each score with its number of rolls", "a game that was played", possible)

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

    yield shown(
        EXETER, "figure 6", "the holds of this player, who said to love risk, judged", judged, "no analysis"
    )

    def lists() -> Found:
        ways = prod(_ways(count, points) for count, points, _ in RECORD)
        return f"{ways:.1e} lists of faces fit the record", ways == 1, ways

    def tried() -> int:
        """The same by trying every list of faces of every turn: a turn of no points ends with its first 1."""
        fits = 1
        for count, points, _ in RECORD:
            lists = product(range(2, 7), repeat=count if points else count - 1)
            fits *= sum(1 for faces in lists if not points or sum(faces) == points)
        return fits

    yield missing(
        EXETER, "figure 6", "the game behind the record, roll by roll", "times rolled and scores",
        Because(
            "the faces and the opponent's turns were not written down: rolls cannot be judged, holds only roughly",
            tried,
        ),
        lists,
    )  # fmt: skip

    def gradients() -> Found:
        totals = [total for *_, total in RECORD]
        trend = float(np.polyfit(range(1, len(totals) + 1), totals, 1)[0])
        return f"{trend:.2f} for the one player who is printed", rounds_to(trend, "4.85"), trend

    def slope() -> Fraction:
        """The line of least squares through the totals, by its formula in fractions."""
        points = [(Fraction(turn), total) for turn, (*_, total) in enumerate(RECORD, 1)]
        mean = sum(turn for turn, _ in points) / len(points)
        across = sum((turn - mean) * total for turn, total in points)
        return Fraction(across / sum((turn - mean) ** 2 for turn, _ in points))

    yield missing(
        EXETER, "figures 7 to 14", "points a turn of 30 people, by stated love of risk", "4.75, 4.85, 4.76",
        Because("of the fifteen games only the one player of figure 6 is printed", slope), gradients,
    )  # fmt: skip
    yield number(
        EXETER,
        "3.2.1",
        "how far these gradients lie apart, in percent",
        "2",
        lambda: 100 * (4.85 - 4.75) / 4.75,
    )
