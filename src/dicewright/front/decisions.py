"""Decisions of records as a table for statistics."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ..analysis.decisions import decision_columns
from ..core.record import Record
from ..storage.decisions import frame
from ..storage.store import solve

if TYPE_CHECKING:
    from pandas import DataFrame


def decisions(
    records: Iterable[Record] | Mapping[str, Record], progress: Callable[[int], object] | None = None
) -> "DataFrame":
    """One row a decision of these records, as a DataFrame of pandas; docs/decisions.md tells its columns.

    The column `record` numbers the records from 1; records given by id keep theirs. 10,000 games of Pig have some
    600,000 decisions and take some 3 s; `progress` hears how many records are done.
    """
    named = records.items() if isinstance(records, Mapping) else enumerate(records, start=1)
    return frame(decision_columns(named, solve, progress))
