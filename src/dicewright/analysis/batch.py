"""Many records analysed one after the other; race games by compiled code, without a moment for each ply."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from ..core.errors import IllegalAction
from ..core.game import FIRST, SECOND
from ..core.record import Record
from ..core.solution import Solution
from ..games.race import RaceGame
from ..solvers.race_solution import RaceSolution
from .analyse import analyse, unit
from .moments import JUDGED, THRESHOLDS, Figures, Outline

BLOCK = 2000  # records analysed at a time


def analyse_many(
    records: Iterable[Record],
    judge_for: Callable[[Any], Solution],
    progress: Callable[[int], object] | None = None,
) -> Iterator[Outline]:
    """The outline of each record, in order; of games that are no race games the whole analysis.

    `judge_for` gives the judge of a game and is asked once for each game; `progress` hears how many records are
    done. 10,000 games of Pig take about 2 s; only a block of records is held at a time.
    """
    judges: dict[Any, Solution] = {}
    source, done = iter(records), 0
    while block := list(islice(source, BLOCK)):
        found: dict[int, Outline] = {}
        for game in dict.fromkeys(record.game for record in block):
            if game not in judges:
                judges[game] = judge_for(game)
            places = [place for place, record in enumerate(block) if record.game == game]
            found |= zip(places, _same_game([block[n] for n in places], judges[game], done), strict=True)
        done += len(block)
        yield from (found[place] for place in range(len(block)))
        if progress:
            progress(done)


def _same_game(records: Sequence[Record], judge: Solution, done: int) -> Iterable[Outline]:
    if type(judge) is RaceSolution:
        return _race(records, judge)
    return [_named(record, judge, done + number) for number, record in enumerate(records)]


def _named(record: Record, judge: Solution, number: int) -> Outline:
    try:
        return analyse(record, judge)
    except IllegalAction as error:
        raise IllegalAction(f"game {number + 1}: {error}") from error


def _race(records: Sequence[Record], judge: RaceSolution) -> list[Outline]:
    from ..solvers.replay import replay_games, replay_race, weigh

    game: RaceGame = judge.game
    found = replay_games(game, [record.choices for record in records])
    if (refused := np.flatnonzero(found.illegal >= 0)).size:
        replay_race(game, records[refused[0]].choices)
    stakes = 2 * judge.stakes if judge.points else 1.0
    thresholds = [least * stakes for least, _ in reversed(THRESHOLDS)]
    weighed = weigh(found, judge.values, thresholds)
    start = unit(judge, judge.worth(game.start()))
    outlines = []
    for record, figures, luck in zip(records, weighed.figures.tolist(), weighed.luck.tolist(), strict=True):
        one, two = (_figures(figures, player, luck, start, judge.points) for player in (FIRST, SECOND))
        result = None if record.ended == "unfinished" else unit(judge, record.payoff)
        over = record.ended == "over" and result is not None
        end = result if over else start + luck - one.loss + two.loss
        outlines.append(Outline(record, judge.certificate, judge.points, (one, two), start, end, result))  # type: ignore[arg-type]
    return outlines


def _figures(columns: list[list[float]], player: int, luck: float, start: float, points: bool) -> Figures:
    """The columns of replay_kernels as figures."""
    loss, stake, decisions, _, dearest, _, best, _, worst, *counts = columns[player]
    own = start if player == FIRST else (-start if points else 1 - start)
    return Figures(
        int(decisions),
        loss,
        stake,
        luck if player == FIRST else -luck,
        0.0,
        own,
        own - loss + columns[1 - player][0],
        _ply(dearest),
        _ply(best),
        _ply(worst),
        dict(zip(JUDGED, map(int, counts), strict=True)),
    )


def _ply(number: float) -> int | None:
    return None if number < 0 else int(number)
