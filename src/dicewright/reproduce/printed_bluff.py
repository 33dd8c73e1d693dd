"""The strategies that Lanctot & Long print, and what they secure.

A sequence is written as the die and the letters of all bids (their table 2); the letter after the last bid is a
call and the one after that spot-on ("check").
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq
from scipy.sparse import csr_matrix, vstack

from ..families.bluff.exact import Weights, as_fraction, best_reply, is_legal, win_or_lose
from ..families.bluff.program import round_program, spread
from ..families.bluff.rules import Bluff
from ..families.tree.program import Search

D2 = ("1c 1cde 2d", "1ad 1bd 1cd 1de 2ad 2bd 2cd 2de")
D2_CHECK = (
    "1b 1bcd=.5 1bcf=.5 1bde 2b 2bcd=.5 2bcf=.5 2bde",
    "1ab 1abce 1abde 1bf 1cd=.5 1cf=.5 1de 2ab 2abcf 2abde 2bf 2cd=.5 2cf=.5 2de",
)
D6 = (
    """1c=.418605 3d=.232558 1d=.372093 3e=.069767 4d=.930233 1e=.209302 4e=.069767 2c=.418605 2d=.372093
    5e=1 2e=.209302 6c=.279070 3c=.697674 6d=.372093 6e=.348837""",
    """1cd=.087209 3de=.511628 1ce=.387597 3dm=.488372 1cm=.525194 3ef=.093023 1de=.288760 3em=.906977
    1dm=.711240 4cd=1 1eg=.129845 4de=.162791 1em=.870155 4dj=.837209 2cd=.174419 4ef=.906977 2ce=.304264
    4em=.093023 2de=.292636 5ce=1 2dm=.707364 5de=1 2eh=.125969 5ek=1 2em=.874031 6cd=.261628 3cd=.087209
    6ce=.691860 3ce=.261628 6ci=.046512 3ci=.651163 6de=1 6ef=1""",
)
UNIT = 516  # every printed weight is a multiple of 1/516 = 1/(12 * 43), but for rounding to six places
CALL_LETTER = 12

Entry = tuple[int, tuple[int, ...], str]


def entries(text: str) -> list[Entry]:
    """The printed weights: hand, letters as numbers, and the number as text."""
    found = []
    for word in text.split():
        name, _, weight = word.partition("=")
        found.append((int(name[0]) - 1, tuple(ord(letter) - ord("a") for letter in name[1:]), weight or "1"))
    return found


def plan(game: Bluff, player: int, text: str) -> Weights:
    """The plan of printed weights; where they are silent the player calls."""
    table = win_or_lose(game)
    bids, hands = table.bids, len(table.ways[player])
    reach, ends = np.zeros((1 << bids, hands), object), np.zeros((2, 1 << bids, hands), object)
    weights = {(hand, said): fmpq(*Fraction(w).as_integer_ratio()) for hand, said, w in entries(text)}
    reach[0] = fmpq(1)
    for mask in range(1 << bids):
        said = tuple(b for b in range(bids) if mask >> b & 1)
        for hand in range(hands):
            children = [mask | 1 << b for b in range(mask.bit_length(), bids)]
            if len(said) % 2 != player:
                reach[children, hand] = reach[mask, hand]
                continue
            for child in children:
                reach[child, hand] = weights.get((hand, (*said, child.bit_length() - 1)), fmpq(0))
            for kind in (0, 1):
                ends[kind, mask, hand] = weights.get((hand, (*said, bids + kind)), fmpq(0))
            left = reach[mask, hand] - sum(reach[children, hand]) - sum(ends[:, mask, hand])
            if mask:
                ends[0, mask, hand] += left
    return Weights(reach, ends)


def secures(game: Bluff, player: int, text: str) -> Fraction | None:
    """What a printed strategy secures, as payoff to the first player; None if it is no strategy."""
    table, found = win_or_lose(game), plan(game, player, text)
    if not is_legal(table, player, found):
        return None
    value = as_fraction(best_reply(table, 1 - player, found).value)
    return value if player == 1 else -value


def unprinted(player: int, text: str) -> Mapping[tuple[int, int], int]:
    """Calls that the listing lacks, in 516ths: what is left at views whose other weights are printed."""
    sums: dict[tuple[int, int], int] = {}
    for hand, said, weight in entries(text):
        mask = sum(1 << letter for letter in said[:-1])
        sums[mask, hand] = sums.get((mask, hand), 0) + round(float(weight) * UNIT)
    return {view: UNIT - total for view, total in sums.items() if total < UNIT and view[0]}


def completed(player: int) -> Fraction | None:
    """What the printed weights for six sides secure if the rest is filled in as well as possible.

    The listing stops after two bids. The program keeps one column for hands that later count alike, so a printed
    weight is added to the column of its class.
    """
    table = win_or_lose(Bluff())
    model = round_program(table, slips=False)
    program = model.of(player)
    side: Any = model.sides[player]
    fixed: dict[int, int] = {}

    def fix(mask: int, hand: int, action: int, share: int) -> None:
        labels = side.labels[mask.bit_length() - 1] if mask else np.arange(6)
        columns = side.ended[0, mask] if action == CALL_LETTER else side.held[mask | 1 << action]
        column = next(c for one, c in columns.items() if labels[one] == labels[hand])
        fixed[column] = fixed.get(column, 0) + share

    for hand, said, weight in entries(D6[player]):
        fix(sum(1 << letter for letter in said[:-1]), hand, said[-1], round(float(weight) * UNIT))
    for (mask, hand), share in unprinted(player, D6[player]).items():
        fix(mask, hand, CALL_LETTER, share)
    constraints, totals = list(program.constraints), list(program.totals)
    ones = (np.ones(len(fixed), np.int64), (np.arange(len(fixed)), list(fixed)))
    extra = csr_matrix(ones, (len(fixed), constraints[0].shape[1]))
    constraints[0] = vstack([constraints[0], extra], format="csr")
    totals[0] = np.concatenate([UNIT * totals[0], list(fixed.values())])
    sides: Any = {"constraints": tuple(constraints), "totals": tuple(totals)}
    choice = Search(replace(program, **sides)).choice()
    if not choice.exact:
        return None
    found = spread(model, player, choice.weights)
    if not is_legal(table, player, found):
        return None
    value = as_fraction(best_reply(table, 1 - player, found).value)
    return value if player == 1 else -value
