"""The table of a strategy as columns, which `save_columns` writes as CSV, Parquet or an array of numpy.

A race strategy has the columns mine, yours, turn and action, one that mixes also chance; in other games the columns are
view, action and chance. Left out is where only one action is allowed. `file:FILE.csv` reads the CSV back.
"""

from typing import Any

from ..core.game import WrittenGame
from ..families import admit, family
from .columns import Columns


def columns_of(game: WrittenGame, strategy: Any) -> Columns:
    """What the strategy does wherever it has a choice, a row an action, as columns of equal length."""
    admit(game)
    found: Columns = family(game).columns(game, strategy)
    return found
