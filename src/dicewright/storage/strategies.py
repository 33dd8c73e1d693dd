"""Strategies from files: `table:FILE` beside the names of the catalog."""

import csv
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import StorageError, StrategyError, TooLarge
from ..core.game import Game
from ..games.bluff import Bluff
from ..games.bluff_match import BluffMatch
from ..games.race import HOLD, RaceGame, RaceView
from ..solvers.bluff_strategy import BothSeats, both_seats
from ..solvers.duel import best_response_race
from ..solvers.race_runs import Runs, encode
from ..solvers.race_table import MOST_QUESTIONS, RaceTable, TableStrategy, no_memory, pure_mixes
from ..strategies import catalog
from ..strategies.bluff import optimal_of
from . import solutions
from .reading import regular_file

MOST_BYTES = 100_000_000
THRESHOLDS = ["mine", "yours", "hold_at"]
ACTIONS = ["mine", "yours", "turn", "action"]


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
    if name == "table" and isinstance(game, Bluff):
        return _read_round(Path(rest), game)
    if text == "optimal" and isinstance(game, (Bluff, BluffMatch)):
        from .store import solution_of

        return optimal_of(solution_of(game))
    return catalog.parse(text, game)


def _read_round(path: Path, game: Bluff) -> BothSeats:
    """The strategies of a round that `solve` saved, for either seat."""
    from .bluff_store import read_round, read_round_bounds

    if (solved := read_round_bounds(path)[0]) != game:
        raise StrategyError(f"{path} solves {solved.name}, not {game.name}")
    return replace(both_seats(read_round(path)), label=f"table:{path}")


def read_table(path: Path, game: RaceGame) -> TableStrategy:
    """A strategy for this game from a file: a solution saved by `solve`, or a CSV of either form

    mine,yours,hold_at          roll below this turn total; all pairs of scores
    mine,yours,turn,action      one action a line; all states
    """
    try:
        with regular_file(path, MOST_BYTES) as file:
            if file.read(2) != b"PK":
                file.seek(0)
                lines = TextIOWrapper(file, newline="", encoding="utf-8")
                return _read_csv(path, game, csv.reader(lines, strict=True))
        if (solved := solutions.read_header(path).game) != game:
            raise StrategyError(f"{path} solves {solved.name}, not {game.name}")
        return _named(game, path, solutions.load(path).choices)
    except csv.Error as error:
        raise StrategyError(f"{path} is no CSV file: {error}") from error
    except UnicodeDecodeError as error:
        raise StorageError(f"{path} is no text in UTF-8: {error.reason}") from error


def _read_csv(path: Path, game: RaceGame, lines: Any) -> TableStrategy:
    header = [cell.strip() for cell in next(lines, [])]
    if header not in (THRESHOLDS, ACTIONS):
        forms = f"{','.join(THRESHOLDS)} or {','.join(ACTIONS)}"
        raise StrategyError(f"{path} line 1 is {','.join(header)!r}; {forms} is allowed")
    goal, actions = game.goal, (HOLD, *(name for name, _ in game.rolls))
    if header == THRESHOLDS and len(game.rolls) > 1:
        raise StrategyError(
            f"{path} only says roll or hold; {game.name} has the rolls {', '.join(actions[1:])}"
        )
    if goal**2 * (goal + 1) // 2 > MOST_QUESTIONS:
        raise TooLarge(f"{path} has more than {MOST_QUESTIONS:,} states of {game.name}; fewer are allowed")
    lowest = 0 if game.skip else 1
    cube = np.full((goal, goal, goal), -1, np.int8)
    for number, line in enumerate(lines, start=2):
        cells = [cell.strip() for cell in line]
        if not any(cells):
            continue
        try:
            mine, yours, third = (int(cell) for cell in cells[:3])
            if header == THRESHOLDS:
                if not (0 <= mine < goal and 0 <= yours < goal and third >= lowest and len(cells) == 3):
                    raise ValueError
                cube[mine, yours] = np.arange(goal) < third
            else:
                if not (0 <= mine < goal and 0 <= yours < goal and 0 <= third < goal - mine):
                    raise ValueError
                if len(cells) != 4 or cells[3] not in game.actions(RaceView(mine, yours, third)):
                    raise ValueError
                cube[mine, yours, third] = actions.index(cells[3])
        except (ValueError, IndexError):
            what = f"scores 0 to {goal - 1}, turn below {goal} - mine, actions {', '.join(actions)}"
            what += "" if game.skip else "; no hold at turn total 0"
            raise StrategyError(f"{path} line {number} is {','.join(line)[:80]!r}; allowed: {what}") from None

    def choices(mine: int, yours: int) -> Any:
        return cube[mine, yours, : goal - mine]

    for mine in range(goal):
        for yours in range(goal):
            if (choices(mine, yours) < 0).any():
                turn = int(np.argmax(choices(mine, yours) < 0))
                raise StrategyError(f"{path} says nothing of {game.show_view(RaceView(mine, yours, turn))}")
    return _named(game, path, encode(goal, choices))


def _named(game: RaceGame, path: Path, runs: Runs) -> TableStrategy:
    rows = runs.rows.astype(np.int32)
    table = RaceTable(pure_mixes(game), runs.first, runs.starts, rows, no_memory(game.goal), solo=False)
    return TableStrategy(game, table, f"table:{path}")
