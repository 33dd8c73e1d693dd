"""Documents that take seconds to make, as JSON text; and players of race games that take solving, as arrays.

All of it is done by another process (builder.py), so that no game waits for it. `sent` is the file of a solution that
the store does not keep (sent.py).
"""

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..core.solution import Solution
from ..families.catalog import parse
from ..games.race import RaceGame
from ..solvers.race_table import RaceTable
from ..storage import store
from ..strategies.read_off import ReadOff, from_table
from .document import Document
from .playable import OPTIMAL, make
from .sent import receive
from .views import unit

DIGITS = 6
KEPT = 4  # solutions in this process
ARRAYS = ("mixes", "first", "starts", "rows", "remember")
_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


@lru_cache(maxsize=KEPT)
def _kept(name: str) -> Solution:
    return store.solution_of(parse(name))


def _solved(game: Any, sent: Any) -> Solution:
    return _kept(game.name) if sent is None else receive(game, sent)


def _player(game: Any, text: str, sent: Any) -> Any:
    if text != OPTIMAL:
        return make(game, text)
    return _solved(game, sent).strategies[0] if isinstance(game, RaceGame) else _solved(game, sent).player


def race(name: str, strategy: str, yours: int, sent: Any) -> Document:
    """What a strategy does at every own score and turn total, and what each action is worth."""
    from ..analysis.worths import race_map

    game: RaceGame = parse(name)
    values: Any = _solved(game, sent).strategies[0]
    found = race_map(game, _player(game, strategy, sent), values, yours)
    head = {"unit": unit(game), "goal": game.goal, "yours": yours, "actions": list(found.actions)}
    return _document(
        {**head, "choice": found.choice, "worth": found.worth}
    )  # the page rounds their difference


def surface(name: str, strategy: str, sent: Any) -> Document:
    """The first turn total at which a strategy holds, for every pair of scores."""
    from ..analysis.maps import hold_surface

    game: RaceGame = parse(name)
    found = hold_surface(game, _player(game, strategy, sent)).tolist()
    return _document({"unit": unit(game), "goal": game.goal, "hold_at": found})


def ranges(name: str, strategy: str, said: str, sent: Any) -> Document:
    """How often every hand takes every action after the same bids, and what that is worth."""
    from ..analysis import worths

    game = parse(name)
    found = worths.ranges(game, _player(game, strategy, sent), _solved(game, sent), said.split())
    rounded = {"share": list(map(_rounded, found.share)), "worth": list(map(_rounded, found.worth))}
    return _document({"unit": unit(game), **found._asdict(), **rounded})


def analysis(record: str, sent: Any) -> Document:
    """Every ply of a record judged; told are the figures that the shelf shows."""
    from ..storage.record_text import read_records
    from .judging import figures, judged

    [found] = read_records(record)
    document = judged(found, _solved(found.game, sent))
    return replace(_document(document), told=figures(document))


def player(name: str, text: str) -> Document:
    """A player of a race game as its table; no bytes if it is none that a table shows."""
    found = make(parse(name), text)
    if not isinstance(found, ReadOff):
        return Document(b"")
    table, body = found.table_read, io.BytesIO()
    np.savez(body, **{array: getattr(table, array) for array in ARRAYS})
    return Document(body.getvalue(), {"solo": table.solo, "name": found.name})


def player_of(game: RaceGame, text: str, document: Document) -> Any:
    """The player that came as arrays."""
    if not document.body:
        return make(game, text)
    with np.load(io.BytesIO(document.body), allow_pickle=False) as arrays:
        table = RaceTable(**{array: arrays[array] for array in ARRAYS}, solo=document.told["solo"])
    return from_table(game, table, document.told["name"])


def _document(value: Any) -> Document:
    return Document(_text(value).encode())


def _rounded(line: Sequence[float | None]) -> list[float | None]:
    return [None if number is None else round(number, DIGITS) for number in line]
