"""Race solutions in files: save, load, verify; and the store of what was solved and proved before.

Reading a header needs no solver, so a solution in the store is answered in a moment.
"""

import hashlib
import logging
import os
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..core.errors import DicewrightError, StorageError, VerificationError
from ..core.solution import Certificate
from ..families import catalog
from ..games.race import GOALS, RaceGame
from . import container
from .container import Array
from .reading import regular_file

if TYPE_CHECKING:
    from ..solvers.race_runs import Choices, Runs

FORMAT = 1
TYPES = {"win": "<f8", "loss": "<f8", "first": "<i8", "starts": "<i4", "rows": "|u1"}
MOST_RUNS = 19  # for each pair of scores, on average
PAIR_BYTES = 24 + 5 * (MOST_RUNS + 1)  # the most that one pair of scores may take
METHODS = ("fractions", "balls", "bounds", "estimate")

log = logging.getLogger("dicewright")


@dataclass(frozen=True)
class SavedHeader:
    """What a file says about its game, without the tables."""

    game: RaceGame
    certificate: Certificate
    seconds: float


@dataclass(frozen=True, eq=False)
class SavedSolution:
    """A file's header, tables and strategy; its digest matched, nothing is proved yet."""

    header: SavedHeader
    win: Array
    loss: Array
    choices: "Runs"


def save(
    path: Path,
    game: RaceGame,
    certificate: Certificate,
    win: Array,
    loss: Array,
    choices: "Choices | Runs",
    seconds: float,
) -> None:
    """Write a solution to a file, whole or not at all; one that `load` would refuse is a StorageError."""
    from ..solvers.race_runs import encode

    check_name(game)
    runs = encode(game.goal, choices)
    arrays = {"win": win, "loss": loss, "first": runs.first, "starts": runs.starts, "rows": runs.rows}
    if len(runs.starts) > MOST_RUNS * game.goal**2:
        raise StorageError(f"the strategy for {game.name} has {len(runs.starts):,} runs, too many for a file")
    header = {
        "format": FORMAT,
        "kind": "race",
        "version": _version(),
        "game": game.name,
        "rules": rules(game),
        "method": certificate.method,
        "lower": str(certificate.lower),
        "upper": str(certificate.upper),
        "exact": certificate.exact is not None,
        "proved": certificate.proved,
        "seconds": round(seconds, 3),
    }
    container.write(path, header, {name: array.astype(TYPES[name]) for name, array in arrays.items()})


def check_name(game: RaceGame) -> None:
    """A StorageError unless the name of the game says its rules: who reads a file knows nothing else."""
    try:
        known = catalog.parse(game.name)
    except DicewrightError as error:
        raise StorageError(
            f"{game.name!r} cannot be saved, as its name does not say its rules: {error}"
        ) from error
    if not isinstance(known, RaceGame) or (known.name, rules(known)) != (game.name, rules(game)):
        raise StorageError(f"{game.name!r} cannot be saved, as the catalog has other rules by this name")


def read_header(path: Path, file: BinaryIO | None = None) -> SavedHeader:
    """What a file says about its game; the tables are not read. `file` is the file if it is open."""
    return _read(path, container.read_header(path, file))


def load(path: Path, file: BinaryIO | None = None) -> SavedSolution:
    """Read a solution; VerificationError if the file is damaged, or not what its digest and rules say."""
    if file is None:
        with regular_file(path, container.MOST_FILE) as opened:
            return load(path, opened)
    from ..solvers.race_runs import Runs, well_formed

    game = read_header(path, file).game
    pairs = (game.goal, game.goal)
    shapes = {"win": pairs, "loss": pairs, "first": (game.goal**2 + 1,)}
    most_bytes = PAIR_BYTES * game.goal**2 + container.HEADER_BYTES
    header, arrays = container.read(path, TYPES, most_bytes, shapes, file)
    win, loss = arrays["win"], arrays["loss"]
    if not all(abs(float(table.sum())) < float("inf") for table in (win, loss)):
        raise VerificationError(f"{path} has values that are no numbers")
    runs = Runs(game.goal, arrays["first"], arrays["starts"], arrays["rows"])
    if not well_formed(runs, len(game.rolls), game.skip):
        raise VerificationError(f"{path} has a strategy whose runs do not fit the goal {game.goal}")
    return SavedSolution(_read(path, header), win, loss, runs)


def verify_file(path: Path) -> Certificate:
    """Prove a saved solution again, from its rules and strategy; the certificate proved here and now.

    VerificationError if the digest, the rules, the strategy, the tables or the bounds are not right. Bounds
    are right if they hold those proved here, and are on neither side further out than these are apart. An
    estimate is made again from rules and strategy alone, and stays one; the two may be half a width apart.
    """
    from ..solvers.race_bounds import TOLERANCE, check_tables, largest_payoff, payoffs
    from ..solvers.race_certificate import ESTIMATE, certify_race
    from ..solvers.race_estimate import estimate_again

    solution = load(path)
    game, claimed = solution.header.game, solution.header.certificate
    win, loss, runs = solution.win, solution.loss, solution.choices
    if not claimed.proved:
        again = estimate_again(game, win, loss, runs, ESTIMATE)
        far = (again.upper - again.lower) / 2
        if not (abs(again.lower - claimed.lower) <= far and abs(again.upper - claimed.upper) <= far):
            raise _refuted(path, claimed, again)
        return again
    check_tables(game, win, loss, runs)
    proved = certify_race(game, win, loss, runs, claimed.method)
    width = proved.upper - proved.lower
    if not (0 <= proved.lower - claimed.lower <= width and 0 <= claimed.upper - proved.upper <= width):
        raise _refuted(path, claimed, proved)
    value, off = float(payoffs(win, loss)[0, 0]), TOLERANCE * largest_payoff(game)
    if not float(proved.lower) - off <= value <= float(proved.upper) + off:
        raise VerificationError(f"{path} has the value {value} in its table, outside the bounds proved")
    return proved


def _refuted(path: Path, claimed: Certificate, found: Certificate) -> VerificationError:
    says, finds = " to ".join(claimed.decimals()), " to ".join(found.decimals())
    verb = "proves" if found.proved else "gives"
    return VerificationError(f"{path} says that the value is {says}; its strategy {verb} {finds}")


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


def _read(path: Path, header: dict[str, Any]) -> SavedHeader:
    """The header's fields, each checked; VerificationError names the first that is wrong."""
    try:
        if (header["format"], header["kind"]) != (FORMAT, "race"):
            raise ValueError(f"format {header['format']} of {header['kind']}; {FORMAT} of race is allowed")
        game = catalog.parse(str(header["game"]))
        if not isinstance(game, RaceGame) or game.name != header["game"] or game.goal not in GOALS:
            raise ValueError(f"{header['game']!r} is not the name of a race game")
        if container.canonical(rules(game)) != container.canonical(header["rules"]):
            raise ValueError(f"its rules are not those of {game.name}")
        method, proved, exact = header["method"], header["proved"], header["exact"]
        if method not in METHODS or proved is not (method != "estimate"):
            raise ValueError(f"method {method!r} with proved {proved!r} is not allowed")
        lower, upper = (read_fraction(header[key]) for key in ("lower", "upper"))
        seconds = float(header["seconds"])
        certificate = Certificate(lower, upper, proved, method)
        if lower > upper or exact is not (certificate.exact is not None) or not 0.0 <= seconds < 1e9:
            raise ValueError(f"lower {lower}, upper {upper}, exact {exact!r}, seconds {seconds} do not fit")
    except KeyError as error:
        raise VerificationError(f"{path} lacks {error} in its header") from error
    except (ValueError, TypeError, ZeroDivisionError, OverflowError, DicewrightError) as error:
        raise VerificationError(f"{path} has a wrong header: {error}") from error
    return SavedHeader(game, certificate, seconds)


def read_fraction(text: Any) -> Fraction:
    """A bound of a header, of bounded length; ValueError if it is no fraction."""
    if not isinstance(text, str) or len(text) > 4000 or set(text) - set("-/0123456789"):
        raise ValueError("a bound is no fraction")
    return Fraction(text)


def _version() -> str:
    try:
        return version("dicewright")
    except PackageNotFoundError:
        return "unknown"


def store_folder() -> Path:
    """Where solutions are kept: $DICEWRIGHT_STORE, else the user's cache folder."""
    if folder := os.environ.get("DICEWRIGHT_STORE"):
        return Path(folder)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "dicewright"


def kept_path(game: RaceGame) -> Path:
    """The file that keeps this game, whether it exists or not: its name is a digest of rules and format."""
    name = hashlib.sha256(container.canonical([FORMAT, rules(game)]).encode()).hexdigest()
    return store_folder() / f"{name}.npz"


def find(game: RaceGame) -> SavedHeader | None:
    """What the store says about a game, or None; a damaged file is ignored with a note."""
    path = kept_path(game)
    try:
        if not path.exists():
            return None
        header = read_header(path)
        if rules(header.game) != rules(game):
            raise VerificationError(f"{path} is about {header.game.name}, not {game.name}")
    except (StorageError, VerificationError, OSError) as error:
        log.warning("the store is ignored for %s and will be written again: %s", game.name, error)
        return None
    return header


def keep(
    game: RaceGame,
    certificate: Certificate,
    win: Array,
    loss: Array,
    choices: "Choices | Runs",
    seconds: float,
) -> Path | None:
    """Keep a solution in the store, if it can be written; where it is, or None."""
    path = kept_path(game)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path, game, certificate, win, loss, choices, seconds)
    except (StorageError, OSError) as error:
        log.info("nothing was kept for %s: %s", game.name, error)
        return None
    return path
