"""What a solution says of a finished game; asked in threads."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.game import CHANCE, WrittenGame
from ...core.record import Record
from ...core.solution import Solution
from ...families import family
from ...families.family import PLAIN

if TYPE_CHECKING:
    from ...analysis.moments import Analysis, Moment


def judged(record: Record, solution: Solution) -> dict[str, Any]:
    """The analysis document of a record, in words where no part of the page reads the notation of its family."""
    from ...analysis.analyse import analyse

    found = analyse(record, solution)
    document = found.document()
    if family(record.game).page == PLAIN:
        for moment, written in zip(found.moments, document["moments"], strict=True):
            if moment.who != CHANCE:
                written |= _words(found, moment)
    return document


def _words(found: "Analysis", moment: "Moment") -> dict[str, Any]:
    """What the mover saw and could do, in words."""
    from ...analysis.sentences import decision

    game: WrittenGame = found.record.game
    shown = {game.show_choice(action): action for action in (moment.choice, *moment.worths)}
    return {
        "place": family(game).place(game, moment.view),
        "decision": decision(found, moment),
        "words": {text: family(game).say(game, action) for text, action in shown.items()},
        "doing": {text: family(game).doing(game, action) for text, action in shown.items()},
    }


def figures(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the shelf shows of an analysis: each player's error rate and luck, the hidden luck included."""
    sides = document["figures"]
    return {
        "error_rate": [side["error_rate"] for side in sides],
        "luck": [side["luck"] + side["hidden_luck"] for side in sides],
    }
