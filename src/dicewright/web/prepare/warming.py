"""One hint and one analysis that nobody asked for, so that the first that somebody asks for is quick.

Compiled code is made by the second process, which keeps it on disk, and then only loaded by the server.
"""

from random import Random
from typing import Any

from ...arena.table import play_match
from ...core.errors import DicewrightError
from ...core.game import CHANCE
from ...core.record import Record
from ...core.solution import Solution
from ...core.strategy import sample
from .judging import judged

MOST_CHOICES = 2_000


def first_hint(game: Any, solution: Solution) -> None:
    """Give a hint where the game begins; what has no hints has none."""
    rng, state = Random(1), game.start()
    while (mover := game.mover(state)) == CHANCE:
        state = game.play(state, sample(game.outcomes(state), rng))
    if mover in (0, 1):
        _try(solution.advise, game.view(state, mover))


def first_analysis(game: Any, solution: Solution) -> None:
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
