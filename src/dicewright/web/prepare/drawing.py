"""Documents that take seconds to make, as JSON text; and players that take solving, as arrays.

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

from ...core.game import WrittenGame
from ...core.solution import Solution
from ...families import family
from ...families.catalog import parse
from ...storage import store
from ..rooms.playable import OPTIMAL, make
from ..rooms.views import unit
from .document import Document
from .sent import receive

DIGITS = 6
KEPT = 4  # solutions in this process
_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


@lru_cache(maxsize=KEPT)
def _kept(name: str) -> Solution:
    return store.solution_of(parse(name))


def _solved(game: WrittenGame, sent: Any) -> Solution:
    return _kept(game.name) if sent is None else receive(game, sent)


def _picture(what: str, name: str, text: str, sent: Any, *asked: Any) -> dict[str, Any]:
    game = parse(name)
    picture = family(game).drawn(game)[what]
    solution = _solved(game, sent) if picture.solved or text == OPTIMAL else None
    player = solution.player if solution is not None and text == OPTIMAL else make(game, text)
    return {"unit": unit(game), **picture.draw(game, player, solution, *asked)}


def race(name: str, strategy: str, yours: int, sent: Any) -> Document:
    """What a strategy does at every own score and turn total, and what each action is worth."""
    return _document(_picture("race", name, strategy, sent, yours))  # the page rounds differences of worths


def surface(name: str, strategy: str, sent: Any) -> Document:
    """The first turn total at which a strategy holds, for every pair of scores."""
    return _document(_picture("surface", name, strategy, sent))


def ranges(name: str, strategy: str, said: str, sent: Any) -> Document:
    """How often every hand takes every action after the same bids, and what that is worth."""
    found = _picture("ranges", name, strategy, sent, said)
    rounded = {"share": list(map(_rounded, found["share"])), "worth": list(map(_rounded, found["worth"]))}
    return _document({**found, **rounded})


def analysis(record: str, sent: Any) -> Document:
    """Every ply of a record judged; told are the figures that the shelf shows."""
    from ...storage.records.text import read_records
    from .judging import figures, judged

    [found] = read_records(record)
    document = judged(found, _solved(found.game, sent))
    return replace(_document(document), told=figures(document))


def player(name: str, text: str) -> Document:
    """A player as arrays; no bytes if it is none that arrays hold."""
    found = make(parse(name), text)
    if not hasattr(found, "arrays"):
        return Document(b"")
    (told, arrays), body = found.arrays(), io.BytesIO()
    np.savez(body, **arrays)
    return Document(body.getvalue(), told)


def player_of(game: WrittenGame, text: str, document: Document) -> Any:
    """The player that came as arrays."""
    if not document.body:
        return make(game, text)
    with np.load(io.BytesIO(document.body), allow_pickle=False) as arrays:
        return family(game).player(game, document.told, arrays)


def _document(value: Any) -> Document:
    return Document(_text(value).encode())


def _rounded(line: Sequence[float | None]) -> list[float | None]:
    return [None if number is None else round(number, DIGITS) for number in line]
