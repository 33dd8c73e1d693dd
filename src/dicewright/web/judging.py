"""What a solution says of a finished game; asked in threads."""

from collections.abc import Mapping
from typing import Any

from ..core.record import Record
from ..core.solution import Solution


def judged(record: Record, solution: Solution) -> dict[str, Any]:
    """The analysis document of a record."""
    from ..analysis.analyse import analyse

    return analyse(record, solution).document()


def figures(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the shelf shows of an analysis: each player's error rate and luck, the hidden luck included."""
    sides = document["figures"]
    return {
        "error_rate": [side["error_rate"] for side in sides],
        "luck": [side["luck"] + side["hidden_luck"] for side in sides],
    }
