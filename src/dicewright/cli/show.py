"""How results are shown: a few lines for people, or one JSON document for programs."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ..core.errors import shown
from ..core.game import WrittenGame

LEAST = 6  # letters of a column that is cut
BARS = "▁▂▃▄▅▆▇█"


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
        print(line if line.isprintable() else "".join(map(_escaped, line)))


def _escaped(sign: str) -> str:
    return sign if sign.isprintable() else json.dumps(sign)[1:-1]


def _plain(data: Any) -> Any:
    """The data as JSON knows it: a number that is not finite becomes null."""
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def rows(title: str, columns: list[str], lines: list[list[str]], right: tuple[int, ...] = ()) -> None:
    """Print a table; the columns numbered in `right` hold figures. Texts are shown as they are, brackets and all."""
    table = Table(title=shown(title), title_justify="left", box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(shown(column), justify="right" if number in right else "left", overflow="fold")
    for line in lines:
        table.add_row(*map(shown, line))
    out.print(table)


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


def points(number: float) -> str:
    """An expected payoff in points."""
    return f"{number:.6f}"


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
    number = points if for_points else chance
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


def reproduced(report: Any, seconds: float) -> None:
    """The sources recomputed: one table, what was left out, and the count."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("place", "what", "paper", "here", "verdict"):
        table.add_column(column, overflow="fold")
    source = ""
    for row in report.rows:
        if row.source != source:
            source = row.source
            table.add_row(f"[bold]{source}[/bold]")
        colour = "red" if row.failed else "yellow" if row.reason else "green"
        note = f"{row.reason}; ours should be {row.expected}" if row.failed and row.expected else row.reason
        verdict = f"[{colour}]{row.verdict}[/{colour}]{f': {escape(note)}' if note else ''}"
        table.add_row(*map(escape, (row.place, row.what, row.paper, row.ours)), verdict)
    out.print(table, markup=True)
    if report.left_out:
        out.print(f"left out: {'; '.join(claim.what for claim in report.left_out)}")
    counts = ", ".join(f"{number} {verdict}" for verdict, number in report.verdicts.items())
    failed = len(report.failed)
    out.print(f"{len(report.rows)} results in {seconds:.0f} s: {counts}")
    out.print(f"{failed} that should agree do not" if failed else "none that should agree differs")


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
