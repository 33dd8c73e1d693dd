"""The sequence form of a Bluff round, straight from the public tree, with only the sequences that matter.

Three facts keep the linear program small (24,576 information sets of one die each become 10,176):

* Hands that match every bid from the last one on alike are one hand from there on: chances of hands are
  independent, so only the sum of their weights enters any later payoff. A *class* is such a set of hands.
* An ending that surely pays the most there is beats every other action, and one that surely pays the least
  loses to every other, whatever the opponent does: the first leaves no choice, the second is dropped.
* What no sequence reaches needs no variables.

A class's weight is the sum over its hands of weight times rolls, so that all coefficients are whole numbers.
The answer is spread over the hands again (each hand of a class plays alike) and proved on the full tree.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq
from scipy.sparse import coo_matrix, csr_matrix

from ..tree.program import Program, whole_numbers
from .exact import CALLS, Numbers, Plan, Round, as_fraction, movers, no_ends

Columns = dict[int, int]  # the column of each class, named by its first hand


@dataclass(eq=False)
class ProgramSide:
    """One player's variables and constraints while the public tree is walked."""

    ways: Numbers
    labels: list[npt.NDArray[np.int64]]  # of the hands, by last bid: equal labels are one class
    columns: int = 0
    entries: list[tuple[int, int, int]] = field(default_factory=list)  # constraint, column, +1 or -1
    totals: list[int] = field(default_factory=list)
    held: dict[int, Columns] = field(default_factory=dict)  # bids: at each node that this player's bid made
    ended: dict[tuple[int, int], Columns] = field(default_factory=dict)  # likewise, by ending and bids

    def incoming(self, mask: int) -> dict[int, int | None]:
        """The classes that can be here, with the columns that carry their weight (None: the roll itself)."""
        own = mask ^ (1 << (mask.bit_length() - 1)) if mask else 0
        return dict(self.held[own]) if own else dict.fromkeys(range(len(self.ways)))

    def constrain(self, carriers: dict[int, int | None], actions: int) -> range:
        """One constraint: the new actions' weights add up to what the carriers bring. Their columns."""
        row, fresh = len(self.totals), range(self.columns, self.columns + actions)
        self.columns += actions
        brought = list(carriers.items())
        self.totals.append(sum(int(self.ways[hand]) for hand, column in brought if column is None))
        self.entries += [(row, column, -1) for _, column in brought if column is not None]
        self.entries += [(row, column, 1) for column in fresh]
        return fresh

    def matrix(self) -> csr_matrix:
        """The constraints."""
        rows, columns, values = zip(*self.entries, strict=True)
        return csr_matrix(coo_matrix((values, (rows, columns)), (len(self.totals), self.columns)))


def classes(match: Numbers) -> list[npt.NDArray[np.int64]]:
    """For each last bid the label of each hand: equal if all bids from there on are matched alike."""
    return [
        np.unique(match[:, bid:], axis=0, return_inverse=True)[1].ravel() for bid in range(match.shape[1])
    ]


def sensible(game: Round, player: int) -> list[list[tuple[tuple[int, ...], bool]]]:
    """For each last bid and matching count: the endings worth thinking about, and whether to bid on."""
    pays = game.pays * (1 if player == 0 else -1)
    most, least = pays.max(), pays.min()
    menus: list[list[tuple[tuple[int, ...], bool]]] = []
    for bid in range(game.bids):
        menus.append([])
        last = bid == game.bids - 1
        for count in range(game.dice(player) + 1):
            found = pays[:, player, bid, count : count + game.dice(1 - player) + 1]
            sure = [end for end in game.ends if found[end].min() == most]
            open_ = tuple(end for end in game.ends if found[end].max() != least)
            if sure:
                menus[-1].append((tuple(sure[:1]), False))
            else:
                menus[-1].append((open_ if open_ or not last else (CALLS,), not last))
    return menus


@dataclass(frozen=True, eq=False)
class RoundProgram:
    """The linear program of a round, and which column means what."""

    game: Round
    sides: tuple[ProgramSide, ProgramSide]
    program: Program


def round_program(game: Round) -> RoundProgram:
    """Walk the public tree once, lowest bids first; about 10 microseconds for each sequence that matters."""
    first, second = (ProgramSide(game.ways[player], classes(game.match[player])) for player in (0, 1))
    sides = (first, second)
    menus = [sensible(game, player) for player in (0, 1)]
    turn = movers(game.bids)
    payoffs: list[tuple[int, int, Any]] = []
    for mask in range(1 << game.bids):
        player, bid = int(turn[mask]), mask.bit_length() - 1
        me, you = sides[player], sides[1 - player]
        if mask and mask not in you.held:
            continue
        groups: dict[int, dict[int, int | None]] = {}
        for hand, column in me.incoming(mask).items():
            groups.setdefault(int(me.labels[bid][hand]) if mask else hand, {})[hand] = column
        for carriers in groups.values():
            hand = next(iter(carriers))
            ends, on = menus[player][bid][game.match[player][hand, bid]] if mask else ((), True)
            bids = [k for k in range(bid + 1, game.bids) if mask or game.opening[k]] if on else []
            fresh = me.constrain(carriers, len(bids) + len(ends))
            for k, column in zip(bids, fresh, strict=False):
                me.held.setdefault(mask | 1 << k, {})[hand] = column
            for end, column in zip(ends, fresh[len(bids) :], strict=True):
                me.ended.setdefault((end, mask), {})[hand] = column
                pays = game.pays[end, player, bid]
                for theirs, held in you.held[mask].items():
                    found = game.match[player][hand, bid] + game.match[1 - player][theirs, bid]
                    pair = (column, held) if player == 0 else (held, column)
                    payoffs.append((*pair, pays[found]))
    ones, twos, worth = zip(*payoffs, strict=True)
    whole = whole_numbers([as_fraction(number) for number in worth])
    shape = (sides[0].columns, sides[1].columns)
    matrix = csr_matrix(coo_matrix((np.array(whole), (ones, twos)), shape))
    totals = (np.array(sides[0].totals), np.array(sides[1].totals))
    program = Program(matrix, (sides[0].matrix(), sides[1].matrix()), totals)
    return RoundProgram(game, sides, program)


def spread(answer: RoundProgram, player: int, weights: Numbers) -> Plan:
    """The exact plan of these class weights: each hand of a class splits its own weight as the class does.

    Negative weights count as 0, and splits are scaled to add up to 1, so the plan is legal whatever the
    weights are. Where they say nothing, because the opponent or the player never bids so, the player calls.
    """
    game, side = answer.game, answer.sides[player]
    numbers = [max(fmpq(weight.numerator, weight.denominator), fmpq(0)) for weight in weights]
    turn, shape = movers(game.bids), (1 << game.bids, len(game.ways[player]))
    reach, ends = np.full(shape, fmpq(0), object), no_ends(game, shape, fmpq(0))
    reach[0] = fmpq(1)
    for mask in range(1 << game.bids):
        bid = mask.bit_length() - 1
        after = [mask | 1 << k for k in range(bid + 1, game.bids)]
        if turn[mask] != player:
            reach[after] = reach[mask]
            continue
        targets = [(side.held.get(child, {}), reach[child]) for child in after]
        targets += [(side.ended.get((end, mask), {}), ends[end, mask]) for end in game.ends]
        labels = side.labels[bid] if mask else np.arange(shape[1])
        for columns, target in targets:
            for hand, column in columns.items():
                target[labels == labels[hand]] = numbers[column]
        total = sum(target for _, target in targets)
        silent = total == 0
        total[silent] = fmpq(1)
        for _, target in targets:
            target *= reach[mask] / total
        ends[CALLS, mask][silent] = reach[mask][silent]
    return Plan(reach, ends)
