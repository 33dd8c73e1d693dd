"""One round of a match of Bluff between two strategies: the chances of what follows, and best answers.

    round_at      the round at a standing, as arrays
    MatchPlayer   a strategy for matches, asked about one round after the other
    MatchReply    pure strategies for all rounds as one strategy

The standings that may follow a round are numbered, and every ending pays the number of the standing it leads to.
So one table of the round serves all questions: worths are put in the place of the numbers when they are known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.game import SEATS
from ...core.strategy import Mix, Strategy
from ..tree.arrays import Floats, Tree, build_tree
from ..tree.response import best_value, weights_of
from .exact import Round, Weights, best_reply, meet, win_or_lose
from .match import BluffMatch, MatchView, Standing
from .match_solution import MatchStrategy, endings, paid_tree
from .plans import PlanStrategy, plan_of
from .rules import Bluff, BluffView


@dataclass(frozen=True, eq=False)
class PublicRound:
    """A round on the public tree of all bids.

    after   the standings that may follow, by number
    plan    what a strategy does in a seat, asked once in each view
    meet    the chance of each standing that may follow, and the mean number of actions
    reply   the most a seat can get where what follows has this worth to it, and a strategy that gets it
    """

    rules: Bluff
    after: tuple[Standing, ...]
    numbered: Round

    def plan(self, seat: int, strategy: Strategy) -> Weights:
        """A plan on the public tree; TooLarge if it would not fit."""
        return plan_of(self.rules, seat, strategy)

    def meet(self, plans: Sequence[Weights]) -> tuple[Floats, float]:
        """As asked; each meeting of the plans tells two standings apart."""
        numbers, chances, turns = self.numbered.pays, np.zeros(len(self.after) + 1), 0.0
        for one in range(0, len(self.after), 2):
            signs = (numbers == one).astype(np.int64) - (numbers == one + 1)
            met = meet(replace(self.numbered, pays=signs), *plans)
            chances[one], chances[one + 1], turns = met.first_wins, met.second_wins, met.expected_turns
        return chances[: len(self.after)], turns

    def reply(self, seat: int, against: Weights, worth: Floats) -> tuple[float, Strategy]:
        """As asked, from the last bids back."""
        pays = worth[self.numbered.pays] * (1.0 if seat == 0 else -1.0)
        reply = best_reply(replace(self.numbered, pays=pays), seat, against)
        return float(reply.value), PlanStrategy(self.rules, seat, None, reply.choice)


@dataclass(frozen=True, eq=False)
class TreeRound:
    """A round in which not every higher bid may follow, as a tree; asked as a PublicRound is."""

    after: tuple[Standing, ...]
    numbered: Tree

    def plan(self, seat: int, strategy: Strategy) -> Floats:
        """The weight of each sequence."""
        return weights_of(self.numbered, seat, strategy)

    def meet(self, plans: Sequence[Floats]) -> tuple[Floats, float]:
        """As asked, leaf by leaf."""
        reach = np.array(self.numbered.leaf_chances, np.float64)
        for weights, sequences in zip(plans, self.numbered.leaf_sequences, strict=True):
            reach *= weights[sequences]
        numbers = np.array(self.numbered.leaf_payoffs, np.int64)
        chances = np.zeros(len(self.after))
        np.add.at(chances, numbers, reach)
        return chances, float(reach @ self.numbered.leaf_turns)

    def reply(self, seat: int, against: Floats, worth: Floats) -> tuple[float, Strategy]:
        """As asked, from the last information sets back."""
        pays = [Fraction(float(each)) * (1 if seat == 0 else -1) for each in worth]
        paid = replace(self.numbered, leaf_payoffs=tuple(pays[int(n)] for n in self.numbered.leaf_payoffs))
        value, strategy = best_value(paid, seat, against)
        return float(value), strategy


MatchRound = PublicRound | TreeRound


def round_at(match: BluffMatch, standing: Standing) -> MatchRound:
    """The round at this standing, on the tree that it has."""
    rules = match.round_of(standing)
    numbers: dict[Standing, int] = {}
    ends = {end: numbers.setdefault(match.after(standing, end), len(numbers)) for _, end in endings(rules)}
    if rules.order == "fixed":
        return TreeRound(tuple(numbers), build_tree(paid_tree(rules, lambda end: Fraction(ends[end]))))
    plain = win_or_lose(rules)
    pays = np.zeros(plain.pays.shape, np.int64)
    for place, end in endings(rules):
        pays[place] = ends[end]
    return PublicRound(rules, tuple(numbers), replace(plain, pays=pays))


@dataclass(frozen=True, eq=False, repr=False)
class MatchReply:
    """A best answer to one opponent: a pure strategy for every round of a match, for one player."""

    match: BluffMatch
    player: int
    rounds: Mapping[Standing, Strategy]  # for the seat that the player has at this standing

    def __repr__(self) -> str:
        return f"the best answer of the {SEATS[self.player]} player in {self.match.name}"

    def __call__(self, view: MatchView) -> Mix:
        """The one action of the round's answer."""
        return self.rounds[view.standing](view.now)


class Unseen:
    """Stands for the rounds before where a strategy is asked about a standing; notes that it was looked at."""

    def __init__(self) -> None:
        self.used = False

    def _use(self, *_: Any) -> Any:
        self.used = True
        raise TypeError("the rounds before are not told")

    __len__ = __iter__ = __getitem__ = __contains__ = __add__ = __repr__ = __reduce_ex__ = _use
    __eq__ = __hash__ = _use  # a view that is looked up is looked at


@dataclass(frozen=True, eq=False)
class AtStanding:
    """What a strategy for matches says of the round at one standing."""

    strategy: Strategy
    standing: Standing
    past: Any

    def __str__(self) -> str:
        return str(self.strategy)

    def __call__(self, view: BluffView) -> Mix:
        return self.strategy(MatchView(self.standing, self.past, view))


@dataclass(frozen=True, eq=False)
class MatchPlayer:
    """A strategy in one player's place, asked round by round."""

    match: BluffMatch
    player: int
    strategy: Strategy
    past: Unseen

    def plan(self, game: MatchRound, standing: Standing) -> Any:
        """What the strategy does in the round at this standing."""
        seat, strategy = self.match.seat(standing, self.player), self.strategy
        at: Strategy = AtStanding(strategy, standing, self.past)
        if isinstance(strategy, (MatchStrategy, MatchReply)) and self._is_meant(strategy):
            known: Any = strategy.rounds[standing]
            at = known if isinstance(strategy, MatchReply) else known.strategies[seat]
        return game.plan(seat, at)

    def _is_meant(self, strategy: MatchStrategy | MatchReply) -> bool:
        return (strategy.match, strategy.player) == (self.match, self.player)
