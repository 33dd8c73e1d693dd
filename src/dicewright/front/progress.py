"""How far long work is, in a terminal or a notebook."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Tell = Callable[..., None]


@contextmanager
def progress(what: str = "working", console: Console | None = None) -> Iterator[Tell]:
    """A bar while something runs; what it yields is the `progress` that simulations, tournaments and sweeps take.

    >>> from dicewright import simulate
    >>> from rich.console import Console
    >>> with progress("games", Console(quiet=True)) as tell:
    ...     tally = simulate("pig:goal=20", "hold:10", "hold:12", 1000, progress=tell)
    >>> tally.games
    1000
    """
    parts = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*parts, console=console) as bar:
        task = bar.add_task(what, total=None)

        def tell(done: Any, total: int | None = None) -> None:
            """Hear how many are done of how many, or what is done now in words."""
            if isinstance(done, str):
                bar.update(task, description=done)
            else:
                bar.update(task, completed=done, total=total)

        yield tell
