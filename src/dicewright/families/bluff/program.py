"""The sequence form of a Bluff round as one player's program, straight from the public tree.

Three facts keep it small:

* Hands that match every bid from the last one on alike are one hand from there on: chances of hands are
  independent, so only the sum of their weights enters any later payoff. A *class* is such a set of hands.
* An ending that surely pays the player the most there is beats every other action, and one that surely pays the
  least loses to every other, whatever the rival does: the first leaves no choice, the second is dropped. The rival
  keeps every action, for slips are among them.
* What no sequence reaches needs no variables.

A class's weight is the sum over its hands of weight times rolls, so that all coefficients are whole numbers.
The answer is spread over the hands again (each hand of a class plays alike) and proved on the full tree.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import product
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq
from scipy.sparse import coo_matrix, csr_matrix

from ...core.errors import RulesError
from ..tree.basis import Flags
from ..tree.nearest import nearest
from ..tree.program import LinearProgram, whole_numbers
from .beliefs import Belief, glue
from .exact import CALLS, Numbers, Round, Weights, as_fraction, movers, no_ends, nodes_at

Ints = npt.NDArray[np.int64]
Columns = dict[int, int]  # the column of each class, named by its first hand


@dataclass(eq=False)
class ProgramSide:
    """One player's variables and constraints while the public tree is walked."""

    ways: Numbers
    labels: list[npt.NDArray[np.int64]]  # of the hands, by last bid: equal labels are one class
    entries: list[tuple[int, int, int]] = field(default_factory=list)  # constraint, column, +1 or -1
    totals: list[int] = field(default_factory=list)
    matters: list[bool] = field(default_factory=list)  # whether each column is worth thinking about
    held: dict[int, Columns] = field(default_factory=dict)  # bids: at each node that this player's bid made
    ended: dict[tuple[int, int], Columns] = field(default_factory=dict)  # likewise, by ending and bids

    def incoming(self, mask: int) -> dict[int, int | None]:
        """The classes that can be here, with the columns that carry their weight (None: the roll itself)."""
        own = mask ^ (1 << (mask.bit_length() - 1)) if mask else 0
        return dict(self.held[own]) if own else dict.fromkeys(range(len(self.ways)))

    def constrain(self, carriers: dict[int, int | None], worthy: list[bool]) -> range:
        """One constraint: the new actions' weights add up to what the carriers bring. Their columns."""
        row, fresh = len(self.totals), range(len(self.matters), len(self.matters) + len(worthy))
        brought = list(carriers.items())
        comes = any(column is None or self.matters[column] for _, column in brought)
        self.matters += [comes and worth for worth in worthy]
        self.totals.append(sum(int(self.ways[hand]) for hand, column in brought if column is None))
        self.entries += [(row, column, -1) for _, column in brought if column is not None]
        self.entries += [(row, column, 1) for column in fresh]
        return fresh

    @cached_property
    def alike(self) -> list[list[list[int]]]:
        """The hands of each hand's class, by last bid + 1; at the first node each hand is its own."""
        labels = [np.arange(len(self.ways)), *self.labels]
        return [[np.flatnonzero(found == label).tolist() for label in found] for found in labels]

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """Where each column stands in a plan: (node, hand, column) of bids and (ending, node, hand, column)."""
        bids = [
            (mask, hand, column)
            for mask, columns in self.held.items()
            for first, column in columns.items()
            for hand in self.alike[(mask ^ 1 << mask.bit_length() - 1).bit_length()][first]
        ]
        ends = [
            (end, mask, hand, column)
            for (end, mask), columns in self.ended.items()
            for first, column in columns.items()
            for hand in self.alike[mask.bit_length()][first]
        ]
        return np.array(bids).reshape(-1, 3).T, np.array(ends).reshape(-1, 4).T

    def laid(self, game: Round, numbers: Numbers, none: Any) -> tuple[Numbers, Numbers]:
        """A number of each column where it stands in a plan, and elsewhere `none`: of bids and of endings."""
        shape, (bids, ends) = (1 << game.bids, len(self.ways)), self.places
        given, ended = np.full(shape, none, numbers.dtype), no_ends(game, shape, none).astype(numbers.dtype)
        given[*bids[:2]], ended[*ends[:3]] = numbers[bids[2]], numbers[ends[3]]
        return given, ended

    def matrix(self) -> csr_matrix:
        """The constraints."""
        rows, columns, values = zip(*self.entries, strict=True)
        return csr_matrix(coo_matrix((values, (rows, columns)), (len(self.totals), len(self.matters))))


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
    """The linear program of FIRST with a column for each action, and which column of whom means what."""

    game: Round
    sides: tuple[ProgramSide, ProgramSide]
    program: LinearProgram

    @cached_property
    def matters(self) -> tuple[Flags, Flags]:
        """The columns that are worth thinking about."""
        one, two = (np.array(side.matters) for side in self.sides)
        return one, two

    def least(self) -> LinearProgram:
        """The program of FIRST where both have only those."""
        return self.program.restricted(*self.matters)

    def of(self, player: int) -> LinearProgram:
        """The program of a player who has only those, and whose rival may slip."""
        program = self.program.mirrored() if player else self.program
        return program.restricted(self.matters[player], np.ones(program.payoffs.shape[1], bool))


def round_program(game: Round, slips: bool = True) -> RoundProgram:
    """Walk the public tree once, lowest bids first; about 10 microseconds for each sequence.

    Without slips there are columns only for what is worth thinking about.
    """
    first, second = (ProgramSide(game.ways[player], classes(game.match[player])) for player in (0, 1))
    sides, menus = (first, second), [sensible(game, player) for player in (0, 1)]
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
        higher = [k for k in range(bid + 1, game.bids) if mask or game.opening[k]]
        for carriers in groups.values():
            hand = next(iter(carriers))
            worthy, on = menus[player][bid][game.match[player][hand, bid]] if mask else ((), True)
            bids = higher if on or slips else []
            ends = game.ends if slips and mask else worthy
            fresh = me.constrain(carriers, [on] * len(bids) + [end in worthy for end in ends])
            for k, column in zip(bids, fresh, strict=False):
                me.held.setdefault(mask | 1 << k, {})[hand] = column
            for end, column in zip(ends, fresh[len(bids) :], strict=True):
                me.ended.setdefault((end, mask), {})[hand] = column
                pays = game.pays[end, player, bid]
                for theirs, held in you.held[mask].items():
                    found = game.match[player][hand, bid] + game.match[1 - player][theirs, bid]
                    pair = (column, held) if player == 0 else (held, column)
                    payoffs.append((*pair, pays[found]))
    ours, yours, worth = zip(*payoffs, strict=True)
    kinds = list(set(worth))
    scaled = dict(zip(kinds, whole_numbers([as_fraction(number) for number in kinds]), strict=True))
    whole = np.array([scaled[number] for number in worth])
    matrix = csr_matrix(coo_matrix((whole, (ours, yours)), (len(first.matters), len(second.matters))))
    totals = (np.array(first.totals), np.array(second.totals))
    return RoundProgram(game, sides, LinearProgram(matrix, (first.matrix(), second.matrix()), totals))


def spread(model: RoundProgram, player: int, weights: Numbers) -> Weights:
    """The player's plan of these weights of columns that matter: each hand of a class splits its own as the class does.

    Negative weights count as 0, and splits are scaled to add up to 1, so the plan is legal whatever the
    weights are. Where they say nothing, because rival or player never bids so, the player calls. Weights are
    floats, or fractions, which make an exact plan.
    """
    game, side = model.game, model.sides[player]
    kind: Any = fmpq if weights.dtype == object else float
    numbers = np.full(len(side.matters), kind(0))
    numbers[model.matters[player]] = [
        max(kind(*weight.as_integer_ratio()) if kind is fmpq else weight, kind(0)) for weight in weights
    ]
    given, ended = side.laid(game, numbers, kind(0))
    reach, ends = np.full(given.shape, kind(0)), np.full(ended.shape, kind(0))
    reach[0] = kind(1)
    for mine, bids in _levels(game, player, reach):
        found = [given[mine | bid] for bid in bids] + [ended[end, mine] for end in game.ends]
        total = reduce(add, found)
        silent = total == 0
        share = reach[mine] / np.where(silent, kind(1), total)
        for bid, part in zip(bids, found, strict=False):
            reach[mine | bid] = part * share
        for end, part in zip(game.ends, found[len(bids) :], strict=True):
            ends[end, mine] = part * share
        ends[CALLS, mine] = np.where(silent, reach[mine], ends[CALLS, mine])
    return Weights(reach, ends)


def _levels(game: Round, player: int, *carried: Numbers) -> Iterator[tuple[Ints, list[int]]]:
    """The nodes where the player moves, by last bid, and the bids that are higher, each as a node.

    Where the other moves these numbers are carried on, whatever they bid.
    """
    turn = movers(game.bids)
    for last in range(-1, game.bids):
        nodes = np.r_[nodes_at(last)]
        theirs, bids = nodes[turn[nodes] != player], [1 << bid for bid in range(last + 1, game.bids)]
        for numbers, bid in product(carried, bids):
            numbers[theirs | bid] = numbers[theirs]
        yield nodes[turn[nodes] == player], bids


def gather(model: RoundProgram, player: int, plan: Weights) -> Numbers:
    """The weights of the player's columns that a plan in floats gives."""
    side = model.sides[player]
    (nodes, hands, columns), (end, at, held, ending) = side.places
    weighed = np.concatenate([(plan.reach * side.ways)[nodes, hands], (plan.ends * side.ways)[end, at, held]])
    return np.bincount(np.concatenate([columns, ending]), weighed, len(side.matters))


def nearest_plans(game: Round, plans: tuple[Weights, Weights]) -> tuple[Weights, Weights]:
    """The exact plans nearest to two in floats that are nearly best: see tree/nearest.py.

    Its prices are of payoffs of 1; RulesError if the round pays otherwise.
    """
    if not all(abs(pays) == 1 for pays in game.pays.ravel().tolist()):
        raise RulesError("the nearest plans are of rounds that pay 1 or -1, and this one pays otherwise")
    model = round_program(game, slips=False)
    programs = model.program, model.program.mirrored()
    one, two = (
        spread(model, player, nearest(programs[player], gather(model, player, plan)))
        for player, plan in enumerate(plans)
    )
    return one, two


def believed(model: RoundProgram, player: int, orders: Sequence[Numbers]) -> Belief:
    """The player as the rival sees them, from the weights of their columns in each order of slips.

    A weight is c t^k with the first k in which it is not 0; a class splits as its largest weights do, and of the hands
    that may be at a node those with the lowest k are believed. Where there are no columns, because the rival never
    bids so, the player calls.
    """
    game, side = model.game, model.sides[player]
    order = np.argmax([weights != 0 for weights in orders], axis=0).tolist()
    lead = np.array([fmpq(*orders[k][column].as_integer_ratio()) for column, k in enumerate(order)])
    zero: Any = fmpq(0)
    unit: Any = fmpq(1)
    none = len(orders)
    given, ended = side.laid(game, lead, zero)
    later, last = side.laid(game, np.array(order), none)
    reach, ends = np.full(given.shape, zero), np.full(ended.shape, zero)
    slips, slipped = np.zeros(given.shape, np.int64), np.zeros(ended.shape, np.int64)
    reach[0] = unit
    for mine, bids in _levels(game, player, reach, slips):
        found = [(given[mine | bid], later[mine | bid]) for bid in bids]
        found += [(ended[end, mine], last[end, mine]) for end in game.ends]
        least = reduce(np.minimum, (orders for _, orders in found))
        total = reduce(add, (np.where(orders == least, part, zero) for part, orders in found))
        silent, so_far = least == none, slips[mine]
        share = reach[mine] / np.where(silent, unit, total)
        told = [(part * share, np.where(orders < none, so_far + orders - least, 0)) for part, orders in found]
        for bid, one in zip(bids, told, strict=False):
            reach[mine | bid], slips[mine | bid] = one
        for end, one in zip(game.ends, told[len(bids) :], strict=True):
            ends[end, mine], slipped[end, mine] = one
        ends[CALLS, mine] = np.where(silent, reach[mine], ends[CALLS, mine])
        slipped[CALLS, mine] = np.where(silent, so_far, slipped[CALLS, mine])
    return glue(Weights(reach, ends), slips, slipped)
