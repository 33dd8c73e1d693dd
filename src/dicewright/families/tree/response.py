"""Exact values and best responses on the arrays of arrays.py; makes the certificates of tree games.

Nothing here is shared with the linear program, and the same lines work in floats and in exact fractions:
weights are float64 arrays, or object arrays of Fraction (or any exact number).

    value of a sequence = sum of its leaves' worth + sum over the information sets it leads to of their best
    value of an information set = the best of its sequences
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.errors import IllegalAction, quoted
from ...core.game import FIRST, SECOND, Game, View, is_written, other
from ...core.results import Advice, Duel, Evaluation, Response
from ...core.solution import Certificate, Pair, seats
from ...core.strategy import ExactStrategy, Strategy, decide_among
from .arrays import Floats, InformationSets, Ints, Tree, build_tree

Weights = npt.NDArray[Any]
Beliefs = Sequence[Weights]  # a rival's weights: without a slip, and what each order of slips adds
NEVER = 1e-12  # chances in floats below which nobody comes


@dataclass(frozen=True, eq=False)
class TreeStrategy(ExactStrategy):
    """A strategy written down: one mix for each view of one side of a tree.

    Mixes are floats; `exact` gives the same mix as fractions where the table holds fractions.
    """

    side: InformationSets = field(repr=False)
    # the chance of each sequence's last action in its information set
    shares: Weights = field(repr=False)

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


def weights_by(side: InformationSets, shares: Weights) -> Weights:
    """The weight of each sequence if an information set's actions are taken in these proportions."""
    weights = np.asarray(shares).copy()
    weights[0] = 1
    for number, (start, stop) in enumerate(zip(side.first[:-1], side.first[1:], strict=True)):
        weights[start:stop] *= weights[side.parent[number]] / sum(shares[start:stop])
    return weights


def strategy_from(side: InformationSets, weights: Weights, found: "Replies") -> TreeStrategy:
    """The strategy with these sequence weights; where its own actions never lead, the reply that was found."""
    shares = weights.copy()
    for number, (start, stop) in enumerate(zip(side.first[:-1], side.first[1:], strict=True)):
        reach = weights[side.parent[number]]
        shares[start:stop] = weights[start:stop] / reach if reach > 0 else found.shares[start:stop]
    return TreeStrategy(side, shares)


def exact_weights(strategy: TreeStrategy) -> Weights:
    """The weight of each sequence in the table's own numbers: the product of the shares of its actions."""
    side, weights = strategy.side, strategy.shares.copy()
    weights[0] = Fraction(1)
    for number, (start, stop) in enumerate(zip(side.first[:-1], side.first[1:], strict=True)):
        weights[start:stop] = weights[side.parent[number]] * strategy.shares[start:stop]
    return weights


def are_legal(side: InformationSets, weights: Weights) -> bool:
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
    found = replies(tree, player, against)
    return found.values[0], TreeStrategy(tree.sides[player], found.shares)


class Replies(NamedTuple):
    """A player's sequences if the play goes on for the best; all numbers are the rival's kind of number."""

    values: Weights  # the payoff to the player, times `mass`
    mass: Weights  # the chance that dice and rival lead where the sequence was played
    shares: Weights  # 1 for the best action of each information set


def replies(tree: Tree, player: int, against: Weights) -> Replies:
    """The best reply to these weights of the other player: one multiplication a leaf, one comparison a sequence."""
    side, exact = tree.sides[player], against.dtype == object
    sign, kind = 1 if player == FIRST else -1, object if exact else np.float64
    values, mass, shares = (np.zeros(side.sequences, kind) for _ in range(3))
    come = against[tree.leaf_sequences[other(player)]]
    np.add.at(values, tree.leaf_sequences[player], sign * np.array(tree.leaf_worth, kind) * come)
    np.add.at(mass, tree.leaf_sequences[player], np.array(tree.leaf_chances, kind) * come)
    for number in range(len(side.views) - 1, -1, -1):
        start, stop = int(side.first[number]), int(side.first[number + 1])
        best = start + int(np.argmax(values[start:stop]))
        values[side.parent[number]] += values[best]
        mass[side.parent[number]] += mass[best]
        shares[best] = 1
    return Replies(values, mass, shares)


def supposed(tree: Tree, player: int, beliefs: Beliefs) -> tuple[Replies, Ints]:
    """The best reply in every view to a rival who slips as rarely as can be to come there, and how many slips it took.

    `beliefs` are the rival's weights in each order of slips. In a view to which those of lower orders never lead, the
    first order that does gives the limit of all worths as slips become rare.
    """
    side = tree.sides[player]
    parts = [replies(tree, player, belief) for belief in beliefs]
    come = np.array([abs(part.mass) > (0 if part.mass.dtype == object else NEVER) for part in parts])
    order = np.where(come.any(axis=0), come.argmax(axis=0), len(parts) - 1)
    chosen = np.repeat(order[side.first[:-1]], np.diff(side.first))
    order = np.concatenate([[0], chosen])
    found = (np.choose(order, [part[place] for part in parts]) for place in range(3))
    return Replies(*found), order


def lost(tree: Tree, player: int, shares: Weights, beliefs: Beliefs) -> Any:
    """The most that an action of the mixes loses in any view, in payoff, by what the player believes."""
    side, (found, _) = tree.sides[player], supposed(tree, player, beliefs)
    most = Fraction(0)
    for start, stop in zip(side.first[:-1], side.first[1:], strict=True):
        values = found.values[start:stop]
        least = min(value for value, share in zip(values, shares[start:stop], strict=True) if share > 0)
        if least < max(values):
            most = max(most, (max(values) - least) / found.mass[start])
    return most


Answers = tuple[tuple[Replies, Ints], tuple[Replies, Ints]]  # of both seats


def answers_to(tree: Tree, beliefs: tuple[Beliefs, Beliefs]) -> Answers:
    """The best replies of both seats to what they believe."""
    return supposed(tree, FIRST, beliefs[FIRST]), supposed(tree, SECOND, beliefs[SECOND])


def simple_beliefs(tree: Tree, strategies: tuple[Strategy, Strategy]) -> tuple[Beliefs, Beliefs]:
    """What each seat believes of a rival of whom nothing else is known: this strategy, and any slip alike."""
    first, second = (
        (weights_of(tree, seat, strategies[seat]), weights_by(side, np.ones(side.sequences)))
        for seat, side in enumerate(tree.sides)
    )
    return second, first


def advise_tree(
    tree: Tree, strategies: tuple[Strategy, Strategy], view: View, answers: "Answers | None" = None
) -> Advice:
    """What each action is worth in any finite game, and the solved mix; `answers` are what the beliefs make best.

    Worth is the winning chance, or the payoff in a game for points.
    """
    try:
        player = tree.seat_of(view)
        number = tree.sides[player].index[view]
    except (KeyError, TypeError):  # TypeError: it cannot even be looked up
        raise IllegalAction(
            f"nothing to decide at {_shown(tree.game, view)}; a player must be to move there, knowing what the "
            "rules tell"
        ) from None
    if answers is None:
        answers = answers_to(tree, simple_beliefs(tree, strategies))
    found, order = answers[player]
    side = tree.sides[player]
    span = slice(int(side.first[number]), int(side.first[number + 1]))
    values = found.values[span] / found.mass[span]
    if set(tree.leaf_payoffs) <= {-1, 1}:
        values = (1 + values) / 2
    worth = dict(zip(side.actions[number], map(float, values), strict=True))
    mix = strategies[player](view)
    best = max(worth, key=lambda action: (round(worth[action], 9), mix.get(action, 0.0)))
    return Advice(view, worth, best, mix, bool(order[span.start] == 0))


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
