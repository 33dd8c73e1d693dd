"""A player that is a program in any language: it is asked by lines of JSON, as docs/engine.md tells.

It is the user's own and has the user's rights; what is limited is what it may cost us: time for an answer, memory,
and the length of a line. It is told its player's view and nothing else. Whatever it does wrong is a StrategyError, by
which it loses the game it plays; its process then starts anew with the next question.
"""

import json
import math
import shlex
import threading
from collections.abc import Mapping
from random import Random
from typing import Any
from weakref import finalize

from ..core.child import Child, TooLate, how_it_ended
from ..core.effort import MEGABYTES, SECONDS, Limits
from ..core.errors import MOST_QUOTED, StrategyError, attempt, shown
from ..core.game import SEATS, Action, View, WrittenGame
from ..core.strategy import Mix
from ..families import family

PROTOCOL = 1
ENGINE = "engine"  # before the command: engine:./bot
ANSWER = Limits(SECONDS, MEGABYTES)
MOST_ANSWER = 100_000  # bytes of a line
MOST_SAID = 60  # bytes quoted of what was no answer
FORGOTTEN = " to say hello: it has to read line by line and to flush each answer"
START = 10.0  # seconds that a program has to say hello, at least: interpreters load
WRAPPER = 'ulimit -c 0; ulimit -d "$1"; shift; exec "$@"'  # memory is limited before the program begins


class Program:
    """One program, started when it is first asked and ended with this object or the interpreter."""

    def __init__(self, command: str, game: WrittenGame, limits: Limits = ANSWER) -> None:
        self.command, self.game, self.limits = command, game, limits
        self.words = _words(command)
        self._child: Child | None = None
        self._rest = b""  # of what it said, after the line that was read last
        self._lock = threading.Lock()  # one question after the other

    def __str__(self) -> str:
        return shown(f"{ENGINE}:{self.command}")

    def __call__(self, view: View) -> Mix:
        """Refuse to be tabulated: a program is asked in play, where its answers may differ from time to time."""
        raise StrategyError(
            f"{self} is a program, asked only while it plays; simulate, fair-test, sprt, tournament --games, measure "
            "and play are allowed"
        )

    def __reduce__(self) -> Any:
        raise StrategyError(f"{self} stays in the process that runs it")

    def begin(self, seat: int, seed: int) -> "Seated":
        """The player of one game."""
        return Seated(self, seat, seed)

    def greet(self) -> None:
        """Start it and say hello; StrategyError if it is no program or does not speak the protocol."""
        with self._lock:
            self._ready()

    def close(self) -> None:
        """End it."""
        with self._lock:
            self._end()

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Its answer to one line; StrategyError says what was wrong, and it is started anew next time."""
        with self._lock:
            return self._exchange(self._ready(), question, self.limits.seconds)

    def _ready(self) -> Child:
        if self._child is None:
            words = ["/bin/sh", "-c", WRAPPER, "sh", str(self.limits.megabytes * 1024), *self.words]
            child = self._child = Child(words, heard=True)
            self._leave = finalize(self, child.end, 0.0)
            hello = {"ask": "hello", "protocol": PROTOCOL, "game": self.game.name}
            hello |= {"rules": list(family(self.game).rules(self.game)), "seconds": self.limits.seconds}
            answer = self._exchange(child, hello, max(START, self.limits.seconds), FORGOTTEN)
            if answer.get("protocol") != PROTOCOL:
                self._end()
                raise self._fault(f'answered hello without "protocol": {PROTOCOL}')
        return self._child

    def _end(self) -> int:
        child, self._child, self._rest = self._child, None, b""
        if child is None:
            return 0
        self._leave.detach()
        return child.end(grace=0.0)

    def _exchange(
        self, child: Child, question: Mapping[str, Any], seconds: float, late: str = ""
    ) -> dict[str, Any]:
        said = bytearray()
        try:
            if self._rest:
                raise StrategyError(
                    f"said {shown(repr(self._rest[:MOST_SAID]), MOST_QUOTED)} without being asked"
                )
            child.send(json.dumps(question).encode() + b"\n", seconds)
            for part in child.arriving(seconds, MOST_ANSWER):
                said += part
                if b"\n" in part:
                    break
            else:
                raise BrokenPipeError
            line, _, self._rest = bytes(said).partition(b"\n")
            return _object(line)
        except BrokenPipeError:
            code = child.end()
            self._end()
            told = shown(child.complaint.decode(errors="replace").strip().rpartition("\n")[2], MOST_QUOTED)
            how = "closed its output" if child.stopped else how_it_ended(code)
            raise self._fault(f"{how} before it answered{told and f': {told}'}") from None
        except TooLate as error:
            self._end()
            raise self._fault(f"{error}{late}") from None
        except StrategyError as error:
            self._end()
            raise self._fault(str(error)) from None
        except BaseException:  # an interrupt: its answer would come when nobody waits for it
            self._end()
            raise

    def _fault(self, what: str) -> StrategyError:
        return StrategyError(f"{self} {what.removeprefix('it ')}")


class Seated:
    """A program in one seat of one game; `seed` starts what it may draw, so that the same games come again."""

    def __init__(self, program: Program, seat: int, seed: int) -> None:
        self.program, self.seat, self.random = program, seat, Random(seed)
        self.limits = program.limits

    def __str__(self) -> str:
        return str(self.program)

    def __call__(self, view: View) -> Mix:
        """What it answers, checked as far as JSON goes; the rules check the rest."""
        game = self.program.game
        actions = {game.show_choice(action): action for action in game.actions(view)}
        answer = self.program.ask(
            {
                "ask": "action",
                "game": game.name,
                "seat": SEATS[self.seat],
                "view": game.show_view(view),
                "data": plain(view),
                "actions": list(actions),
                "seconds": self.program.limits.seconds,
                "seed": self.random.getrandbits(32),
            }
        )
        try:
            return mix_of(answer, actions)
        except StrategyError as error:
            place = game.show_view(view)
            raise StrategyError(f"{self} {error} at {place}") from None


def mix_of(answer: Mapping[str, Any], actions: Mapping[str, Action]) -> Mix:
    """The mix in an answer, of actions by their texts; StrategyError if there is none."""
    if "error" in answer:
        raise StrategyError(f"gave up: {shown(str(answer['error']), MOST_QUOTED)}")
    given = answer.get("mix", {answer["action"]: 1.0} if isinstance(answer.get("action"), str) else None)
    if not isinstance(given, dict) or not given:
        raise StrategyError(f'answered {_quoted(answer)}; {{"action": ...}} or {{"mix": {{...}}}} is allowed')
    mix: dict[Action, float] = {}
    for text, chance in given.items():
        if text not in actions:
            raise StrategyError(f"answered {_quoted(text)}; allowed are {', '.join(actions)}")
        if isinstance(chance, bool) or not isinstance(chance, (int, float)) or not 0 <= chance <= 1:
            raise StrategyError(f"gave {text} the chance {_quoted(chance)}; 0 to 1 is allowed")
        mix[actions[text]] = float(chance)
    if abs((total := math.fsum(mix.values())) - 1.0) > 1e-6:
        raise StrategyError(f"answered chances that sum to {total:g}, not 1")
    return {
        action: mix[action] / total for action in actions.values() if action in mix
    }  # the same draws anyhow


def plain(value: Any) -> Any:
    """A view as JSON knows it: fields by name, sequences as lists.

    >>> from dicewright.families.catalog import parse
    >>> plain(parse("pig").read_view("34-27+12"))
    {'mine': 34, 'yours': 27, 'turn': 12, 'my_turn': True}
    """
    if hasattr(value, "_asdict"):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _words(command: str) -> list[str]:
    """The program and its arguments, quoted as in a shell; what is no command is refused."""
    words: list[str] = attempt(lambda: shlex.split(command), [])
    if not words or "\0" in command:
        raise StrategyError(
            f"{shown(repr(command), MOST_QUOTED)} is no command; one such as engine:./bot is allowed"
        )
    return words


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line; infinity and NaN are no numbers of JSON."""

    def refuse(text: str) -> None:
        raise ValueError(text)

    try:
        found = json.loads(line, parse_constant=refuse)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise StrategyError(
            f"answered {shown(repr(line[:MOST_SAID]), MOST_QUOTED)}; an object of JSON is allowed"
        )
    return found


def _quoted(value: Any) -> str:
    return shown(json.dumps(value), 80)
