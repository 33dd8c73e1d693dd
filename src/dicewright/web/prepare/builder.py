"""The second process: it solves games while the server goes on, and goes when the server is gone.

    python -m dicewright.web.prepare.builder

reads questions from its standard input and answers on its standard output, both as JSON with its length before it:

    ["build", ["mia", "/tmp/..."]]          work of WORK and its arguments
    [null, "..."]                           news: how far it is
    [true, ...]                             the answer
    ["document", ...]                       an answer of bytes, which follow with their length before them
    [false, ["TooLarge", "..."]]            the error: its class and its sentence

`sent` is the file of a solution that the store does not keep.
"""

import io
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from queue import SimpleQueue
from typing import Any

import numpy as np

from ...core.errors import DicewrightError
from ...core.game import WrittenGame
from ...core.solution import Solution
from ...families import family
from ...families.catalog import parse
from ...families.strategies import parse as parse_strategy
from ...storage import store
from ...storage.records.text import read_records
from ..rooms.views import OPTIMAL, make, unit
from .helper import DOCUMENT, Document, receive, receive_solution, send, send_bytes, send_solution
from .hints import FIRST, figures, judged

Tell = Callable[[str], None]
DIGITS = 6
KEPT = 4  # solutions in this process
_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def build(name: str, folder: str, tell: Tell) -> str | None:
    """Solve the game; None if its solution is at hand now, else the name of a file in this folder that holds it."""
    return send_solution(store.solution_of(parse(name), tell), folder)


def compile_for(name: str, what: str, tell: Tell) -> str:
    """Compile what the first `hint` or `analysis` of this game needs; the server finds it on disk.

    The answer is the kind of strategy: what was compiled serves all games that have the same.
    """
    game = parse(name)
    solution = store.solution_of(game, tell)
    family(game).warm(solution)
    FIRST[what](game, solution)
    return type(solution.strategies[0]).__name__


def matrix(name: str, strategies: list[str], tell: Tell) -> dict[str, Any]:
    """What each strategy gets against each other, either starting equally often; who cannot play is left out."""
    from ...analysis.exact import evaluate

    game = parse(name)
    points = family(game).points(game)
    players: dict[str, Any] = {}
    met: dict[tuple[str, str], float] = {}
    for text in strategies:
        tell(f"{len(players)} of {len(strategies)} strategies of {name} have met")
        try:
            player = parse_strategy(text, game)
            if not players:
                evaluate(game, player, player)
            found = {other: evaluate(game, player, players[other]) for other in players}
        except DicewrightError:
            continue
        players[text] = player
        for other, one in found.items():
            if points:
                mine = (one.a_first.payoff - one.b_first.payoff) / 2
                met[text, other], met[other, text] = mine, -mine
            else:
                met[text, other], met[other, text] = one.a_overall, one.b_overall
    level = 0.0 if points else 0.5
    wins = [[met.get((one, two), level) for two in players] for one in players]
    return {"strategies": list(players), "wins": wins}


@lru_cache(maxsize=KEPT)
def _kept(name: str) -> Solution:
    return store.solution_of(parse(name))


def _solved(game: WrittenGame, sent: Any) -> Solution:
    return _kept(game.name) if sent is None else receive_solution(game, sent)


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
    [found] = read_records(record)
    document = judged(found, _solved(found.game, sent))
    return replace(_document(document), told=figures(document))


def _document(value: Any) -> Document:
    return Document(_text(value).encode())


def _rounded(line: Sequence[float | None]) -> list[float | None]:
    return [None if number is None else round(number, DIGITS) for number in line]


def draw(what: str, arguments: list[Any], tell: Tell) -> Document:
    """A document that takes seconds to make, as JSON text."""
    tell(f"drawing {arguments[0]}" if what in ("race", "surface", "ranges") else "judging every ply")
    return DRAWN[what](*arguments)


def player(name: str, text: str, tell: Tell) -> Document:
    """A player as arrays; no bytes if it is none that arrays hold."""
    tell(f"preparing {text} for {name}")
    found = make(parse(name), text)
    if not hasattr(found, "arrays"):
        return Document(b"")
    (told, arrays), body = found.arrays(), io.BytesIO()
    np.savez(body, **arrays)
    return Document(body.getvalue(), told)


DRAWN: dict[str, Callable[..., Document]] = {
    "race": race,
    "surface": surface,
    "ranges": ranges,
    "analysis": analysis,
}
WORK: dict[str, Callable[..., Any]] = {
    "build": build,
    "compile": compile_for,
    "matrix": matrix,
    "draw": draw,
    "player": player,
}


def _listen(questions: "SimpleQueue[tuple[str, list[Any]]]") -> None:
    try:
        while True:
            questions.put(receive(sys.stdin.buffer))
    except Exception:  # the server is gone, so nobody waits for what is being done
        os._exit(0)


def main() -> None:
    """Answer questions, one after another, until the server is gone."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a solver prints must not stand among the answers
    questions: SimpleQueue[tuple[str, list[Any]]] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        name, arguments = questions.get()
        answer: tuple[Any, Any]
        found = None
        try:
            found = WORK[name](*arguments, lambda news: send(answers, (None, news)))
            answer = (DOCUMENT, found.told) if isinstance(found, Document) else (True, found)
        except DicewrightError as error:
            answer = (False, (type(error).__name__, str(error)))
        except Exception as error:
            answer = (False, ("", f"{type(error).__name__}: {error}"))
        try:
            send(answers, answer)
            if isinstance(found, Document):
                send_bytes(answers, found.body)
        except OSError:
            os._exit(0)


if __name__ == "__main__":
    main()
