"""Strategy iteration over the standings of a match, on rounds that are no more than a choice of mixes."""

from dataclasses import dataclass
from itertools import product
from random import Random

import numpy as np
import pytest

from dicewright.core.game import FIRST, SECOND
from dicewright.families.bluff.match import BluffMatch
from dicewright.families.bluff.match_duel import _iterate
from dicewright.families.bluff.match_solution import PlayedRound, settle, standings

approx = pytest.approx


@dataclass(frozen=True)
class Options:
    """A round in which the responder picks one of some mixes of what follows."""

    after: tuple
    mixes: tuple

    def plan(self, seat, strategy):
        return strategy

    def meet(self, plans):
        number = next(plan for plan in plans if plan is not None)
        return np.array(self.mixes[number]), 1.0

    def reply(self, seat, against, worth):
        values = [float(np.dot(mix, worth)) for mix in self.mixes]
        return max(values), values.index(max(values))


class Nobody:
    def plan(self, game, standing):
        return None


def small_world(match, order, rng):
    """Few ways on from each standing, most of them sure, so that ties and circles abound."""
    ends = [match.first._replace(dice=dice) for dice in ((0, 4), (4, 0))]
    games = {}
    for standing in order:
        after = tuple({rng.choice([*order, *ends]): None for _ in range(3)})
        mixes = []
        for _ in range(rng.randint(1, 3)):
            one, two = rng.randrange(len(after)), rng.randrange(len(after))
            share = rng.choice([1.0, 1.0, 0.5])
            mixes.append([share * (n == one) + (1 - share) * (n == two) for n in range(len(after))])
        games[standing] = Options(after, tuple(mixes))
    return games


def test_strategy_iteration_finds_the_best_of_all_answers():
    """All pure answers tried, on 300 random chains of four standings; waiting for ever is often the best."""
    match = BluffMatch((2, 2), 2, loss="give")
    order = [match.first, *(s for s in standings(match) if s != match.first)][:4]
    waits = 0
    for seed in range(300):
        games = small_world(match, order, Random(seed))
        tried = []
        for picked in product(*(range(len(games[s].mixes)) for s in order)):
            steps = {
                s: PlayedRound(
                    {t: p for t, p in zip(games[s].after, games[s].mixes[n], strict=True) if p}, 1.0
                )
                for s, n in zip(order, picked, strict=True)
            }
            tried.append(settle(match, steps)[match.first])
        for player, sign in ((FIRST, 1), (SECOND, -1)):
            answer = _iterate(match, player, games, Nobody())
            best = max(sign * duel.payoff for duel in tried)
            assert answer.payoff == approx(best, abs=1e-9), seed
            waits += best == 0 and min(sign * duel.payoff for duel in tried) < 0
    assert waits > 30
