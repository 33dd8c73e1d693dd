"""What a strategy of any finite game gives away to a rival, view by view.

With w(I) the product of the own chances on the way to a view I, and u(a) what its action a is worth if play goes on for
the best, times the chance that dice and rival lead there (`Replies`),

    best answer - strategy = sum_I w(I) sum_a share(a) (max_b u(b) - u(a)).
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ...core.game import FIRST, SECOND, Game, View, other
from ...core.losses import Grouping, Losses, Mistake
from ...core.solution import seats
from .arrays import Tree, build_tree
from .response import Weights, replies, weights_of

ROUNDING = 1e-15  # what a choice may lose by rounding alone


class Given(NamedTuple):
    """A slip, how often it happens in a game, and what it loses there in all."""

    slip: Mistake
    times: Any
    lost: Any


class TreeCritic:
    """Knows the best answers to one rival: two numbers for each sequence."""

    def __init__(
        self, game: Game, rival: Any, habit: Callable[[Mistake], str], stage: Callable[[View], str]
    ) -> None:
        self.tree, self.habit, self.stage = build_tree(game), habit, stage
        known = seats(rival)
        self.rival = tuple(weights_of(self.tree, seat, known[seat]) for seat in (FIRST, SECOND))

    def __call__(self, strategy: Any) -> Losses:
        """Both seats, each half of the time; chances if nobody can draw and all else is a win."""
        tree, mine = self.tree, seats(strategy)
        wins = set(tree.leaf_payoffs) <= {-1, 1}
        scale, shift = (0.5, 0.5) if wins else (1.0, 0.0)
        found: list[Given] = []
        best = got = decisions = 0.0
        for seat in (FIRST, SECOND):
            weights, against = weights_of(tree, seat, mine[seat]), self.rival[other(seat)]
            given, come = given_away(tree, seat, weights, against)
            found += given
            best += float(replies(tree, seat, against).values[0]) / 2
            got += float(payoff(tree, seat, weights, against)) / 2
            decisions += float(come) / 2
        return losses_of(
            found, shift + scale * best, shift + scale * got, decisions, scale, self.habit, self.stage
        )


def given_away(tree: Tree, player: int, weights: Weights, against: Weights) -> tuple[list[Given], Any]:
    """Every action of the player's weights that loses against the other's, and the mean number of decisions.

    One comparison for each sequence; exact where both weights are fractions.
    """
    side, found = tree.sides[player], replies(tree, player, against)
    given, decisions = [], 0 * weights[0]
    for number, view in enumerate(side.views):
        start, stop = int(side.first[number]), int(side.first[number + 1])
        if stop == start + 1:
            continue
        values = found.values[start:stop]
        right = int(np.argmax(values))
        decisions += weights[side.parent[number]] * found.mass[start]
        for place in range(stop - start):
            lost = weights[start + place] * (values[right] - values[place])
            if lost > 0:
                actions = side.actions[number]
                times = weights[start + place] * found.mass[start]
                given.append(Given(Mistake(view, actions[place], actions[right]), times, lost))
    return given, decisions


def payoff(tree: Tree, player: int, weights: Weights, against: Weights) -> Any:
    """What the player gets with these weights of both."""
    worth = np.array(tree.leaf_worth, weights.dtype)
    paid = (worth * weights[tree.leaf_sequences[player]] * against[tree.leaf_sequences[other(player)]]).sum()
    return paid if player == FIRST else -paid


def losses_of(
    given: Iterable[Given],
    best: float,
    got: float,
    decisions: float,
    scale: float,
    habit: Callable[[Mistake], str],
    stage: Callable[[View], str],
) -> Losses:
    """What was found in either seat as columns, halved; what happens alike in both is added up.

    `scale` makes what is lost the unit shown.
    """
    times: dict[Mistake, float] = {}
    lost: dict[Mistake, float] = {}
    for slip, often, loss in given:
        times[slip] = times.get(slip, 0.0) + float(often) / 2
        lost[slip] = lost.get(slip, 0.0) + scale * float(loss) / 2
    slips = [slip for slip in lost if lost[slip] > ROUNDING * times[slip]]
    groups = {
        "habit": _grouped(map(habit, slips)),
        "stage": _grouped(stage(slip.view) for slip in slips),
    }
    often = np.array([times[slip] for slip in slips])
    each = np.array([lost[slip] for slip in slips]) / often
    return Losses(best, got, decisions, often, each, slips.__getitem__, groups)


def _grouped(names: Iterable[str]) -> Grouping:
    known: dict[str, int] = {}
    which = [known.setdefault(name, len(known)) for name in names]
    return Grouping(tuple(known), np.array(which, np.int64))
