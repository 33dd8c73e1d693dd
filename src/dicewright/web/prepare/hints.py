"""What each action is worth now, for a player whose game allows hints."""

from typing import Any

from ...core.errors import DicewrightError
from ...core.game import WrittenGame
from ..rooms.room import Room
from ..rooms.views import dumps, unit
from ..settings import NotNow
from .library import Library


async def hint(library: Library, room: Room, seat: int) -> str:
    """A `hint` frame; NotNow if there is none."""
    table = room.sitting
    if not room.hints:
        raise NotNow("this game is played without hints")
    if not room.solvable:
        raise NotNow(f"{room.game.name} is too large to be solved here, so it has no hints")
    if table is None or table.waits_for != seat:
        raise NotNow("the turn is not yours")
    advising, solving = library.advising(room.game), library.solving(room.game)
    for task in (advising, solving):
        if not task.task.done():
            raise NotNow(f"the hint is being prepared: {task.progress}")
        if task.failed:
            error = task.task.exception()
            known = isinstance(error, DicewrightError)
            raise NotNow(str(error) if known else "there are no hints for this game")
    ply, view = len(table.choices), table.view(seat)
    advice = await library.hint(solving.task.result().advise, view)
    return dumps({"type": "hint", "ply": ply, **advice_document(room.game, advice)})


def advice_document(game: WrittenGame, advice: Any) -> dict[str, Any]:
    """Advice with actions as text."""
    show = game.show_choice
    return {
        "unit": unit(game),
        "worth": {show(action): worth for action, worth in advice.worth.items()},
        "best": show(advice.best),
        "mix": {show(action): float(share) for action, share in advice.mix.items()},
    }
