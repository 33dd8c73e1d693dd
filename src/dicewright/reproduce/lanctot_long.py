"""Lanctot & Long, "Solving Bluff": values, times, printed strategies, sizes, and the problem they leave open."""

import time
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from ..core.game import FIRST, SECOND
from ..core.solution import Solution
from ..families.bluff.exact import as_fraction, best_reply, win_or_lose
from ..families.bluff.program import round_program, spread
from ..families.bluff.rules import Bluff
from ..families.bluff.solve import solve_bluff, strategy_frame
from ..families.tree.arrays import build_tree
from ..families.tree.classics import rock_paper_scissors, textbook_tree
from ..families.tree.program import Search
from ..families.tree.response import weights_of
from ..families.tree.solve import solve_sequence_form
from . import printed_bluff
from .claims import LANCTOT, Because, Claim, Depth, Exhibit, Finding, Found, Source, Verdict
from .kinds import fact, number, rounds_to, shown, speed
from .solved import proved_value

# Table 3, by check and sides: the value; seconds to fill the matrices, for x, for y, and in all.
TABLE_3 = {
    (False, 2): ("0.5", "0", "0", "0", "<< 1"), (False, 3): ("0.11111", "< 1", "< 1", "< 1", "2"),
    (False, 4): ("0.0625", "2", "1.5", "1.5", "5"), (False, 5): ("0.008", "75", "37", "48", "160"),
    (False, 6): ("-0.027132", "1941", "977", "856", "3774"),
    (True, 2): ("0", "0", "0", "0", "<< 1"), (True, 3): ("0", "< 1", "< 1", "< 1", "2"),
    (True, 4): ("0", "8", "3", "2", "13"), (True, 5): ("0", "186", "57", "27", "270"),
    (True, 6): ("0", "5187", "1182", "1033", "7402"),
}  # fmt: skip
TABLE_1 = {
    "lLc": (9, 15, 9, 15), "lLd": (13, 10, 13, 10), "lRc": (9, 15, 9, 15), "lRd": (13, 10, 13, 10),
    "rLc": (10, 16, 12, 18), "rLd": (14, 11, 16, 13), "rRc": (11, 17, 7, 13), "rRd": (15, 12, 11, 8),
}  # fmt: skip
LARGER = (
    "bluff:sides=7", "bluff:dice=2v1,sides=4", "bluff:dice=1v2,sides=4", "bluff:dice=2v2,sides=3",
    "bluff:dice=3v1,sides=3", "bluff:dice=2v1,sides=5", "bluff:dice=1v2,sides=5",
    "bluff:dice=2v2,sides=4", "bluff:dice=2v1", "bluff:dice=1v2",
)  # fmt: skip


def claims() -> Source:
    """Figures 2 and 3, tables 1 to 3, the printed strategies and the conclusion."""
    lanctot = Source(LANCTOT)
    for part in (_classics, _sizes, _table_3, _strategies, _open_problem):
        part(lanctot)
    for name in LARGER:
        lanctot.add(Claim, "beyond table 3", name, "out of reach", partial(proved_value, name), depth=Depth.FULL,
                    command=f"dicewright value {name}")  # fmt: skip
    lanctot.add(Claim, "beyond table 3", "bluff:dice=2v2, bounds 0.01 wide", "out of reach",
                partial(proved_value, "bluff:dice=2v2", gap=1e-2), depth=Depth.FULL,
                command="dicewright value bluff:dice=2v2 --gap 0.01")  # fmt: skip
    return lanctot


def _classics(lanctot: Source) -> None:
    @lanctot(fact, "figure 2", "rock, paper, scissors in sequence form", "each a third")
    def uniform() -> Found:
        solution: Any = solve_sequence_form(rock_paper_scissors())
        mix = solution.strategies[0].exact(())
        text = ", ".join(f"{action} {share}" for action, share in mix.items())
        return f"value {solution.certificate.exact}; {text}", list(mix.values()) == [Fraction(1, 3)] * 3

    @lanctot(fact, "figure 3 and table 1", "normal form of the example tree", "32 entries")
    def normal_form() -> Found:
        rules = textbook_tree()
        tree = build_tree(rules)

        def pure(words: str) -> Any:
            return lambda view: {next(word for word in rules.actions(view) if word in words): 1.0}

        worth, same = np.array(tree.leaf_worth, float), 0
        for row, printed in TABLE_1.items():
            for column, entry in zip(("ps", "pt", "qs", "qt"), printed, strict=True):
                one, two = weights_of(tree, 0, pure(row)), weights_of(tree, 1, pure(column))
                chances = one[tree.leaf_sequences[0]] * two[tree.leaf_sequences[1]]
                same += bool((chances * worth).sum() == entry)
        return f"{same} of {4 * len(TABLE_1)} entries", same == 4 * len(TABLE_1)

    @lanctot(shown, "figure 3", "the value of the example tree")
    def value() -> str:
        return f"{solve_sequence_form(textbook_tree()).certificate.exact} to the first player, proved"


def _sizes(lanctot: Source) -> None:
    def leaves(sides: int) -> int:
        """H1 H2 (2^B - 1): every pair of hands with every list of bids but the empty one, ended by a call."""
        rules = Bluff(sides=sides)
        return len(rules.hands(0)) * len(rules.hands(1)) * ((1 << len(rules.bids)) - 1)

    def one_by_one() -> int:
        """A list of bids may end after each bid: the ends after bid b are one call and those of all higher bids."""
        ends: list[int] = []
        for _ in Bluff(sides=6).bids:
            ends.append(1 + sum(ends))
        return 6 * 6 * sum(ends)

    lanctot.add(number, "methodology", "slip: leaves of the tree, six sides", "49140", lambda: float(leaves(6)),
                Because("b (2^b - 1) should be the pairs of hands times the lists of bids, 6 x 6 (2^12 - 1)",
                        one_by_one))  # fmt: skip

    @lanctot(fact, "methodology", "leaves by the right formula", "not printed")
    def formula() -> Found:
        counted = {sides: len(build_tree(Bluff(sides=sides)).leaf_chances) for sides in (2, 3, 4)}
        text = ", ".join(f"{sides} sides {count:,}" for sides, count in counted.items())
        return f"counted in the tree: {text}", all(counted[sides] == leaves(sides) for sides in counted)

    @lanctot(fact, "methodology", "number of bids: players times dice times faces", "b = n m f")
    def bids() -> Found:
        sizes = [(dice, sides) for dice in (1, 2, 3) for sides in (2, 3, 4, 5, 6)]
        same = [len(Bluff(dice=(dice, dice), sides=sides).bids) == 2 * dice * sides for dice, sides in sizes]
        return f"in {sum(same)} of {len(same)} games of two players", all(same)

    lanctot.add(number, "table 2", "bids with one die each, six faces", "12", lambda: len(Bluff().bids))


class Timed(NamedTuple):
    """A solution and seconds: to build the program, to solve it for x, for y, and for the proved solution in all."""

    solution: Solution
    fill: float
    x: float
    y: float
    total: float
    y_secures: Fraction


@cache
def _timed(check: bool, sides: int) -> Timed:
    """Solve a round, and its two linear programs one by one as the paper does (its equations 8 and 9)."""
    rules = Bluff(sides=sides, spot_on=check)
    table = win_or_lose(rules)
    clock = [time.perf_counter()]
    model = round_program(table)
    clock.append(time.perf_counter())
    Search(model.of(FIRST)).choice()
    clock.append(time.perf_counter())
    choice = Search(model.of(SECOND)).choice()
    clock.append(time.perf_counter())
    solution = solve_bluff(rules)
    clock.append(time.perf_counter())
    secures = as_fraction(best_reply(table, 0, spread(model, SECOND, choice.weights)).value)
    fill, x, y, total = (after - before for before, after in pairwise(clock))
    return Timed(solution, fill, x, y, total, secures)


def _table_3(lanctot: Source) -> None:
    def compute(check: bool, sides: int) -> Finding:
        ours, paper, theirs = _timed(check, sides), TABLE_3[check, sides][0], TABLE_3[check, sides][-1]
        exact = ours.solution.certificate.exact
        took = speed(ours.total, float(theirs)) if theirs.isdigit() else f"{ours.total:.2g} s"
        text = f"{exact}, proved; fill {ours.fill:.2g} s, x {ours.x:.2g} s, y {ours.y:.2g} s, in all {took}"
        same = exact is not None and exact == ours.y_secures and rounds_to(exact, paper)
        return Finding(text, Verdict.SAME if same else Verdict.DIFFERS)

    for (check, sides), (value, fill, x, y, total) in TABLE_3.items():
        what = f"one die each, {sides} sides, {'with' if check else 'without'} check"
        paper = f"{value}; fill {fill} s, x {x} s, y {y} s, in all {total} s"
        command = f"dicewright value {Bluff(sides=sides, spot_on=check).name}"
        lanctot.add(Claim, "table 3", what, paper, partial(compute, check, sides), command=command)


def _strategies(lanctot: Source) -> None:
    def optimal(check: bool, player: int, text: str) -> Found:
        rules = Bluff(sides=2, spot_on=check)
        found = printed_bluff.secures(rules, player, text)
        return f"secures {found}", found == _timed(check, 2).solution.certificate.exact

    for check, texts in ((False, printed_bluff.D2), (True, printed_bluff.D2_CHECK)):
        for player, text in enumerate(texts):
            what = f"two sides, {'with' if check else 'without'} check: printed strategy of {'xy'[player]}"
            lanctot.add(fact, "results", what, "optimal", partial(optimal, check, player, text))
    lanctot.add(number, "discussion", "x wins with two sides", "0.75",
                lambda: (1 + (_timed(False, 2).solution.certificate.exact or 0)) / 2)  # fmt: skip

    def six(player: int) -> Found:
        found = printed_bluff.completed(player)
        exact = _timed(False, 6).solution.certificate.exact
        return f"completed as well as possible it secures {found}", found == exact

    for player in (0, 1):
        what = f"six sides: printed weights of {'xy'[player]}, part of an optimal strategy?"
        lanctot.add(fact, "results", what, "optimal", partial(six, player), depth=Depth.DEFAULT)

    def left_over() -> list[Fraction]:
        """What the printed Y2cd and Y2ce leave of 1, in 516ths."""
        return [Fraction(round((1 - 0.174419 - 0.304264) * printed_bluff.UNIT), printed_bluff.UNIT)]

    @lanctot(fact, "results", "slip: weights for six sides, all printed up to two bids", "all",
             because=Because("the weights of a view must add up, which gives the missing one", left_over))  # fmt: skip
    def lacking() -> Found:
        found = [printed_bluff.unprinted(player, printed_bluff.D6[player]) for player in (0, 1)]
        shares = [Fraction(share, printed_bluff.UNIT) for each in found for share in each.values()]
        return f"{len(shares)} weight is missing: Y2cm = {shares[0]}", not shares, shares

    @lanctot(fact, "results", "six sides: x opens only with 1-3, 1-4 or 1-5", "never another bid")
    def openings() -> Found:
        rows = strategy_frame(_timed(False, 6).solution, 0)
        bids = sorted({row.action for row in rows if row.share > 1e-9})
        return f"our equilibrium opens with {', '.join(bids)}", set(bids) <= {"1x3", "1x4", "1x5"}


def _open_problem(lanctot: Source) -> None:
    for name in ("2v1,sides=2", "1v2,sides=2", "2v1,sides=3", "1v2,sides=3", "2v2,sides=2"):
        match = f"bluff-match:dice={name},loss=give"
        lanctot.add(Claim, "conclusion", f"open problem, the loser gives the winner a die: {name.replace(',', ', ')}",
                    "no method known", partial(proved_value, match), command=f"dicewright match-table {match}",
                    depth=Depth.QUICK if "sides=2" in name else Depth.DEFAULT)  # fmt: skip


def exhibits() -> Iterator[Exhibit]:
    """The times of table 3, and the opening bids of the solved round."""
    times = []
    for (check, sides), (_, *theirs) in TABLE_3.items():
        ours = _timed(check, sides)
        seconds = (f"{each:.2g}" for each in (ours.fill, ours.x, ours.y, ours.total))
        cells = chain.from_iterable(zip(theirs, seconds, strict=True))
        times.append([f"{sides} sides{', check' if check else ''}", *cells])
    columns = ["round", *(title for part in ("fill", "x", "y", "in all") for title in (part, "here"))]
    title = (
        "Table 3: seconds, paper and here; in all here means one program, which gives x and y, and the proof"
    )
    yield Exhibit(LANCTOT, title, columns, times)
    rows = strategy_frame(_timed(False, 6).solution, 0)
    bids = sorted({row.action for row in rows})
    hands = sorted({row.hand for row in rows})
    share = {(row.hand, row.action): row.share for row in rows}
    lines = [[hand, *(f"{share.get((hand, bid), 0.0):.6f}" for bid in bids)] for hand in hands]
    yield Exhibit(LANCTOT, "How often x opens so, by die: one six-sided die each", ["die", *bids], lines)
