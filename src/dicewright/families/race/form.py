"""How solved race games are written: all rules, both tables of worth and the choices as runs; and how they are proved.

Reading a header needs no solver, so a solution that is kept is told in a moment.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.errors import StorageError, VerificationError
from ...core.solution import Arrays, Certificate, Form, Header, check_shapes, read_fraction, refuted
from .rules import RaceGame

if TYPE_CHECKING:
    from .solution import RaceSolution

FORMAT, KIND = 1, "race"
TYPES = {"win": "<f8", "loss": "<f8", "first": "<i8", "starts": "<i4", "rows": "|u1"}
MOST_RUNS = 19  # for each pair of scores, on average
PAIR_BYTES = 24 + 5 * (MOST_RUNS + 1)  # the most that one pair of scores may take
METHODS = ("fractions", "balls", "bounds", "estimate")


def rules(game: RaceGame) -> dict[str, Any]:
    """All rules of a race game as plain data, chances as text."""
    rolls = [
        [name, [[str(chance), effect.value, points] for chance, effect, points in roll]]
        for name, roll in game.rolls
    ]
    return {
        "goal": game.goal,
        "rolls": rolls,
        "finish": game.finish,
        "payoff": game.payoff_rule,
        "skip": game.skip,
    }


def written(solution: "RaceSolution") -> tuple[Header, Arrays]:
    """The header with the rules, and the arrays."""
    game, certificate, runs = solution.game, solution.certificate, solution.choices
    if len(runs.starts) > MOST_RUNS * game.goal**2:
        raise StorageError(f"the strategy for {game.name} has {len(runs.starts):,} runs, too many for a file")
    win, loss = solution.values.worth
    arrays = {"win": win, "loss": loss, "first": runs.first, "starts": runs.starts, "rows": runs.rows}
    header = {
        "format": FORMAT,
        "kind": KIND,
        "game": game.name,
        "rules": rules(game),
        "method": certificate.method,
        "lower": str(certificate.lower),
        "upper": str(certificate.upper),
        "exact": certificate.exact is not None,
        "proved": certificate.proved,
    }
    return header, {name: array.astype(TYPES[name]) for name, array in arrays.items()}


def said(game: RaceGame, header: Header) -> Certificate:
    """What a header says is proved of this game; KeyError, TypeError or ValueError if it is not about it."""
    if (header["format"], header["kind"]) != (FORMAT, KIND):
        raise ValueError(f"format {header['format']} of {header['kind']}; {FORMAT} of {KIND} is allowed")
    if rules(game) != header["rules"]:
        raise ValueError(f"its rules are not those of {game.name}")
    method, proved, exact = header["method"], header["proved"], header["exact"]
    if method not in METHODS or proved is not (method != "estimate"):
        raise ValueError(f"method {method!r} with proved {proved!r} is not allowed")
    lower, upper = (read_fraction(header[key]) for key in ("lower", "upper"))
    certificate = Certificate(lower, upper, proved, method)
    if exact is not (certificate.exact is not None):
        raise ValueError(f"lower {lower}, upper {upper}, exact {exact!r} do not fit")
    return certificate


def restore(game: RaceGame, header: Header, arrays: Arrays) -> "RaceSolution":
    """The solution that was written."""
    import numpy as np

    from .runs import Runs, well_formed
    from .solution import RaceSolution
    from .solve import RaceValues

    pairs = (game.goal, game.goal)
    check_shapes(arrays, {"win": pairs, "loss": pairs, "first": (game.goal**2 + 1,)})
    worth = np.stack([arrays["win"], arrays["loss"]])
    if not np.isfinite(worth).all():
        raise VerificationError("it has values that are no numbers")
    runs = Runs(game.goal, arrays["first"], arrays["starts"], arrays["rows"])
    if not well_formed(runs, len(game.rolls), game.skip):
        raise VerificationError(f"it has a strategy whose runs do not fit the goal {game.goal}")
    values = RaceValues(game, worth)
    return RaceSolution(game, "race-pairs", (values, values), said(game, header), runs=runs)


def prove(solution: "RaceSolution") -> Certificate:
    """The proof made again from rules and choices, by the method that the solution names.

    Tables must be those of the choices. Bounds are right if they hold those proved here, and are on neither side
    further out than these are apart. An estimate is made again from rules and choices alone, and stays one; the two
    may be half a width apart.
    """
    from .certificate import ESTIMATE, certify_race
    from .proof.bounds import TOLERANCE, check_tables, largest_payoff, payoffs
    from .proof.estimate import estimate_again

    game, claimed, runs, (win, loss) = (
        *(solution.game, solution.certificate, solution.choices),
        solution.values.worth,
    )
    if not claimed.proved:
        again = estimate_again(game, win, loss, runs, ESTIMATE)
        far = (again.upper - again.lower) / 2
        if not (abs(again.lower - claimed.lower) <= far and abs(again.upper - claimed.upper) <= far):
            raise refuted(solution, again)
        return again
    check_tables(game, win, loss, runs)
    proved = certify_race(game, win, loss, runs, claimed.method)
    width = proved.upper - proved.lower
    if not (0 <= proved.lower - claimed.lower <= width and 0 <= claimed.upper - proved.upper <= width):
        raise refuted(solution, proved)
    value, off = float(payoffs(win, loss)[0, 0]), TOLERANCE * largest_payoff(game)
    if not float(proved.lower) - off <= value <= float(proved.upper) + off:
        raise VerificationError(f"{solution} has the value {value} in its table, outside the bounds proved")
    return proved


def _types(header: Header) -> Mapping[str, str]:
    return TYPES


FORM = Form(_types, lambda game: PAIR_BYTES * game.goal**2 + 1_000_000, restore, level=1)
