"""Many records analysed one after the other; without a moment for each ply where the solution weighs games at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ..core.errors import IllegalAction
from ..core.game import FIRST, SECOND
from ..core.record import Record
from ..core.results import Sums
from ..core.solution import Solution
from .analyse import analyse, unit
from .moments import JUDGED, THRESHOLDS, Figures, Outline

BLOCK = 2000  # records analysed at a time


def analyse_many(
    records: Iterable[Record],
    judge_for: Callable[[Any], Solution],
    progress: Callable[[int], object] | None = None,
) -> Iterator[Outline]:
    """The outline of each record, in order; the whole analysis where the solution weighs ply by ply.

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
    stakes = 2 * judge.stakes if judge.points else 1.0
    thresholds = [least * stakes for least, _ in reversed(THRESHOLDS)]
    weighed = judge.weigh_many([record.choices for record in records], thresholds)
    if weighed is None:
        return [_named(record, judge, done + number) for number, record in enumerate(records)]
    start = unit(judge, judge.worth(judge.game.start()))
    return [_outline(record, judge, start, *one) for record, one in zip(records, weighed, strict=True)]


def _named(record: Record, judge: Solution, number: int) -> Outline:
    try:
        return analyse(record, judge)
    except IllegalAction as error:
        raise IllegalAction(f"game {number + 1}: {error}") from error


def _outline(record: Record, judge: Solution, start: float, luck: float, sums: tuple[Sums, Sums]) -> Outline:
    own = (start, -start if judge.points else 1 - start)
    one, two = (
        _figures(sums[player], sums[1 - player].loss, luck if player == FIRST else -luck, own[player])
        for player in (FIRST, SECOND)
    )
    result = None if record.ended == "unfinished" else unit(judge, record.payoff)
    over = record.ended == "over" and result is not None
    end = result if over else start + luck - one.loss + two.loss
    return Outline(record, judge.certificate, judge.points, (one, two), start, end, result)  # type: ignore[arg-type]


def _figures(sums: Sums, theirs: float, luck: float, start: float) -> Figures:
    """One player's, beside what the other lost."""
    return Figures(
        sums.decisions,
        sums.loss,
        sums.at_stake,
        luck,
        0.0,
        start,
        start - sums.loss + theirs,
        sums.dearest_ply,
        sums.best_ply,
        sums.worst_ply,
        dict(zip(JUDGED, sums.counts, strict=True)),
    )
