"""What a solution says: hints for a player whose game allows them, and a finished game judged.

One hint and one analysis nobody asked for, so that the first that somebody asks for is quick: compiled code is made by
the second process, which keeps it on disk, and then only loaded by the server.
"""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from ...arena.table import play_match
from ...core.errors import DicewrightError
from ...core.game import CHANCE, WrittenGame
from ...core.record import Record
from ...core.solution import Solution
from ...core.strategy import sample
from ...families import family
from ..rooms.views import dumps, unit
from ..settings import NotNow

if TYPE_CHECKING:
    from ...analysis.moments import Moment
    from ..rooms.room import Room
    from .prepared import Prepared

MOST_CHOICES = 2_000


def judged(record: Record, solution: Solution) -> dict[str, Any]:
    """The analysis document of a record, with every decision in words."""
    from ...analysis.analyse import analyse

    found = analyse(record, solution)
    document, kin = found.document(), family(record.game)
    for moment, written in zip(found.moments, document["moments"], strict=True):
        if moment.who != CHANCE:
            written |= _words(record.game, moment)
    return {**document, "secret": kin.secret if kin.covered else None, "captions": dict(kin.captions)}


def _words(game: WrittenGame, moment: "Moment") -> dict[str, Any]:
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


def first_hint(game: WrittenGame, solution: Solution) -> None:
    """Give a hint where the game begins; what has no hints has none."""
    rng, state = Random(1), game.start()
    while (mover := game.mover(state)) == CHANCE:
        state = game.play(state, sample(game.outcomes(state), rng))
    if mover in (0, 1):
        _try(solution.advise, game.view(state, mover))


def first_analysis(game: WrittenGame, solution: Solution) -> None:
    """Analyse a game played at random."""
    rng, state = Random(1), game.start()
    choices: list[Any] = []
    while (mover := game.mover(state)) in (0, 1, CHANCE) and len(choices) < MOST_CHOICES:
        if mover == CHANCE:
            choices.append(sample(game.outcomes(state), rng))
        else:
            choices.append(rng.choice(list(game.actions(game.view(state, mover)))))
        state = game.play(state, choices[-1])
    if game.mover(state) not in (0, 1, CHANCE):
        _try(judged, Record(game, tuple(choices), float(game.payoff(state))), solution)


FIRST = {"hint": first_hint, "analysis": first_analysis}


def rehearse(game: WrittenGame, strategy: Any, games: int = 3) -> Any:
    """The strategy after a few games against itself: what it works out when first asked is worked out."""
    for number in range(games):
        play_match(game, (strategy, strategy), Random(number), most=MOST_CHOICES)
    return strategy


def _try(work: Any, *arguments: Any) -> None:
    try:
        work(*arguments)
    except DicewrightError:
        return


async def hint(prepared: "Prepared", room: "Room", seat: int) -> str:
    """A `hint` frame; NotNow if there is none."""
    table = room.sitting
    if not room.hints:
        raise NotNow("this game is played without hints")
    if not room.solvable:
        raise NotNow(f"{room.game.name} is too large to be solved here, so it has no hints")
    if table is None or table.waits_for != seat:
        raise NotNow("the turn is not yours")
    advising, solving = prepared.advising(room.game), prepared.solving(room.game)
    for task in (advising, solving):
        if not task.task.done():
            raise NotNow(f"the hint is being prepared: {task.progress}")
        if task.failed:
            error = task.task.exception()
            known = isinstance(error, DicewrightError)
            raise NotNow(str(error) if known else "there are no hints for this game")
    ply, view = len(table.choices), table.view(seat)
    advice = await prepared.hint(solving.task.result().advise, view)
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
