"""Johnson: games played, by the two agents and by people, and how strong the agents are."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from ...core.game import CHANCE, OVER
from ...core.strategy import Strategy, decide, sample
from ...games.calling import CallingGame
from ...solvers.calling import solve_calling
from ...strategies.calling import MatrixAgent, TreeAgent
from .. import johnson
from .claims import JOHNSON, Claim, Depth, fact, played, printed_share, shown

TRIALS = 10_000


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
        yield printed_share(JOHNSON, "table 1", f"{who} first, {who} wins", result.first_wins, result.games,
                            partial(chance, column), reason if who == "matrix" else "")  # fmt: skip

    def readings() -> tuple[str, bool]:
        pairs = list(johnson.readings(rules).values())
        fits = [sum(pair[column].consistent for pair in pairs) for column in (0, 1)]
        both = sum(all(each.consistent for each in pair) for pair in pairs)
        return f"of {len(pairs)}, {fits[0]} fit the first column, {fits[1]} the second, {both} both", both > 0

    yield fact(
        JOHNSON,
        "table 1",
        "readings of the text that give the whole table",
        "the agents described",
        readings,
        reason,
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
    printed = {1: (5978, 4022), 2: (64, 56), 3: (64, 56), 4: (51, 69)}

    def totals(table: int) -> tuple[str, bool]:
        wins = tuple(share.wins for share in johnson.totals(table).values())
        return " and ".join(map(str, wins)), wins == printed[table]

    for table, wins in printed.items():
        yield fact(
            JOHNSON, f"table {table}", "total wins", f"{wins[0]} and {wins[1]}", partial(totals, table)
        )


def _people() -> Iterator[Claim]:
    for result in johnson.RESULTS:
        if result.table > 1:
            what = f"{result.first} first against {result.second}: an even game?"
            paper = f"{result.first_wins} of {result.games}"
            yield shown(JOHNSON, f"table {result.table}", what, partial(_even, result), paper)

    def concludes(p: float, text: str) -> tuple[str, bool]:
        return f"{text}; p = {p:.3f}", p < 0.05

    def starters() -> tuple[str, bool]:
        found = johnson.started(2)
        return concludes(found.p_even, f"{found.wins} of {found.games} won by the player who starts")

    weak = "too few games: an even chance explains the result as well"
    yield fact(JOHNSON, "5.2", "between people, starting is an advantage", "slight advantage", starters, weak)

    def better() -> tuple[str, bool]:
        wins = johnson.totals(3)["matrix"].wins, johnson.totals(4)["tree"].wins
        return concludes(johnson.better_against_people(), f"{wins[0]} against {wins[1]} wins of 120")

    yield fact(JOHNSON, "5.5 and 6", "the matrix agent does better against people", "more successful", better,
               "too few games: agents of equal strength differ as much now and then")  # fmt: skip

    def exploited() -> tuple[str, bool]:
        found = next(s for r, s in johnson.starters().items() if (r.table, r.first) == (4, "human"))
        return concludes(found.p_even, f"people won {found.wins} of {found.games}")

    yield fact(JOHNSON, "5.4", "people who start beat the tree agent", "about 70 %", exploited)

    def games() -> tuple[str, bool]:
        found = {table: johnson.started(table).games for table in (2, 3, 4)}
        return ", ".join(f"table {table}: {n}" for table, n in found.items()), set(found.values()) == {60}

    yield fact(JOHNSON, "5.3 and 5.4", "slip: games against people", "sixty, thirty started by each", games,
               "the tables hold twice as many as the text says")  # fmt: skip


def _even(result: johnson.Published) -> str:
    found = johnson.share(result.first_wins, result.games)
    low, high = found.clopper_pearson
    verdict = "not even" if found.p_even < 0.05 else "may be even"
    return f"{low:.3f} to {high:.3f} (95 %), p = {found.p_even:.3f}: {verdict}"


def _strength(rules: CallingGame) -> Iterator[Claim]:
    def advantage() -> tuple[str, bool]:
        value = solve_calling(rules).certificate
        return f"the first wins {(1 + value.lower) / 2} under best play, proved", value.lower > 0

    def payoffs() -> tuple[str, bool]:
        value = solve_calling(rules).certificate.exact or Fraction(0)
        chance = solve_calling(rules).strategies[0].wins[0]  # type: ignore[attr-defined]
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
