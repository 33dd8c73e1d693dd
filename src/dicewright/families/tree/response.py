"""Exact values and best responses on the arrays of arrays.py; makes the certificates of tree games.

Nothing here is shared with the linear program, and the same lines work in floats and in exact fractions:
weights are float64 arrays, or object arrays of Fraction (or any exact number).

    value of a sequence = sum of its leaves' worth + sum over the information sets it leads to of their best
    value of an information set = the best of its sequences
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import IllegalAction, quoted
from ...core.game import FIRST, SECOND, Game, View, is_written, other
from ...core.results import Advice, Duel, Evaluation, Response
from ...core.solution import Certificate, Pair, seats
from ...core.strategy import ExactStrategy, Strategy, decide_among
from .arrays import Floats, Side, Tree, build_tree

Weights = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class TreeStrategy(ExactStrategy):
    """A strategy written down: one mix for each view of one side of a tree.

    Mixes are floats; `exact` gives the same mix as fractions where the table holds fractions.
    """

    side: Side
    shares: Weights  # the chance of each sequence's last action in its information set

    def __str__(self) -> str:
        return "a strategy written down view by view"

    def exact(self, view: View) -> dict[Any, Any]:
        """The mix in this view, with the numbers the table holds."""
        number = self.side.index[view]
        first = int(self.side.first[number])
        return {
            action: self.shares[first + place]
            for place, action in enumerate(self.side.actions[number])
            if self.shares[first + place] != 0
        }


def weights_of(tree: Tree, player: int, strategy: Strategy) -> Floats:
    """The weight of each sequence: the product of the chances the strategy gives its actions."""
    side = tree.sides[player]
    weights = np.zeros(side.sequences)
    weights[0] = 1.0
    for number, view in enumerate(side.views):
        mix = decide_among(side.actions[number], view, strategy)
        reach = weights[side.parent[number]]
        for place, action in enumerate(side.actions[number]):
            weights[side.first[number] + place] = reach * mix.get(action, 0.0)
    return weights


def strategy_from(side: Side, weights: Weights) -> TreeStrategy:
    """The strategy with these sequence weights; uniform where its own actions never lead."""
    shares = weights.copy()
    for number, (start, stop) in enumerate(zip(side.first[:-1], side.first[1:], strict=True)):
        reach = weights[side.parent[number]]
        exact = weights.dtype == object
        uniform = Fraction(1, int(stop - start)) if exact else 1.0 / (stop - start)
        shares[start:stop] = weights[start:stop] / reach if reach > 0 else uniform
    return TreeStrategy(side, shares)


def exact_weights(strategy: TreeStrategy) -> Weights:
    """The weight of each sequence in the table's own numbers: the product of the shares of its actions."""
    side, weights = strategy.side, strategy.shares.copy()
    weights[0] = Fraction(1)
    for number, (start, stop) in enumerate(zip(side.first[:-1], side.first[1:], strict=True)):
        weights[start:stop] = weights[side.parent[number]] * strategy.shares[start:stop]
    return weights


def are_legal(side: Side, weights: Weights) -> bool:
    """Whether these are sequence weights: none negative, 1 for the empty one, and split at every view."""
    split = all(
        sum(weights[start:stop]) == weights[parent]
        for parent, start, stop in zip(side.parent, side.first[:-1], side.first[1:], strict=True)
    )
    return bool(weights[0] == 1 and min(weights) >= 0 and split)


def best_value(tree: Tree, player: int, against: Weights) -> tuple[Any, TreeStrategy]:
    """The most `player` can get against these weights of the other player (as payoff to `player`), and how.

    One multiplication for each leaf, one comparison for each sequence.
    """
    exact = against.dtype == object
    worth = np.array(tree.leaf_worth, dtype=object if exact else np.float64)
    values, strategy = _reply(tree, player, against, worth if player == FIRST else -worth)
    return values[0], strategy


def _reply(tree: Tree, player: int, against: Weights, worth: Weights) -> tuple[Weights, TreeStrategy]:
    """The value of each sequence of the player, play going on for the best, if leaves have this worth."""
    side, kind = tree.sides[player], against.dtype
    values, shares = np.zeros(side.sequences, dtype=kind), np.zeros(side.sequences, dtype=kind)
    np.add.at(values, tree.leaf_sequences[player], worth * against[tree.leaf_sequences[other(player)]])
    for number in range(len(side.views) - 1, -1, -1):
        start, stop = int(side.first[number]), int(side.first[number + 1])
        best = start + int(np.argmax(values[start:stop]))
        values[side.parent[number]] += values[best]
        shares[best] = 1
    return values, TreeStrategy(side, shares)


def advise_tree(tree: Tree, strategies: tuple[Strategy, Strategy], view: View) -> Advice:
    """What each action is worth against the solved opponent in any finite game, and the solved mix.

    Worth is the winning chance, or the payoff in a game for points. Where the solved opponent never leads,
    the opponent is taken for one who acts at random, as solved strategies of trees do (`strategy_from`).
    """
    try:
        player = tree.seat_of(view)
        number = tree.sides[player].index[view]
    except (KeyError, TypeError):  # TypeError: it cannot even be looked up
        raise IllegalAction(
            f"nothing to decide at {_shown(tree.game, view)}; a player must be to move there, knowing what the "
            "rules tell"
        ) from None
    side, rival = tree.sides[player], tree.sides[other(player)]
    chances, worth = np.array(tree.leaf_chances, np.float64), np.array(tree.leaf_worth, np.float64)
    span = slice(int(side.first[number]), int(side.first[number + 1]))
    against = weights_of(tree, other(player), strategies[other(player)])
    believed = _reply(tree, player, against, chances)[0][span]
    if not (reached := bool(believed.any())):
        sizes = np.diff(rival.first)
        uniform = TreeStrategy(rival, np.concatenate([[0.0], np.repeat(1.0 / sizes, sizes)]))
        against = weights_of(tree, other(player), uniform)
        believed = _reply(tree, player, against, chances)[0][span]
    values = _reply(tree, player, against, worth if player == FIRST else -worth)[0][span] / believed
    if set(tree.leaf_payoffs) <= {-1, 1}:
        values = (1 + values) / 2
    found = dict(zip(side.actions[number], map(float, values), strict=True))
    mix = strategies[player](view)
    best = max(found, key=lambda action: (round(found[action], 9), mix.get(action, 0.0)))
    return Advice(view, found, best, mix, reached)


def _shown(game: Game, view: View) -> str:
    """The view as the game writes it, or as it stands if the game cannot."""
    try:
        return game.show_view(view) if is_written(game) else quoted(view)
    except Exception:
        return quoted(view)


def bracket(tree: Tree, one: Weights, two: Weights, method: str) -> Certificate:
    """The bounds that two exact strategies prove: what each secures against a best response to it.

    Weights that are no strategies prove nothing, and their bounds may even cross; they are put in order.
    """
    upper = best_value(tree, FIRST, two)[0]
    lower = -best_value(tree, SECOND, one)[0]
    proved = all(
        weights.dtype == object and are_legal(side, weights)
        for side, weights in zip(tree.sides, (one, two), strict=True)
    )
    if not proved:
        lower, upper = min(lower, upper), max(lower, upper)
    return Certificate(Fraction(lower), Fraction(upper), proved, method)


def play_out(tree: Tree, first: Strategy, second: Strategy) -> Duel:
    """Two strategies met on a tree, FIRST's seat to `first`: every chance exactly."""
    reach = np.array(tree.leaf_chances, np.float64)
    for player, strategy in ((FIRST, first), (SECOND, second)):
        reach = reach * weights_of(tree, player, strategy)[tree.leaf_sequences[player]]
    payoffs = np.array(tree.leaf_payoffs, np.float64)
    return Duel(
        float(reach[payoffs > 0].sum()),
        float(reach[payoffs < 0].sum()),
        float(reach[payoffs == 0].sum()),
        float((reach * tree.leaf_turns).sum()),
        float((reach * payoffs).sum()),
    )


def evaluate_tree(game: Game, a: Any, b: Any) -> Evaluation:
    """A against B on any finite game, each taking the first seat once.

    >>> from dicewright.families.tree.classics import rock_paper_scissors
    >>> rock, paper = (lambda view: {"rock": 1.0}), (lambda view: {"paper": 1.0})
    >>> evaluate_tree(rock_paper_scissors(), rock, paper).b_overall
    1.0
    """
    return meet_on(build_tree(game), a, b)


def meet_on(tree: Tree, a: Any, b: Any) -> Evaluation:
    """A against B on a tree that was built."""
    one, two = seats(a), seats(b)
    return Evaluation(play_out(tree, one[FIRST], two[SECOND]), play_out(tree, two[FIRST], one[SECOND]))


def best_response_tree(game: Game, b: Any) -> Response:
    """The most anyone can get against B on any finite game, from either seat."""
    tree, known = build_tree(game), seats(b)
    first, as_first = best_value(tree, FIRST, weights_of(tree, SECOND, known[SECOND]))
    second, as_second = best_value(tree, SECOND, weights_of(tree, FIRST, known[FIRST]))
    won: tuple[float | None, float | None] = (None, None)
    if set(tree.leaf_payoffs) <= {-1, 0, 1}:
        won = (
            play_out(tree, as_first, known[SECOND]).first_wins,
            play_out(tree, known[FIRST], as_second).second_wins,
        )
    return Response(
        Pair(as_first, as_second, tree.seat_of, "best response"), float(first), float(second), *won
    )
