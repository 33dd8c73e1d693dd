"""Strategies graded: what each gives away, and where."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from ..analysis.grade import PERFECT, Grade, grader
from ..arena.tournament import Refused
from ..core.effort import Limits
from ..core.errors import DicewrightError, shown
from ..core.game import WrittenGame
from ..families import family
from ..storage import strategies
from ..storage.solution_file import game_of
from ..storage.store import solve
from .answers import GameText, StrategyText, best_response, strategy_of

ITSELF = "best-response"  # the rival who answers each strategy best


def grade(game: GameText, strategy: StrategyText, against: StrategyText | None = None) -> Grade:
    """What a strategy loses against perfect play, or against this rival, and what that is made of.

    `against="best-response"` is the rival who answers the strategy best.

    >>> found = grade("pig", "hold:20")
    >>> round(found.loss, 6), found.habit, found.dearest(1)[0].position
    (0.03992, 'holding too early', '66-74+20')
    """
    rules = game_of(game)
    return graders(rules, against)(
        strategy_of(rules, strategy), strategy if isinstance(strategy, str) else ""
    )


class Class(NamedTuple):
    """Strategies graded, and who was refused with the reason."""

    grades: tuple[Grade, ...]
    refused: tuple[Refused, ...]


def grade_class(
    game: GameText,
    texts: Sequence[str] = (),
    folder: str | Path | None = None,
    against: StrategyText | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    progress: Callable[[str], None] | None = None,
    seed: int = 0,
) -> Class:
    """The strategies that the texts name and the files of a folder hold, graded one by one; no file stops it."""
    rules = game_of(game)
    one = graders(rules, against)
    field = strategies.gather(rules, texts, folder, limits, progress, seed)
    grades, refused = [], list(field.refusals)
    for entrant in field.entrants:
        if progress is not None:
            progress(f"grading {entrant.name} ...")
        try:
            grades.append(one(entrant.strategy, entrant.name))
        except DicewrightError as error:
            if folder is None:
                raise
            refused.append(Refused(entrant.name, shown(str(error), strategies.MOST_REASON)))
    return Class(tuple(grades), tuple(refused))


def graders(game: WrittenGame, against: StrategyText | None = None) -> Callable[[Any, str], Grade]:
    """What grades strategies against perfect play, against this rival, or against the best answer to each."""
    family(game).check_grade(game)
    if against == ITSELF:
        return lambda strategy, name: grader(game, best_response(game, strategy), "its best response")(
            strategy, name
        )
    if against is None:
        return grader(game, perfect(game), PERFECT, cache(partial(solve, game)))
    rival = strategy_of(game, against)
    return grader(game, rival, against if isinstance(against, str) else str(rival))


def perfect(game: WrittenGame) -> Any:
    """The solved strategy of either seat: `optimal` where strategies have names, else what `solve` finds."""
    return strategies.parse("optimal", game) if family(game).at_table else solve(game).player
