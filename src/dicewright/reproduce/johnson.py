"""Johnson, "Dynamic Programming for Liar's Dice": trees, tables, agents, people. Face f is rank f - 1."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from ..families import solve
from ..families.calling.rules import NOTHING, CallingGame
from ..families.calling.strategies import MatrixAgent
from ..families.catalog import parse as game
from . import johnson_agents as johnson
from . import johnson_games, johnson_trees
from .claims import JOHNSON, Because, Claim, Exhibit, Found
from .kinds import fact, number, timed

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
    yield from johnson_trees.claims(rules)
    yield from _poster(MatrixAgent(rules))
    yield from _set_up(rules)
    yield from johnson_games.claims(rules)


def _value_iteration() -> Iterator[Claim]:
    def sweeps() -> Found:
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

    def in_table() -> Found:
        printed = {Fraction(round(36 * float(text)), 36) for pair in POSTER.values() for text in pair}
        return f"{len(printed & entries())} of {len(printed)} printed numbers are entries of our table", (
            printed <= entries()
        )

    yield fact(JOHNSON, "poster", "after three: the eight printed numbers", "entries of the table", in_table)

    def counted(calls: tuple[int, ...], accepted: frozenset[int]) -> Fraction:
        """An entry by counting: an accepted five wins 5 of 6 rolls, challenged ones win if they are true."""
        fives = (*calls, FIVE, SIX).count(FIVE)
        return Fraction(5 * fives + 6, 36) if accepted else Fraction(2, 6)

    reason = "an entry of the same table, printed beside another strategy"
    for calls, texts in POSTER.items():
        shown_calls = " ".join(str(call + 1) for call in calls)
        for title, column, text in zip(
            ("0 0", "0 1"), (frozenset[int](), frozenset({FIVE})), texts, strict=True
        ):
            compute = partial(agent.entry, (*calls, FIVE, SIX), column, worth)
            because = Because(reason, partial(counted, calls, column))
            what = f"after three: calls {shown_calls} under {title}"
            yield number(JOHNSON, "poster", what, text, compute, because)

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
    """Who beats whom."""
    rules = game("liars-die")
    duels, names = johnson.head_to_head(rules), list(johnson.players(rules))
    lines = [[a, *(f"{duels[a, b].a_first.first_wins:.4f}" for b in names)] for a in names]
    yield Exhibit(JOHNSON, "Chance that the row wins when it starts, exactly", ["starts", *names], lines)
