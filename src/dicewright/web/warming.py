"""One hint and one analysis that nobody asked for, so that the first that somebody asks for is quick.

Compiled code is made by the second process, which keeps it on disk, and then only loaded by the server.
"""

from random import Random
from typing import Any

from ..arena.play import play_match
from ..core.errors import DicewrightError
from ..core.game import CHANCE
from ..core.record import Record
from ..core.solution import Solution
from ..core.strategy import sample
from .judging import advice_of, judged

MOST_CHOICES = 2_000


def warm(game: Any, solution: Solution) -> None:
    """Give a hint where the game begins, and analyse a game played at random; what has no hints has none."""
    rng, state, hinted = Random(1), game.start(), False
    choices: list[Any] = []
    while (mover := game.mover(state)) in (0, 1, CHANCE) and len(choices) < MOST_CHOICES:
        if mover == CHANCE:
            choices.append(sample(game.outcomes(state), rng))
        else:
            view = game.view(state, mover)
            if not hinted:
                hinted = True
                _try(advice_of, game, view, solution)
            choices.append(rng.choice(list(game.actions(view))))
        state = game.play(state, choices[-1])
    if game.mover(state) not in (0, 1, CHANCE):
        _try(judged, Record(game, tuple(choices), float(game.payoff(state))), solution)


def rehearse(game: Any, strategy: Any, games: int = 3) -> Any:
    """The strategy after a few games against itself: what it works out when first asked is worked out."""
    for number in range(games):
        play_match(game, (strategy, strategy), Random(number), most=MOST_CHOICES)
    return strategy


def _try(work: Any, *arguments: Any) -> None:
    try:
        work(*arguments)
    except DicewrightError:
        return
