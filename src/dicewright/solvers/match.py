"""Matches of Bluff: each round solved once, the rounds chained.

Theorem. Let every round have two outcomes for what follows (its opener wins it or loses it), and let winning
a round never be worse for the match than losing it. Then the best strategies of a round do not depend on what
follows, and the match is worth V, where for each standing s with p(s) the chance that FIRST wins its round
under the round's own best strategies

    V(s) = p(s) V(s, FIRST wins) + (1 - p(s)) V(s, SECOND wins),    V = +1 or -1 when a player has no dice.

Proof. At s the continuation pays a = V(s, won) >= b = V(s, lost), so the round pays (a + b)/2 + (a - b)/2
times its own +1 or -1: the same game on another scale, with the same best strategies. If both players play
them, V is the payoff; if one of them deviates, that player wins no round more often, so V is not beaten,
provided play ends. It does where standings cannot return; where they can, every 0 < p(s) < 1 is checked,
and then either player wins as many rounds in a row as there are dice sooner or later, whatever the other
does. The system is linear also there, as when the loser gives the die to the winner: the case that Lanctot &
Long (2007, conclusion) call open.

It fails if a loss costs |difference| dice, if a die can be regained, with palifico, and where standings
return and a round is won for sure: then a round is solved with the values of what follows as its payoffs,
last standings first; where standings return, bounds from below (every unknown value -1) and from above (+1)
are improved in turn, and both are theorems at any time, because more for every continuation never means less
for a round. (A match that never ends pays 0.)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpq_mat

from ..core.check import name_of
from ..core.errors import PrecisionError, RulesError
from ..core.game import FIRST, SECOND
from ..core.shown import quoted
from ..core.solution import Certificate, Solution
from ..games.bluff import Bluff, BluffState, Ending, round_tables
from ..games.bluff_match import BluffMatch, Standing
from .bluff import solve_bluff, solve_paid_round
from .bluff_solution import BluffSolution
from .bluff_tree import as_fraction, win_or_lose
from .match_solution import MatchSolution, MatchStrategy, final_payoff, won_and_lost
from .sequence_form import solve_sequence_form

Values = dict[Standing, Fraction]

MOST_SWEEPS = 500
SWEEP_GAP, ROUND_GAP = 1e-6, 1e-3  # where work stops if nothing else is asked for
GRID = 10**9  # values of unfinished sweeps are rounded outwards to multiples of 1 / GRID


class MatchRow(NamedTuple):
    """One line of the match table: FIRST's payoff at a standing, and the round's own value to its opener."""

    dice: tuple[int, int]
    opener: int
    fixed: bool
    lower: Fraction
    upper: Fraction
    round_value: float


def solve_match(
    match: BluffMatch, gap: float | None = None, solver: Callable[[Bluff], Solution] | None = None
) -> MatchSolution:
    """The value of a match to FIRST, who opens, and both players' strategies for every standing.

    Exact where every round is; `gap` is the width at which sweeps stop where standings return (SWEEP_GAP), and
    a round too large for an exact solution (ROUND_GAP). Rounds with two outcomes may come from a `solver` of
    the caller's, such as the store of what was solved before.

    >>> print(solve_match(BluffMatch(dice=(2, 1), sides=2, loss="give")).certificate.exact)
    13/15
    """
    order, first = standings(match), match.first
    returns = _returns(match, order)
    if solver is None:
        solver = partial(solve_bluff, gap=ROUND_GAP if gap is None else gap)
    chained = _chain(match, order, returns, solver) if two_outcomes(match) else None
    if chained:
        method, solved = "match-chain", chained
    elif not returns:
        method, solved = "match-bottom-up", _bottom_up(match, order)
    else:
        method, solved = "match-sweeps", _sweeps(match, order, Fraction(SWEEP_GAP if gap is None else gap))
        if solved.upper[first] - solved.lower[first] == 2:
            raise PrecisionError(f"{match.name} may never end, and no bounds between -1 and 1 were found")
    how = {
        "match-chain": "rounds with two outcomes, chained by one linear system",
        "match-bottom-up": "rounds that pay what follows, last standings first",
        "match-sweeps": "bounds from below and above, improved round by round",
    }[method]
    how += "; each round proved" if solved.proved else "; not each round proved"
    certificate = Certificate(solved.lower[first], solved.upper[first], solved.proved, how)
    one, two = (
        MatchStrategy(match, player, solved.rounds[player], solved.lower, solved.upper)
        for player in (FIRST, SECOND)
    )
    return MatchSolution(match, method, (one, two), certificate)


def match_table(solution: MatchSolution) -> list[MatchRow]:
    """One row for each standing the match can reach: its value to FIRST and that of its round."""
    plan = solution.plan
    return [
        MatchRow(
            standing.dice,
            standing.opener,
            standing.fixed,
            plan.lower[standing],
            plan.upper[standing],
            plan.rounds[standing].certificate.value,
        )
        for standing in sorted(plan.rounds)
    ]


def two_outcomes(match: BluffMatch) -> bool:
    """Whether what follows a round depends only on who won it."""
    return match.loss != "difference" and match.reward == "none" and not match.palifico


def endings(rules: Bluff) -> Iterator[tuple[tuple[int, int, int, int], Ending]]:
    """Every way a round can end, with its place (kind, caller, bid, count) in a table of payoffs."""
    for kind in (0, 1) if rules.spot_on else (0,):
        for caller in (0, 1):
            for number, bid in enumerate(rules.bids):
                for found in range(sum(rules.dice) + 1):
                    yield (kind, caller, number, found), Ending(caller, kind == 1, bid.quantity, found)


def standings(match: BluffMatch) -> list[Standing]:
    """The unfinished standings a match can reach, each after all that follow it unless standings return."""
    order: list[Standing] = []
    seen: set[Standing] = set()

    def visit(standing: Standing) -> None:
        if standing in seen or match.winner(standing) is not None:
            return
        seen.add(standing)
        for _, end in endings(match.round_of(standing)):
            visit(match.after(standing, end))
        order.append(standing)

    visit(match.first)
    return order


def _returns(match: BluffMatch, order: list[Standing]) -> bool:
    """Whether a standing can come back: then some standing is followed by one that is later in the order."""
    place = {standing: number for number, standing in enumerate(order)}
    return any(
        place.get(match.after(standing, end), -1) >= place[standing]
        for standing in order
        for _, end in endings(match.round_of(standing))
    )


class Solved(NamedTuple):
    """The rounds of a match: FIRST's secure the lower values, SECOND's the upper ones."""

    rounds: tuple[dict[Standing, BluffSolution], dict[Standing, BluffSolution]]
    lower: Values
    upper: Values
    proved: bool  # whether every solve that the values rest on was


def _chain(
    match: BluffMatch, order: list[Standing], returns: bool, solver: Callable[[Bluff], Solution]
) -> Solved | None:
    """The linear system of the theorem, once with each round's lower bound for FIRST, once its upper.

    None where the theorem does not hold: standings return and a round may be won for sure, or losing a round
    is better than winning it.
    """
    games = {match.round_of(standing) for standing in order}
    solved = {game: _answer(solver, game) for game in games}
    rounds = {standing: solved[match.round_of(standing)] for standing in order}
    bounds: list[Values] = []
    for side in (0, 1):
        chances = Values()
        for standing, answer in rounds.items():
            worth = (answer.certificate.lower, answer.certificate.upper)
            to_first = worth[side] if standing.opener == FIRST else -worth[1 - side]
            chances[standing] = (1 + to_first) / 2
            if returns and not 0 < chances[standing] < 1:
                return None
        if (values := _linear(match, order, chances)) is None:
            return None
        bounds.append(values)
    proved = all(answer.certificate.proved for answer in solved.values())
    return Solved((rounds, rounds), bounds[0], bounds[1], proved)


def _answer(solver: Callable[[Bluff], Solution], game: Bluff) -> BluffSolution:
    """What the solver answers, if that is about the round asked."""
    answer = solver(game)
    if not isinstance(answer, BluffSolution) or answer.game != game:
        found = name_of(answer.game) if isinstance(answer, Solution) else quoted(answer)
        raise RulesError(f"the solver of rounds answered {found}; a solution of {game.name} is allowed")
    return answer


def _linear(match: BluffMatch, order: list[Standing], chances: Values) -> Values | None:
    """V(s) = p V(won) + (1 - p) V(lost) for all standings at once, in fractions; None if losing is better."""
    place = {standing: number for number, standing in enumerate(order)}
    system, right = fmpq_mat(len(order), len(order)), fmpq_mat(len(order), 1)
    follow = {standing: won_and_lost(match, standing) for standing in order}
    for row, standing in enumerate(order):
        system[row, row] += 1
        for after, chance in zip(follow[standing], (chances[standing], 1 - chances[standing]), strict=True):
            weight = fmpq(chance.numerator, chance.denominator)
            if after in place:
                system[row, place[after]] -= weight
            else:
                right[row, 0] += weight * int(final_payoff(match, after))
    solved = system.solve(right)
    values = {standing: as_fraction(solved[place[standing], 0]) for standing in order}
    for pair in follow.values():
        won, lost = (values[s] if s in values else final_payoff(match, s) for s in pair)
        if won < lost:
            return None
    return values


@dataclass(frozen=True)
class PaidRound(Bluff):
    """A round whose ends pay what follows them; for rounds that only the tree solver takes."""

    worth: Callable[[Ending], Fraction] = lambda end: Fraction(0)

    def payoff(self, state: BluffState) -> Any:
        """What the ending is worth to the opener."""
        return self.worth(self.ending(state))


def _solve_standing(match: BluffMatch, standing: Standing, values: Values) -> BluffSolution:
    """The round at this standing, paying the opener the values of what follows."""
    rules, sign = match.round_of(standing), 1 if standing.opener == FIRST else -1

    def worth(end: Ending) -> Fraction:
        after = match.after(standing, end)
        return sign * (values[after] if after in values else final_payoff(match, after))

    if rules.order == "fixed":
        chosen = {field.name: getattr(rules, field.name) for field in fields(Bluff)}
        found = solve_sequence_form(PaidRound(**chosen, worth=worth))
        return BluffSolution(rules, found.method, found.strategies, found.certificate)
    plain = win_or_lose(round_tables(rules))
    pays = np.full(plain.pays.shape, fmpq(0), object)
    for place, end in endings(rules):
        value = worth(end)
        pays[place] = fmpq(value.numerator, value.denominator)
    return solve_paid_round(rules, replace(plain, pays=pays))


def _bounds(standing: Standing, answer: Solution) -> tuple[Fraction, Fraction]:
    """A round's bounds as payoffs to FIRST."""
    lower, upper = answer.certificate.lower, answer.certificate.upper
    return (lower, upper) if standing.opener == FIRST else (-upper, -lower)


def _bottom_up(match: BluffMatch, order: list[Standing]) -> Solved:
    """Every standing once, after all that follow it; two solves where a later value is not exact."""
    one: dict[Standing, BluffSolution] = {}
    two: dict[Standing, BluffSolution] = {}
    lower, upper = Values(), Values()
    for standing in order:
        one[standing] = two[standing] = _solve_standing(match, standing, lower)
        lower[standing], upper[standing] = _bounds(standing, one[standing])
        if any(lower[s] != upper[s] for s in lower if s != standing):
            two[standing] = _solve_standing(match, standing, upper)
            upper[standing] = _bounds(standing, two[standing])[1]
    proved = all(answer.certificate.proved for answer in (*one.values(), *two.values()))
    return Solved((one, two), lower, upper, proved)


def _sweeps(match: BluffMatch, order: list[Standing], gap: Fraction) -> Solved:
    """Improve bounds from -1 and from +1 in turn until they are `gap` apart or stand still."""
    lower, upper = dict.fromkeys(order, Fraction(-1)), dict.fromkeys(order, Fraction(1))
    one: dict[Standing, BluffSolution] = {}
    two: dict[Standing, BluffSolution] = {}
    proved = True
    for _ in range(MOST_SWEEPS):
        before = (dict(lower), dict(upper))
        for standing in order:
            one[standing] = _solve_standing(match, standing, lower)
            low = _bounds(standing, one[standing])[0]
            lower[standing] = max(lower[standing], Fraction(floor(low * GRID), GRID))
            two[standing] = _solve_standing(match, standing, upper)
            high = _bounds(standing, two[standing])[1]
            upper[standing] = min(upper[standing], Fraction(ceil(high * GRID), GRID))
            proved &= one[standing].certificate.proved and two[standing].certificate.proved
        if upper[match.first] - lower[match.first] <= gap or before == (lower, upper):
            break
    return Solved((one, two), lower, upper, proved)
