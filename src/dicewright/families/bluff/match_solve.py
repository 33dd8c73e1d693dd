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

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import floor
from typing import NamedTuple

from flint import fmpq, fmpq_mat

from ...core.errors import PrecisionError, RulesError, name_of, quoted
from ...core.game import FIRST, SECOND
from ...core.solution import Certificate, Solution
from ..tree.solve import solve_sequence_form
from .exact import as_fraction
from .match import BluffMatch, Standing
from .match_form import round_bounds, to_first
from .match_solution import (
    BOTTOM_UP,
    CHAIN,
    SWEEPS,
    MatchSolution,
    MatchStrategy,
    final_payoff,
    paid_round,
    paid_tree,
    paying,
    returns,
    standings,
    two_outcomes,
    won_and_lost,
)
from .rules import Bluff
from .solution import BluffSolution
from .solve import check_program, solve_bluff, solve_paid_round

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
    again = returns(match, order)
    if solver is None:
        solver = partial(solve_bluff, gap=ROUND_GAP if gap is None else gap)
    chained = _chain(match, order, again, solver) if two_outcomes(match) else None
    for standing in order if chained is None else ():
        check_program(match.round_of(standing))
    if chained:
        method, solved = CHAIN, chained
    elif not again:
        method, solved = BOTTOM_UP, _bottom_up(match, order)
    else:
        method, solved = SWEEPS, _sweeps(match, order, Fraction(SWEEP_GAP if gap is None else gap))
        if solved.upper[first] - solved.lower[first] == 2:
            raise PrecisionError(f"{match.name} may never end, and no bounds between -1 and 1 were found")
    how = {
        CHAIN: "rounds with two outcomes, chained by one linear system",
        BOTTOM_UP: "rounds that pay what follows, last standings first",
        SWEEPS: "bounds from below and above, improved round by round",
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


def _solve_standing(match: BluffMatch, standing: Standing, values: Values) -> BluffSolution:
    """The round at this standing, paying the opener the values of what follows."""
    rules, worth = match.round_of(standing), paying(match, standing, values)
    if rules.order == "fixed":
        found = solve_sequence_form(paid_tree(rules, worth))
        return BluffSolution(rules, found.method, found.strategies, found.certificate, beliefs=found.beliefs)
    return solve_paid_round(rules, paid_round(rules, worth))


def _bottom_up(match: BluffMatch, order: list[Standing]) -> Solved:
    """Every standing once, after all that follow it; two solves where a later value is not exact."""
    one: dict[Standing, BluffSolution] = {}
    two: dict[Standing, BluffSolution] = {}
    lower, upper = Values(), Values()
    for standing in order:
        one[standing] = two[standing] = _solve_standing(match, standing, lower)
        lower[standing], upper[standing] = to_first(standing, one[standing].certificate)
        if any(lower[s] != upper[s] for s in lower if s != standing):
            two[standing] = _solve_standing(match, standing, upper)
            upper[standing] = to_first(standing, two[standing].certificate)[1]
    proved = all(answer.certificate.proved for answer in (*one.values(), *two.values()))
    return Solved((one, two), lower, upper, proved)


def _sweeps(match: BluffMatch, order: list[Standing], gap: Fraction) -> Solved:
    """Improve bounds from -1 and from +1 in turn until they are `gap` apart or stand still.

    A strategy gives way only to one that secures as much. At the end all rounds are solved once more with the last
    bounds: what they say then, and what they believe, can be proved again.
    """
    lower, upper = dict.fromkeys(order, Fraction(-1)), dict.fromkeys(order, Fraction(1))
    one: dict[Standing, BluffSolution] = {}
    two: dict[Standing, BluffSolution] = {}
    proved = True
    for _ in range(MOST_SWEEPS):
        before = (dict(lower), dict(upper))
        for standing in order:
            below, above = (_solve_standing(match, standing, values) for values in (lower, upper))
            low = _down(to_first(standing, below.certificate)[0])
            high = -_down(-to_first(standing, above.certificate)[1])
            if low >= lower[standing] or standing not in one:
                one[standing], lower[standing] = below, max(lower[standing], low)
            if high <= upper[standing] or standing not in two:
                two[standing], upper[standing] = above, min(upper[standing], high)
            proved &= below.certificate.proved and above.certificate.proved
        if upper[match.first] - lower[match.first] <= gap or before == (lower, upper):
            break
    for player, (rounds, values) in enumerate(((one, lower), (two, upper))):
        for standing in order:
            last = _solve_standing(match, standing, values)
            secured = to_first(standing, last.certificate)[player]
            if secured >= values[standing] if player == FIRST else secured <= values[standing]:
                rounds[standing] = last
            else:  # no fractions, and rounding costs more than the grid: what was believed is of other payoffs
                found = round_bounds(match, standing, values, rounds[standing])
                certificate = replace(rounds[standing].certificate, lower=found.lower, upper=found.upper)
                rounds[standing] = replace(rounds[standing], certificate=certificate, beliefs=None)
    return Solved((one, two), lower, upper, proved)


def _down(value: Fraction) -> Fraction:
    return Fraction(floor(value * GRID), GRID)
