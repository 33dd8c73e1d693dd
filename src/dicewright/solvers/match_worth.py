"""What actions and states of a match of Bluff are worth, where its rounds have two outcomes.

By the theorem of match.py the solved strategies of a round do not depend on what follows it. So with p the chance
to win the round, and W and L the worth of the match after winning and after losing it, everything within the
round is worth L + p (W - L).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ..core.errors import IllegalAction, RulesError
from ..core.game import FIRST
from ..core.results import Advice
from ..core.solution import Solution
from ..games.bluff import BluffState
from ..games.bluff_match import BluffMatch, MatchState, MatchView, Standing
from .bluff import advise_bluff
from .bluff_strategy import check_size
from .bluff_worth import state_worth
from .match import MatchStrategy, final_payoff, solve_match, two_outcomes, won_and_lost


def advise_match(match: BluffMatch, view: MatchView, solution: Solution | None = None) -> Advice:
    """The chance that each action wins the match against the solved opponent, and the solved mix.

    Within the round the player goes on as well as possible, in later rounds as solved.
    """
    if match.winner(view.standing) is not None:
        raise IllegalAction(f"nothing to decide at {match.show_view(view)}; the match is over")
    if solution is None:
        check_chained(match)
        check_size(match.round_of(match.first), len(match.round_of(match.first).bids))
        solution = solve_match(match)
    plan = _chained(solution)
    now = advise_bluff(match.round_of(view.standing), view.now, plan.rounds[view.standing])
    player = match.seat(view.standing, len(view.now.said) % 2)
    after = won_and_lost(match, view.standing)[:: 1 if player == FIRST else -1]
    worths = standing_worths(solution)
    sign = 1.0 if player == FIRST else -1.0
    won, lost = ((1.0 + sign * _worth(match, worths, standing)) / 2.0 for standing in after)
    worth = {action: lost + chance * (won - lost) for action, chance in now.worth.items()}
    return Advice(view, worth, now.best, now.mix, now.reached)


def match_worth(match: BluffMatch, state: MatchState, solution: Solution) -> float:
    """The expected payoff to FIRST of a match from here on, dice as they are, both playing as solved.

    >>> match = BluffMatch(dice=(2, 1), sides=2)
    >>> match_worth(match, match.start(), solve_match(match))
    0.9375
    """
    plan = _chained(solution)
    worths = standing_worths(solution)
    if match.winner(state.standing) is not None or state.now == BluffState():
        return _worth(match, worths, state.standing)
    won, lost = (_worth(match, worths, after) for after in won_and_lost(match, state.standing))
    return lost + _chance(match, plan, state.standing, state.now) * (won - lost)


@lru_cache(maxsize=16)
def standing_worths(solution: Solution) -> Mapping[Standing, float]:
    """The payoff to FIRST at each standing if both play as solved, from one linear system in floats."""
    match: Any = solution.game
    plan = _chained(solution)
    order = list(plan.rounds)
    place = {standing: number for number, standing in enumerate(order)}
    system, right = np.eye(len(order)), np.zeros(len(order))
    for row, standing in enumerate(order):
        chance = _chance(match, plan, standing, BluffState())
        for after, weight in zip(won_and_lost(match, standing), (chance, 1.0 - chance), strict=True):
            if after in place:
                system[row, place[after]] -= weight
            else:
                right[row] += weight * float(final_payoff(match, after))
    return dict(zip(order, np.linalg.solve(system, right).tolist(), strict=True))


def _chance(match: BluffMatch, plan: MatchStrategy, standing: Standing, now: BluffState) -> float:
    """The chance that FIRST wins the round at this standing from here on."""
    to_opener = state_worth(match.round_of(standing), now, plan.rounds[standing])
    return (1.0 + (to_opener if standing.opener == FIRST else -to_opener)) / 2.0


def _worth(match: BluffMatch, worths: Mapping[Standing, float], standing: Standing) -> float:
    return worths[standing] if standing in worths else float(final_payoff(match, standing))


def check_chained(match: BluffMatch) -> None:
    """RulesError, with the reason, where rounds of the match do not have two outcomes."""
    if not two_outcomes(match):
        raise RulesError(
            f"there is no advice for {match.name}: with loss=difference, reward=regain or palifico what follows "
            "a round depends on more than who won it; ask round by round with bluff:..."
        )


def _chained(solution: Solution) -> MatchStrategy:
    match: Any = solution.game
    check_chained(match)
    if solution.method != "match-chain":
        raise RulesError(
            f"there is no advice for {match.name}: standings return and a round may be won for sure, or losing "
            "a round is better than winning it; ask round by round with bluff:..."
        )
    plan: Any = solution.strategies[FIRST]
    chained: MatchStrategy = plan
    return chained
