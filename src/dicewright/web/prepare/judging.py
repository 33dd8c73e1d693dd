"""What a solution says of a finished game; asked in threads."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.game import CHANCE
from ...core.record import Record
from ...core.solution import Solution
from ...families import family

if TYPE_CHECKING:
    from ...analysis.moments import Moment


def judged(record: Record, solution: Solution) -> dict[str, Any]:
    """The analysis document of a record, with every decision in words."""
    from ...analysis.analyse import analyse

    found = analyse(record, solution)
    document, kin = found.document(), family(record.game)
    for moment, written in zip(found.moments, document["moments"], strict=True):
        if moment.who != CHANCE:
            written |= _words(record.game, moment)
    return {**document, "secret": kin.secret if kin.covered else None, "captions": dict(kin.captions)}


def _words(game: Any, moment: "Moment") -> dict[str, Any]:
    """What the mover saw and could do, in words, and where that is found on a map."""
    kin = family(game)
    shown = {game.show_choice(action): action for action in (moment.choice, *moment.worths)}
    return {
        "place": kin.seen(game, moment.view),
        "decision": kin.decision(game, moment.view, moment.choice),
        "words": {text: kin.say(game, action) for text, action in shown.items()},
        "doing": {text: kin.acting(game, action) for text, action in shown.items()},
        "spot": kin.spot(game, moment.view),
    }


def figures(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the shelf shows of an analysis: each player's error rate and luck, the hidden luck included."""
    sides = document["figures"]
    return {
        "error_rate": [side["error_rate"] for side in sides],
        "luck": [side["luck"] + side["hidden_luck"] for side in sides],
    }
