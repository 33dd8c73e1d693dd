"""What a solution says of a view and of a finished game; asked in threads."""

from collections.abc import Mapping
from typing import Any

from ..core.record import Record
from ..core.results import Advice
from ..core.solution import Solution
from ..games.bluff_match import BluffMatch
from ..games.calling_keep import KeepGame


def advice_of(game: Any, view: Any, solution: Solution) -> Advice:
    """What each action is worth in this view; matches and kept dice are weighed by their judges."""
    from ..analysis.exact import advise
    from ..analysis.judge import judge_of

    if isinstance(game, (BluffMatch, KeepGame)):
        return judge_of(game, solution).advice(view)
    return advise(game, view, solution)


def judged(record: Record, solution: Solution) -> dict[str, Any]:
    """The analysis document of a record."""
    from ..analysis.analyse import analyse
    from ..analysis.judge import judge_of

    return analyse(record, judge_of(record.game, solution)).document()


def figures(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the shelf shows of an analysis: each player's error rate and luck, the hidden luck included."""
    sides = document["figures"]
    return {
        "error_rate": [side["error_rate"] for side in sides],
        "luck": [side["luck"] + side["hidden_luck"] for side in sides],
    }
