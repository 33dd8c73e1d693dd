"""The command line: read input, make one call into the layers above, show the result."""

import os
import signal
import sys
import threading
import time
from typing import Any

from ..core.errors import DicewrightError, shown

PATIENCE = 1.0  # seconds an interrupted command may take to tidy up
LOOK = 0.2  # seconds between two looks for an interrupt that did not wake the main thread
_leaving = (
    threading.Event()
)  # the command was interrupted: what it fails of from now on is not its own mistake
IN_MAIN = ("play", "serve")  # commands that read keys and answer signals, which only the main thread can


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code.

    The command runs in a thread of its own: compiled code never looks for signals, so an interrupt would else
    wait for a kernel that takes minutes. This needs kernels that release the lock of the interpreter (nogil).
    Commands of IN_MAIN stay in the main thread and see to their long work themselves.
    """
    if sys.argv[1:2] and sys.argv[1] in IN_MAIN:
        sys.exit(_run_in_main())
    codes: list[int] = []
    done = threading.Lock()  # taken until then; an interrupted Thread.join takes a living thread for dead
    done.acquire()

    def work() -> None:
        try:
            codes.append(_run())
        finally:
            done.release()

    worker = threading.Thread(target=work, daemon=True)
    try:
        _listen()
        worker.start()
        while not done.acquire(timeout=LOOK):
            pass  # the system may hand the interrupt to another thread, which wakes nobody
        _stop_listening()
    except KeyboardInterrupt:
        _interrupt(worker, done)
    sys.exit(codes[0] if codes else 1)


def _run() -> int:
    """The exit code of the command, whatever happens."""
    try:
        return _command()
    except KeyboardInterrupt:
        return 130


def _run_in_main() -> int:
    """The same, for a command that answers signals itself."""
    try:
        _listen()
        code = _run()
        _stop_listening()
        return code
    except KeyboardInterrupt:  # between two of these lines
        return 130


def _listen() -> None:
    """Answer interrupts from now on: until here they end the process (see `__main__`), or the parent ignores them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop_listening() -> None:
    """Nothing is left to tidy up: an interrupt ends the process again."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _command() -> int:
    import typer

    from . import commands  # noqa: F401 (register)
    from .app import app

    usage_error: Any = typer.BadParameter.__base__  # wherever this version of typer keeps it
    try:
        code = int(app(standalone_mode=False) or 0)
        sys.stdout.flush()
        return code
    except DicewrightError as error:
        return _leave(str(error), error.exit_code)
    except typer.Abort:
        return 130
    except SystemExit as left:  # what the shell asks for when TAB is pressed ends so
        return int(left.code or 0)
    except usage_error as error:
        error.message = shown(error.message)  # it may quote names of files that a shell has listed
        error.show()
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        return _leave("not enough memory for this", 1)
    except Exception as error:
        if _leaving.is_set():
            return 130
        if os.environ.get("DICEWRIGHT_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _leave(f"a mistake of dicewright's own ({what}); DICEWRIGHT_DEBUG=1 shows where", 1)


def _interrupt(worker: threading.Thread, done: threading.Lock) -> None:
    """Let Python code in the worker unwind, so that no file is left half written; then leave at once.

    An interrupt that meets a callback of Python's own ends there, and is sent again.
    """
    _stop_listening()  # whoever asks a second time does not want to wait
    import ctypes

    _leaving.set()
    ended = [KeyboardInterrupt]

    def end(what: Any) -> None:
        if what.exc_type is KeyboardInterrupt:
            ended.append(KeyboardInterrupt)
        else:
            sys.__unraisablehook__(what)

    sys.unraisablehook = end
    late = time.monotonic() + PATIENCE
    while time.monotonic() < late:
        if ended:
            kind, thread = ctypes.py_object(ended.pop()), ctypes.c_ulong(worker.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, kind)
        if done.acquire(timeout=0.02):
            break
    _leave("interrupted", 130)
    sys.stderr.flush()
    os._exit(130)


def _leave(message: str, code: int) -> int:
    print(f"dicewright: {shown(message)}", file=sys.stderr)
    return code
