"""Two players of a match whose rounds are won or lost, each with a strategy for every round: a chain of rounds.

Where rounds have two outcomes nothing but who wins them matters to what follows, so one meeting of each round is
enough, by whatever meets its strategies: also where their plans would not fit (streamed.py, leveled.py).
"""

from collections.abc import Callable
from typing import Any

from ...core.game import FIRST
from ...core.results import Duel, Evaluation
from ...core.solution import Pair, seats
from .leveled import levels_in
from .match import BluffMatch, Standing
from .match_solution import MatchStrategy, PlayedRound, settle, two_outcomes, won_and_lost
from .plans import fits
from .rules import Bluff
from .solve import evaluate_bluff


def chained(match: BluffMatch, a: Any, b: Any) -> Evaluation | None:
    """Exactly; None of players who are no `MatchStrategy`, and where the plans of all rounds fit and are made."""
    players: Any = (*seats(a), *seats(b))
    if not two_outcomes(match) or not all(isinstance(one, MatchStrategy) for one in players):
        return None
    asked = any(levels_in(found.strategies) for one in players for found in one.rounds.values())
    if not asked and all(fits(found.game) for one in players for found in one.rounds.values()):
        return None
    met: dict[tuple[Bluff, int, int], Evaluation] = {}

    def meet(one: Any, two: Any) -> Evaluation:
        key = (one.game, id(one), id(two))
        if key not in met:
            met[key] = evaluate_bluff(one.game, Pair(*one.strategies), Pair(*two.strategies))
        return met[key]

    first, second, third, fourth = players
    return Evaluation(_duel(match, first, fourth, meet), _duel(match, third, second, meet))


def _duel(
    match: BluffMatch, first: MatchStrategy, second: MatchStrategy, meet: Callable[[Any, Any], Evaluation]
) -> Duel:
    """FIRST's player against SECOND's."""
    steps: dict[Standing, PlayedRound] = {}
    for standing in first.rounds:
        met = meet(first.rounds[standing], second.rounds[standing])
        opened = met.a_first if standing.opener == FIRST else met.b_first
        chance = opened.first_wins if standing.opener == FIRST else opened.second_wins
        won = won_and_lost(match, standing)
        after = {s: p for s, p in zip(won, (chance, 1.0 - chance), strict=True) if p > 0}
        steps[standing] = PlayedRound(after, opened.expected_turns)
    return settle(match, steps)[match.first]
