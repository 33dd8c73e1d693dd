"""Strategies from files, `file:FILE` beside the names of the catalog; and entrants, from texts and a folder of files.

.csv, .npz    a table: a solution saved by `solve`, or a CSV as the family reads it (`table:FILE` is its older name)
.txt          an expression (on as many lines as it likes; # begins a comment)
.py           Python that defines strategy(mine, yours, turn), run in a process of its own

A strategy of a file says which file it was: `file:FILE#` and twelve digits of its SHA-256; one of a .txt is `expr:` and
what it says. Read again with these digits, a file that has changed is refused.

Endings count in any case. Of a folder only regular files are read, no links: a link would show what the organiser may
read. One bad file is refused and reported, never fatal.
"""

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from ..arena.program import ENGINE, Program
from ..arena.tournament import MOST_ENTRANTS, Entrant, Lineup, Refused, expand, number_namesakes
from ..core.effort import Limits
from ..core.errors import DicewrightError, NotationError, StorageError, StrategyError, shown
from ..core.game import WrittenGame
from ..families import catalog, family
from ..families.levels import level_of
from ..families.minds import LEARNER
from . import solution_file
from .files import decoding, encoding_of, read_file, regular_file
from .games import parse_game

MOST_TABLE, MOST_SOURCE = 100_000_000, 1_000_000  # bytes
MOST_NAME, MOST_REASON = 100, 500  # letters
TEXT, PYTHON = ".txt", ".py"
ENDINGS = (".csv", ".npz", TEXT, PYTHON)
EXPRESSION = "expr"
ALLOWED = "its user names it and it plays: simulate, fair-test, sprt, tournament --games, measure and play"
DIGITS = 12
DIGEST = re.compile(rf"(.+)#([0-9a-f]{{{DIGITS}}})")


def parse(
    text: str,
    game: WrittenGame | str,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    seed: int = 0,
    program: Limits | None = None,
) -> Any:
    """The strategy written as one line: a name of the catalog, `expr:EXPRESSION`, `file:FILE`, or
    `best-response:STRATEGY`. A Python file is run within the limits, its random numbers from the seed.

    `program` are the limits within which `engine:COMMAND` is run. Without, it is refused: only whose own program it
    is may name it, never a record, a file, a plan or a stranger on a server.
    """
    rules = parse_game(game) if isinstance(game, str) else game
    name, _, rest = text.partition(":")
    kin = family(rules)
    if name == ENGINE:
        if program is None:
            raise StrategyError(f"{shown(text, MOST_NAME)} is a program, which is run only where {ALLOWED}")
        found = Program(rest, rules, program)
        found.greet()
        return found
    if text == LEARNER:
        raise StrategyError(
            f"{text} learns whom it plays with: play and the page have it, and it has no strategy of its own"
        )
    if name == "file":
        return _from_file(rest, rules, limits, seed)
    if name == "best-response":
        against = parse(rest, rules, limits, seed)
        if PYTHON not in kin.entries() or getattr(against, "memories", 1) > 1:
            raise StrategyError(f"{text!r} is not allowed; responses to race strategies without memory are")
        return replace(kin.best_response(rules, against).strategy, name=text)  # type: ignore[type-var]
    if name == "table":
        return read_table(Path(rest), rules)
    if text == "optimal" and kin.keeps_optimal:
        from .store import solution_of

        return solution_of(rules).player
    if level_of(text) is not None:
        from .levels import level_player

        return level_player(text, rules)
    if text in kin.by_training:
        from .trained import player

        return player(rules)
    return catalog.strategy(text, rules)


def _solves(path: Path, game: WrittenGame, file: BinaryIO | None = None) -> solution_file.Unproved:
    """What a file says of this game; StrategyError if it is about another."""
    claim = solution_file.read_claim(path, file=file)
    if claim.game != game:
        raise StrategyError(f"{path} solves {claim.game.name}, not {game.name}")
    return claim


def read_table(path: Path, game: WrittenGame, links: bool = True) -> Any:
    """A strategy for this game from a file: a solution saved by `solve`, or a CSV as its family reads it."""
    readers = family(game).entries()
    if PYTHON not in readers and (".csv" not in readers or path.suffix.lower() != ".csv"):
        _solves(path, game)
        return solution_file.load(path, prove=True).player.named(f"table:{path}")
    with regular_file(path, MOST_TABLE, links) as file:
        start = file.read(2)
        file.seek(0)
        if start != b"PK":
            try:
                with decoding(str(path)), TextIOWrapper(file, encoding_of(start), newline="") as lines:
                    return readers[".csv"](lines, str(path), game)
            except csv.Error as error:
                raise StrategyError(f"{path} is no CSV file: {error}") from error
        solution = solution_file.restored(path, _solves(path, game, file), file)
        return family(game).tabled(game, solution.strategies[0], f"table:{path}")


def _from_file(place: str, game: WrittenGame, limits: Limits, seed: int) -> Any:
    """The strategy of a file, under a name that tells its bytes; StrategyError if they are not those asked for."""
    told = DIGEST.fullmatch(place)
    path = Path(told[1] if told else place)
    digest = sha256(read_file(path, MOST_TABLE)).hexdigest()[:DIGITS]
    if told and told[2] != digest:
        raise StrategyError(
            f"{path} has changed: #{told[2]} was asked, #{digest} it is; without # any is allowed"
        )
    try:
        if path.suffix.lower() == TEXT:
            return catalog.strategy(f"{EXPRESSION}:{_source(path)}", game)
        found, name = _strategy(path, game, limits, seed, links=True), f"file:{path}#{digest}"
    except StrategyError as error:
        raise StrategyError(str(error) if str(path) in str(error) else f"{path}: {error}") from error
    return found.named(name) if hasattr(found, "named") else replace(found, name=name)


def line(text: str, strategy: Any) -> str:
    """A strategy that was asked for by this text, as results and records name it: understood later, and elsewhere."""
    return str(strategy) if text.partition(":")[0] in (EXPRESSION, "file") else text


def gather(
    game: WrittenGame | str,
    texts: str | Sequence[str],
    folder: str | Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    progress: Callable[[str], None] | None = None,
    seed: int = 0,
    program: Limits | None = None,
) -> Lineup:
    """The strategies that the texts name and the folder holds; a wrong text raises, a wrong file is refused.

    Names and reasons are one printable line each. `seed` is where the random numbers of Python files start.
    Programs are named by texts alone, where `program` gives their limits; a folder never holds one.

    >>> [entrant.name for entrant in gather("pig", "hold:10..30..10").entrants]
    ['hold:10', 'hold:20', 'hold:30']
    """
    rules = parse_game(game) if isinstance(game, str) else game
    names = [name for text in ([texts] if isinstance(texts, str) else texts) for name in expand(text)]
    if len(names) > MOST_ENTRANTS:
        raise NotationError(f"{len(names)} strategies were named; {MOST_ENTRANTS} is allowed")
    made = [(name, parse(name, rules, limits, seed, program)) for name in names]
    entrants = [Entrant(shown(line(*each)), each[1]) for each in made]
    refusals = []
    for path in [] if folder is None else _files(Path(folder), rules):
        if progress is not None:
            progress(f"reading {path.name} ...")
        try:
            found = _strategy(path, rules, limits, seed, links=False)
            entrants.append(Entrant(shown(path.stem, MOST_NAME), found))
        except Exception as error:  # the referee's rule: no file stops a tournament
            known = isinstance(error, DicewrightError)
            reason = str(error) if known else f"{type(error).__name__} ({error})"
            refusals.append(Refused(shown(path.name, MOST_NAME), shown(reason, MOST_REASON)))
    return Lineup(number_namesakes(entrants), tuple(refusals))


def _files(folder: Path, game: WrittenGame) -> list[Path]:
    if not family(game).entries():
        raise StrategyError(
            f"a folder holds strategies for race, bluff and calling games; {game.name} is none"
        )
    if not folder.is_dir():
        raise StorageError(f"{folder} is no folder")
    try:
        files = sorted(path for path in folder.iterdir() if path.is_symlink() or not path.is_dir())
    except OSError as error:
        raise StorageError(f"cannot read {folder}: {error.strerror}") from error
    files = [path for path in files if not path.name.startswith(".")]
    if not files:
        raise StorageError(f"the folder {folder} is empty; {', '.join(ENDINGS)} files are allowed")
    return files


def _strategy(path: Path, game: WrittenGame, limits: Limits, seed: int, links: bool) -> Any:
    family(game).check_entry(game)
    ending, readers = path.suffix.lower(), family(game).entries()
    if ending == ".npz" or (ending == ".csv" and ending in readers):
        return read_table(path, game, links)
    if (reader := readers.get(ending)) is None:
        allowed = (known for known in ENDINGS if known == ".npz" or known in readers)
        ends = f"ends in {path.suffix!r}" if path.suffix else "has no ending"
        raise StrategyError(f"its name {ends}; {', '.join(allowed)} are allowed")
    return reader(path.stem, _source(path, links), game, limits, seed)


def _source(path: Path, links: bool = True) -> str:
    """The text of a file."""
    data = read_file(path, MOST_SOURCE, links)
    with decoding("it"):
        text = data.decode(encoding_of(data[:2]))
    if text.lstrip().startswith(f"{ENGINE}:"):
        raise StrategyError(f"programs are not allowed in files; one is run only where {ALLOWED}")
    return text
