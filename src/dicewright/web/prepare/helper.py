"""Asks the second process (builder.py) and waits for its answers in a thread of its own.

Solutions go between the two by the store. Where the store keeps none, one is written to a folder of the server's own,
and whoever reads the file removes it.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from ...core import errors
from ...core.errors import DicewrightError, TooLarge
from ...core.game import WrittenGame
from ...core.solution import Solution
from ...storage import solution_file, store
from ..rooms.views import at_hand
from .lanes import Lane

SECONDS = 120.0  # for one question; then the process is stopped
DOCUMENT = "document"
NICE = 10  # the server goes first on a busy machine


@dataclass(frozen=True, eq=False)
class Document:
    """Bytes that go through the server as they are, and what the server itself wants to know of them."""

    body: bytes
    told: Any = None


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


class Helper:
    """One process, started when it is first asked and again if it has died."""

    def __init__(self, name: str = "helper", seconds: float = SECONDS) -> None:
        self.thread, self.seconds = ThreadPoolExecutor(1, name), seconds
        self.process: subprocess.Popen[bytes] | None = None
        self.closed, self.lock, self.lane = False, threading.Lock(), Lane(1)

    async def ask(self, hear: Callable[[str], None], work: str, *arguments: Any) -> Any:
        """What the second process makes of this work, one after another; `hear` is told how far it is."""
        return await self.lane.do(self.thread, self._ask, hear, work, arguments)

    def _ask(self, hear: Callable[[str], None], work: str, arguments: tuple[Any, ...]) -> Any:
        process, started = self._running(), time.monotonic()
        late = threading.Timer(self.seconds, process.kill)
        late.daemon = True
        late.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, (work, arguments))  # type: ignore[arg-type]
            while (found := receive(process.stdout))[0] is None:  # type: ignore[arg-type]
                hear(found[1])
            if found[0] == DOCUMENT:
                return Document(receive_bytes(process.stdout), found[1])  # type: ignore[arg-type]
        except (OSError, EOFError, ValueError) as error:
            process.kill()
            process.wait()
            if time.monotonic() - started >= self.seconds:
                raise TooLarge(f"this took longer than {self.seconds:.0f} s here and was stopped") from error
            raise DicewrightError("the process that solves games has ended") from error
        finally:
            late.cancel()
        done, answer = found
        if done:
            return answer
        name, sentence = answer
        kind = getattr(errors, name, None) if name else None
        raise kind(sentence) if kind else RuntimeError(sentence)

    def _running(self) -> subprocess.Popen[bytes]:
        with self.lock:
            if self.closed:
                raise DicewrightError("the server is stopping")
            if self.process is None or self.process.poll() is not None:
                command = [sys.executable, "-m", "dicewright.web.prepare.builder"]
                # a session of its own: Ctrl-C is for the server, which ends it
                self.process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
                )
                os.setpriority(os.PRIO_PROCESS, self.process.pid, os.nice(0) + NICE)
            return self.process

    def close(self) -> None:
        """Stop the process, whatever it is doing, and start no other."""
        self.thread.shutdown(wait=False, cancel_futures=True)
        with self.lock:
            self.closed, process = True, self.process
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except OSError:
                        continue


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    # nobody else may enter; it goes with this process
    return tempfile.TemporaryDirectory(prefix="dicewright-")


def folder() -> str:
    """The folder of this process for such files."""
    return _folder().name


def send_solution(solution: Solution, where: str) -> str | None:
    """The name of a new file in this folder; None if the solution is at hand anyway."""
    if at_hand(solution.game):
        return None
    with tempfile.NamedTemporaryFile(dir=where, suffix=".npz", delete=False) as file:
        path = Path(file.name)
    solution_file.save(path, solution)
    return str(path)


def receive_solution(game: WrittenGame, sent: str | None) -> Solution:
    """The solution that was sent; where none was, the one that is at hand."""
    if sent is None:
        return store.solution_of(game)
    path = Path(sent)
    try:
        return solution_file.load(path, game)
    finally:
        path.unlink(missing_ok=True)
