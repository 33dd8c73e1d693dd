"""What Exeter, Crocce & Mordecki, Neller & Presser and Norvig print about race games."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from ...core.results import Evaluation
from ...games.catalog import parse as game
from ...games.race import RaceGame
from ...solvers.duel import best_response_race, duel_tables, evaluate_race, iterate_best_responses, win_matrix
from ...solvers.race import RaceValues, solve_values
from ...solvers.race_certificate import solve_race
from ...solvers.race_table import tabulate
from ...solvers.solitaire import best_turn, fewest_turns
from ...strategies.catalog import parse as strategy
from .claims import Claim, Verdict, fact, number

EXETER, CROCCE, NORVIG = "Exeter", "Crocce-Mordecki", "Norvig"
TIE = 1e-12  # chances this close are equal: hold-at-1 and hold-at-2 are one strategy, for instance


@cache
def solved(name: str) -> RaceValues:
    """The solution of a game, computed once."""
    return solve_values(game(name))


@cache
def met(name: str, a: str, b: str) -> Evaluation:
    """Two strategies against each other, computed once."""
    rules = game(name)

    def player(text: str) -> Any:
        return solved(name) if text == "optimal" else strategy(text, rules)

    return evaluate_race(rules, player(a), player(b))


def exeter() -> Iterator[Claim]:
    """The report's worked examples, probabilities, tournament, cycle and optimum."""
    yield from _worked_examples()
    yield from _figure_17()
    yield from _tournament()
    yield from _optimum()


def _at(a: str, b: str, mine: int, yours: int) -> tuple[float, float]:
    """A's chance at mine-yours on A's turn, and B's at yours-mine on B's turn."""
    pig = game("pig")
    x, y = duel_tables(pig, tabulate(pig, strategy(a, pig)), tabulate(pig, strategy(b, pig)))
    return float(x[mine, yours, 0]), float(y[yours, mine, 1])


def _worked_examples() -> Iterator[Claim]:
    both = "2.2.1"
    yield number(
        EXETER, both, "both at 99, to move", "0.857143", lambda: _at("roll-to-win", "roll-to-win", 99, 99)[0]
    )
    for a, start, later, reply in (
        ("roll-to-win", "0.8325", "0.8565", "0.8612"),
        ("hold:2", "0.7102", "0.1429", "0.8816"),
    ):
        act = "rolling" if a == "roll-to-win" else "banking"

        def after_two(a: str = a) -> float:
            if a == "hold:2":
                return 1 - _at(a, "roll-to-win", 99, 99)[1]
            return 1 - _at(a, "roll-to-win", 97, 99)[1] / 6

        yield number(EXETER, both, f"97-99, {act} at +2", start, lambda a=a: _at(a, "roll-to-win", 97, 99)[0])
        yield number(EXETER, both, f"97-99+2, {act}", later, after_two)
        yield number(
            EXETER, both, f"99-97, the other {act}", reply, lambda a=a: _at(a, "roll-to-win", 97, 99)[1]
        )


FIGURE_17 = {
    (20, 21): ("0.5426", "0.5258"),
    (15, 20): ("0.4784", "0.5933"),
    (1, 80): ("0.5049", "0.5078"),
    (1, 5): ("0.0236", "0.9860"),
    (80, 85): ("0.5568", "0.4541"),
    (45, 55): ("0.5544", "0.4740"),
    (1, 100): ("0.7393", "0.2682"),
    (36, 52): ("0.6354", "0.3969"),
    (5, 21): ("0.0788", "0.9401"),
    (13, 31): ("0.5006", "0.5559"),
}


def _figure_17() -> Iterator[Claim]:
    for (a, b), (first, second) in FIGURE_17.items():
        names = f"hold:{a}", f"hold:{b}"
        what = f"hold-at-{a} v hold-at-{b}"
        yield number(
            EXETER,
            "figure 17",
            f"{what}, former first",
            first,
            lambda n=names: met("pig", *n).a_first.first_wins,
        )
        yield number(
            EXETER,
            "figure 17",
            f"{what}, latter first",
            second,
            lambda n=names: met("pig", *n).b_first.first_wins,
        )
    yield number(
        EXETER,
        "2.3.4",
        "bank-20 v bank-21",
        "0.542626",
        lambda: met("pig", "hold:20", "hold:21").a_first.first_wins,
    )
    yield number(
        EXETER,
        "3.3.6",
        "hold-at-25 v 30",
        "0.573741",
        lambda: met("pig", "hold:25", "hold:30").a_first.first_wins,
    )
    yield number(
        EXETER,
        "3.3.6",
        "hold-at-30 v 25",
        "0.480910",
        lambda: met("pig", "hold:25", "hold:30").b_first.first_wins,
    )


def _tournament() -> Iterator[Claim]:
    def hundred() -> Any:
        pig = game("pig")
        wins = win_matrix(pig, [strategy(f"hold:{n}", pig) for n in range(1, 101)])
        return (wins + 1 - wins.T) / 2

    def best() -> tuple[str, bool]:
        beaten = (hundred() > 0.5).sum(axis=1)
        return f"hold-at-{beaten.argmax() + 1} beats {beaten.max()} of 99", beaten[24] == 99

    def transitive() -> tuple[str, bool]:
        chances = hundred()
        better = chances > 0.5 + TIE
        indirectly = better.astype(int) @ better.astype(int) > 0
        ties = [f"{m + 1} = {n + 1}" for m, n in np.argwhere(np.triu(abs(chances - 0.5) < TIE, 1))]
        breaks = int((indirectly & ~better).sum())
        return f"{breaks} breaks; ties: {', '.join(ties)}", breaks == 0

    yield fact(EXETER, "3.3.5", "the best hold-at-n, n = 1..100", "hold-at-25 beats all", best)
    yield fact(EXETER, "3.3.5", "hold-at-n, n = 1..100", "transitive", transitive)
    skip = "pig:skip=yes"
    yield number(
        EXETER,
        "3.3.6",
        "turtle v roll-to-win",
        "0.812840",
        lambda: met(skip, "turtle", "roll-to-win").a_first.first_wins,
    )
    yield number(
        EXETER,
        "3.3.6",
        "roll-to-win v turtle",
        "0.195448",
        lambda: met(skip, "turtle", "roll-to-win").b_first.first_wins,
    )

    def cycle() -> tuple[str, bool]:
        pairs = (("turtle", "roll-to-win"), ("roll-to-win", "roll-and-wait"), ("roll-and-wait", "turtle"))
        chances = [met(skip, a, b).a_overall for a, b in pairs]
        return ", ".join(f"{c:.4f}" for c in chances), min(chances) > 0.525

    yield fact(
        EXETER, "3.3.6", "turtle > roll-to-win > roll-and-wait > turtle", "a cycle, each above 0.525", cycle
    )

    def stalemates() -> tuple[str, bool]:
        bases = ("hold:20", "hold:21", "hold:25")
        shares = [
            met(skip, f"skip-when-equal:base={b}", f"skip-when-equal:base={b}").a_first.stalemate
            for b in bases
        ]
        return ", ".join(f"{b} {s:.4f}" for b, s in zip(bases, shares, strict=True)), max(shares) > 0.2

    yield fact(EXETER, "2.3.4", "stalemates of skip-when-equal with itself", "around a quarter", stalemates)


def _optimum() -> Iterator[Claim]:
    yield number(
        EXETER,
        "3.3.6",
        "optimal v hold-at-25",
        "0.55127",
        lambda: met("pig", "optimal", "hold:25").a_first.first_wins,
    )
    yield number(
        EXETER,
        "3.3.6",
        "hold-at-25 v optimal",
        "0.50914",
        lambda: met("pig", "optimal", "hold:25").b_first.first_wins,
    )
    yield number(
        EXETER,
        "3.3.6",
        "optimal v optimal",
        "0.53059",
        lambda: (1 + solve_race(game("pig")).certificate.value) / 2,
    )

    def fixed_point() -> tuple[str, bool]:
        pig = game("pig")
        response = best_response_race(pig, solved("pig")).strategy
        same = tabulate(pig, response).same_choices(solved("pig").table(pig))  # type: ignore[arg-type]
        return "all 505,000 choices equal" if same else "choices differ", same

    yield fact(EXETER, "3.1.1", "the best response to the optimum", "the optimum itself", fixed_point)

    def converges() -> tuple[str, bool]:
        pig, rounds, same = game("pig"), [], True
        for start in ("hold:20", "roll-to-win", "turtle"):
            responses = list(iterate_best_responses(pig, strategy(start, pig)))
            rounds.append(f"{start} {len(responses) - 1}")
            last: Any = responses[-1].strategy
            same &= tabulate(pig, last).same_choices(solved("pig").table(pig))
        return "rounds: " + ", ".join(rounds), same

    yield fact(EXETER, "3.1.1", "best responses of best responses", "converge to the optimum", converges)

    def states() -> tuple[str, bool]:
        count = sum(100 - mine for mine in range(100) for _ in range(100))
        return f"{count:,} states, {100 * 100:,} sets of equations", count == 505_000

    yield fact(EXETER, "2.3.3", "sets of equations ('1 million' is a misprint)", "100 x 100", states)


def crocce_mordecki() -> Iterator[Claim]:
    """Pig to 200 as a stochastic game, and its two variants."""
    yield number(
        CROCCE,
        "3 (Haigh & Roters)",
        "fewest expected turns to 200",
        "24.785745",
        lambda: float(fewest_turns(game("pig:goal=200"))[0][0]),
    )

    def never_stop() -> tuple[str, bool]:
        rolls = [
            all(all(c > 0 for c in solved("pig:goal=200").turn(i, j)[0]) for i in range(200))
            for j in range(200)
        ]
        first = max((j for j in range(200) if not rolls[j]), default=-1) + 1
        return f"from {first} on", first == 187

    yield fact(CROCCE, "3, observations", "opponent's score from which one never stops", "187", never_stop)

    def start() -> tuple[str, Verdict]:
        values = solved("pig:goal=200")
        holds = sorted({values.turn(i, j)[0].index(0) for i in range(10) for j in range(10)})
        at = values.turn(0, 0)[0].index(0)
        text = f"{at} at 0-0; {holds[0]} to {holds[-1]} where both are below 10"
        return text, Verdict.SAME if holds == [best_turn(values.game)[0]] else Verdict.DIFFERS

    yield Claim(
        CROCCE,
        "3, observations",
        "roll below this turn total at the start",
        "20",
        start,
        "the paper reads it off a picture; one point more is right at many low scores, by a hair",
    )

    def exact_is_milder() -> tuple[str, bool]:
        never = [
            j
            for j in range(199)
            if all(all(c > 0 for c in solved("pig:goal=200,finish=exact").turn(i, j)[0]) for i in range(190))
        ]
        return f"{len(never)} opponent's scores where one never stops", not never

    yield fact(
        CROCCE,
        "4.1, remarks",
        "exact target: the strategy never becomes so risky",
        "never all roll",
        exact_is_milder,
    )

    def zone_194() -> tuple[str, bool]:
        values = solved("pig:goal=200,finish=exact")
        ends = {i + values.turn(i, 180)[0].index(0) for i in range(165, 194)}
        return f"against 180, from 165 to 193: first hold at {sorted(ends)}", ends == {194}

    yield fact(
        CROCCE, "4.1, remarks", "exact target: a larger roll zone up to 194", "roll until 194", zone_194
    )

    def value() -> tuple[str, bool]:
        certificate = solve_race(game("pig:goal=200"), "bounds").certificate
        first = (1 + certificate.value) / 2
        return f"first wins {first:.10f}, second {1 - first:.10f}", certificate.lower > 0

    yield fact(CROCCE, "3", "a fair coin decides who starts: the optimal player wins", "at least 1/2", value)


def norvig() -> Iterator[Claim]:
    """Pig in code: where maximising wins and maximising the difference part."""
    rules: RaceGame = game("pig:goal=40,one=scores")

    def differ() -> tuple[str, bool]:
        wins, diffs = solved(rules.name), strategy("max-difference", rules).table(rules)
        total = count = 0
        for mine in range(40):
            for yours in range(40):
                ours, theirs = np.array(wins.turn(mine, yours)[0]), diffs.choices(mine, yours)
                total += len(ours)
                count += int((ours != theirs).sum())
        return f"{count:,} of {total:,} states", 0 < count < total

    yield fact(
        NORVIG, "Maximizing Differential", "max_wins and max_diffs choose differently", "sometimes", differ
    )
