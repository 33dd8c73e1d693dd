"""The command line: run a command, whose every failure is one sentence, and show what it found.

Results are a few lines for people, or one JSON document for programs.
"""

import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from ..core.errors import DicewrightError, shown
from ..core.game import WrittenGame
from .tables import laid_out

PATIENCE = 1.0  # seconds an interrupted command may take to tidy up
LOOK = 0.2  # seconds between two looks for an interrupt that did not wake the main thread
IN_MAIN = (
    ["play"],
    ["serve"],
    ["study", "serve"],
)  # commands that read keys and answer signals, which only the main thread can
LEAST = 6  # letters of a column that is cut
BARS = "▁▂▃▄▅▆▇█"
_leaving = threading.Event()  # interrupted: what the command fails of from now on is not its own mistake


def main() -> None:
    """Run the command line; every failure is one sentence and an exit code.

    The command runs in a thread of its own: compiled code never looks for signals, so an interrupt would else
    wait for a kernel that takes minutes. This needs kernels that release the lock of the interpreter (nogil).
    Commands of IN_MAIN stay in the main thread and see to their long work themselves.
    """
    if any(sys.argv[1 : 1 + len(words)] == words for words in IN_MAIN):
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
    if (children := sys.modules.get("dicewright.core.child")) is not None:
        children.end_all()  # programs in sessions of their own
    os._exit(130)


def _leave(message: str, code: int) -> int:
    print(f"dicewright: {shown(message)}", file=sys.stderr)
    return code


class Terminal(Console):
    """Where people read: each text is one line, shown as it is, and commands nothing, whoever wrote it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print texts as lines, and tables; `markup=True` is for texts of our own."""
        super().print(*(shown(part) if isinstance(part, str) else part for part in objects), **options)


out = Terminal(soft_wrap=True)
err = Terminal(stderr=True)


def document(data: Any) -> None:
    """Print one JSON document and nothing else; letters that nobody sees are escaped."""
    for line in json.dumps(_plain(data), indent=2, ensure_ascii=False).split("\n"):
        escaped = (sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in line)
        print(line if line.isprintable() else "".join(escaped))


def _plain(data: Any) -> Any:
    """The data as JSON knows it: a number that is not finite becomes null."""
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def rows(title: str, columns: list[str], lines: list[list[Any]], right: tuple[int, ...] = ()) -> None:
    """Print a table; the columns numbered in `right` hold figures. Texts are shown as they are, brackets and all."""
    cells = [["" if cell is None else shown(str(cell)) for cell in line] for line in lines]
    head, below = laid_out([shown(column) for column in columns], cells, right, out.width)
    if title:
        out.print(f"[italic]{escape(shown(title))}[/italic]", markup=True)
    for line in head if any(columns) else ():
        out.print(f"[bold]{escape(line)}[/bold]", markup=True)
    for line in below:
        out.print(line)


def lines(title: str, columns: list[str], rows: list[list[str]], short: tuple[int, ...]) -> None:
    """Print a table with one line a row: the columns numbered in `short` are cut to what the window has."""
    cells = [[shown(text) for text in row] for row in (columns, *rows)]
    wide = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    while sum(wide) + 2 * (len(wide) - 1) > out.width:
        widest = max(short, key=lambda number: wide[number])
        if wide[widest] <= LEAST:
            break  # the window is too narrow for any table
        wide[widest] -= 1
    out.print(title)
    for row in cells:
        out.print("  ".join(_cut(text, width) for text, width in zip(row, wide, strict=True)).rstrip())


def _cut(text: str, width: int) -> str:
    return set_cell_size(text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…", width)


@contextmanager
def working(what: str, quiet: bool) -> Iterator[Callable[[str], None] | None]:
    """Show on stderr that long work goes on, only on a terminal; yields what updates the message."""
    if quiet or not err.is_terminal:
        yield None
        return
    with err.status(Text(shown(what))) as status:
        yield lambda text: status.update(Text(shown(text)))


def chance(number: float | None) -> str:
    """A chance as people read it, with six digits."""
    return "-" if number is None else f"{100 * number:.4f} %"


def value(header: dict[str, Any]) -> None:
    """The value of a game with its proof, in a few lines."""
    out.print(f"[bold]{escape(header['game'])}[/bold]", markup=True)
    sure = 15 if header["gap"] == 0 else max(2, min(15, math.floor(-math.log10(header["gap"])) + 1))
    if header["first_wins"] is not None:
        out.print(f"  first wins  {100 * header['first_wins']:.{min(10, max(1, sure - 1))}f} %")
    out.print(f"  value       {header['value']:+.{sure}f}  (payoff to the first player)")
    if header["exact"] is not None:
        out.print(f"  exactly     {header['exact']}")
    out.print(f"  lower       {header['lower']}")
    out.print(f"  upper       {header['upper']}")
    proof = "proved" if header["proved"] else "not proved (ask with --prove)"
    took = f"in {header['seconds']:.2f} s{', kept from before' if header['kept'] else ''}"
    if header.get("shipped"):
        made = f" (it took {header['seconds']:,.0f} s to make)" if header["seconds"] else ""
        took = f"from a table that comes with the package{made}"
    out.print(f"  {proof} by {header['method']}, {took}")


def advice(game: WrittenGame, found: Any, for_points: bool, mixed: bool) -> None:
    """What each action is worth, all that are best marked; `mixed`: and how often the solved strategy takes it."""
    number = "{:.6f}".format if for_points else chance
    best, lines = found.worth[found.best], []
    for action, worth in found.worth.items():
        text, tied = game.show_choice(action), action in found.tied
        line = [f"{text} *" if tied else text, number(worth), "" if tied else number(best - worth)]
        lines.append([*line, chance(float(found.mix.get(action, 0.0)))] if mixed else line)
    columns = ["action", "expected payoff" if for_points else "winning chance", "loss"]
    title = f"{game.name} at {game.show_view(found.view)}"
    rows(title, [*columns, "how often"] if mixed else columns, lines, right=(1, 2, 3))
    if found.note:
        out.print(found.note)


def sparkline(numbers: Sequence[float], width: int, points: bool = False) -> str:
    """Numbers as a row of bars at most so wide; of several that share a place, the last is shown.

    >>> sparkline([0.0, 0.5, 1.0], 10)
    '▁▅█'
    """
    low, high = (min(numbers), max(numbers)) if points else (0.0, 1.0)
    if len(numbers) > width:
        numbers = [numbers[(place + 1) * len(numbers) // width - 1] for place in range(width)]
    span = (high - low) or 1.0
    return "".join(BARS[min(7, max(0, int(8 * (number - low) / span)))] for number in numbers)
