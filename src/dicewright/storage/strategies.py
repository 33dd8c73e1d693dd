"""Strategies from files: `table:FILE` beside the names of the catalog."""

import csv
from collections.abc import Iterable
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from ..core.errors import StrategyError
from ..core.game import Game
from ..core.pair import Pair
from ..families import family
from ..families import strategies as catalog
from . import solution_file
from .files import decoding, encoding_of, regular_file

MOST_BYTES = 100_000_000


def parse(text: str, game: Game) -> Any:
    """The strategy written as one line: a name of the catalog, `table:FILE`, or `best-response:STRATEGY`."""
    name, _, rest = text.partition(":")
    if name == "best-response":
        against = parse(rest, game)
        if not family(game).entries() or getattr(against, "memories", 1) > 1:
            raise StrategyError(f"{text!r} is not allowed; responses to race strategies without memory are")
        return replace(family(game).best_response(game, against).strategy, name=text)  # type: ignore[type-var]
    if name == "table" and family(game).entries():
        return read_table(Path(rest), game)
    if name == "table":
        return _read_solution(Path(rest), game)
    if text == "optimal" and family(game).keeps_optimal:
        from .store import solution_of

        return solution_of(game).player
    return catalog.parse(text, game)


def _read_solution(path: Path, game: Any) -> Pair:
    """The strategies of a solution that `solve` saved, for either seat, proved again."""
    claim = solution_file.read_claim(path)
    if claim.game != game:
        raise StrategyError(f"{path} solves {claim.game.name}, not {game.name}")
    return solution_file.load(path, prove=True).player.named(f"table:{path}")


def read_table(path: Path, game: Any, links: bool = True) -> Any:
    """A strategy for this game from a file: a solution saved by `solve`, or a CSV as its family reads it."""
    with regular_file(path, MOST_BYTES, links) as file:
        start = file.read(2)
        file.seek(0)
        if start != b"PK":
            with TextIOWrapper(file, newline="", encoding=encoding_of(start)) as lines:
                return _read_csv(lines, path, game)
        if (claim := solution_file.read_claim(path, file=file)).game != game:
            raise StrategyError(f"{path} solves {claim.game.name}, not {game.name}")
        solution: Any = solution_file.restored(path, claim, file)
        return family(game).tabled(game, solution.strategies[0], f"table:{path}")


def _read_csv(lines: Iterable[str], path: Path, game: Any) -> Any:
    try:
        with decoding(str(path)):
            return family(game).entries()[".csv"](lines, str(path), game)
    except csv.Error as error:
        raise StrategyError(f"{path} is no CSV file: {error}") from error
