"""Decisions as data: what a player chose, and what each action was worth, as columns. docs/decisions.md."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from ..core.errors import IllegalAction
from ..core.game import CHANCE, FIRST, SEATS, WrittenGame
from ..core.record import Record
from ..core.results import Decisions, Place
from ..core.solution import Solution
from ..core.times import times_of
from .analyse import BLOCK, analyse

Named = tuple[int | str, Record]  # a record with its number or id
Column = Any  # a cell, or a sequence of them


class Decision(NamedTuple):
    """One decision: a row, or (in `decision_columns`) a column of each."""

    game: Column
    record: Column
    player: Column
    seat: Column
    strategy: Column
    ply: Column
    position: Column
    choice: Column
    shown: Column
    time: Column
    worths: Column
    best: Column
    loss: Column
    luck_before: Column
    luck_after: Column
    undo: Column


COLUMNS = Decision._fields
CODEBOOK: dict[str, tuple[str, str]] = {  # of each column: its type, and what it says
    "game": ("text", "the rules in one line, such as pig:goal=50"),
    "record": ("integer or text", "the number of the record among those given, from 1, or the id of a saved game"),
    "player": ("text", "who decided: the name, else the strategy, else first or second"),
    "seat": ("text", "first or second"),
    "strategy": ("text", "the strategy that decided; empty for a person"),
    "ply": ("integer", "how many choices, dice included, were made before this one"),
    "position": (
        "text",
        "what the player knew, in the notation of the game: own score first, own hidden dice included",
    ),
    "choice": (
        "text",
        "what was chosen, as a record writes it; a decision that was shown and never made has no row, for a record is "
        "of what was done",
    ),
    "shown": ("integer", "when the choice was shown: milliseconds since 1970 in UTC; empty if nobody kept it"),
    "time": (
        "integer",
        "milliseconds from then until it was made, by a clock that never goes back; empty likewise",
    ),
    "worths": (
        "action to number",
        "what each allowed action was worth to the player against perfect play: the chance to win (a draw is half of "
        "one), or in games for points the points expected; an object in CSV and JSON, in a DataFrame and in "
        "Parquet pairs (action, worth)",
    ),
    "best": ("text", "an action that is worth most"),
    "loss": (
        "number",
        "what the choice lost, in the unit of worths, never negative: the worth of best less that of choice, but for "
        "what the solution itself may be off by",
    ),
    "luck_before": (
        "number",
        "what dice, hidden ones included, had changed in the player's favour since the game began, in the unit of "
        "worths; luck of the other's dice counts too",
    ),
    "luck_after": (
        "number",
        "the same once the dice that answered this choice have fallen, before anybody chooses again; less "
        "luck_before it is the luck of this choice",
    ),
    "undo": (
        "text",
        "yes if a decision of this game was taken back, so that luck may have been seen before; else empty",
    ),
}  # fmt: skip


def decision_columns(
    records: Iterable[Named],
    judge_for: Callable[[Any], Solution],
    progress: Callable[[int], object] | None = None,
) -> Iterator[Decision]:
    """The decisions of the records in order, some thousand records at a time, as columns of equal length.

    A decision is a choice among several actions. Loss, luck and worths are those of the analysis. `judge_for` gives
    the solution of a game and is asked once for each; `progress` hears how many records are done.
    """
    judge_of, source, done = cache(judge_for), iter(records), 0
    while block := list(islice(source, BLOCK)):
        for game, part in _same_games(block):
            yield _columns(game, part, _weighed(part, judge_of(game)))
        done += len(block)
        if progress:
            progress(done)


def _same_games(block: Sequence[Named]) -> Iterator[tuple[WrittenGame, list[Named]]]:
    """Stretches of records of one game, as they come."""
    part: list[Named] = []
    for named in block:
        if part and named[1].game is not part[0][1].game and named[1].game != part[0][1].game:
            yield part[0][1].game, part
            part = []
        part.append(named)
    yield part[0][1].game, part


def _weighed(records: Sequence[Named], judge: Solution) -> Decisions:
    try:
        return judge.decisions([record.choices for _, record in records]) or _ply_by_ply(records, judge)
    except IllegalAction:
        for name, record in records:  # which of them
            try:
                analyse(record, judge)
            except IllegalAction as error:
                raise IllegalAction(f"record {name}: {error}") from error
        raise


def _ply_by_ply(records: Sequence[Named], judge: Solution) -> Decisions:
    """The decisions as the whole analysis of each record finds them."""
    rows = [(number, *row) for number, (_, record) in enumerate(records) for row in _rows_of(record, judge)]
    columns = map(list, zip(*rows, strict=True)) if rows else ([] for _ in Decisions._fields)
    return Decisions(*columns)


def _rows_of(record: Record, judge: Solution) -> Iterator[tuple[Any, ...]]:
    game, moments = record.game, analyse(record, judge).moments
    show, luck = game.show_choice, [0.0]
    for moment in moments:
        luck.append(luck[-1] + moment.luck + moment.hidden_luck)
    for moment in moments:
        if not moment.decided:
            continue
        answered = moment.ply + 1
        while answered < len(moments) and moments[answered].who == CHANCE:
            answered += 1
        sign = 1 if moment.who == FIRST else -1
        worths = tuple((show(action), worth) for action, worth in moment.worths.items())
        place = Place(game.show_view(moment.view), worths, show(moment.best))
        fortune = (sign * luck[moment.ply] + 0.0, sign * luck[answered] + 0.0)
        yield moment.ply, moment.who, place, show(moment.choice), moment.loss, *fortune


def _columns(game: WrittenGame, records: Sequence[Named], found: Decisions) -> Decision:
    """What the records themselves say, beside what was decided in them."""
    names = [name for name, _ in records]
    players = [record.players for _, record in records]
    strategies = [tuple(text or "" for text in record.strategies) for _, record in records]
    seated = list(zip(found.game, found.seat, strict=True))
    undone = ["yes" if dict(record.tags).get("Undo") else "" for _, record in records]
    timed: list[Any] = [times_of(record) if record.notes else {} for _, record in records]
    times = [timed[number].get(ply, (None, None)) for number, ply in zip(found.game, found.ply, strict=True)]
    return Decision(
        [game.name] * len(seated),
        [names[number] for number in found.game],
        [players[number][seat] for number, seat in seated],
        [SEATS[seat] for seat in found.seat],
        [strategies[number][seat] for number, seat in seated],
        found.ply,
        [place.position for place in found.place],
        found.choice,
        [shown for shown, _ in times],
        [time for _, time in times],
        [place.worths for place in found.place],
        [place.best for place in found.place],
        found.loss,
        found.luck_before,
        found.luck_after,
        [undone[number] for number in found.game],
    )
