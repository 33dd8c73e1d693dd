"""Waiting no longer than asked for an answer."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .errors import StrategyError


class _Late(BaseException):
    """The time is over; no `except Exception` of a strategy can swallow it."""


@contextmanager
def patience(seconds: float, message: Callable[[], str]) -> Iterator[None]:
    """Stop what runs inside after so many seconds, with a StrategyError that says `message`.

    By an alarm, so only in the main thread of a system that has one; elsewhere it waits.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise _Late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _Late:
        raise StrategyError(message()) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
