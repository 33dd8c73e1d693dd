"""Johnson, "Dynamic Programming for Liar's Dice": trees, tables, agents, people. Face f is rank f - 1."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from ...core.game import CHANCE, OVER
from ...core.strategy import Strategy, decide, sample
from ...games.calling import NOTHING, CallingGame
from ...games.catalog import parse as game
from ...solvers.calling import solve_calling
from ...strategies.calling import MatrixAgent, TreeAgent
from .. import johnson
from .claims import JOHNSON, Claim, Exhibit, fact, number, played, printed_share, shown, timed

FOUR, FIVE, SIX = 3, 4, 5
HOURS = 3600.0
TRIALS = 10_000

# The poster's table after accepting three: calls of rolls 1 to 4, under "0 0" and "0 1" (five accepted).
POSTER = {
    (3, 3, 3, 4): ("0.4722222222", "0.4444444444"),
    (3, 3, 4, 4): ("0.7499999999", "0.3333333333"),
    (4, 4, 3, 4): ("0.5833333333", "0.5"),
    (4, 4, 4, 4): ("0.6111111111", "0.7222222222"),
}


def claims() -> Iterator[Claim]:
    """Chapters 3 to 5 and the poster."""
    rules: CallingGame = game("liars-die")
    yield from _tree(TreeAgent(rules), TreeAgent(rules, "pseudocode"))
    yield from _poster(MatrixAgent(rules))
    yield from _set_up(rules)
    yield from _table_1(rules)
    yield from _people()
    yield from _strength(rules)


def _tree(tree: TreeAgent, pseudocode: TreeAgent) -> Iterator[Claim]:
    six = partial(tree.challenge, SIX, 0.0)
    yield number(JOHNSON, "figure 3", "a six challenged wins, if every roll calls six", "0.833333",
                 lambda: tree.lies[SIX])  # fmt: skip
    yield number(JOHNSON, "figures 3 and 4, equation 2", "P(C) of a six", "1", six)
    for roll in range(6):
        paper = "1" if roll == SIX else "0"
        what = f"after accepting five, rolling {roll + 1} and calling six"
        yield number(
            JOHNSON, "figures 4 and 5, equation 1", what, paper, partial(_call, tree, FIVE, roll, SIX)
        )
    yield number(
        JOHNSON, "figure 5, equation 3", "winning after accepting five", "0.166667", lambda: tree.roots[FIVE]
    )
    yield number(JOHNSON, "3.3.1.1.2", "weight of accepting a six", "0", lambda: tree.answers(SIX)[0])
    yield number(
        JOHNSON, "3.3.1.1.2", "weight of challenging a six, 5/36", "0.138889", lambda: tree.answers(SIX)[1]
    )

    def roots(agent: TreeAgent) -> str:
        return ", ".join(f"{_after(call)} {agent.roots[call]:.6f}" for call in range(FIVE, NOTHING - 1, -1))

    yield shown(JOHNSON, "figure 6", "winning after accepting four, then three, ..., by the equations",
                partial(roots, tree), "a picture without numbers")  # fmt: skip
    yield shown(JOHNSON, "4.1", "the same by the pseudocode", partial(roots, pseudocode), "not printed")


def _call(tree: TreeAgent, accepted: int, roll: int, call: int) -> float:
    return tree.calls(accepted, roll)[call]


def _after(call: int) -> str:
    return "start" if call == NOTHING else f"after {call + 1}"


def _poster(agent: MatrixAgent) -> Iterator[Claim]:
    row, worth = agent.rows(FOUR)[0], {FIVE: agent.choices[FIVE].worth}
    accepted = partial(agent.entry, row, frozenset({FIVE}), worth)
    challenged = partial(agent.entry, row, frozenset(), worth)
    yield number(
        JOHNSON, "poster", "after four: call five unless six, five accepted", "0.8611111111", accepted
    )
    yield number(
        JOHNSON, "poster", "after four: call five unless six, five challenged", "0.3333333333", challenged
    )

    def entries() -> set[Fraction]:
        columns = (frozenset[int](), frozenset({FIVE}))
        return {agent.entry(r, column, worth) for r in agent.rows(FOUR - 1) for column in columns}

    def in_table() -> tuple[str, bool]:
        printed = {Fraction(round(36 * float(text)), 36) for pair in POSTER.values() for text in pair}
        return f"{len(printed & entries())} of {len(printed)} printed numbers are entries of our table", (
            printed <= entries()
        )

    yield fact(JOHNSON, "poster", "after three: the eight printed numbers", "entries of the table", in_table)
    reason = "an entry of the same table, printed beside another strategy"
    for calls, texts in POSTER.items():
        shown_calls = " ".join(str(call + 1) for call in calls)
        for title, column, text in zip(
            ("0 0", "0 1"), (frozenset[int](), frozenset({FIVE})), texts, strict=True
        ):
            compute = partial(agent.entry, (*calls, FIVE, SIX), column, worth)
            yield number(
                JOHNSON, "poster", f"after three: calls {shown_calls} under {title}", text, compute, reason
            )

    def figure_8() -> Fraction:
        after = {call: agent.choices[call].worth for call in range(SIX)}
        entry = agent.entry((1, 1, 3, 3, 4, 5), frozenset({FOUR}), after)
        return 6 * entry - 2 * after[FOUR]

    yield number(
        JOHNSON, "figure 8", "sure wins of the six rolls, the two accepted ones aside", "3", figure_8
    )


def _set_up(rules: CallingGame) -> Iterator[Claim]:
    yield number(JOHNSON, "4.2", "call strategies at the start, first version", "720",
                 lambda: float(len(MatrixAgent(rules, top=True).rows(NOTHING))))  # fmt: skip
    yield number(JOHNSON, "4.2", "call strategies at the start, second version", "120",
                 lambda: float(len(MatrixAgent(rules).rows(NOTHING))))  # fmt: skip
    for top, hours in ((True, 10), (False, 7)):
        which = "first" if top else "second"
        yield timed(JOHNSON, "4.2", f"set-up of the matrices, {which} version", f"{hours} hours", hours * HOURS,
                    partial(lambda top: MatrixAgent(rules, top=top).choices, top))  # fmt: skip


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
                            partial(chance, column), reason)  # fmt: skip

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
    for table, names in ((1, ("tree", "matrix")), (3, ("matrix", "human")), (4, ("tree", "human"))):
        printed = {"tree": {1: 5978, 4: 51}, "matrix": {1: 4022, 3: 64}, "human": {3: 56, 4: 69}}
        for name in names:
            yield number(JOHNSON, f"table {table}", f"total wins of {name}", str(printed[name][table]),
                         partial(lambda t, n: float(johnson.totals(t)[n].wins), table, name))  # fmt: skip


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

    yield fact(JOHNSON, "5", "there is an advantage to the player who rolls first", "an advantage", advantage)

    def lost(name: str) -> str:
        found = johnson.exploitability(rules, johnson.players(rules)[name])
        wins = f"{found.wins_first:.4f} first, {found.wins_second:.4f} second"
        return f"{found.payoff:.6f} a game; the best response wins {wins}"

    for name in ("tree", "matrix", "equilibrium"):
        yield shown(JOHNSON, "6", f"what the best response takes from the {name}", partial(lost, name), "not known",
                    command="dicewright best-response liars-die " + name.replace("equilibrium", "optimal"))  # fmt: skip


def exhibits() -> Iterator[Exhibit]:
    """The sub-game trees whole, and who beats whom."""
    rules = game("liars-die")
    tree = TreeAgent(rules)
    for accepted in (FIVE, FOUR):
        calls = range(accepted + 1, SIX + 1)
        lines = [
            [str(roll + 1), *(f"{tree.calls(accepted, roll)[c]:.4f}" if c >= roll else "" for c in calls)]
            for roll in range(6)
        ]
        lines.append(["before rolling", f"{tree.roots[accepted]:.4f}", *[""] * (len(calls) - 1)])
        title = f'The "accept {accepted + 1}" tree: supposed chance to win by roll and call (figures 2 to 6)'
        yield Exhibit(JOHNSON, title, ["roll", *(f"call {c + 1}" for c in calls)], lines)
    duels, names = johnson.head_to_head(rules), list(johnson.players(rules))
    lines = [[a, *(f"{duels[a, b].a_first.first_wins:.4f}" for b in names)] for a in names]
    yield Exhibit(JOHNSON, "Chance that the row wins when it starts, exactly", ["starts", *names], lines)
