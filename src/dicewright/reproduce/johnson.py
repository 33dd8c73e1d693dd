"""Johnson, "Dynamic Programming for Liar's Dice": trees, tables, agents, people. Face f is rank f - 1."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import comb
from random import Random
from typing import Any

from scipy.optimize import brentq
from scipy.stats import binom

from ..core.game import CHANCE, OVER
from ..core.strategy import Strategy, decide, sample
from ..families import solve
from ..families.calling.rules import NOTHING, CallingGame
from ..families.calling.solve import equilibrium, solve_calling
from ..families.calling.strategies import MatrixAgent, TreeAgent
from ..families.catalog import parse as game
from ..people.findings import holm
from . import johnson_agents as johnson
from . import johnson_trees
from .again import expected_payoff
from .claims import JOHNSON, Because, Depth, Exhibit, Found, Source
from .kinds import fact, interval, number, played, printed_share, shown, timed

FOUR, FIVE, SIX = 3, 4, 5
HOURS = 3600.0
TRIALS = 10_000
TOTALS = {1: (5978, 4022), 2: (64, 56), 3: (64, 56), 4: (51, 69)}  # total wins as printed, by table

# The poster's table after accepting three: calls of rolls 1 to 4, under "0 0" and "0 1" (five accepted).
POSTER = {
    (3, 3, 3, 4): ("0.4722222222", "0.4444444444"),
    (3, 3, 4, 4): ("0.7499999999", "0.3333333333"),
    (4, 4, 3, 4): ("0.5833333333", "0.5"),
    (4, 4, 4, 4): ("0.6111111111", "0.7222222222"),
}


def claims() -> Source:
    """Chapters 3 to 6 and the poster."""
    thesis, rules = Source(JOHNSON), game("liars-die")
    _value_iteration(thesis)
    johnson_trees.claims(thesis, rules)
    _poster(thesis, MatrixAgent(rules))
    _set_up(thesis, rules)
    _table_1(thesis, rules)
    _people(thesis)
    _strength(thesis, rules)
    return thesis


def _value_iteration(thesis: Source) -> None:
    @thesis(fact, "figure 1", "value iteration on Piglet to 2", "converges quickly")
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


def _poster(thesis: Source, agent: MatrixAgent) -> None:
    row, worth = agent.rows(FOUR)[0], {FIVE: agent.choices[FIVE].worth}
    accepted = partial(agent.entry, row, frozenset({FIVE}), worth)
    challenged = partial(agent.entry, row, frozenset(), worth)
    thesis.add(number, "poster", "after four: call five unless six, five accepted", "0.8611111111", accepted)
    thesis.add(number, "poster", "after four: call five unless six, five challenged", "0.3333333333",
               challenged)  # fmt: skip
    columns = {"0 0": frozenset[int](), "0 1": frozenset({FIVE})}

    @thesis(fact, "poster", "after three: the eight printed numbers", "entries of the table")
    def in_table() -> Found:
        printed = {Fraction(round(36 * float(text)), 36) for pair in POSTER.values() for text in pair}
        table = {agent.entry(r, column, worth) for r in agent.rows(FOUR - 1) for column in columns.values()}
        text = f"{len(printed & table)} of {len(printed)} printed numbers are entries of our table"
        return text, printed <= table

    def counted(calls: tuple[int, ...], accepted: frozenset[int]) -> Fraction:
        """An entry by counting: an accepted five wins 5 of 6 rolls, challenged ones win if they are true."""
        fives = (*calls, FIVE, SIX).count(FIVE)
        return Fraction(5 * fives + 6, 36) if accepted else Fraction(2, 6)

    reason = "an entry of the same table, printed beside another strategy"
    for calls, texts in POSTER.items():
        shown_calls = " ".join(str(call + 1) for call in calls)
        for (title, column), text in zip(columns.items(), texts, strict=True):
            compute = partial(agent.entry, (*calls, FIVE, SIX), column, worth)
            because = Because(reason, partial(counted, calls, column))
            what = f"after three: calls {shown_calls} under {title}"
            thesis.add(number, "poster", what, text, compute, because)

    @thesis(number, "figure 8", "sure wins of the six rolls, the two accepted ones aside", "3")
    def figure_8() -> Fraction:
        after = {call: agent.choices[call].worth for call in range(SIX)}
        entry = agent.entry((1, 1, 3, 3, 4, 5), frozenset({FOUR}), after)
        return 6 * entry - 2 * after[FOUR]


def _set_up(thesis: Source, rules: CallingGame) -> None:
    agents = {"first": MatrixAgent(rules, top=True), "second": MatrixAgent(rules)}
    for (which, agent), count in zip(agents.items(), ("720", "120"), strict=True):
        thesis.add(number, "4.2", f"call strategies at the start, {which} version", count,
                   partial(lambda agent: len(agent.rows(NOTHING)), agent))  # fmt: skip
    for top, hours in ((True, 10), (False, 7)):
        which = "first" if top else "second"
        thesis.add(timed, "4.2", f"set-up of the matrices, {which} version", f"{hours} hours", hours * HOURS,
                   partial(lambda top: MatrixAgent(rules, top=top).choices, top))  # fmt: skip


def play_calling(rules: Any, players: tuple[Strategy, Strategy], rng: Random) -> float:
    """One game played with dice: the payoff to the player who starts."""
    state = rules.start()
    while (mover := rules.mover(state)) != OVER:
        decides = mover != CHANCE
        mix = decide(rules, rules.view(state, mover), players[mover]) if decides else rules.outcomes(state)
        state = rules.play(state, sample(mix, rng))
    return float(rules.payoff(state))


def _wins_again(rules: CallingGame, first: Any, second: Any) -> Fraction:
    """The chance of the player who starts, by the rules alone and in fractions."""
    agents = (first, second)
    return (1 + Fraction(expected_payoff(rules, lambda view, mover: agents[mover].exact(view)))) / 2


def _table_1(thesis: Source, rules: CallingGame) -> None:
    tree, matrix = TreeAgent(rules), MatrixAgent(rules)

    def chance(column: int) -> float:
        return johnson.table_1(rules, tree, matrix)[column].chance

    reason = (
        "none of the sixteen readings of the text gives this share: other agents than described have played"
    )
    printed = [result for result in johnson.RESULTS if result.table == 1]
    for column, result in enumerate(printed):
        because = Because(reason, partial(_wins_again, rules, matrix, tree)) if column else None
        thesis.add(printed_share, "table 1", f"{result.first} first, {result.first} wins",
                   result.first_wins, result.games, partial(chance, column), because)  # fmt: skip

    def fitting() -> tuple[int, ...]:
        """The same counts by the rules of the game and the intervals of the printed shares."""
        around = [interval(each.first_wins, each.games, johnson.CONFIDENCE) for each in printed]
        fits = []
        for one, two in johnson.readings(rules):
            wins = (_wins_again(rules, one, two), _wins_again(rules, two, one))
            fits.append([low <= float(won) <= high for won, (low, high) in zip(wins, around, strict=True)])
        return len(fits), sum(a for a, _ in fits), sum(b for _, b in fits), sum(map(all, fits))

    @thesis(fact, "table 1", "readings of the text that give the whole table", "the agents described",
            because=Because(reason, fitting), depth=Depth.DEFAULT)  # fmt: skip
    def readings() -> Found:
        pairs = list(johnson.readings(rules).values())
        fits = [sum(pair[column].consistent for pair in pairs) for column in (0, 1)]
        both = sum(all(each.consistent for each in pair) for pair in pairs)
        text = f"of {len(pairs)}, {fits[0]} fit the first column, {fits[1]} the second, {both} both"
        return text, both > 0, (len(pairs), *fits, both)

    def play(players: tuple[Strategy, Strategy], seed: int) -> tuple[int, int]:
        rng = Random(seed)
        return sum(play_calling(rules, players, rng) > 0 for _ in range(TRIALS)), TRIALS

    pairs: tuple[tuple[Strategy, Strategy], ...] = ((tree, matrix), (matrix, tree))
    for column, pair in enumerate(pairs):
        thesis.add(played, "table 1", f"{printed[column].first} first, played here", "5000 games",
                   partial(chance, column), partial(play, pair, column))  # fmt: skip

    def totals(table: int) -> Found:
        wins = tuple(share.wins for share in johnson.totals(table).values())
        return " and ".join(map(str, wins)), wins == TOTALS[table]

    for table, wins in TOTALS.items():
        thesis.add(fact, f"table {table}", "total wins", f"{wins[0]} and {wins[1]}", partial(totals, table))


def _corrected() -> str:
    """The three conclusions about people, corrected for being three."""
    exploited = next(s for r, s in johnson.starters().items() if (r.table, r.first) == (4, "human"))
    told = {
        "starting is an advantage": johnson.started(2).p_even,
        "the matrix agent does better": johnson.better_against_people(),
        "people who start beat the tree agent": exploited.p_even,
    }
    corrected = zip(told, holm(list(told.values())), strict=True)
    return ", ".join(f"{name} p = {p:.3f}" for name, p in corrected)


def _people(thesis: Source) -> None:
    thesis.add(shown, "tables 2 to 4", "the three conclusions about people, corrected for three tests (Holm)",
               _corrected, "no test")  # fmt: skip
    thesis.add(shown, "tables 2 to 4", "the least winning chance that 60 and 120 games tell from a half in 80 %",
               lambda: " and ".join(f"{least_edge(games):.3f}" for games in (60, 120)), "not asked")  # fmt: skip
    for result in johnson.RESULTS:
        if result.table > 1:
            what = f"{result.first} first against {result.second}: an even game?"
            paper = f"{result.first_wins} of {result.games}"
            thesis.add(shown, f"table {result.table}", what, partial(_even, result), paper)

    def concludes(p: float, text: str) -> Found:
        return f"{text}; p = {p:.3f}", p < 0.05, p

    def as_odd() -> float:
        """The chance of 66 of 120 or anything less likely at even chances, by counting."""
        ways = [comb(120, wins) for wins in range(121)]
        return sum(way for way in ways if way <= ways[66]) / 2**120

    weak = Because("too few games: an even chance explains the result as well", as_odd)

    @thesis(fact, "5.2", "between people, starting is an advantage", "slight advantage", because=weak)
    def starters() -> Found:
        found = johnson.started(2)
        return concludes(found.p_even, f"{found.wins} of {found.games} won by the player who starts")

    def as_far() -> float:
        """The chance that 115 wins fall on two agents with 120 games each so unevenly or more, by counting."""
        ways = [comb(120, wins) * comb(120, 115 - wins) for wins in range(116)]
        return sum(way for way in ways if way <= ways[64]) / comb(240, 115)

    @thesis(fact, "5.5 and 6", "the matrix agent does better against people", "more successful",
            because=Because("too few games: agents of equal strength differ as much now and then", as_far))  # fmt: skip
    def better() -> Found:
        wins = johnson.totals(3)["matrix"].wins, johnson.totals(4)["tree"].wins
        return concludes(johnson.better_against_people(), f"{wins[0]} against {wins[1]} wins of 120")

    @thesis(fact, "5.4", "people who start beat the tree agent", "about 70 %")
    def exploited() -> Found:
        found = next(s for r, s in johnson.starters().items() if (r.table, r.first) == (4, "human"))
        return concludes(found.p_even, f"people won {found.wins} of {found.games}")

    @thesis(fact, "5.3 and 5.4", "slip: games against people", "sixty, thirty started by each",
            because=Because("the tables hold twice as many as the text says",
                            lambda: [sum(TOTALS[table]) for table in (2, 3, 4)]))  # fmt: skip
    def games() -> Found:
        found = {table: johnson.started(table).games for table in (2, 3, 4)}
        text = ", ".join(f"table {table}: {n}" for table, n in found.items())
        return text, set(found.values()) == {60}, tuple(found.values())


def least_edge(games: int, share: float = 0.8, level: float = 0.05) -> float:
    """The least winning chance above a half that so many games tell from a half in this share of studies, exactly."""
    wins = next(n for n in range(games // 2, games + 1) if binom.sf(n - 1, games, 0.5) <= level / 2)
    return float(brentq(lambda chance: binom.sf(wins - 1, games, chance) - share, 0.5, 1.0))


def _even(result: johnson.Published) -> str:
    found = johnson.share(result.first_wins, result.games)
    low, high = found.clopper_pearson
    verdict = "not even" if found.p_even < 0.05 else "may be even"
    return f"{low:.3f} to {high:.3f} (95 %), p = {found.p_even:.3f}: {verdict}"


def _strength(thesis: Source, rules: CallingGame) -> None:
    @thesis(fact, "equations 4 and 5", "payoffs 2x - 1 and -(2x - 1) at the value of the game", "sum 0")
    def payoffs() -> Found:
        value = solve_calling(rules).certificate.exact or Fraction(0)
        chance = equilibrium(rules).wins[0]
        return f"x = {chance} gives {2 * chance - 1} and {1 - 2 * chance}", 2 * chance - 1 == value

    @thesis(fact, "5", "there is an advantage to the player who rolls first", "an advantage")
    def advantage() -> Found:
        value = solve_calling(rules).certificate
        return f"the first wins {(1 + value.lower) / 2} under best play, proved", value.lower > 0

    def lost(name: str) -> str:
        found = johnson.exploitability(rules, johnson.players(rules)[name])
        wins = f"{found.wins_first:.4f} first, {found.wins_second:.4f} second"
        return f"{found.payoff:.6f} a game; the best response wins {wins}"

    for name in ("tree", "matrix", "equilibrium"):
        thesis.add(shown, "6", f"what the best response takes from the {name}", partial(lost, name), "not known",
                   command="dicewright best-response liars-die " + name.replace("equilibrium", "optimal"))  # fmt: skip


def exhibits() -> Iterator[Exhibit]:
    """Who beats whom."""
    rules = game("liars-die")
    duels, names = johnson.head_to_head(rules), list(johnson.players(rules))
    lines = [[a, *(f"{duels[a, b].a_first.first_wins:.4f}" for b in names)] for a in names]
    yield Exhibit(JOHNSON, "Chance that the row wins when it starts, exactly", ["starts", *names], lines)
