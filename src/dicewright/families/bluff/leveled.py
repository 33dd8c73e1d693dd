"""Levels of rounds that are too large for plans: a logit player asked view by view, and one walk that meets it.

A view is weighed when it is come to, by the rival's solved rows. Against those rows themselves nothing needs to be
asked: the walk of level_kernels.py finds what the player gets, in a second for two dice each.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ...core.errors import IllegalAction, TooLarge
from ...core.game import FIRST, SEATS, SECOND, other
from ...core.logit import logit_mix
from ...core.results import Duel, Evaluation
from ...core.solution import Pair, seats
from ...core.strategy import Mix
from ..levels import MOST_VIEWS
from .level_kernels import DECIDES, GETS, TURNS, Carried, logit_response
from .plans import hand_numbers, seat_of
from .public_tree import RowsStrategy
from .rules import Bluff, BluffView
from .solution import BluffSolution, check_turn
from .worth import Reached, action_worths, believed, reach_of


class SeatFares(NamedTuple):
    """A seat against solved play."""

    gets: float  # payoff
    best: float  # what the best answer gets
    decides: float  # how often it decides in a round
    turns: float  # actions of the round, of both players


@dataclass(frozen=True, eq=False, repr=False)
class SeatLogit:
    """One seat's logit player, who weighs an action by what solved play tells of the other's dice.

    Where solved play never comes, the solution says what is believed (`worth.believed`).
    """

    solution: BluffSolution
    player: int
    precision: float
    name: str
    mixes: dict[BluffView, Mix] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"the {SEATS[self.player]} seat's {self.name} for {self.solution.game.name}"

    def __str__(self) -> str:
        return self.name

    def __call__(self, view: BluffView) -> Mix:
        """By what each action is worth; a view is weighed once."""
        if (mix := self.mixes.get(view)) is None:
            mix = self._weighed(view)
            if len(self.mixes) < MOST_VIEWS:
                self.mixes[view] = mix
        return mix

    @property
    def game(self) -> Bluff:
        """The round."""
        return self.solution.game

    def as_plan(self) -> NoReturn:
        """TooLarge: it would be asked in millions of views."""
        raise TooLarge(
            f"{self} of {self.game.name} weighs a view when it comes there: it is met exactly by solved play alone; "
            "`dicewright simulate` plays it against others"
        )

    def _weighed(self, view: BluffView) -> Mix:
        game = self.game
        check_turn(game, view)
        if seat_of(view) != self.player:
            raise IllegalAction(f"{self!r} cannot play the other seat, at {game.show_view(view)}")
        rival, hand = self.solution.rows[other(self.player)], hand_numbers(game, self.player)[view.mine]
        reach = rival.tree.deals[rival.player] * reach_of(rival, view.said)
        sight = Reached(reach, True) if float(reach.sum()) > 0 else believed(self.solution, view.said)
        worths = action_worths(self.solution, view.said, sight)
        return logit_mix({action: float(row[hand]) for action, row in worths.items()}, self.precision)

    @cached_property
    def fares(self) -> SeatFares:
        """Against the solved play that it weighs by; one walk."""
        rival = self.solution.rows[other(self.player)]
        tree, side = rival.tree, rival.tree.sides[self.player]
        work = tree.work(self.player, np.float64)
        depths, rows, hands = work.value.shape
        carried = Carried(np.zeros((depths, 3, rows, hands)), np.zeros((depths, 3, hands)), np.zeros(rows))
        weights = self.solution.board.weights[rival.player]
        first = self.player == FIRST
        logit_response(side, first, side.deal, weights, float(self.precision), work, carried)
        deal = tree.deals[self.player]
        gets, decides, turns = (float(deal @ carried.rest[0, plane]) for plane in (GETS, DECIDES, TURNS))
        return SeatFares(gets, float(deal @ work.worth[0]), decides, turns)


def asked_level(solution: BluffSolution, precision: float, name: str) -> Pair:
    """The logit player of this precision in both seats."""
    first, second = (SeatLogit(solution, seat, precision, name) for seat in (FIRST, SECOND))
    return Pair(first, second, seat_of, name)


def lost_each(strategy: Any) -> float | None:
    """The winning chance that such a level gives away in a decision to solved play; None of any other strategy."""
    both = levels_in(strategy)
    if both is None:
        return None
    fares = [one.fares for one in both]
    lost = sum(one.best - one.gets for one in fares) / 4  # of two seats, in chances
    return max(0.0, lost / (sum(one.decides for one in fares) / 2))


def levels_in(strategy: Any) -> tuple[SeatLogit, SeatLogit] | None:
    """Both seats' logit players, if this is a pair of them."""
    first, second = seats(strategy)
    return (first, second) if isinstance(first, SeatLogit) and isinstance(second, SeatLogit) else None


def meets_solved(game: Bluff, a: Any, b: Any) -> Evaluation | None:
    """A level against the solved play that it weighs by, or the other way round; None of any other two."""
    for mine, theirs, turned in ((a, b, False), (b, a, True)):
        both = levels_in(mine)
        if both is None or both[FIRST].solution.game != game or not _solved_is(both[FIRST], seats(theirs)):
            continue
        one, two = (each.fares for each in both)
        opens, answers = _duel(one.gets, one.turns), _duel(-two.gets, two.turns)
        return Evaluation(answers, opens) if turned else Evaluation(opens, answers)
    return None


def _duel(payoff: float, turns: float) -> Duel:
    """A round, which somebody wins."""
    return Duel((1 + payoff) / 2, (1 - payoff) / 2, 0.0, turns, payoff)


def _solved_is(level: SeatLogit, strategies: Sequence[Any]) -> bool:
    """Whether these are the rows that the level weighs by, perhaps read a second time."""
    return all(
        known is given or (isinstance(given, RowsStrategy) and _alike(known, given))
        for known, given in zip(level.solution.rows, strategies, strict=True)
    )


def _alike(one: RowsStrategy, two: RowsStrategy) -> bool:
    if (one.game, one.player) != (two.game, two.player):
        return False
    if one.weights is two.weights:
        return True
    parts = [
        (np.asarray(getattr(one.weights, part, None)), np.asarray(getattr(two.weights, part, None)))
        for part in ("before", "places", "shares")
    ]
    return parts[0][0].dtype != object and all(np.array_equal(*part) for part in parts)
