"""How solved matches of Bluff are written and read, and what their strategies prove.

Every round is written once, in the form of rounds, with the bounds of all standings. Arrays of one name are written
one after the other, for a match may have a hundred rounds; a header for each round says their shapes. `first` and
`second` say by standing which round is whose.

The proof is found out again from the rules, by best responses alone. Where rounds have two outcomes each is proved by
itself, and the values must solve the linear system of match_solve.py. It has one solution: standings do not return, or
every round may be won and lost.

Other rounds pay the values of what follows. Let L be payoffs to FIRST by standing, and let FIRST's strategy of each
round secure L there, if what follows pays L. Then L never falls on average from round to round, whatever SECOND does,
so FIRST gets L in a match that ends. Where SECOND may keep it from ending (`endless`) it pays 0, so L must not be above
0 there: a match that goes on for ever stays among such standings at last. Likewise for SECOND, from above.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from ...core.errors import VerificationError
from ...core.game import FIRST, SEATS, SECOND, other
from ...core.solution import (
    Arrays,
    Certificate,
    Header,
    Restoring,
    certificate_of,
    check_shapes,
    confirm,
    header_of,
)
from ..exact_numbers import NUMBERS, PLACES, Numbers, read_numbers, write_numbers
from ..tree.arrays import Tree, build_tree
from ..tree.response import best_value, exact_weights
from ..tree.solution import slack_of, weight_types
from .exact import Round, best_reply
from .form import OLD_ROWS, PLANS, ROWS, WEIGHTS, endings
from .match import BluffMatch, Standing
from .match_solution import (
    BOTTOM_UP,
    METHODS,
    MatchSolution,
    MatchStrategy,
    Values,
    final_payoff,
    paid_round,
    paid_tree,
    paying,
    returns,
    standings,
    two_outcomes,
    won_and_lost,
)
from .rules import Bluff, Ending
from .solution import BluffSolution, bounds, check_beliefs, plan_types, restore_round

Rounds = Mapping[Standing, BluffSolution]
FORMAT = "match-1"
BOUNDS = ("lower", "upper", "round_lower", "round_upper")  # of standings, and of rounds
TYPES = {**dict.fromkeys(SEATS, "<i8"), **dict.fromkeys(BOUNDS, PLACES), **NUMBERS}
MOST_BYTES = 10**9
SAID = ("format", "method", "proof", "proved", "least", "beliefs", "slips")  # of each round


def written(solution: MatchSolution) -> tuple[Header, Arrays]:
    """The header with those of the rounds, and all arrays."""
    order, distinct = standings(solution.game), solution.distinct
    place = {id(solved): number for number, solved in enumerate(distinct)}
    parts: dict[str, list[Numbers]] = defaultdict(list)
    rounds: list[Header] = []
    for solved in distinct:
        header, arrays = solved.arrays()
        shapes = {name: list(array.shape) for name, array in arrays.items()}
        rounds.append({key: header[key] for key in SAID if key in header} | {"shapes": shapes})
        for name, array in arrays.items():
            parts[f"{header['format']}.{name}"].append(array.ravel())
    plan, certificates = solution.plan, [solved.certificate for solved in distinct]
    exact = {
        "lower": [plan.lower[standing] for standing in order],
        "upper": [plan.upper[standing] for standing in order],
        "round_lower": [certificate.lower for certificate in certificates],
        "round_upper": [certificate.upper for certificate in certificates],
    }
    arrays = {
        **write_numbers({name: np.array(numbers, object) for name, numbers in exact.items()}),
        **{
            seat: np.array(
                [place[id(solution.strategies[player].rounds[standing])] for standing in order], np.int64
            )
            for player, seat in enumerate(SEATS)
        },
        **{name: np.concatenate(pieces) for name, pieces in parts.items()},
    }
    first = solution.game.round_of(solution.game.first)
    return {**header_of(solution, FORMAT), **endings(first), "rounds": rounds}, arrays


def types(header: Header) -> dict[str, str]:
    """The types of all arrays that the headers of the rounds ask for."""
    found = dict(TYPES)
    for each in _rounds(header):
        found |= {f"{each['format']}.{name}": kind for name, kind in _round_types(each).items()}
    return found


def _rounds(header: Header) -> list[Header]:
    rounds = header["rounds"]
    if not isinstance(rounds, list) or not all(isinstance(each, dict) for each in rounds):
        raise VerificationError("its rounds are no list of headers")
    return rounds


def _round_types(header: Header) -> dict[str, str]:
    form = header["format"]
    if form in (ROWS, OLD_ROWS):
        from .rows_form import types_of  # compiles, so only here

        return types_of(header)
    known = {PLANS: plan_types, WEIGHTS: weight_types}
    if form not in known:
        raise VerificationError(f"a round is written as {form!r}; {PLANS}, {WEIGHTS} or {ROWS} is allowed")
    return known[form](header)


def restore(match: BluffMatch, header: Header, arrays: Arrays) -> MatchSolution:
    """The solution that was written."""
    order, headers, method = standings(match), _rounds(header), header["method"]
    count = len(headers)
    standing_shapes = dict.fromkeys(("lower", "upper", *SEATS), (len(order),))
    check_shapes(arrays, {**standing_shapes, **dict.fromkeys(("round_lower", "round_upper"), (count,))})
    if method not in METHODS or not 0 < count <= 2 * len(order):
        raise VerificationError(f"it has {count} rounds by {method!r} for {len(order)} standings")
    numbers = read_numbers(arrays, BOUNDS)
    games = _games(match, arrays, count)
    left = {name: array for name, array in arrays.items() if name not in TYPES}
    rounds = []
    for place, (game, each) in enumerate(zip(games, headers, strict=True)):
        solved = _restore_round(game, each, _taken(each, left))
        bounds = numbers["round_lower"][place], numbers["round_upper"][place]
        proof = Certificate(*_ordered(*bounds), each.get("proved", True) is True, str(each.get("proof", "")))
        rounds.append(_with(solved, proof))
    if any(array.size for array in left.values()):
        raise VerificationError("it has more than its rounds ask for")
    lower, upper = (dict(zip(order, numbers[bound], strict=True)) for bound in ("lower", "upper"))
    for standing in order:
        _ordered(lower[standing], upper[standing])
    said = certificate_of(header)
    if (said.lower, said.upper) != (lower[match.first], upper[match.first]):
        raise VerificationError("it says other bounds of the match than of its first standing")
    first, second = (
        MatchStrategy(
            match,
            player,
            {standing: rounds[place] for standing, place in zip(order, arrays[seat].tolist(), strict=True)},
            lower,
            upper,
        )
        for player, seat in enumerate(SEATS)
    )
    return MatchSolution(match, str(method), (first, second), said)


def _games(match: BluffMatch, arrays: Arrays, count: int) -> list[Bluff]:
    """The rules of each round, from the standings that have it; VerificationError if they have different ones."""
    games: dict[int, Bluff] = {}
    for player in (FIRST, SECOND):
        for standing, place in zip(standings(match), arrays[SEATS[player]].tolist(), strict=True):
            rules = match.round_of(standing)
            if not 0 <= place < count or games.setdefault(place, rules) != rules:
                raise VerificationError(f"the round at {standing.dice} is none of its {count} rounds")
    if len(games) < count:
        raise VerificationError(f"it has {count} rounds; {len(games)} are played")
    return [games[place] for place in range(count)]


def _taken(header: Header, left: dict[str, Numbers]) -> Arrays:
    """The arrays of one round, taken from the beginning of what is left."""
    shapes, found = header["shapes"], {}
    for name, kind in _round_types(header).items():
        shape, whole = shapes[name], f"{header['format']}.{name}"
        if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
            raise VerificationError(f"{name} has no shape")
        size = prod(shape)
        if not shape or size > left[whole].size:
            raise VerificationError(f"{name} has the shape {shape}, more than there is of {kind}")
        found[name], left[whole] = left[whole][:size].reshape(shape), left[whole][size:]
    return found


def _restore_round(game: Bluff, header: Header, arrays: Arrays) -> BluffSolution:
    fixed = game.order == "fixed"
    if (header["format"] == WEIGHTS) != fixed:
        raise VerificationError(f"{game.name} is written as {header['format']}")
    bounds = {"lower": "0", "upper": "0"}  # they are exact numbers of the match
    if header["format"] not in (ROWS, OLD_ROWS):
        return restore_round(game, {**header, **bounds}, arrays)
    from .rows_form import restore as restore_rows

    return restore_rows(game, {**header, **bounds}, arrays)


def _with(solved: BluffSolution, proof: Certificate) -> BluffSolution:
    """The round with these bounds; how rows were measured their header has said."""
    method = proof.method or solved.certificate.method
    found = replace(solved, certificate=replace(proof, method=method))
    vars(found).update({name: part for name, part in vars(solved).items() if name == "tree"})
    return found


def _ordered(lower: Any, upper: Any) -> tuple[Any, Any]:
    if lower > upper:
        raise VerificationError(f"bounds {lower} and {upper} hold no value")
    return lower, upper


FORM = Restoring(types, lambda game: MOST_BYTES, restore, level=7)  # 9 takes thirty times as long for a table


def prove(solution: MatchSolution) -> Certificate:
    """The certificate of the match; VerificationError names the first standing that does not hold."""
    match = solution.game
    order = standings(match)
    solution.check()
    if solution.chained:
        _prove_chain(solution, order)
    else:
        first, second = solution.strategies
        _prove_paid(solution, order, first.rounds, first.lower, FIRST)
        _prove_paid(solution, order, second.rounds, second.upper, SECOND)
    plan = solution.plan
    bracket = plan.lower[match.first], plan.upper[match.first]
    return confirm(solution, Certificate(*bracket, True, solution.certificate.method))


def to_first(standing: Standing, certificate: Certificate) -> tuple[Fraction, Fraction]:
    """A round's bounds as payoffs to FIRST."""
    lower, upper = certificate.lower, certificate.upper
    return (lower, upper) if standing.opener == FIRST else (-upper, -lower)


def _prove_chain(solution: MatchSolution, order: list[Standing]) -> None:
    match, plan = solution.game, solution.plan
    if not two_outcomes(match):
        raise VerificationError(f"{solution} chains rounds whose outcomes are more than two")
    for solved in solution.distinct:
        solved.prove()
    again = returns(match, order)
    for side, values in enumerate((plan.lower, plan.upper)):
        for standing in order:
            chance = (1 + to_first(standing, plan.rounds[standing].certificate)[side]) / 2
            won, lost = (_value(match, values, after) for after in won_and_lost(match, standing))
            if again and not 0 < chance < 1:
                raise VerificationError(f"{solution} chains rounds that are won for sure, and may never end")
            if won < lost or values[standing] != chance * won + (1 - chance) * lost:
                raise _wrong(solution, standing)


def _value(match: BluffMatch, values: Values, standing: Standing) -> Fraction:
    return values[standing] if standing in values else final_payoff(match, standing)


def _wrong(solution: MatchSolution, standing: Standing) -> VerificationError:
    dice = " v ".join(map(str, standing.dice))
    return VerificationError(f"{solution} says a value of {dice} dice that its rounds do not prove")


def _prove_paid(
    solution: MatchSolution, order: list[Standing], rounds: Rounds, values: Values, player: int
) -> None:
    """One player's strategies secure these values, and the rounds are worth what they say."""
    match, bottom_up, again = solution.game, solution.method == BOTTOM_UP, returns(solution.game, order)
    if bottom_up and again:
        raise VerificationError(f"{solution} takes the last standings first, but they return")
    for standing in order:
        said, found = rounds[standing].certificate, round_bounds(match, standing, values, rounds[standing])
        if not found.proved or (said.lower, said.upper) != (found.lower, found.upper):
            raise _wrong(solution, standing)
        secured = to_first(standing, found)[player]
        holds = secured >= values[standing] if player == FIRST else secured <= values[standing]
        if not holds or (bottom_up and secured != values[standing]):
            raise _wrong(solution, standing)
        check_beliefs(
            rounds[standing], slack_of(found), _paid(match, standing, paying(match, standing, values))
        )
    sign = 1 if player == FIRST else -1
    if again and any(sign * values[standing] > 0 for standing in endless(match, order, rounds, player)):
        raise VerificationError(f"{solution} may never end, and says more than such a match pays")


def round_bounds(match: BluffMatch, standing: Standing, values: Values, solved: BluffSolution) -> Certificate:
    """What the strategies of a round prove of it, paying these values of what follows."""
    return bounds(solved, _paid(match, standing, paying(match, standing, values)))


def _paid(match: BluffMatch, standing: Standing, worth: Any) -> Round | Tree:
    rules = match.round_of(standing)
    return build_tree(paid_tree(rules, worth)) if rules.order == "fixed" else paid_round(rules, worth)


def endless(match: BluffMatch, order: list[Standing], rounds: Rounds, player: int) -> set[Standing]:
    """The standings among which the other player can keep the match for ever, whatever is rolled.

    The largest set in which some answer to the player's strategy stays with a chance of 1.
    """
    staying = set(order)
    while True:
        leaving = {standing for standing in staying if not _stays(match, standing, staying, rounds, player)}
        if not leaving:
            return staying
        staying -= leaving


def _stays(match: BluffMatch, standing: Standing, among: set[Standing], rounds: Rounds, player: int) -> bool:
    seat = match.seat(standing, other(player))
    sign = 1 if seat == 0 else -1  # rounds pay their opener

    def worth(end: Ending) -> Fraction:
        return Fraction(sign * (match.after(standing, end) in among))

    paid, strategy = _paid(match, standing, worth), rounds[standing].strategies[1 - seat]
    known: Any = strategy
    if isinstance(paid, Tree):
        return bool(best_value(paid, seat, exact_weights(known))[0] == 1)
    return bool(best_reply(paid, seat, known.plan).value == 1)
