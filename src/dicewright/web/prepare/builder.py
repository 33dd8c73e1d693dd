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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from queue import SimpleQueue
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import DicewrightError
from ...core.game import CHANCE, WrittenGame
from ...core.record import Record
from ...core.solution import Solution
from ...core.strategy import sample
from ...families import family
from ...families.catalog import parse
from ...families.catalog import strategy as parse_strategy
from ...storage import store
from ...storage.records.text import read_records
from ..rooms.views import OPTIMAL, make, unit
from .helper import DOCUMENT, Document, receive, receive_solution, send, send_bytes, send_solution
from .prepared import MOST_CHOICES, first_hint

if TYPE_CHECKING:
    from ...analysis.moments import Moment

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


def _picture(what: str, sent: Any, name: str, text: str, *asked: Any) -> Document:
    """One of the game's pictures; the page rounds differences of worths, so only those of ranges are rounded."""
    game = parse(name)
    picture = family(game).drawn(game)[what]
    solution = _solved(game, sent) if picture.solved or text == OPTIMAL else None
    player = solution.player if solution is not None and text == OPTIMAL else make(game, text)
    found = {"unit": unit(game), **picture.draw(game, player, solution, *asked)}
    for part in ("share", "worth") if what == "ranges" else ():
        found[part] = list(map(_rounded, found[part]))
    return _document(found)


def judged(record: Record, solution: Solution) -> dict[str, Any]:
    """The analysis document of a record, with every decision in words."""
    from ...analysis.analyse import analyse

    found = analyse(record, solution)
    document, kin = found.document(), family(record.game)
    for moment, written in zip(found.moments, document["moments"], strict=True):
        if moment.who != CHANCE:
            written |= _words(record.game, moment)
    return {**document, "secret": kin.secret if kin.covered else None, "captions": dict(kin.captions)}


def _words(game: WrittenGame, moment: "Moment") -> dict[str, Any]:
    """What the mover saw and could do, in words, and where that is found on a map."""
    kin = family(game)
    shown = {game.show_choice(action): action for action in (moment.choice, *moment.worths)}
    return {
        "place": kin.seen(game, moment.view),
        "decision": kin.decision(game, moment.view, moment.choice),
        "words": {text: kin.say(game, action) for text, action in shown.items()},
        "doing": {text: kin.acting(game, action) for text, action in shown.items()},
        "spot": kin.spot(game, moment.view),
    }


def figures(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the shelf shows of an analysis: each player's error rate and luck, the hidden luck included."""
    sides = document["figures"]
    return {
        "error_rate": [side["error_rate"] for side in sides],
        "luck": [side["luck"] + side["hidden_luck"] for side in sides],
    }


def first_analysis(game: WrittenGame, solution: Solution) -> None:
    """Analyse a game played at random, so that the first analysis that somebody asks for is quick."""
    rng, state = Random(1), game.start()
    choices: list[Any] = []
    while (mover := game.mover(state)) in (0, 1, CHANCE) and len(choices) < MOST_CHOICES:
        if mover == CHANCE:
            choices.append(sample(game.outcomes(state), rng))
        else:
            choices.append(rng.choice(list(game.actions(game.view(state, mover)))))
        state = game.play(state, choices[-1])
    if game.mover(state) not in (0, 1, CHANCE):
        with suppress(DicewrightError):
            judged(Record(game, tuple(choices), float(game.payoff(state))), solution)


FIRST = {"hint": first_hint, "analysis": first_analysis}


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
    """What takes seconds to make, as JSON text: an analysis, or one of the game's pictures."""
    *asked, sent = arguments
    tell("judging every ply" if what == "analysis" else f"drawing {asked[0]}")
    return analysis(asked[0], sent) if what == "analysis" else _picture(what, sent, *asked)


def player(name: str, text: str, tell: Tell) -> Document:
    """A player as arrays; no bytes if it is none that arrays hold."""
    tell(f"preparing {text} for {name}")
    found = make(parse(name), text)
    if not hasattr(found, "arrays"):
        return Document(b"")
    (told, arrays), body = found.arrays(), io.BytesIO()
    np.savez(body, **arrays)
    return Document(body.getvalue(), told)


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
