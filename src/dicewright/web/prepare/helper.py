"""Asks the second process (builder.py) and waits for its answers in a thread of its own."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ...core import errors
from ...core.errors import DicewrightError, TooLarge
from .builder import DOCUMENT, receive, receive_bytes, send
from .document import Document
from .lanes import Lane

SECONDS = 120.0  # for one question; then the process is stopped


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
                self.process = (
                    subprocess.Popen(  # a session of its own: Ctrl-C is for the server, which ends it
                        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
                    )
                )
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
