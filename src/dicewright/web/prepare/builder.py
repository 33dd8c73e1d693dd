"""The second process: it solves games while the server goes on, and goes when the server is gone.

    python -m dicewright.web.prepare.builder

reads questions from its standard input and answers on its standard output, both as JSON with its length before it:

    ["build", ["mia", "/tmp/..."]]          work of WORK and its arguments
    [null, "..."]                           news: how far it is
    [true, ...]                             the answer
    ["document", ...]                       an answer of bytes, which follow with their length before them
    [false, ["TooLarge", "..."]]            the error: its class and its sentence
"""

import json
import os
import struct
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, BinaryIO

from ...core.errors import DicewrightError
from .document import Document

Tell = Callable[[str], None]
DOCUMENT = "document"
NICE = 10  # the server goes first on a busy machine


def build(name: str, folder: str, tell: Tell) -> str | None:
    """Solve the game; None if its solution is at hand now, else the name of a file in this folder that holds it."""
    from ...families.catalog import parse
    from ...storage import store
    from .sent import send as send_solution

    return send_solution(store.solution_of(parse(name), tell), folder)


def compile_for(name: str, what: str, tell: Tell) -> str:
    """Compile what the first `hint` or `analysis` of this game needs; the server finds it on disk.

    The answer is the kind of strategy: what was compiled serves all games that have the same.
    """
    from ...families import family
    from ...families.catalog import parse
    from ...storage import store
    from .warming import FIRST

    game = parse(name)
    solution = store.solution_of(game, tell)
    family(game).warm(solution)
    FIRST[what](game, solution)
    return type(solution.strategies[0]).__name__


def matrix(name: str, strategies: list[str], tell: Tell) -> dict[str, Any]:
    """What each strategy gets against each other, either starting equally often; who cannot play is left out."""
    from ...analysis.exact import evaluate
    from ...families import family
    from ...families.catalog import parse
    from ...families.strategies import parse as strategy

    game = parse(name)
    points = family(game).points(game)
    players: dict[str, Any] = {}
    met: dict[tuple[str, str], float] = {}
    for text in strategies:
        tell(f"{len(players)} of {len(strategies)} strategies of {name} have met")
        try:
            player = strategy(text, game)
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


def draw(what: str, arguments: list[Any], tell: Tell) -> Any:
    """A document of drawing.py."""
    from . import drawing

    tell(f"drawing {arguments[0]}" if what in ("race", "surface", "ranges") else "judging every ply")
    work: dict[str, Callable[..., Any]] = {
        "race": drawing.race,
        "surface": drawing.surface,
        "ranges": drawing.ranges,
        "analysis": drawing.analysis,
    }
    return work[what](*arguments)


def player(name: str, text: str, tell: Tell) -> Any:
    """A player of a race game, as arrays."""
    from . import drawing

    tell(f"preparing {text} for {name}")
    return drawing.player(name, text)


WORK: dict[str, Callable[..., Any]] = {
    "build": build,
    "compile": compile_for,
    "matrix": matrix,
    "draw": draw,
    "player": player,
}


def send(stream: BinaryIO, what: Any) -> None:
    """Write one JSON text after its length."""
    send_bytes(stream, json.dumps(what).encode())


def send_bytes(stream: BinaryIO, data: bytes) -> None:
    """Write bytes after their number."""
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one JSON text; EOFError if the other side is gone, even in the middle of it."""
    return json.loads(receive_bytes(stream))


def receive_bytes(stream: BinaryIO) -> bytes:
    """Read what `send_bytes` wrote."""
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    (length,) = struct.unpack("<Q", head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _listen(questions: "SimpleQueue[tuple[str, list[Any]]]") -> None:
    try:
        while True:
            questions.put(receive(sys.stdin.buffer))
    except Exception:  # the server is gone, so nobody waits for what is being done
        os._exit(0)


def main() -> None:
    """Answer questions, one after another, until the server is gone."""
    os.nice(NICE)
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
