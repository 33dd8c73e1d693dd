"""A program of a stranger in a process of its own: what it says is read within limits of time and size."""

import math
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakSet

from .errors import StrategyError

LOOK = 0.1  # seconds between two looks for an interrupt
GRACE = 0.5  # seconds that a process gets to end by itself
MOST_TAIL = 400  # bytes kept of what it complains
_living: "WeakSet[Child]" = WeakSet()


class TooLate(StrategyError):  # noqa: N818
    """It took longer than it had."""


class Child:
    """A process in a session of its own, so that whatever it starts ends with it."""

    def __init__(self, words: Sequence[str], heard: bool = False, **options: Any) -> None:
        """Start it; `heard` keeps the end of what it writes to standard error."""
        if sys.platform != "linux":  # where limits, sessions and their end are as they are told
            raise StrategyError(
                f"programs and Python files of others are run on Linux only, not on {sys.platform}"
            )
        self.complaint = b""
        self.stopped = False  # by us, where others end by themselves
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if heard else subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
            **options,
        )
        _living.add(self)

    def send(self, data: bytes, seconds: float = math.inf) -> None:
        """Let it read this; BrokenPipeError if it does not read any more, TooLate if it has not within this time."""
        stdin = self.process.stdin
        assert stdin is not None
        deadline, rest = time.monotonic() + seconds, memoryview(data)
        os.set_blocking(stdin.fileno(), False)  # a pipe that nobody reads takes 64 kB
        with selectors.DefaultSelector() as selector:
            selector.register(stdin, selectors.EVENT_WRITE)
            while rest:
                if (left := deadline - time.monotonic()) <= 0:
                    raise TooLate(f"it took longer than {seconds:g} s")
                if selector.select(min(left, LOOK)):
                    rest = rest[stdin.write(rest) or 0 :]

    def close_input(self) -> None:
        """It has read all there is."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def arriving(self, seconds: float, most: int, allowed: float | None = None) -> Iterator[bytes]:
        """What it says, in parts, until it says no more; StrategyError when it takes too long or is too much.

        `allowed` are the seconds that the error names, where some more are waited.
        """
        deadline, size = time.monotonic() + seconds, 0
        stdout, stderr = self.process.stdout, self.process.stderr
        assert stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            if stderr is not None and not stderr.closed:
                selector.register(stderr, selectors.EVENT_READ)
            while (left := deadline - time.monotonic()) > 0 and size <= most:
                for key, _ in selector.select(min(left, LOOK)):
                    part = os.read(key.fd, 1 << 16)
                    if key.fileobj is stdout:
                        if not part:
                            return
                        size += len(part)
                        yield part
                    elif part:
                        self.complaint = (self.complaint + part)[-MOST_TAIL:]
                    else:
                        selector.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]
        if size > most:
            raise StrategyError(f"it sent more than {most:,} bytes")
        raise TooLate(f"it took longer than {seconds if allowed is None else allowed:g} s")

    def end(self, grace: float = GRACE) -> int:
        """End the process and whatever it may have started in its session; its exit code.

        It gets a moment to end by itself, unreaped so that its number is not given away, for its exit code tells.
        """
        process = self.process
        if process.returncode is None:
            late = time.monotonic() + grace
            while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                if time.monotonic() >= late:
                    self.stopped = True
                    break
                time.sleep(0.01)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            self._hear_the_rest()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        _living.discard(self)
        return process.returncode

    def _hear_the_rest(self) -> None:
        """What it complained last, which may come after its last word."""
        stderr = self.process.stderr
        if stderr is not None and not stderr.closed:
            os.set_blocking(stderr.fileno(), False)  # somebody else may hold the other end
            self.complaint = (self.complaint + (stderr.read(1 << 16) or b""))[-MOST_TAIL:]


def end_all() -> None:
    """End every process that is still there, at once: for those who leave without tidying up."""
    for child in list(_living):
        child.end(grace=0.0)


def how_it_ended(code: int) -> str:
    """An exit code in words."""
    return f"ended by signal {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
