"""What ends the screen from outside, a signal or the end of the terminal, is heard whatever the program waits for."""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

LEAVE_SECONDS = 15  # to end in order after a signal: more than a database that others write to may take
# Not every system has all of them.
ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
TEXTUALS = [getattr(signal, name) for name in ("SIGTSTP", "SIGCONT") if hasattr(signal, name)]


class Screen(Protocol):
    """What runs in a loop, once that has begun, and can leave it."""

    loop: asyncio.AbstractEventLoop | None
    leaving: bool

    def exit(self) -> None: ...


@contextmanager
def heard(screen: Screen) -> Iterator[None]:
    """The screen ends when a signal says so or the terminal goes away.

    Python runs its handlers in the main thread, between two of its steps. A signal that another thread receives, or
    that comes just when the main thread begins to wait, is not noticed before that wait ends, which may be never. The
    system writes the signal's number to a pipe at once, and a thread that waits for nothing else reads it there.
    """
    before = {number: signal.getsignal(number) for number in (*ENDING, *TEXTUALS)}
    for number in ENDING:
        signal.signal(number, lambda number, _: _tell(screen, number))
    try:
        if hasattr(select, "poll"):
            with _listener(screen):
                yield
        else:
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _listener(screen: Screen) -> Iterator[None]:
    news, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    before = signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    thread = threading.Thread(target=_listen, args=(news, screen), daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(wakeup)
        thread.join()
        os.close(news)


def _listen(news: int, screen: Screen) -> None:
    """Tell what comes until nobody can write news any more."""
    poll = select.poll()
    poll.register(news, select.POLLIN)
    terminal = sys.stdin.fileno()
    poll.register(terminal, 0)  # nothing but its end
    while True:
        for file, event in poll.poll():
            if file == terminal:
                poll.unregister(terminal)
                if event & select.POLLHUP:
                    _tell(screen, signal.SIGHUP)
            elif numbers := os.read(news, 64):
                for number in numbers:
                    _tell(screen, number)
            else:
                return


def _tell(screen: Screen, number: int) -> None:
    """End in order, or at all: what is to be drawn can wait for ever for a terminal that is gone.

    After any other signal the loop wakes, and the main thread runs its handler.
    """
    if number in ENDING:
        screen.leaving = True  # first, since a screen that begins looks at this last
        if hasattr(signal, "alarm"):
            signal.alarm(LEAVE_SECONDS)  # then the system ends this process, whatever it waits for
    if screen.loop is not None:
        with suppress(RuntimeError):  # it has closed
            screen.loop.call_soon_threadsafe(screen.exit if number in ENDING else lambda: None)
