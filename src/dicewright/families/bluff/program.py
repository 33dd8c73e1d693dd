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
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq
from scipy.sparse import coo_matrix, csr_matrix

from ..tree.nearest import nearest
from ..tree.program import Program, whole_numbers
from .beliefs import Belief, glue
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

    def labels_at(self, mask: int) -> npt.NDArray[np.int64]:
        """The classes of the hands at a node where this player moves."""
        return self.labels[mask.bit_length() - 1] if mask else np.arange(len(self.ways))

    def actions(
        self, game: Round, mask: int, reach: Numbers, ends: Numbers
    ) -> Iterator[tuple[Columns, Numbers]]:
        """For each action at a node its columns, and its row of a plan that is made or read."""
        for bid in range(mask.bit_length(), game.bids):
            yield self.held.get(mask | 1 << bid, {}), reach[mask | 1 << bid]
        for end in game.ends:
            yield self.ended.get((end, mask), {}), ends[end, mask]

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


def every(game: Round, player: int) -> list[list[tuple[tuple[int, ...], bool]]]:
    """For each last bid and matching count all endings, and whether a higher bid is left."""
    counts = game.dice(player) + 1
    return [[(tuple(game.ends), bid < game.bids - 1)] * counts for bid in range(game.bids)]


@dataclass(frozen=True, eq=False)
class RoundProgram:
    """The linear program of one player of a round, and which column of whom means what."""

    game: Round
    player: int
    sides: tuple[ProgramSide, ProgramSide]
    program: Program


def round_program(game: Round, chooser: int, slips: bool = True) -> RoundProgram:
    """Walk the public tree once, lowest bids first; about 10 microseconds for each sequence that matters.

    Without slips the rival, too, has only what matters.
    """
    first, second = (ProgramSide(game.ways[player], classes(game.match[player])) for player in (0, 1))
    sides = (first, second)
    menus = [(every if slips and player != chooser else sensible)(game, player) for player in (0, 1)]
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
                    pair = (column, held) if player == chooser else (held, column)
                    payoffs.append((*pair, pays[found]))
    ours, yours, worth = zip(*payoffs, strict=True)
    kinds = list(set(worth))
    scaled = dict(zip(kinds, whole_numbers([as_fraction(number) for number in kinds]), strict=True))
    whole = np.array([scaled[number] for number in worth]) * (1 if chooser == 0 else -1)
    sides = (sides[chooser], sides[1 - chooser])
    matrix = csr_matrix(coo_matrix((whole, (ours, yours)), (sides[0].columns, sides[1].columns)))
    totals = (np.array(sides[0].totals), np.array(sides[1].totals))
    program = Program(matrix, (sides[0].matrix(), sides[1].matrix()), totals)
    return RoundProgram(game, chooser, (first, second), program)


def spread(model: RoundProgram, weights: Numbers) -> Plan:
    """The player's plan of these class weights: each hand of a class splits its own weight as the class does.

    Negative weights count as 0, and splits are scaled to add up to 1, so the plan is legal whatever the
    weights are. Where they say nothing, because rival or player never bids so, the player calls. Weights are
    floats, or fractions, which make an exact plan.
    """
    game, side = model.game, model.sides[model.player]
    kind: Any = fmpq if weights.dtype == object else float
    numbers = [
        max(kind(*weight.as_integer_ratio()) if kind is fmpq else weight, kind(0)) for weight in weights
    ]
    turn, shape = movers(game.bids), (1 << game.bids, len(game.ways[model.player]))
    reach, ends = np.full(shape, kind(0)), no_ends(game, shape, kind(0))
    reach[0] = kind(1)
    for mask in range(1 << game.bids):
        after = mask | 1 << np.arange(mask.bit_length(), game.bids)
        if turn[mask] != model.player:
            reach[after] = reach[mask]
            continue
        targets = list(side.actions(game, mask, reach, ends))
        labels = side.labels_at(mask)
        for columns, target in targets:
            for hand, column in columns.items():
                target[labels == labels[hand]] = numbers[column]
        total = np.sum([target for _, target in targets], axis=0)
        silent = total == 0
        total[silent] = kind(1)
        for _, target in targets:
            target *= reach[mask] / total
        ends[CALLS, mask][silent] = reach[mask][silent]
    return Plan(reach, ends)


def gather(model: RoundProgram, plan: Plan) -> Numbers:
    """The weights of the rival's columns that a plan in floats gives."""
    side = model.sides[1 - model.player]
    weights = np.zeros(side.columns)
    turn = movers(model.game.bids)
    for mask in range(1 << model.game.bids):
        if turn[mask] != model.player:
            labels = side.labels_at(mask)
            for columns, target in side.actions(model.game, mask, plan.reach, plan.ends):
                for hand, column in columns.items():
                    weights[column] = (target * side.ways)[labels == labels[hand]].sum()
    return weights


def nearest_plans(game: Round, plans: tuple[Plan, Plan]) -> tuple[Plan, Plan]:
    """The exact plans nearest to two in floats that are nearly best: see tree/nearest.py."""
    first = round_program(game, 0, slips=False)
    second = replace(first, player=1)
    one = nearest(first.program, gather(second, plans[0]))
    two = nearest(first.program.mirrored(), gather(first, plans[1]))
    return spread(first, one), spread(second, two)


def believed(model: RoundProgram, orders: Sequence[Numbers]) -> Belief:
    """The rival as the player sees them, from the weights of their columns in each order of slips.

    A weight is c t^k with the first k in which it is not 0; a class splits as its largest weights do, and of the hands
    that may be at a node those with the lowest k are believed. Where there are no columns, because the player never
    bids so, the rival calls.
    """
    game, side = model.game, model.sides[1 - model.player]
    order = np.argmax([weights != 0 for weights in orders], axis=0)
    lead = [fmpq(*orders[k][column].as_integer_ratio()) for column, k in enumerate(order.tolist())]
    turn, shape = movers(game.bids), (1 << game.bids, len(side.ways))
    reach, ends = np.full(shape, fmpq(0)), no_ends(game, shape, fmpq(0))
    slips, ended = np.zeros(shape, np.int64), np.zeros(ends.shape, np.int64)
    reach[0] = fmpq(1)
    for mask in range(1 << game.bids):
        after = mask | 1 << np.arange(mask.bit_length(), game.bids)
        if turn[mask] == model.player:
            reach[after], slips[after] = reach[mask], slips[mask]
            continue
        labels, groups = side.labels_at(mask), dict[int, list[tuple[int, Any, Any]]]()
        targets = zip(
            side.actions(game, mask, reach, ends), side.actions(game, mask, slips, ended), strict=True
        )
        for (columns, target), (_, later) in targets:
            for hand, column in columns.items():
                groups.setdefault(int(labels[hand]), []).append((column, target, later))
        for label in np.unique(labels).tolist():
            hands, taken = labels == label, groups.get(label, [])
            if not taken:
                ends[CALLS, mask][hands], ended[CALLS, mask][hands] = reach[mask][hands], slips[mask][hands]
                continue
            least = min(order[column] for column, _, _ in taken)
            total = sum(lead[column] for column, _, _ in taken if order[column] == least)
            for column, target, later in taken:
                target[hands] = reach[mask][hands] * (lead[column] / total)
                later[hands] = slips[mask][hands] + int(order[column] - least)
    return glue(Plan(reach, ends), slips, ended)
