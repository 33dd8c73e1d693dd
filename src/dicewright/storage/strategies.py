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
from ..families.race.duel import best_response_race
from ..families.race.rules import RaceGame
from ..families.race.tabled import TableStrategy
from . import solution_file
from .files import decoding, encoding_of, regular_file
from .table_csv import named_table, read_csv

MOST_BYTES = 100_000_000


def parse(text: str, game: Game) -> Any:
    """The strategy written as one line: a name of the catalog, `table:FILE`, or `best-response:STRATEGY`."""
    name, _, rest = text.partition(":")
    if name == "best-response":
        against = parse(rest, game)
        if not isinstance(game, RaceGame) or getattr(against, "memories", 1) > 1:
            raise StrategyError(f"{text!r} is not allowed; responses to race strategies without memory are")
        return replace(best_response_race(game, against).strategy, name=text)  # type: ignore[type-var]
    if name == "table" and isinstance(game, RaceGame):
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


def read_table(path: Path, game: RaceGame, links: bool = True) -> TableStrategy:
    """A strategy for this game from a file: a solution saved by `solve`, or a CSV as table_csv.py reads it."""
    with regular_file(path, MOST_BYTES, links) as file:
        start = file.read(2)
        file.seek(0)
        if start != b"PK":
            with TextIOWrapper(file, newline="", encoding=encoding_of(start)) as lines:
                return _read_csv(lines, path, game)
        if (claim := solution_file.read_claim(path, file=file)).game != game:
            raise StrategyError(f"{path} solves {claim.game.name}, not {game.name}")
        solution: Any = solution_file.restored(path, claim, file)
        return named_table(game, f"table:{path}", solution.choices)


def _read_csv(lines: Iterable[str], path: Path, game: RaceGame) -> TableStrategy:
    try:
        with decoding(str(path)):
            return read_csv(lines, str(path), game)
    except csv.Error as error:
        raise StrategyError(f"{path} is no CSV file: {error}") from error
