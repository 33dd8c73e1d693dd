"""Lanctot & Long, "Solving Bluff": values, times, printed strategies, sizes, and the problem they leave open."""

import time
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from ...core.solution import Solution
from ...games.bluff import Bluff
from ...games.classics import rock_paper_scissors, textbook_tree
from ...solvers.best_response import weights_of
from ...solvers.bluff import solve_bluff, strategy_frame
from ...solvers.sequence_form import solve_sequence_form
from ...solvers.tree import build_tree
from . import printed_bluff
from .certified import proved_value
from .claims import LANCTOT, Answer, Claim, Depth, Exhibit, Verdict, fact, number, rounds_to, shown, speed

# Table 3: value, and the seconds in all where they are printed.
TABLE_3 = {
    (False, 2): ("0.5", None), (False, 3): ("0.11111", 2), (False, 4): ("0.0625", 5),
    (False, 5): ("0.008", 160), (False, 6): ("-0.027132", 3774),
    (True, 2): ("0", None), (True, 3): ("0", 2), (True, 4): ("0", 13), (True, 5): ("0", 270), (True, 6): ("0", 7402),
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


def claims() -> Iterator[Claim]:
    """Figures 2 and 3, tables 1 to 3, the printed strategies and the conclusion."""
    yield from _classics()
    yield from _sizes()
    yield from _table_3()
    yield from _strategies()
    yield from _open_problem()
    for name in LARGER:
        yield Claim(
            LANCTOT, "beyond table 3", name, "out of reach", partial(proved_value, name), depth=Depth.FULL,
            command=f"dicewright value {name}",
        )  # fmt: skip


def _classics() -> Iterator[Claim]:
    def uniform() -> tuple[str, bool]:
        solution: Any = solve_sequence_form(rock_paper_scissors())
        mix = solution.strategies[0].exact(())
        text = ", ".join(f"{action} {share}" for action, share in mix.items())
        return f"value {solution.certificate.exact}; {text}", set(mix.values()) == {Fraction(1, 3)} and len(
            mix
        ) == 3

    yield fact(LANCTOT, "figure 2", "rock, paper, scissors in sequence form", "each a third", uniform)

    def normal_form() -> tuple[str, bool]:
        rules = textbook_tree()
        tree = build_tree(rules)

        def pure(words: str) -> Any:
            return lambda view: {next(word for word in rules.actions(view) if word in words): 1.0}

        worth, same = np.array(tree.leaf_worth, float), 0
        for row, printed in TABLE_1.items():
            for column, entry in zip(("ps", "pt", "qs", "qt"), printed, strict=True):
                one, two = weights_of(tree, 0, pure(row)), weights_of(tree, 1, pure(column))
                same += bool(
                    (one[tree.leaf_sequences[0]] * two[tree.leaf_sequences[1]] * worth).sum() == entry
                )
        return f"{same} of {4 * len(TABLE_1)} entries", same == 4 * len(TABLE_1)

    yield fact(LANCTOT, "figure 3 and table 1", "normal form of the example tree", "32 entries", normal_form)

    def value() -> str:
        return f"{solve_sequence_form(textbook_tree()).certificate.exact} to the first player, proved"

    yield shown(LANCTOT, "figure 3", "the value of the example tree", value)


def _sizes() -> Iterator[Claim]:
    def leaves(sides: int) -> int:
        """H1 H2 (2^B - 1): every pair of hands with every list of bids but the empty one, ended by a call."""
        rules = Bluff(sides=sides)
        return len(rules.hands(0)) * len(rules.hands(1)) * ((1 << len(rules.bids)) - 1)

    def formula() -> tuple[str, bool]:
        counted = {
            sides: (len(build_tree(Bluff(sides=sides)).leaf_chances), leaves(sides)) for sides in (2, 3, 4)
        }
        text = ", ".join(f"{sides} sides {count:,}" for sides, (count, _) in counted.items())
        return f"counted in the tree: {text}", all(count == found for count, found in counted.values())

    yield number(LANCTOT, "methodology", "slip: leaves of the tree, six sides", "49140", lambda: float(leaves(6)),
                 "b (2^b - 1) should be the pairs of hands times the lists of bids, 6 x 6 (2^12 - 1)")  # fmt: skip
    yield fact(LANCTOT, "methodology", "leaves by the right formula", "not printed", formula)
    yield number(LANCTOT, "methodology", "slip: bids b = n m f with one die each, six faces", "12",
                 lambda: 1.0 * 1 * 6, "the number of bids is (n + m) f")  # fmt: skip
    yield number(
        LANCTOT, "table 2", "bids with one die each, six faces", "12", lambda: float(len(Bluff().bids))
    )


@cache
def _timed(check: bool, sides: int) -> tuple[Solution, float]:
    started = time.perf_counter()
    solution = solve_bluff(Bluff(sides=sides, spot_on=check))
    return solution, time.perf_counter() - started


def _table_3() -> Iterator[Claim]:
    def compute(check: bool, sides: int, paper: str, theirs: int | None) -> Answer:
        solution, seconds = _timed(check, sides)
        exact = solution.certificate.exact
        text = f"{exact}, proved, in {speed(seconds, theirs) if theirs else f'{seconds:.2g} s'}"
        return text, Verdict.SAME if exact is not None and rounds_to(exact, paper) else Verdict.DIFFERS

    for (check, sides), (paper, theirs) in TABLE_3.items():
        what = f"one die each, {sides} sides, {'with' if check else 'without'} check"
        took = f" in {theirs:,} s" if theirs else ""
        name = Bluff(sides=sides, spot_on=check).name
        yield Claim(LANCTOT, "table 3", what, paper + took, partial(compute, check, sides, paper, theirs),
                    command=f"dicewright value {name}")  # fmt: skip


def _strategies() -> Iterator[Claim]:
    def optimal(check: bool, player: int, text: str) -> tuple[str, bool]:
        rules = Bluff(sides=2, spot_on=check)
        found = printed_bluff.secures(rules, player, text)
        return f"secures {found}", found == _timed(check, 2)[0].certificate.exact

    for check, texts in ((False, printed_bluff.D2), (True, printed_bluff.D2_CHECK)):
        for player, text in enumerate(texts):
            what = f"two sides, {'with' if check else 'without'} check: printed strategy of {'xy'[player]}"
            yield fact(LANCTOT, "results", what, "optimal", partial(optimal, check, player, text))
    yield number(LANCTOT, "discussion", "x wins with two sides", "0.75",
                 lambda: (1 + (_timed(False, 2)[0].certificate.exact or 0)) / 2)  # fmt: skip

    def six(player: int) -> tuple[str, bool]:
        found = printed_bluff.completed(player)
        return f"completed as well as possible it secures {found}", found == _timed(False, 6)[
            0
        ].certificate.exact

    for player in (0, 1):
        what = f"six sides: printed weights of {'xy'[player]}, part of an optimal strategy?"
        yield fact(LANCTOT, "results", what, "optimal", partial(six, player), depth=Depth.DEFAULT)

    def lacking() -> tuple[str, bool]:
        found = [printed_bluff.unprinted(player, printed_bluff.D6[player]) for player in (0, 1)]
        shares = [f"{Fraction(share, printed_bluff.UNIT)}" for each in found for share in each.values()]
        return f"{len(shares)} weight is missing: Y2cm = {shares[0]}", not shares

    yield fact(LANCTOT, "results", "slip: weights for six sides, all printed up to two bids", "all", lacking,
               "the weights of a view must add up, which gives the missing one")  # fmt: skip

    def openings() -> tuple[str, bool]:
        bids = sorted({row.action for row in strategy_frame(_timed(False, 6)[0], 0) if row.share > 1e-9})
        return f"our equilibrium opens with {', '.join(bids)}", set(bids) <= {"1x3", "1x4", "1x5"}

    yield fact(
        LANCTOT, "results", "six sides: x opens only with 1-3, 1-4 or 1-5", "never another bid", openings
    )


def _open_problem() -> Iterator[Claim]:
    for name in ("2v1,sides=2", "1v2,sides=2", "2v1,sides=3", "1v2,sides=3", "2v2,sides=2"):
        match = f"bluff-match:dice={name},loss=give"
        yield Claim(
            LANCTOT, "conclusion", f"open problem, the loser gives the winner a die: {name.replace(',', ', ')}",
            "no method known", partial(proved_value, match), command=f"dicewright match-table {match}",
            depth=Depth.QUICK if "sides=2" in name else Depth.DEFAULT,
        )  # fmt: skip


def exhibits() -> Iterator[Exhibit]:
    """The opening bids of the solved round."""
    rows = strategy_frame(_timed(False, 6)[0], 0)
    bids = sorted({row.action for row in rows})
    hands = sorted({row.hand for row in rows})
    share = {(row.hand, row.action): row.share for row in rows}
    lines = [[hand, *(f"{share.get((hand, bid), 0.0):.6f}" for bid in bids)] for hand in hands]
    yield Exhibit(LANCTOT, "How often x opens so, by die: one six-sided die each", ["die", *bids], lines)
