"""Johnson: games played, by the two agents and by people, and how strong the agents are."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import comb
from random import Random
from typing import Any

from ..core.game import CHANCE, OVER
from ..core.strategy import Strategy, decide, sample
from ..families.calling.rules import CallingGame
from ..families.calling.solve import equilibrium, solve_calling
from ..families.calling.strategies import MatrixAgent, TreeAgent
from . import johnson_agents as johnson
from .again import expected_payoff
from .claims import JOHNSON, Because, Claim, Depth, Found
from .kinds import fact, interval, played, printed_share, shown

TRIALS = 10_000
TOTALS = {1: (5978, 4022), 2: (64, 56), 3: (64, 56), 4: (51, 69)}  # total wins as printed, by table


def claims(rules: CallingGame) -> Iterator[Claim]:
    """Chapters 5 and 6."""
    yield from _table_1(rules)
    yield from _people()
    yield from _strength(rules)


def play_calling(rules: Any, players: tuple[Strategy, Strategy], rng: Random) -> float:
    """One game played with dice: the payoff to the player who starts."""
    state = rules.start()
    while (mover := rules.mover(state)) != OVER:
        mix = (
            rules.outcomes(state)
            if mover == CHANCE
            else decide(rules, rules.view(state, mover), players[mover])
        )
        state = rules.play(state, sample(mix, rng))
    return float(rules.payoff(state))


def _wins_again(rules: CallingGame, first: Any, second: Any) -> Fraction:
    """The chance of the player who starts, by the rules alone and in fractions."""
    agents = (first, second)
    return (1 + Fraction(expected_payoff(rules, lambda view, mover: agents[mover].exact(view)))) / 2


def _table_1(rules: CallingGame) -> Iterator[Claim]:
    tree, matrix = TreeAgent(rules), MatrixAgent(rules)

    def chance(column: int) -> float:
        return johnson.table_1(rules, tree, matrix)[column].chance

    reason = (
        "none of the sixteen readings of the text gives this share: other agents than described have played"
    )
    for column, (result, who) in enumerate(
        zip([r for r in johnson.RESULTS if r.table == 1], ("tree", "matrix"), strict=True)
    ):
        because = Because(reason, partial(_wins_again, rules, matrix, tree)) if who == "matrix" else None
        yield printed_share(JOHNSON, "table 1", f"{who} first, {who} wins", result.first_wins, result.games,
                            partial(chance, column), because)  # fmt: skip

    def readings() -> Found:
        pairs = list(johnson.readings(rules).values())
        fits = [sum(pair[column].consistent for pair in pairs) for column in (0, 1)]
        both = sum(all(each.consistent for each in pair) for pair in pairs)
        text = f"of {len(pairs)}, {fits[0]} fit the first column, {fits[1]} the second, {both} both"
        return text, both > 0, (len(pairs), *fits, both)

    def fitting() -> tuple[int, ...]:
        """The same counts by the rules of the game and the intervals of the printed shares."""
        around = [
            interval(r.first_wins, r.games, johnson.CONFIDENCE) for r in johnson.RESULTS if r.table == 1
        ]
        fits = []
        for one, two in johnson.readings(rules):
            wins = (_wins_again(rules, one, two), _wins_again(rules, two, one))
            fits.append([low <= float(won) <= high for won, (low, high) in zip(wins, around, strict=True)])
        return len(fits), sum(a for a, _ in fits), sum(b for _, b in fits), sum(map(all, fits))

    yield fact(
        JOHNSON,
        "table 1",
        "readings of the text that give the whole table",
        "the agents described",
        readings,
        Because(reason, fitting),
        Depth.DEFAULT,
    )

    def play(players: tuple[Strategy, Strategy], seed: int) -> tuple[int, int]:
        rng = Random(seed)
        return sum(play_calling(rules, players, rng) > 0 for _ in range(TRIALS)), TRIALS

    pairs: tuple[tuple[Strategy, Strategy], ...] = ((tree, matrix), (matrix, tree))
    for column, pair in enumerate(pairs):
        what = f"{('tree', 'matrix')[column]} first, played here"
        yield played(
            JOHNSON, "table 1", what, "5000 games", partial(chance, column), partial(play, pair, column)
        )

    def totals(table: int) -> Found:
        wins = tuple(share.wins for share in johnson.totals(table).values())
        return " and ".join(map(str, wins)), wins == TOTALS[table]

    for table, wins in TOTALS.items():
        yield fact(
            JOHNSON, f"table {table}", "total wins", f"{wins[0]} and {wins[1]}", partial(totals, table)
        )


def _people() -> Iterator[Claim]:
    for result in johnson.RESULTS:
        if result.table > 1:
            what = f"{result.first} first against {result.second}: an even game?"
            paper = f"{result.first_wins} of {result.games}"
            yield shown(JOHNSON, f"table {result.table}", what, partial(_even, result), paper)

    def concludes(p: float, text: str) -> Found:
        return f"{text}; p = {p:.3f}", p < 0.05, p

    def starters() -> Found:
        found = johnson.started(2)
        return concludes(found.p_even, f"{found.wins} of {found.games} won by the player who starts")

    def as_odd() -> float:
        """The chance of 66 of 120 or anything less likely at even chances, by counting."""
        ways = [comb(120, wins) for wins in range(121)]
        return sum(way for way in ways if way <= ways[66]) / 2**120

    weak = Because("too few games: an even chance explains the result as well", as_odd)
    yield fact(JOHNSON, "5.2", "between people, starting is an advantage", "slight advantage", starters, weak)

    def better() -> Found:
        wins = johnson.totals(3)["matrix"].wins, johnson.totals(4)["tree"].wins
        return concludes(johnson.better_against_people(), f"{wins[0]} against {wins[1]} wins of 120")

    def as_far() -> float:
        """The chance that 115 wins fall on two agents with 120 games each so unevenly or more, by counting."""
        ways = [comb(120, wins) * comb(120, 115 - wins) for wins in range(116)]
        return sum(way for way in ways if way <= ways[64]) / comb(240, 115)

    yield fact(JOHNSON, "5.5 and 6", "the matrix agent does better against people", "more successful", better,
               Because("too few games: agents of equal strength differ as much now and then", as_far))  # fmt: skip

    def exploited() -> Found:
        found = next(s for r, s in johnson.starters().items() if (r.table, r.first) == (4, "human"))
        return concludes(found.p_even, f"people won {found.wins} of {found.games}")

    yield fact(JOHNSON, "5.4", "people who start beat the tree agent", "about 70 %", exploited)

    people = [TOTALS[table] for table in (2, 3, 4)]

    def games() -> Found:
        found = {table: johnson.started(table).games for table in (2, 3, 4)}
        text = ", ".join(f"table {table}: {n}" for table, n in found.items())
        return text, set(found.values()) == {60}, tuple(found.values())

    yield fact(JOHNSON, "5.3 and 5.4", "slip: games against people", "sixty, thirty started by each", games,
               Because("the tables hold twice as many as the text says", lambda: tuple(map(sum, people))))  # fmt: skip


def _even(result: johnson.Published) -> str:
    found = johnson.share(result.first_wins, result.games)
    low, high = found.clopper_pearson
    verdict = "not even" if found.p_even < 0.05 else "may be even"
    return f"{low:.3f} to {high:.3f} (95 %), p = {found.p_even:.3f}: {verdict}"


def _strength(rules: CallingGame) -> Iterator[Claim]:
    def advantage() -> Found:
        value = solve_calling(rules).certificate
        return f"the first wins {(1 + value.lower) / 2} under best play, proved", value.lower > 0

    def payoffs() -> Found:
        value = solve_calling(rules).certificate.exact or Fraction(0)
        chance = equilibrium(rules).wins[0]
        return f"x = {chance} gives {2 * chance - 1} and {1 - 2 * chance}", 2 * chance - 1 == value

    yield fact(
        JOHNSON,
        "equations 4 and 5",
        "payoffs 2x - 1 and -(2x - 1) at the value of the game",
        "sum 0",
        payoffs,
    )
    yield fact(JOHNSON, "5", "there is an advantage to the player who rolls first", "an advantage", advantage)

    def lost(name: str) -> str:
        found = johnson.exploitability(rules, johnson.players(rules)[name])
        wins = f"{found.wins_first:.4f} first, {found.wins_second:.4f} second"
        return f"{found.payoff:.6f} a game; the best response wins {wins}"

    for name in ("tree", "matrix", "equilibrium"):
        yield shown(JOHNSON, "6", f"what the best response takes from the {name}", partial(lost, name), "not known",
                    command="dicewright best-response liars-die " + name.replace("equilibrium", "optimal"))  # fmt: skip
