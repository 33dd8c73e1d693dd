"""Tables of strategies."""

from pathlib import Path
from typing import Any

from ..storage.columns import save_columns
from ..storage.solution_file import game_of
from ..storage.strategy_tables import columns_of
from .answers import GameText, StrategyText, strategy_of


def strategy_table(game: GameText, strategy: StrategyText) -> dict[str, Any]:
    """What a strategy does wherever it has a choice, a row an action, as columns: `pandas.DataFrame` takes them.

    >>> table = strategy_table("pig:goal=3", "hold:2")
    >>> [*map(int, table["turn"])], [*map(str, table["action"])]
    ([1, 2, 1, 2, 1, 2, 1, 1, 1], ['roll', 'hold', 'roll', 'hold', 'roll', 'hold', 'roll', 'roll', 'roll'])
    """
    rules = game_of(game)
    return dict(columns_of(rules, strategy_of(rules, strategy)))


def export_strategy(game: GameText, strategy: StrategyText, path: str | Path) -> int:
    """Write the table of a strategy to a .csv, .parquet or .npy file; how many rows it has.

    `file:FILE.csv` reads the CSV back.
    """
    return save_columns(Path(path), strategy_table(game, strategy))
