"""Johnson, "Dynamic Programming for Liar's Dice": trees, tables, agents, people. Face f is rank f - 1."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from ...games.calling import NOTHING, CallingGame
from ...games.catalog import parse as game
from ...solvers.front import solve
from ...strategies.calling import MatrixAgent, TreeAgent
from .. import johnson
from . import johnson_games
from .claims import JOHNSON, Claim, Exhibit, fact, number, shown, timed

FOUR, FIVE, SIX = 3, 4, 5
HOURS = 3600.0

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
    yield from _value_iteration()
    yield from _tree(TreeAgent(rules), TreeAgent(rules, "pseudocode"))
    yield from _poster(MatrixAgent(rules))
    yield from _set_up(rules)
    yield from johnson_games.claims(rules)


def _value_iteration() -> Iterator[Claim]:
    def sweeps() -> tuple[str, bool]:
        """Value iteration on Piglet to 2, every state from 0, until a sweep changes nothing by 1e-6."""
        states = [(i, j, k) for i in range(2) for j in range(2) for k in range(2 - i)]
        win, count, change = dict.fromkeys(states, 0.0), 0, 1.0
        while change > 1e-6:
            before, count = dict(win), count + 1
            for i, j, k in states:
                roll = (before.get((i, j, k + 1), 1.0) + 1 - before[j, i, 0]) / 2
                win[i, j, k] = max(roll, 1 - before[j, i + k, 0]) if k else roll
            change = max(abs(win[state] - before[state]) for state in states)
        value = (1 + (solve(game("piglet:goal=2")).certificate.exact or 0)) / 2
        text = f"{count} sweeps to {win[0, 0, 0]:.6f}; the limit is {value}"
        return text, abs(win[0, 0, 0] - float(value)) < 1e-5 and count < 100

    yield fact(JOHNSON, "figure 1", "value iteration on Piglet to 2", "converges quickly", sweeps)


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
