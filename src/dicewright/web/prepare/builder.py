"""The second process: it solves games while the server goes on, and goes when the server is gone.

    python -m dicewright.web.prepare.builder PIPE

answers questions that come through a pipe, whose number it is given, as JSON:

    ["build", ["mia", "/tmp/..."]]          work of WORK and its arguments
    [null, "..."]                           news: how far it is
    [true, ...]                             the answer
    ["document", ...]                       an answer of bytes, which follow
    [false, ["TooLarge", "..."]]            the error: its class and its sentence

`sent` is the file of a solution that the store does not keep.
"""

import io
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from multiprocessing.connection import Connection
from queue import SimpleQueue
from random import Random
from typing import Any

import numpy as np

from ...analysis.moments import Analysis
from ...arena.table import play_game
from ...core.errors import DicewrightError
from ...core.game import CHANCE, WrittenGame
from ...core.solution import Solution
from ...core.strategy import AnyAction
from ...families import family
from ...families.catalog import parse
from ...families.catalog import strategy as parse_strategy
from ...families.levels import level_of
from ...storage import trained
from ...storage.levels import ladder_of
from ...storage.records.text import read_records
from ..rooms.views import OPTIMAL, make, unit
from .lanes import DOCUMENT, Document
from .prepared import MOST_CHOICES, first_hint, receive_solution, send_solution

Tell = Callable[[str], None]
DIGITS = 6
KEPT = 4  # solutions in this process
_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def build(name: str, folder: str, tell: Tell) -> str | None:
    """Solve the game; None if its solution is at hand now, else the name of a file in this folder that holds it."""
    return send_solution(trained.judge_for(parse(name), tell), folder)


def compile_for(name: str, what: str, tell: Tell) -> str:
    """Compile what the first `hint` or `analysis` of this game needs; the server finds it on disk.

    The answer is the kind of strategy: what was compiled serves all games that have the same.
    """
    game = parse(name)
    solution = trained.judge_for(game, tell)
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


def strengths_of(name: str, strategies: list[str], tell: Tell) -> dict[str, str]:
    """How strong each is against the family's reference, in words; the strongest first."""
    from ...arena.strength import strengths

    game = parse(name)
    kin = family(game)
    tell(f"measuring the players of {name}")
    texts = [*strategies, *({kin.reference} - set(strategies))]
    solved = [_kept(name).player if text == OPTIMAL else make(game, text) for text in texts]
    found = strengths(game, dict(zip(texts, solved, strict=True)), kin.reference)
    order = sorted(found.items(), key=lambda pair: -pair[1].wins)
    return {text: strength.say(kin.menu.called(kin.reference)) for text, strength in order}


@lru_cache(maxsize=KEPT)
def _kept(name: str) -> Solution:
    return trained.judge_for(parse(name))


def _solved(game: WrittenGame, sent: Any) -> Solution:
    return _kept(game.name) if sent is None else receive_solution(game, sent)


def _picture(what: str, sent: Any, name: str, text: str, *asked: Any) -> Document:
    """One of the game's pictures; the page rounds differences of worths, so not all numbers are rounded here."""
    game = parse(name)
    picture = family(game).drawn(game)[what]
    solution = _solved(game, sent) if picture.solved or text == OPTIMAL else None
    player = solution.player if solution is not None and text == OPTIMAL else make(game, text)
    found = {"unit": unit(game), **picture.draw(game, player, solution, *asked)}
    return _document(found | {part: list(map(_rounded, found[part])) for part in picture.rounded})


def judged(found: Analysis) -> dict[str, Any]:
    """The analysis document of a record: every decision in words too, and where it is found on a map."""
    game = found.record.game
    document, kin = found.document(), family(game)
    for moment, written in zip(found.moments, document["moments"], strict=True):
        if moment.who != CHANCE:
            shown = {game.show_choice(action): action for action in (moment.choice, *moment.worths)}
            written |= {
                "place": kin.seen(game, moment.view),
                "decision": kin.decision(game, moment.view, moment.choice),
                "words": {text: kin.say(game, action) for text, action in shown.items()},
                "doing": {text: kin.acting(game, action) for text, action in shown.items()},
                "actions": [game.show_choice(action) for action in moment.worths],  # objects keep no order
                "spot": kin.spot(game, moment.view),
            }
    return {**document, "secret": kin.secret if kin.covered else None, "captions": dict(kin.captions)}


def first_analysis(game: WrittenGame, solution: Solution) -> None:
    """Analyse a game played at random, so that the first analysis that somebody asks for is quick."""
    from ...analysis.analyse import analyse

    record = play_game(game, (AnyAction(game),) * 2, Random(1), most=MOST_CHOICES)
    with suppress(DicewrightError):
        if record.ended == "over":
            judged(analyse(record, solution))


FIRST = {"hint": first_hint, "analysis": first_analysis}


def analysis(record: str, sent: Any) -> Document:
    """Every ply of a record judged; told are the figures that the shelf shows."""
    from ...analysis.analyse import analyse
    from ...analysis.sides import figures

    [one] = read_records(record)
    found = analyse(one, _solved(one.game, sent))
    return _document(judged(found), figures(found))


def judge(records: str, sent: Any) -> Document:
    """The figures of games of one kind, for the shelf, as far as they can be judged."""
    from ...analysis.analyse import analyse
    from ...analysis.sides import figures

    found: list[Any] = []
    for record in read_records(records):
        try:
            found.append(figures(analyse(record, _solved(record.game, sent))))
        except DicewrightError as error:
            found.append({"error": str(error)})
    return Document(b"", found)


def _document(value: Any, told: Any = None) -> Document:
    return Document(_text(value).encode(), told)


def _rounded(line: Sequence[float | None]) -> list[float | None]:
    return [None if number is None else round(number, DIGITS) for number in line]


def draw(what: str, arguments: list[Any], tell: Tell) -> Document:
    """What takes seconds to make, as JSON text: an analysis, or one of the game's pictures."""
    *asked, sent = arguments
    judges = {"analysis": analysis, "figures": judge}.get(what)
    tell("judging every ply" if judges else f"drawing {asked[0]}")
    return judges(asked[0], sent) if judges else _picture(what, sent, *asked)


def player(name: str, text: str, tell: Tell) -> Document:
    """A player as arrays; no bytes if it is none that arrays hold."""
    tell(f"preparing {text} for {name}")
    found = make(parse(name), text)
    apart = level_of(text) is not None and family(parse(name)).levels_apart(parse(name))
    return _packed(parse(name), found, {}) if apart or hasattr(found, "arrays") else Document(b"")


def _packed(game: WrittenGame, found: Any, about: Any) -> Document:
    """A player as arrays, and what is said of it."""
    (told, arrays), body = family(game).sent(game, found), io.BytesIO()
    np.savez(body, **arrays)
    return Document(body.getvalue(), {"player": told, "about": about})


def learn(name: str, records: str, seats: list[int], sent: str | None, answer: bool, tell: Tell) -> Document:
    """What these games show of the person in these seats, and the answer to them, if one is asked for."""
    from ...people.learner import learn as learned

    game = parse(name)
    tell(f"learning from {len(seats)} games of {name}")
    played = [(record.choices, seat) for record, seat in zip(read_records(records), seats, strict=True)]
    found = learned(_solved(game, sent), played, answer)
    about = found.document()
    return Document(b"", {"about": about}) if found.strategy is None else _packed(game, found.strategy, about)


def levels(name: str, sent: str | None, tell: Tell) -> None:
    """Find the levels of a game, which the store keeps."""
    tell(f"finding the levels of {name}")
    game = parse(name)
    ladder_of(game, _solved(game, sent))


WORK: dict[str, Callable[..., Any]] = {
    "learn": learn,
    "levels": levels,
    "build": build,
    "compile": compile_for,
    "matrix": matrix,
    "strengths": strengths_of,
    "draw": draw,
    "player": player,
}


def _listen(pipe: Connection, questions: "SimpleQueue[tuple[str, list[Any]]]") -> None:
    try:
        while True:
            questions.put(json.loads(pipe.recv_bytes()))
    except Exception:  # the server is gone, so nobody waits for what is being done
        os._exit(0)


def main() -> None:
    """Answer questions, one after another, until the server is gone."""
    pipe = Connection(int(sys.argv[1]))
    os.dup2(2, 1)  # what a solver prints is none of the server's words
    questions: SimpleQueue[tuple[str, list[Any]]] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, questions), daemon=True).start()

    def send(*answer: Any) -> None:
        pipe.send_bytes(json.dumps(answer).encode())

    while True:
        name, arguments = questions.get()
        try:
            try:
                found = WORK[name](*arguments, lambda news: send(None, news))
            except DicewrightError as error:
                send(False, (type(error).__name__, str(error)))
            except Exception as error:
                send(False, ("", f"{type(error).__name__}: {error}"))
            else:
                if isinstance(found, Document):
                    send(DOCUMENT, found.told)
                    pipe.send_bytes(found.body)
                else:
                    send(True, found)
        except OSError:
            os._exit(0)


if __name__ == "__main__":
    main()
