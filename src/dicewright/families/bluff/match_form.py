"""How solved matches of Bluff are written: every round once, in the form of rounds, and the bounds of all standings.

Arrays of one name are written one after the other, for a match may have a hundred rounds; a header for each round says
their shapes. `first` and `second` say by standing which round is whose.
"""

from collections import defaultdict
from math import prod
from typing import Any

import numpy as np

from ...core.errors import VerificationError
from ...core.game import FIRST, SEATS, SECOND
from ...core.solution import Arrays, Certificate, Form, Header, certificate_of, check_shapes, header_of
from ..exact_numbers import NUMBERS, PLACES, Numbers, read_numbers, write_numbers
from ..tree.solution import TYPES as WEIGHT_TYPES
from .exact_form import PLAN_TYPES, restore_round
from .form import PLANS, ROWS, WEIGHTS
from .match import BluffMatch
from .match_solution import METHODS, MatchSolution, MatchStrategy
from .rules import Bluff
from .solution import BluffSolution
from .standings import standings

FORMAT = "match-1"
BOUNDS = ("lower", "upper", "round_lower", "round_upper")  # of standings, and of rounds
TYPES = {**dict.fromkeys(SEATS, "<i8"), **dict.fromkeys(BOUNDS, PLACES), **NUMBERS}
MOST_BYTES = 10**9
SAID = ("format", "method", "proof", "proved", "least")  # of each round


def written(solution: MatchSolution) -> tuple[Header, Arrays]:
    """The header with those of the rounds, and all arrays."""
    plans: Any = solution.strategies
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
            seat: np.array([place[id(plans[player].rounds[standing])] for standing in order], np.int64)
            for player, seat in enumerate(SEATS)
        },
        **{name: np.concatenate(pieces) for name, pieces in parts.items()},
    }
    return {**header_of(solution, FORMAT), "rounds": rounds}, arrays


def types(header: Header) -> dict[str, str]:
    """The types of all arrays that the headers of the rounds ask for."""
    found = dict(TYPES)
    for each in _rounds(header):
        found |= {f"{each['format']}.{name}": kind for name, kind in _round_types(each["format"]).items()}
    return found


def _rounds(header: Header) -> list[Header]:
    rounds = header["rounds"]
    if not isinstance(rounds, list) or not all(isinstance(each, dict) for each in rounds):
        raise VerificationError("its rounds are no list of headers")
    return rounds


def _round_types(form: Any) -> dict[str, str]:
    if form == ROWS:
        from .rows_form import TYPES as ROW_TYPES  # compiles, so only here

        return ROW_TYPES
    known = {PLANS: PLAN_TYPES, WEIGHTS: WEIGHT_TYPES}
    if form not in known:
        raise VerificationError(f"a round is written as {form!r}; {PLANS}, {WEIGHTS} or {ROWS} is allowed")
    return known[form]


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
    for name, kind in _round_types(header["format"]).items():
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
    if header["format"] != ROWS:
        return restore_round(game, {**header, **bounds}, arrays)
    from .rows_form import restore as restore_rows

    return restore_rows(game, {**header, **bounds}, arrays)


def _with(solved: BluffSolution, proof: Certificate) -> BluffSolution:
    """The round with these bounds; how rows were measured their header has said."""
    method = proof.method or solved.certificate.method
    found = BluffSolution(
        solved.game,
        solved.method,
        solved.strategies,
        Certificate(proof.lower, proof.upper, proof.proved, method),
    )
    vars(found).update({name: part for name, part in vars(solved).items() if name == "tree"})
    return found


def _ordered(lower: Any, upper: Any) -> tuple[Any, Any]:
    if lower > upper:
        raise VerificationError(f"bounds {lower} and {upper} hold no value")
    return lower, upper


FORM = Form(types, lambda game: MOST_BYTES, restore, level=7)  # 9 takes thirty times as long for a table
